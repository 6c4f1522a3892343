"""The limits of our tools, which their descriptions state and their handlers keep."""

PACKAGE = "CL-USER"
"""The package in which a name is looked up by default."""

APROPOS_LIMIT = 200
CHANGES_LIMIT = 100
CLASS_LIMIT = 50
DEFINITIONS_LIMIT = 20
EXAMPLES_LIMIT = 5
EXPORTS_LIMIT = 200
FILE_LINES = 2_000
FINDINGS_LIMIT = 50
LIBRARY_LIMIT = 10
REFERENCES_LIMIT = 50
SEARCH_LIMIT = 20
TREE_LIMIT = 10

LONGEST = 1_000
"""The most characters of a name: negative answers repeat it."""

CHANGES_SECONDS = 60.0
"""Comparing two indexes reads all exports of both."""
LONGEST_TEXT = 1_000_000
"""The most characters of a text that is checked."""

# These tools limit their waits for a turn, for SBCL and for the form themselves; these limits are a backstop.
EVAL_SECONDS = 120.0
LOAD_SECONDS = 720.0
REINDEX_SECONDS = 1800.0
