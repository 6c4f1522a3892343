"""query: a statement in SQL of the user's own."""
