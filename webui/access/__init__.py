"""Who may ask for what: names, PIN, forged requests, and how often."""
