"""The statements that create the search index of a docset (kapeli.com/docsets#createsqlite)."""

TABLE = "CREATE TABLE searchIndex(id INTEGER PRIMARY KEY, name TEXT, type TEXT, path TEXT)"

UNIQUE = "CREATE UNIQUE INDEX anchor ON searchIndex (name, type, path)"

INSERT = "INSERT INTO searchIndex(name, type, path) VALUES (?, ?, ?)"
