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
    "Each line is one JSON object in UTF-8 and ends with a newline. It has at most "
    f"{MOST_LINE_BYTES >> 20} MB, and the stream {MOST_BYTES >> 30} GB. There are no empty lines.",
)
MEMBERS = StreamRule(
    2,
    "The member `record` names one of the types below. The other members are fields of this type: all that "
    "must be there, and no others. A field that is null may be left out instead.",
)
VALUES = StreamRule(
    3,
    "Each value is of the type that its field has below. Numbers are whole, and below 2^31. Paths are "
    "absolute. A text is one of the words listed, if there are any.",
)
HEADER = StreamRule(
    4,
    "The first record is a header, and no other is. Its version is that of the reader, which refuses every "
    "other: a field that is added, dropped or read in another way raises it.",
)
ORDER = StreamRule(
    5,
    "Records come in the order in which their types are listed below; those of one group may come in any "
    "order. Files come before they are used, but after all systems; problems come anywhere after the header.",
)
NUMBERING = StreamRule(
    6,
    "What is numbered is numbered from 1 on, without gaps, in the order of the stream: systems, packages, "
    "symbols, files, definitions, callers, expansions and uses, each on their own.",
)
REFERRING = StreamRule(
    7,
    "A number means what has that number in this stream, and that comes before the number is used. Only "
    "packages may use packages that come later.",
)
UNIQUE = StreamRule(
    8,
    "Nothing is stated twice: a name or nickname means one package, a symbol is present once in a package, "
    "and a definition has one class or one list of specializers.",
)
DEFINITIONS = StreamRule(
    9,
    "A definition is of a symbol, or, if its kind is package, of a package; and of a kind of the header. "
    "Each class, structure and condition has a class record, and each method specializers.",
)
LEFT_OUT = StreamRule(
    10,
    "The header names in `left_out` all parts of the table below that the producer does not record, and "
    "nothing of these parts follows. What is not left out is complete: readers take it that there is no "
    "more.",
)
END = StreamRule(
    11,
    "The last record is `end`, with the numbers of packages, symbols and definitions. A stream without it "
    "was cut off.",
)
WHOLE = StreamRule(
    12,
    "The index that a stream makes contradicts itself nowhere: every symbol is present in a package, and no "
    "two of one name are present in the same; a symbol has the first type that applies. "
    "`oblist check-index` compares all that.",
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
            "Mend the producer and write the stream again; no index was made of this one."
        )
        self.line = line
        self.rule = rule


class BreachError(Exception):
    """A record breaks ``rule``: what was ``found`` there, a clause."""

    def __init__(self, rule: StreamRule, found: str) -> None:
        super().__init__(found)
        self.rule = rule
        self.found = found
