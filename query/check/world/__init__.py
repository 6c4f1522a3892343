"""The packages, symbols and operators that there are: those of the index, and those of the files."""
