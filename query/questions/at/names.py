"""The names on a line, and what each means there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...index.finding.setf_names import belongs_to
from ...index.reading import Reading
from ...index.relations import RELATIONS
from ...index.written import SymbolRow
from ...syntax.names.meanings import NamedSymbol
from ...syntax.tokens import KEYWORD
from ...syntax.walk.results import Binding, LocalUse, Occurrence
from . import sql
from .answer import NameAt
from .place import Place
from .sql import NameMeaningRow


class _Named(NamedTuple):
    """A symbol as one types it, with its definitions."""

    row: SymbolRow
    meant: list[NameMeaningRow]

    def meaning(self, occurrence: Occurrence) -> NameMeaningRow | None:
        """The definition that an occurrence means."""
        for wanted in RELATIONS[occurrence.relation].refers_to:
            for one in self.meant:
                if occurrence.operator is not None:
                    if belongs_to(one.operator, one.documentation_type, occurrence.operator):
                        return one
                elif one.documentation_type == wanted and one.operator is None:
                    return one
        return None


def names_on(place: Place) -> list[NameAt]:
    """Return the names on the line of a place that mean something, in order."""
    meant = _meant(place)
    known = _named(place.source.index, (one.symbol.number for one in meant if one.symbol.number is not None))
    names: dict[int, NameAt] = {}
    for one in meant:
        if one.symbol.number is not None and one.symbol.package != KEYWORD:
            names[one.start] = _global(place, one, known[one.symbol.number])
    for start, length, binding in _locals(place):
        if start not in names:
            names[start] = _local(place, start, length, binding)
    return [names[start] for start in sorted(names)]


def _meant(place: Place) -> Iterable[Occurrence]:
    """The global names: as the walk tells, and as SBCL recorded where the walk does not know."""
    meant = {one.start: one for form in place.forms for one in form.walked.occurrences if _is_on(place, one)}
    for row, use in place.recorded:
        line, column = place.source.now(use) or (0, None)
        if line == place.line and column is not None and row.form_number is not None:
            start = place.start + column - 1
            # A macro that is gone when the image is dumped looks like a function.
            gone = use.callee_kind is None and use.relation == "macroexpands"
            if start not in meant or meant[start].relation == "mentions" or gone:
                symbol = NamedSymbol(use.callee_package, row.name or "", row.callee)
                meant[start] = Occurrence(start, use.length or 0, symbol, row.operator, use.relation)
    return meant.values()


def _locals(place: Place) -> Iterator[tuple[int, int, Binding | None]]:
    """The local names, and what binds each, if that is known."""
    for form in place.forms:
        yield from ((one.start, one.length, one.binding) for one in form.walked.uses if _is_on(place, one))
        yield from ((one.start, one.length, one) for one in form.walked.bindings if _is_on(place, one))


def _is_on(place: Place, one: Occurrence | LocalUse | Binding) -> bool:
    return place.start <= one.start < place.end


def _named(index: Reading, symbols: Iterable[int]) -> dict[int, _Named]:
    """Symbols by number, with their definitions."""
    numbers = json.dumps(sorted(set(symbols)))
    rows = (SymbolRow(*row) for row in index.rows(sql.SYMBOLS, symbols=numbers))
    found = {row.number: _Named(row, []) for row in rows}
    for meant in map(NameMeaningRow._make, index.rows(sql.MEANT, symbols=numbers)):
        found[meant.symbol].meant.append(meant)
    return found


def _global(place: Place, one: Occurrence, named: _Named) -> NameAt:
    meaning = named.meaning(one)
    return NameAt(
        text=place.source.text[one.start : one.start + one.length],
        column=one.start - place.start + 1,
        relation=one.relation,
        written=named.row.written(place.source.index, one.operator),
        package=one.symbol.package,
        kind=meaning.kind if meaning is not None else None,
        arglist=meaning.arglist if meaning is not None else None,
        path=place.source.index.local_path(meaning.path) if meaning is not None else None,
        line=meaning.line if meaning is not None else None,
    )


def _local(place: Place, start: int, length: int, binding: Binding | None) -> NameAt:
    return NameAt(
        text=place.source.text[start : start + length],
        column=start - place.start + 1,
        relation="local",
        written=None,
        package=None,
        kind=binding.kind if binding is not None else None,
        arglist=None,
        path=None,
        line=place.source.lines.place(binding.start)[0] if binding is not None else None,
    )
