"""The rule unknown-rule."""

from __future__ import annotations

from typing import NamedTuple

from ...findings import SourceFinding
from ..described import Rule
from ..table import similar_rules

RULE = Rule("unknown-rule", "error", __file__)


class UnknownRule(NamedTuple):
    """A rule in a comment that does not exist, and its place, from 1."""

    name: str
    line: int
    column: int

    def finding(self, path: str) -> SourceFinding:
        """The finding about it in the file at ``path``."""
        near = similar_rules(self.name)
        said = f"there is no rule {self.name}"
        return SourceFinding(
            path, self.line, self.column, RULE.name, said, length=len(self.name) or 1, suggestions=near
        )
