"""A client of Swank, the server of SLIME, as far as values need it."""
