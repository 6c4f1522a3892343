"""Requests while one writes: completion, signatures, indentation."""
