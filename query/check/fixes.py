"""Corrections of findings: what to write instead, and which of them are certain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rapidfuzz.distance import OSA

from ..edit.changes import Edit
from ..index.present.lines import TextLines
from .findings import SourceFinding

# The rules about names that are misspelt.
_MISSPELT = frozenset(
    (
        *("unknown-symbol", "unknown-package", "unknown-keyword", "unknown-class", "unknown-initarg"),
        *("undefined-function", "undefined-variable", "unknown-place"),
    )
)
_SHORTEST = 5  # names with fewer letters are like too many others
_SHORTEST_KEYWORD = 4  # of which there are only a few at a place
_KEYWORDS = ("unknown-keyword", "unknown-initarg")
_ONE_SLIP = 1  # a letter too many, one too few, another one, or two swapped


class Correction(NamedTuple):
    """What to write instead of the text at a finding."""

    finding: SourceFinding
    new: str
    start: int
    """The offset of the text at fault in its file, in characters from 0."""

    @property
    def edit(self) -> Edit:
        """The change of the text."""
        return Edit(self.start, self.start + len(self.finding.written), self.new)


def in_case_of(written: str, new: str) -> str:
    """A suggestion in the letter case of the name that it replaces."""
    return new.upper() if written.isupper() and "|" not in new else new


def certain_correction(finding: SourceFinding) -> str | None:
    """The name that a misspelt one certainly stands for: the only name that is one slip away."""
    if finding.rule not in _MISSPELT or finding.prose:
        return None
    written = finding.written.lower()
    if len(written.rpartition(":")[2]) < (_SHORTEST_KEYWORD if finding.rule in _KEYWORDS else _SHORTEST):
        return None
    near = [one for one in finding.suggestions if OSA.distance(written, one.lower()) == _ONE_SLIP]
    if len(near) != 1 or _digits(written) != _digits(near[0]):
        return None
    return in_case_of(finding.written, near[0])


def _digits(name: str) -> str:
    """The digits of a name: VEC2 and VEC3 are different things, and no misspellings."""
    return "".join(filter(str.isdigit, name))


def corrections(findings: Iterable[SourceFinding], texts: Mapping[str, str]) -> list[Correction]:
    """The certain corrections in files with ``texts``, by their paths, in the order of the findings."""
    lines: dict[str, TextLines] = {}
    found = []
    for one in findings:
        new = certain_correction(one)
        if new is None or one.path not in texts:
            continue
        if one.path not in lines:
            lines[one.path] = TextLines(texts[one.path])
        start = lines[one.path].start(one.line) + one.column - 1
        if texts[one.path][start : start + len(one.written)] == one.written:
            found.append(Correction(one, new, start))
    return found
