"""An index file, opened read-only: its rows, its names, and what every answer needs of them."""
