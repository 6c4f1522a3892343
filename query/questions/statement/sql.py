"""The SELECT that query needs beside the user's own, named."""

# Declares the full-text tables to this connection, and reads nothing.
DECLARE_FULL_TEXT = "SELECT 1 FROM symbols_fts, exported_names_fts, definitions_fts WHERE 0"
