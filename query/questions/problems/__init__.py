"""problems: what could not be loaded, read or placed when an index was built."""
