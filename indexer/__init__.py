"""Build an oblist index: SBCL image -> records -> SQLite file."""
