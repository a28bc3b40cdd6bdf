"""`magister doctor`: facts gathered, checked and told."""
