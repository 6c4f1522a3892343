"""The question show of a catalog."""
