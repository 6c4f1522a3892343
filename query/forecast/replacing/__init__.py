"""The index of a project as it would be with another version of a library in it."""
