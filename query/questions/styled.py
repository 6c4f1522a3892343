"""Text for people at a terminal: lines of styled segments, which are wrapped and coloured later; pure.

A question's ``people.py`` turns its answer into such lines. ``query/terminal/`` wraps them to the width of
the terminal, escapes control characters, colours and links them, and pages them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from ..syntax.printed import bare_standard
from .paging import rest_line


class Style(Enum):
    """What a segment is; ``query/terminal/painting.py`` has its colour."""

    PLAIN = auto()
    NAME = auto()
    PREFIX = auto()  # the package before a name
    LABEL = auto()
    KIND = auto()
    PLACE = auto()
    MATCH = auto()
    FAINT = auto()
    ERROR = auto()
    WARNING = auto()


class Segment(NamedTuple):
    """A piece of a line; one with a ``link``, to an absolute path or a URL, is never broken at its spaces."""

    text: str
    style: Style = Style.PLAIN
    link: str | None = None


class Line(NamedTuple):
    """A line that begins after ``indent`` spaces; what does not fit continues ``hang`` columns further right.

    A line that ``flows`` is prose: the next line may continue on the same line of the terminal.
    """

    segments: tuple[Segment, ...] = ()
    indent: int = 0
    hang: int = 2
    flows: bool = False

    @property
    def text(self) -> str:
        """The line as it is shown where all of it fits."""
        return " " * self.indent + "".join(one.text for one in self.segments)


Part: TypeAlias = str | Segment | Iterable[Segment]
BLANK = Line()


def line(*parts: Part, indent: int = 0, hang: int = 2) -> Line:
    """Make a line of parts with two spaces between them; empty ones are left out."""
    segments: list[Segment] = []
    for part in parts:
        found = _segments(part)
        if found:
            segments += [Segment("  "), *found] if segments else found
    return Line(tuple(segments), indent, hang)


def joined(*parts: Part) -> tuple[Segment, ...]:
    """Join parts without anything between them."""
    return tuple(segment for part in parts for segment in _segments(part))


def listed(items: Iterable[Part], separator: str = ", ") -> tuple[Segment, ...]:
    """Join items with a separator between each two."""
    found: list[Segment] = []
    for item in items:
        found += [Segment(separator)] if found else []
        found += _segments(item)
    return tuple(found)


def _segments(part: Part) -> list[Segment]:
    if isinstance(part, str):
        return [Segment(part)] if part else []
    return [one for one in ([part] if isinstance(part, Segment) else part) if one.text]


def label(text: str) -> Segment:
    """A label, such as ``Slots``."""
    return Segment(text, Style.LABEL)


def kind(text: str) -> Segment:
    """What something is, such as ``generic-function``."""
    return Segment(text, Style.KIND)


def faint(text: str) -> Segment:
    """A remark, less important than what it is about."""
    return Segment(text, Style.FAINT)


def name(written: str, *matches: str) -> tuple[Segment, ...]:
    """A name as one writes it; its package stands back, and the parts that were looked for stand out."""
    prefix, base = "", bare_standard(written)
    if ":" in base and "|" not in base and not base.startswith(("(", ":")):
        head, colon, base = base.rpartition(":")
        prefix = head + colon
    return joined(Segment(prefix, Style.PREFIX), matched(base, matches, Style.NAME))


def matched(text: str, wanted: Iterable[str], style: Style = Style.PLAIN) -> Iterator[Segment]:
    """Cut a text into the parts that were looked for, regardless of case, and the others."""
    parts = "|".join(re.escape(one) for one in sorted(wanted, key=len, reverse=True) if one)
    end = 0
    for found in re.finditer(parts, text, re.IGNORECASE) if parts else ():
        yield Segment(text[end : found.start()], style)
        yield Segment(found[0], Style.MATCH)
        end = found.end()
    yield Segment(text[end:], style)


def fact(named: str, value: Part, indent: int = 2) -> Line:
    """A line such as ``Metaclass: standard-class``."""
    return Line(joined(label(f"{named}:"), " ", value), indent, 4)


def paragraphs(text: str, indent: int = 4) -> Iterator[Line]:
    """The lines of a documentation string, or of other text that has lines of its own."""
    for one in text.rstrip().split("\n"):
        yield _indented(one.expandtabs(), indent, hang=0)._replace(flows=True)


def code(text: str, indent: int = 2) -> Iterator[Line]:
    """The lines of a piece of source text; comments stand back."""
    for one in text.split("\n"):
        expanded = one.expandtabs()
        style = Style.FAINT if expanded.lstrip().startswith(";") else Style.PLAIN
        yield _indented(expanded, indent, hang=4, style=style)


def _indented(text: str, indent: int, *, hang: int, style: Style = Style.PLAIN) -> Line:
    rest = text.lstrip(" ")
    return Line((Segment(rest, style),) if rest else (), indent + len(text) - len(rest) if rest else 0, hang)


def rest(
    shown: Sequence[object], total: int, offset: int, more: str = "--offset {offset}", indent: int = 2
) -> Iterator[Line]:
    """The line that says how many items a limit cut off, if it did."""
    yield from (line(faint(one), indent=indent) for one in rest_line(shown, total, offset, more))


_LABEL = re.compile(r"[A-Z][\w' ]*:(?= |$)")
_PLACE = re.compile(r"(?<![^\s(])/\S+?:\d+(?::\d+)?(?![^\s),;:])")


def plain(text: str) -> list[Line]:
    """Lines of a text that is made for people and programs alike; labels and places stand out."""
    return [plain_line(one) for one in text.split("\n")]


def plain_line(text: str) -> Line:
    """A line of such a text."""
    rest = text.lstrip(" ")
    found: list[Segment] = []
    end = 0
    if labelled := _LABEL.match(rest):
        found.append(label(labelled[0]))
        end = labelled.end()
    for place in _PLACE.finditer(rest, end):
        found += [Segment(rest[end : place.start()]), Segment(place[0], Style.PLACE)]
        end = place.end()
    return Line(joined(found, rest[end:]), len(text) - len(rest), 0 if len(text) - len(rest) >= 4 else 2)
