"""Refresh an index: the index of a project's dependencies, plus the project as it is now."""
