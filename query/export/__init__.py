"""export: writes an index in the formats of other tools."""
