"""Follow the sources of a project: a refresh after each change."""
