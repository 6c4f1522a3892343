"""The question releases of a catalog."""
