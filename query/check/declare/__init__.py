"""The first pass, which collects the definitions in the checked files."""
