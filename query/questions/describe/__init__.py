"""describe: the type, lambda list, value, documentation and source of a name."""
