"""Names as the code of one package writes them, and what would make them shorter there."""
