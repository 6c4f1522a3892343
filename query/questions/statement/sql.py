"""The one SELECT that query needs besides the user's own."""

# Declares the full-text tables to this connection; reads nothing.
DECLARE_FULL_TEXT = "SELECT 1 FROM symbols_fts, exported_names_fts, definitions_fts WHERE 0"
