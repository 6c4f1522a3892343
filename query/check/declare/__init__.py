"""The first reading: the definitions in the checked files."""
