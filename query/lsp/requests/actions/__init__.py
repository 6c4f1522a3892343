"""Code actions: what the server offers to change at a place, and the changes."""
