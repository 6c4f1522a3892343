"""The rule unknown-rule."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NamedTuple

from ...findings import SourceFinding
from ..described import Rule

RULE = Rule("unknown-rule", "error", __file__)


class UnknownRule(NamedTuple):
    """A rule in a comment that does not exist, and its place, from 1."""

    name: str
    line: int
    column: int

    def finding(self, path: str, rules: Iterable[str]) -> SourceFinding:
        """The finding about it in the file at ``path``; ``rules`` are those that exist."""
        near = tuple(get_close_matches(self.name, rules, n=1))
        said = f"there is no rule {self.name}"
        return SourceFinding(
            path, self.line, self.column, RULE.name, said, length=len(self.name) or 1, suggestions=near
        )
