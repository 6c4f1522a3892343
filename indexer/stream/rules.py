"""The rules for producers of records, numbered as docs/formats/records.md has them."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import RecordError

MOST_LINE_BYTES = 1 << 26
"""The most bytes of a line."""
MOST_BYTES = 1 << 32
"""The most bytes of a stream."""


@dataclass(frozen=True, slots=True)
class StreamRule:
    """A rule for producers: its number, and what it says."""

    number: int
    text: str


LINES = StreamRule(
    1,
    "Each line must be one JSON object in UTF-8, and must end with a newline. A line may be at most "
    f"{MOST_LINE_BYTES >> 20} MB long, and the stream {MOST_BYTES >> 30} GB. Empty lines are not allowed.",
)
MEMBERS = StreamRule(
    2,
    "The member `record` must name one of the types below. The other members must be fields of that type, "
    "and no required field may be missing. A field that would be null may be left out.",
)
VALUES = StreamRule(
    3,
    "Each value must have the type that is given below for its field. Numbers must be integers below 2^31. "
    "Paths must be absolute. If words are listed for a field, its text must be one of these words.",
)
HEADER = StreamRule(
    4,
    "The first record must be a header, and there must be only one. Its version must be that of the reader. "
    "The version is raised when a field is added, removed or given a different meaning.",
)
ORDER = StreamRule(
    5,
    "Records must come in the order in which their types are listed below; records of types in the same line "
    "of that list may come in any order. A file must come before the records that refer to it, but after all "
    "systems. Problems may come anywhere after the header.",
)
NUMBERING = StreamRule(
    6,
    "Systems, packages, symbols, files, definitions, callers, expansions and uses must each be numbered "
    "separately: from 1, without gaps, in the order of the stream.",
)
REFERRING = StreamRule(
    7,
    "A number may refer only to something that was given this number earlier in the stream. Only the "
    "packages in `uses` and `local_nicknames` may come later.",
)
UNIQUE = StreamRule(
    8,
    "Nothing may be stated twice: a name or nickname must stand for only one package, a symbol must be "
    "listed only once as present in a package, and a definition may have at most one class or specializers "
    "record.",
)
DEFINITIONS = StreamRule(
    9,
    "A definition must define a symbol or, if its kind is `package`, a package. Its kind must be listed in "
    "the header. Each class, structure and condition must have a class record, and each method must have a "
    "specializers record.",
)
LEFT_OUT = StreamRule(
    10,
    "In `left_out`, the header must list every part in the table below that the producer does not record. "
    "Nothing that belongs to these parts may follow. All other parts must be complete, because readers "
    "assume that whatever is not recorded in them does not exist.",
)
END = StreamRule(
    11,
    "The last record must be `end`, which states how many packages, symbols and definitions there are. A "
    "stream without this record is incomplete.",
)
WHOLE = StreamRule(
    12,
    "The index that is built from a stream must be consistent: every symbol must be present in some package, "
    "no two symbols of the same name may be present in the same package, and the type of each symbol must be "
    "the first that applies to the symbol. `oblist check-index` checks all of this.",
)
RULES = (
    *(LINES, MEMBERS, VALUES, HEADER, ORDER, NUMBERING, REFERRING, UNIQUE, DEFINITIONS, LEFT_OUT, END, WHOLE),
)
"""All rules, in order."""


class BrokenRuleError(RecordError):
    """A stream breaks a rule: which one, in which line of what, and what was found there."""

    def __init__(self, stream: str, line: int | None, rule: StreamRule, found: str) -> None:
        place = f"{stream}, line {line}" if line else stream
        super().__init__(
            f"{place}: {found}. Rule {rule.number} of docs/formats/records.md: {rule.text} "
            "Fix the producer and write the stream again; no index was built from this one."
        )
        self.line = line
        self.rule = rule


class BreachError(Exception):
    """A record breaks ``rule``: what was ``found`` there, a clause."""

    def __init__(self, rule: StreamRule, found: str) -> None:
        super().__init__(found)
        self.rule = rule
        self.found = found
