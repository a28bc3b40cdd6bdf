"""The pages for whoever runs the table: settings, backup, the page as an app."""
