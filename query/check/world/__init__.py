"""The packages, symbols and operators of the index and of the checked files together."""
