"""export: what an index knows, in the formats that other tools read."""
