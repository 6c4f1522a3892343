"""definition: the text of all definitions of a name."""
