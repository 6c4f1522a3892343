"""The catalog file: its tables, the rows that a release adds to it, and publishing it."""
