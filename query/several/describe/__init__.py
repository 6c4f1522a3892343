"""describe of several indexes."""
