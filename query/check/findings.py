"""The findings of the checker, and the outcome of a check."""

from __future__ import annotations

from dataclasses import dataclass, field

from .choice.not_checked import NotChecked

MOST_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True, order=True)
class SourceFinding:
    """A fault at a place: line and column count from 1, in characters.

    ``length`` is the length of the text at fault, and ``written`` that text if it is a symbol. ``severity``
    is the rule's default until the settings are applied. ``package`` is the package that does not exist, if
    that is the fault, and ``elsewhere`` which release in the catalog defines it, in words.
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
    prose: bool = False
    """Whether it is in running text: a document or a documentation string."""
    package: str = ""
    elsewhere: str = ""


@dataclass(slots=True)
class CheckOutcome:
    """The findings of a check, and how much was checked."""

    findings: list[SourceFinding] = field(default_factory=list)
    files: int = 0
    characters: int = 0
    calls: int = 0
    symbols: int = 0
    suppressed: int = 0
    """The number of findings that a comment or the baseline silences."""
    incomplete: str | None = None
    """What did not load when the index was built, so that the check may be wrong."""
    not_checked: list[NotChecked] = field(default_factory=list)
    """What the index cannot judge, by reason."""
    project_failed: bool = False
    """Whether nothing of the project had loaded, so that only what needs no knowledge of it is judged."""
    lost: bool = False
    """Whether the checked files define less than when they were indexed."""
    of_lost: list[SourceFinding] = field(default_factory=list)
    """The findings about names that are gone."""
    unreadable: dict[str, str] = field(default_factory=dict)
    """The files that could not be read, each with the reason."""
