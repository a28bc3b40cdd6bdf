"""The pages that teach: rules, lessons, where a figure may go."""
