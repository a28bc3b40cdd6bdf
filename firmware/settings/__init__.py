"""What a person chose: the settings file, the words of the call, and the eye made from them."""
