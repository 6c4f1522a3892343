"""search: symbols by words."""
