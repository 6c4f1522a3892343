"""What answers each of oblist's own tools."""
