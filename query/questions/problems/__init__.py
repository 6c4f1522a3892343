"""problems: what could not be loaded, read or located when an index was built."""
