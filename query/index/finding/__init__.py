"""From a name as a person types it to a symbol, or to why there is none and what may have been meant."""
