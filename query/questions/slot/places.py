"""The places in texts and code that have to do with a slot."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ...index.finding.sql import CalledFileRow
from ...syntax.names.meanings import NamedSymbol
from ..at.source import AskedSource
from ..at.toplevel import ToplevelReader
from ..xref.caller_names import CallerNames
from ..xref.references import References, relation_names
from ..xref.sql import USES_OF_SYMBOLS, UseRow
from .answer import SlotPlace
from .family import Family
from .walk import READS, WRITES, FoundPlace, SlotWalk

_MOST_OF_LINE = 200


class _Use(NamedTuple):
    """A use that the index has, and where its name is in the text of the file."""

    row: UseRow
    at: int


class Places:
    """The places that have to do with the slot of a family."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._index = index = family.index
        self._names = CallerNames(index)
        self._reader = ToplevelReader(index)
        by_name = {name: number for number, name in relation_names(index).items()}
        self._names_relation = by_name.get("names")
        self._calls_relation = by_name.get("calls")
        self.other_mentions = 0
        """The number of other places that have the symbol that names the slot."""

    def all(self) -> Iterator[SlotPlace]:
        """The places, file by file."""
        family = self._family
        symbols = {*family.accessors, *family.constructors}
        symbols |= set() if family.is_structure else set(family.initargs)
        symbols |= {family.symbol} if family.symbol is not None else set()
        self._index.take_time()
        found = self._index.rows(USES_OF_SYMBOLS, symbols=json.dumps(sorted(symbols)))
        rows = [use for use in map(UseRow._make, found) if self._may_be(use)]
        self._names.read(rows)
        for number, group in groupby(rows, key=lambda use: use.file):
            uses = list(group)
            named = [use for use in uses if use.line is not None and use.column is not None]
            yield from dict.fromkeys(self._in_expansions([use for use in uses if use.column is None]))
            if number is not None and named and named[0].path is not None:
                yield from self._in_file(CalledFileRow(number, named[0].path, None, None), named)

    def _may_be(self, use: UseRow) -> bool:
        """Whether a use may be one of the slot: what names the slot is neither called nor evaluated."""
        family = self._family
        return (
            use.callee != family.symbol
            or use.callee in family.accessors
            or (use.relation == self._names_relation and use.operator is None)
        )

    # What the text does not name

    def _in_expansions(self, uses: list[UseRow]) -> Iterator[SlotPlace]:
        """The uses of accessors by code that macros make."""
        found = [use for use in uses if use.callee in self._family.accessors and use.form_number is not None]
        for use, answer in zip(found, References(self._index).answers(found), strict=True):
            yield SlotPlace(
                relation=WRITES if use.operator else READS,
                via=answer.callee,
                caller=answer.caller,
                caller_kind=answer.caller_kind,
                path=answer.path,
                line=answer.line,
                column=None,
                length=None,
                in_expansion_of=answer.in_expansion_of,
                perhaps=use.callee in self._family.shared,
                text=answer.text,
            )

    # What it names

    def _in_file(self, file: CalledFileRow, rows: list[UseRow]) -> Iterator[SlotPlace]:
        """The places in the toplevel forms in which the index has uses."""
        source = AskedSource(self._index, file, as_indexed=True)
        if not source.text:  # an index without the text of sources
            self.other_mentions += sum(row.callee == self._family.symbol for row in rows)
            return
        uses = [_Use(row, source.lines.start(row.line or 1) + (row.column or 1) - 1) for row in rows]
        starts = [use.at for use in uses]
        found: dict[int, FoundPlace] = {}
        end = -1
        for use in uses:
            if use.at >= end and not self._is_function(source, use):
                start, end, here = self._walked(source, use)
                inside = uses[bisect_left(starts, start) : bisect_left(starts, end)]
                here = self._as_compiled(source, inside) | here
                found |= here
                yield from (
                    self._place(source, one, _caller_near(inside, one.start)) for one in here.values()
                )
        left = {use.at for use in uses if use.row.callee == self._family.symbol}
        self.other_mentions += len(left - set(found))

    def _as_compiled(self, source: AskedSource, uses: list[_Use]) -> dict[int, FoundPlace]:
        """The uses of accessors that SBCL compiled.

        The walk misses them where the text only names them, as in (get-slot point-x), and where it has them
        under a feature that only the build had.
        """
        return {
            use.at: FoundPlace(
                use.at,
                use.row.length or 0,
                WRITES if use.row.operator else READS,
                NamedSymbol(None, "", use.row.callee),
                use.row.callee in self._family.shared,
            )
            for use in uses
            if use.row.callee in self._family.accessors and self._is_compiled(source, use)
        }

    def _is_compiled(self, source: AskedSource, use: _Use) -> bool:
        """Whether SBCL recorded that this reads or writes the slot.

        The text tells more of accessors that other classes have too.
        """
        heads_form = source.text[use.at - 1 : use.at] == "("
        if use.row.callee in self._family.shared and heads_form:
            return False
        written = use.row.relation == self._names_relation and bool(use.row.operator) and heads_form
        return written or use.row.relation == self._calls_relation

    def _is_function(self, source: AskedSource, use: _Use) -> bool:
        """Whether the symbol of the slot names a function there."""
        quoted = source.text[max(use.at - 2, 0) : use.at] == "#'"
        return quoted and use.row.callee not in self._family.accessors

    def _walked(self, source: AskedSource, use: _Use) -> tuple[int, int, dict[int, FoundPlace]]:
        """Where the toplevel form with a use begins and ends, and the places in it."""
        found: dict[int, FoundPlace] = {}
        start, end = use.at, use.at + 1
        for toplevel, names in self._reader.around(source, use.at):
            node = toplevel.node
            start, end = min(start, node.start), max(end, node.end)
            walk = SlotWalk(names.package, self._reader.meanings, self._family)
            walk.walk(node)
            found |= walk.found
        return start, end, found

    def _place(self, source: AskedSource, one: FoundPlace, row: UseRow) -> SlotPlace:
        line, column = source.lines.place(one.start)
        caller = self._names.caller(row.definition, row.code)
        return SlotPlace(
            relation=one.relation,
            via=self._via(one),
            caller=caller.name,
            caller_kind=caller.kind,
            path=source.path,
            line=line,
            column=column,
            length=one.length,
            in_expansion_of=None,
            perhaps=one.perhaps,
            text=source.line(line)[:_MOST_OF_LINE],
        )

    def _via(self, one: FoundPlace) -> str:
        if isinstance(one.via, str):
            return one.via
        number = one.via.number
        operator = (
            "SETF"
            if number is not None and one.relation == WRITES and (number, "SETF") in self._family.functions
            else None
        )
        return one.via.name.lower() if number is None else self._names.callee(number, operator).written


def _caller_near(uses: list[_Use], at: int) -> UseRow:
    """The use whose caller is that of a place: the last before it, else the first."""
    before = [use for use in uses if use.at <= at]
    return (before[-1] if before else uses[0]).row
