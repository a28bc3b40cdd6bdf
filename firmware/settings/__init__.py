"""What the user chose: the settings file, the command-line arguments, and the eye made from them."""
