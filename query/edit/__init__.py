"""Changes to sources, which are made together or not at all."""
