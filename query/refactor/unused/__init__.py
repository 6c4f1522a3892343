"""Unused definitions are deleted in a copy of the project, which tells whether anything needs them."""
