"""query: the user's own SQL."""
