"""see_also: the names that a person would look at next, at most eight, the most telling first.

They come from what defines a name and from the name itself, each found by a search of a bounded
stretch of an SQL index:

1. what is to be used instead of a deprecated name
2. the setf function of a name, and the name that a setf function belongs to
3. the class whose slot a function reads or writes, and what else reads or writes that slot
4. what the same form defines: a structure, its constructors, predicate and copier
5. the class that the name makes, copies or tests, and the other way round
6. names in the package with the same stem: hash-table-count and hash-table-size
7. when those are few: what the callers of the name call as well

External symbols come before internal ones; of the names like an external one, internal ones are left
out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from oblist.indexer.names import InvalidNameError, split_name

from ...index import sql as index_sql
from ...index.reading import Reading
from ...index.resolve import Resolved
from ...index.written import written
from . import sql

MOST = 8
# A stem says something when few names share it: MAKE- and GET- alone say nothing.
_MOST_OF_ONE_WORD = 16
_SHORTEST_STEM = 3
_FEW = 2
# What everybody calls is called with everything.
_MOST_CALLERS = 200
_OFTEN = 50
# What they define stands alone: neither a slot's accessor nor made together with others.
_MAKES_ONE_NAME = {"defun", "defmacro", "defvar", "defparameter", "defconstant", "define-compiler-macro"}
_MAKERS = ("MAKE-", "COPY-")
_CLASS_KINDS = {"class", "structure", "condition"}


class Facts(NamedTuple):
    """What describe knows of the name that others are to be found for."""

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


class _Name(NamedTuple):
    """A name that may be shown: the first columns of its statements in sql."""

    symbol: int
    name: str
    package: int | None
    status: str | None
    operator: str | None = None


def see_also(index: Reading, facts: Facts) -> list[str]:
    """What a person would look at next, as one types it, for the name that ``facts`` are about."""
    if not facts.kinds or facts.found.home == "KEYWORD":
        return []
    chosen: dict[tuple[int, str | None], _Name] = {}
    for source in (_made_together, _named_like, _called_together):
        if source is _called_together and len(chosen) >= _FEW:
            break
        for name in source(index, facts):
            key = name.symbol, name.operator
            if key != (facts.found.symbol, facts.found.typed.operator) and name.package is not None:
                chosen.setdefault(key, name)
    ordered = sorted(chosen.values(), key=lambda name: name.status != "external")
    return [_written(index, name) for name in ordered[:MOST]]


def _written(index: Reading, name: _Name) -> str:
    assert name.package is not None
    return written(index, name.name, index.package_names[name.package], name.status, name.operator)


def _made_together(index: Reading, facts: Facts) -> Iterator[_Name]:
    """What its definitions themselves tell of: steps 1 to 4."""
    for text in dict.fromkeys(facts.replacements):
        yield from _named_in_home(index, facts, text)
    operator = facts.found.typed.operator
    for other in (None, "SETF"):
        if other != operator and other in facts.operators:
            yield from _names(index.rows(sql.NAME, symbol=facts.found.symbol), other)
    if facts.defined_by in _MAKES_ONE_NAME:
        return
    if "FUNCTION" in facts.documentation_types:
        yield from _names(index.rows(sql.SLOT_NEIGHBOURS, symbol=facts.found.symbol))
    if facts.offset is not None:
        yield from _names(index.rows(sql.MADE_BY_FORM, file=facts.file, offset=facts.offset))


def _names(rows: list[tuple[Any, ...]], operator: str | None = None) -> Iterator[_Name]:
    for row in rows:
        name = _Name(*row[:5])
        yield name._replace(operator=operator) if operator else name


def _named_in_home(index: Reading, facts: Facts, text: str) -> Iterator[_Name]:
    """The symbol that ``text``, printed without packages, names where the deprecated name is at home."""
    try:
        typed = split_name(text, index.upcase)
    except InvalidNameError:
        return
    home = index.package_numbers[facts.found.home]
    for symbol, *_ in index.rows(index_sql.FIND_SYMBOL, package=home, name=typed.symbol.upcased):
        yield from _names(index.rows(sql.NAME, symbol=symbol), typed.operator)


def _named_like(index: Reading, facts: Facts) -> Iterator[_Name]:
    """What is called like it: class and constructor, then names with its stem (steps 5 and 6)."""
    name = facts.found.name
    counterparts = _counterparts(name, facts.kinds)
    if counterparts:
        values = dict(zip(("name_1", "name_2", "name_3"), [*counterparts, None, None], strict=False))
        rows = index.rows(sql.NAMED, package=index.package_numbers[facts.found.home], **values)
        by_name = {row[1]: _Name(*row[:5]) for row in rows if row[5] != "SYMBOL"}
        yield from (by_name[text] for text in counterparts if text in by_name)
    above = name.rpartition("-")[0]
    # The names that begin with the name itself are among those of its stem, unless those are too many.
    family = _family(index, facts, above or name)
    if family is None and above:
        family = _family(index, facts, name)
    yield from family or _family(index, facts, above.rpartition("-")[0]) or ()


def _counterparts(name: str, kinds: set[str]) -> list[str]:
    """The names of a class's constructor, predicate and copier, or of the class behind those."""
    if kinds & _CLASS_KINDS:
        return [f"MAKE-{name}", f"{name}-P" if "-" in name else f"{name}P", f"COPY-{name}"]
    if name.startswith(_MAKERS):
        return [name[len("MAKE-") :]]
    if name.endswith("P"):
        return [name.removesuffix("-P") if "-" in name else name[:-1]]
    return []


def _family(index: Reading, facts: Facts, stem: str) -> list[_Name] | None:
    """The names of ``stem`` and of what begins with it and a hyphen; None when those are too many.

    First those that begin with the name itself, then those of the same type, then those that end
    alike. When many begin with a stem it says nothing, unless it names a class.
    """
    if sum(char.isalnum() for char in stem) < _SHORTEST_STEM:
        return []
    name, kind = facts.found.name, facts.found.type
    rows = index.rows(
        sql.NAMED_WITH_STEM,
        package=index.package_numbers[facts.found.home],
        exported=int(facts.external),
        stem=stem,
        behind=stem + ".",  # the character behind the hyphen
    )
    most = sql.MOST_OF_STEM - 1 if "-" in stem or stem == name else _MOST_OF_ONE_WORD
    if len(rows) > most and not (stem == name and facts.kinds & _CLASS_KINDS):
        return None
    longer, with_hyphen = name + "-", stem + "-"
    near = [
        row
        for row in rows
        if row[5] != "SYMBOL" and row[1] != name and (row[1] == stem or row[1].startswith(with_hyphen))
    ]
    if len(near) > 1:
        near.sort(
            key=lambda row: (
                row[1] != stem and not row[1].startswith(longer),
                row[5] != kind,
                -_same_ending(row[1], name),
                len(row[1]),
                row[1],
            )
        )
    return [_Name(*row[:5]) for row in near[: MOST + 1]]


def _same_ending(one: str, other: str) -> int:
    """How many characters at the end two names share."""
    shared = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        shared += 1
    return shared


def _called_together(index: Reading, facts: Facts) -> Iterator[_Name]:
    """What a few callers of the name call as well, seldom called names first (step 7)."""
    if not 2 <= facts.callers <= _MOST_CALLERS:
        return
    rows = index.rows(
        sql.CALLED_WITH,
        symbol=facts.found.symbol,
        operator=facts.found.typed.operator,
        package=index.package_numbers[facts.found.home],
    )
    # Both are called by few, and often together: close with open, but not 1+ with open.
    near = [row for row in rows if row[5] * _OFTEN >= row[6]]
    near.sort(key=lambda row: (-row[5] / max(1, row[6]) ** 0.5, row[1], row[0]))
    yield from _names(near[:MOST])
