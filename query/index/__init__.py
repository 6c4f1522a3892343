"""An index file, opened read-only: its rows, its names, and the parts that all answers share."""
