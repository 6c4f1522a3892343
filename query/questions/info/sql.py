"""Every SELECT of info, named."""

COUNTS = """
SELECT (SELECT count(*) FROM packages) AS packages, (SELECT count(*) FROM symbols) AS symbols,
       (SELECT count(*) FROM definitions) AS definitions,
       (SELECT count(*) FROM symbol_references) AS symbol_references,
       (SELECT count(*) FROM problems) AS problems
"""

SYSTEMS = "SELECT name, asked FROM systems ORDER BY name"
