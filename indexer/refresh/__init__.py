"""A refresh: the index of what a project depends on, and what the project is made of by now."""
