"""A client for Swank, SLIME's server, with just what reading values takes."""
