"""provides of several indexes."""
