"""From a name as a person types it to a symbol, or to the reason for its absence and similar names."""
