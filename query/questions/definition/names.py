"""Several names in one text, separated by commas."""

from __future__ import annotations

import re

# A comma between names, but not one that belongs to a name: in pipes or behind a backslash.
_PIECE = re.compile(r"(?:\\.|\|(?:\\.|[^|\\])*\||[^,\\])+|\\", re.DOTALL)


def split_at_commas(text: str) -> list[str]:
    """The names in ``text``; commas in pipes and behind backslashes are parts of names."""
    pieces = [piece.lstrip() for piece in _PIECE.findall(text)]
    return [piece for piece in pieces if piece.strip()]
