"""The question provides of a catalog."""
