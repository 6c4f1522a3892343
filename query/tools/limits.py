"""The limits of tools that ask no question."""

from __future__ import annotations

FILE_LINES = 2_000

CHANGES_SECONDS = 60.0
"""Comparing two indexes reads all exports of both."""

EDIT_SECONDS = 60.0
RENAME_SECONDS = 120.0
"""Both read sources of the project; a rename reads all of them."""

# These tools limit their waits for a turn, for SBCL and for the form themselves; these limits are a backstop.
EVAL_SECONDS = 120.0
LOAD_SECONDS = 720.0
REINDEX_SECONDS = 1800.0
