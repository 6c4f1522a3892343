"""The question search of a catalog."""
