"""see_also: up to eight related names, most useful first.

They come from the definitions of a name and from the name itself, each found by searching a bounded
range of an SQL index:

1. the replacements of a deprecated name
2. the setf function of a name, and the name to which a setf function belongs
3. the class whose slot a function reads or writes, and the slot's other accessors
4. the other definitions of the same form: a structure, its constructors, predicate and copier
5. the class that the name makes, copies or tests, and vice versa
6. names in the package with the same stem: hash-table-count and hash-table-size
7. if those names are few: names that the callers of the name call as well

External symbols come before internal ones. Internal names similar to an external one are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from oblist.indexer.names import InvalidNameError, split_name

from ...index.finding.resolve import Resolved, find_symbol
from ...index.kinds import CLASSES
from ...index.reading import Reading
from ...index.written import SymbolRow
from . import sql
from .sql import CalledWithRow, KinRow, RelatedRow

MOST = 8
# A stem is meaningful if few names share it; MAKE- and GET- alone are not.
_MOST_OF_ONE_WORD = 16
_SHORTEST_STEM = 3
_FEW = 2
# Names that nearly everything calls say nothing about what they are called with.
_MOST_CALLERS = 200
_OFTEN = 50
# The macros whose definitions stand alone: not a slot's accessor, and not made together with others.
_MAKES_ONE_NAME = {"defun", "defmacro", "defvar", "defparameter", "defconstant", "define-compiler-macro"}
_MAKERS = ("MAKE-", "COPY-")


class DescribedFacts(NamedTuple):
    """The facts that describe has about the name, for finding related names."""

    found: Resolved
    external: bool  # in its home package
    kinds: set[str]
    documentation_types: set[str | None]  # of the definitions that were asked for
    operators: set[str | None]  # of all definitions that make it a function
    replacements: list[str]
    file: int | None
    offset: int | None
    defined_by: str | None
    callers: int


def see_also(index: Reading, facts: DescribedFacts) -> list[str]:
    """Return the names related to the one that ``facts`` are about, as typed in Lisp."""
    if not facts.kinds or facts.found.home == "KEYWORD":
        return []
    chosen: dict[tuple[int, str | None], RelatedRow] = {}
    for source in (_made_together, _named_like, _called_together):
        if source is _called_together and len(chosen) >= _FEW:
            break
        for related in source(index, facts):
            key = related.symbol.number, related.operator
            own = facts.found.symbol, facts.found.typed.operator
            if key != own and related.symbol.package is not None:
                chosen.setdefault(key, related)
    ordered = sorted(chosen.values(), key=lambda related: related.symbol.status != "external")
    return [related.symbol.written(index, related.operator) for related in ordered[:MOST]]


def _made_together(index: Reading, facts: DescribedFacts) -> Iterator[RelatedRow]:
    """Yield the names to which the definitions of the name lead (steps 1 to 4)."""
    for text in dict.fromkeys(facts.replacements):
        yield from _named_in_home(index, facts, text)
    operator = facts.found.typed.operator
    for other in (None, "SETF"):
        if other != operator and other in facts.operators:
            yield _symbol(index, facts.found.symbol, other)
    if facts.defined_by in _MAKES_ONE_NAME:
        return
    if "FUNCTION" in facts.documentation_types:
        yield from map(RelatedRow.of, index.rows(sql.SLOT_NEIGHBOURS, symbol=facts.found.symbol))
    if facts.offset is not None:
        rows = index.rows(sql.MADE_BY_FORM, file=facts.file, offset=facts.offset)
        yield from map(RelatedRow.of, rows)


def _symbol(index: Reading, symbol: int, operator: str | None) -> RelatedRow:
    (row,) = index.rows(sql.NAME, symbol=symbol)
    return RelatedRow(SymbolRow(*row), operator)


def _named_in_home(index: Reading, facts: DescribedFacts, text: str) -> Iterator[RelatedRow]:
    """Yield the symbol that ``text``, printed without packages, names in the deprecated name's package."""
    try:
        typed = split_name(text, index.upcase)
    except InvalidNameError:
        return
    home = index.package_numbers[facts.found.home]
    found = find_symbol(index, home, typed.symbol.upcased)
    if found is not None:
        yield _symbol(index, found.number, typed.operator)


def _named_like(index: Reading, facts: DescribedFacts) -> Iterator[RelatedRow]:
    """Yield similar names: class and constructor, then names with the same stem (steps 5 and 6)."""
    name = facts.found.name
    counterparts = _counterparts(name, facts.kinds)
    if counterparts:
        values = dict(zip(("name_1", "name_2", "name_3"), [*counterparts, None, None], strict=False))
        rows = index.rows(sql.NAMED, package=index.package_numbers[facts.found.home], **values)
        by_name = {
            row.name: RelatedRow(row.symbol) for row in map(KinRow._make, rows) if row.type != "SYMBOL"
        }
        yield from (by_name[text] for text in counterparts if text in by_name)
    above = name.rpartition("-")[0]
    # The names that begin with the name itself also have its stem, unless too many names do.
    family = _family(index, facts, above or name)
    if family is None and above:
        family = _family(index, facts, name)
    yield from family or _family(index, facts, above.rpartition("-")[0]) or ()


def _counterparts(name: str, kinds: set[str]) -> list[str]:
    """Return the names of a class's constructor, predicate and copier, or its name for one of these."""
    if kinds & CLASSES:
        return [f"MAKE-{name}", f"{name}-P" if "-" in name else f"{name}P", f"COPY-{name}"]
    if name.startswith(_MAKERS):
        return [name[len("MAKE-") :]]
    if name.endswith("P"):
        return [name.removesuffix("-P") if "-" in name else name[:-1]]
    return []


def _family(index: Reading, facts: DescribedFacts, stem: str) -> list[RelatedRow] | None:
    """Return ``stem`` and the names that begin with it and a hyphen; None if there are too many.

    Names that begin with the name itself come first, then names of the same type, then names with the
    same ending. A stem that many names share is meaningless, unless it names a class.
    """
    if sum(char.isalnum() for char in stem) < _SHORTEST_STEM:
        return []
    name, kind = facts.found.name, facts.found.type
    rows = index.rows(
        sql.NAMED_WITH_STEM,
        package=index.package_numbers[facts.found.home],
        exported=int(facts.external),
        stem=stem,
        end=stem + ".",  # the character after the hyphen
    )
    most = sql.MOST_OF_STEM - 1 if "-" in stem or stem == name else _MOST_OF_ONE_WORD
    if len(rows) > most and not (stem == name and facts.kinds & CLASSES):
        return None
    longer, with_hyphen = name + "-", stem + "-"
    near = [
        row
        for row in map(KinRow._make, rows)
        if row.type != "SYMBOL"
        and row.name != name
        and (row.name == stem or row.name.startswith(with_hyphen))
    ]
    if len(near) > 1:
        near.sort(
            key=lambda row: (
                row.name != stem and not row.name.startswith(longer),
                row.type != kind,
                -_same_ending(row.name, name),
                len(row.name),
                row.name,
            )
        )
    return [RelatedRow(row.symbol) for row in near[: MOST + 1]]


def _same_ending(one: str, other: str) -> int:
    """Return the length of the common ending of two names."""
    shared = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        shared += 1
    return shared


def _called_together(index: Reading, facts: DescribedFacts) -> Iterator[RelatedRow]:
    """Yield the names that a few callers of the name call as well, rarely called names first (step 7)."""
    if not 2 <= facts.callers <= _MOST_CALLERS:
        return
    rows = index.rows(
        sql.CALLED_WITH,
        symbol=facts.found.symbol,
        operator=facts.found.typed.operator,
        package=index.package_numbers[facts.found.home],
    )
    # Keep names with few callers, many of them shared: close for open, but not 1+ for open.
    near = [row for row in map(CalledWithRow.of, rows) if row.together * _OFTEN >= row.callers]
    near.sort(
        key=lambda row: (-row.together / max(1, row.callers) ** 0.5, row.symbol.name, row.symbol.number)
    )
    yield from (RelatedRow(row.symbol, row.operator) for row in near[:MOST])
