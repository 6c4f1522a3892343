"""Several names in one text, separated by commas."""

from __future__ import annotations

import re

# A comma between names, but not one inside a name: in pipes or after a backslash.
_PIECE = re.compile(r"(?:\\.|\|(?:\\.|[^|\\])*\||[^,\\])+|\\", re.DOTALL)


def split_at_commas(text: str) -> list[str]:
    """Split ``text`` into names; commas in pipes and after backslashes are part of a name."""
    pieces = [piece.lstrip() for piece in _PIECE.findall(text)]
    return [piece for piece in pieces if piece.strip()]
