"""The rows of a statement for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...index.shown import for_terminal, shown_name
from ..styled import BLANK, Line, Part, Segment, fact, faint, joined, label, line
from .answer import QueryAnswer
from .text import shown

_GAP = "  "


def statement_people(answer: QueryAnswer, width: int) -> Iterator[Line]:
    """A table; if there is no room for it in ``width`` columns, a line for each value."""
    rows = [[_shown(value) for value in row] for row in answer.rows]
    names = [_shown(one) for one in answer.columns]
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= width:
        yield _row([label(f"{one:<{columns}}") for one, columns in zip(names, widths, strict=True)])
        for row in rows:
            yield _row([f"{one:<{columns}}" for one, columns in zip(row, widths, strict=True)])
    else:
        for number, row in enumerate(rows):
            if number:
                yield BLANK
            yield from (fact(one, value, 0) for one, value in zip(names, row, strict=True))
    if not rows:
        yield line(faint("no rows"))


def _row(cells: Sequence[Part]) -> Line:
    parts: list[Part] = []
    for cell in cells:
        parts += [Segment(_GAP), cell] if parts else [cell]
    return Line(joined(*parts))


def _shown(value: object) -> str:
    """A value on one line, as the terminal will show it, so that its width is known."""
    return for_terminal(shown_name(shown(value)))
