"""Texts with the names of types in them, which a world has renamed."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TOKEN = re.compile(r"[^\s()'\"|#]+")


class Renaming:
    """Writes the new names of a world in place of the old; remembers texts, most of which are the same."""

    def __init__(self, renamed: Mapping[str, str]) -> None:
        self._renamed = renamed
        self._known: dict[str, str] = {}

    def text(self, text: str) -> str:
        """The text with new names."""
        if (known := self._known.get(text)) is None:
            known = _TOKEN.sub(lambda match: self._renamed.get(match[0], match[0]), text)
            self._known[text] = known
        return known
