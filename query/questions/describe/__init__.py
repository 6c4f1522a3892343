"""describe: what a name is."""
