"""Records -> rows of the tables."""
