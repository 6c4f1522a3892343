"""The commands that build, follow and check an index."""
