"""complete: the names that one may be typing."""
