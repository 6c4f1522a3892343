"""The SELECTs that query needs beside the user's own, named."""

VIRTUAL_TABLES = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"

# Declares the table to this connection, and reads nothing.
DECLARE = 'SELECT 1 FROM "{name}" LIMIT 0'
