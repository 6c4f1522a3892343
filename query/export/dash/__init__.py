"""Docsets for Dash and Zeal."""
