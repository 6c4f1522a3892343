"""What the checker finds."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True, order=True)
class SourceFinding:
    """Something that is wrong at a place: line and column from 1, in characters.

    ``length`` is that of the text at fault, ``written`` that text when it is a symbol.

    ``severity`` is that of the rule until the settings have been asked.
    """

    path: str
    line: int
    column: int
    rule: str
    message: str
    severity: str = "error"
    length: int = 1
    written: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(slots=True)
class Outcome:
    """All that a check found, and how much it looked at."""

    findings: list[SourceFinding] = field(default_factory=list)
    files: int = 0
    characters: int = 0
    calls: int = 0
    symbols: int = 0
    suppressed: int = 0
    """Findings that a comment or the baseline silences."""
    unreadable: dict[str, str] = field(default_factory=dict)
    """Files that could not be read, and why."""
