"""A client of Swank, SLIME's server, with just what values need."""
