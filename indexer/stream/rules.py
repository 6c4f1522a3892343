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
    "Each line is one JSON object in UTF-8 and ends with a newline. A line has at most "
    f"{MOST_LINE_BYTES >> 20} MB, and the stream at most {MOST_BYTES >> 30} GB. There are no empty lines.",
)
MEMBERS = StreamRule(
    2,
    "The member `record` names one of the types below. The other members are the fields of that type: all "
    "required fields, and nothing else. A field that would be null may be left out.",
)
VALUES = StreamRule(
    3,
    "Each value has the type that is given below for its field. Numbers are integers below 2^31. Paths are "
    "absolute. If words are listed for a field, its text is one of them.",
)
HEADER = StreamRule(
    4,
    "The first record is a header, and there is only one header. Its version is that of the reader, which "
    "refuses all others. The version is raised when a field is added, dropped or read differently.",
)
ORDER = StreamRule(
    5,
    "Records come in the order in which their types are listed below; the records of one group may come in "
    "any order. Files come before they are used, but after all systems. Problems may come anywhere after the "
    "header.",
)
NUMBERING = StreamRule(
    6,
    "Systems, packages, symbols, files, definitions, callers, expansions and uses are each numbered "
    "separately, from 1, without gaps, in the order of the stream.",
)
REFERRING = StreamRule(
    7,
    "A number refers to something that has that number in this stream, and that comes before the number is "
    "used. Only packages may use packages that come later.",
)
UNIQUE = StreamRule(
    8,
    "Nothing is stated twice: a name or nickname means one package, a symbol is present once in a package, "
    "and a definition has one class or one list of specializers.",
)
DEFINITIONS = StreamRule(
    9,
    "A definition defines a symbol or, if its kind is package, a package; its kind is one of those in the "
    "header. Each class, structure and condition has a class record, and each method has a specializers "
    "record.",
)
LEFT_OUT = StreamRule(
    10,
    "In `left_out`, the header lists every part in the table below that the producer does not record, and "
    "nothing that belongs to these parts follows. All other parts are complete: readers assume that there is "
    "nothing else.",
)
END = StreamRule(
    11,
    "The last record is `end`, which gives the numbers of packages, symbols and definitions. A stream "
    "without it was cut off.",
)
WHOLE = StreamRule(
    12,
    "The index built from a stream is consistent: every symbol is present in some package, no two symbols "
    "of the same name are present in the same package, and each symbol has the first type that applies. "
    "`oblist check-index` checks all of this.",
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
