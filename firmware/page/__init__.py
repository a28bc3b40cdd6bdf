"""The program's side of the page: a separate process, what is sent to it and what comes back."""
