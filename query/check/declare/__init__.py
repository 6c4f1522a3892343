"""The first reading: what the files that are checked define themselves."""
