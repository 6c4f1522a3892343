"""search of several indexes."""
