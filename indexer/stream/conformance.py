"""Whether the records of a stream keep the rules, one after the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ..left_out import PARTS, REFERENCES
from ..records import (
    STREAM_VERSION,
    Callees,
    Callers,
    Class,
    Components,
    Counts,
    Definition,
    Documentation,
    End,
    Expansion,
    File,
    Header,
    Package,
    Presences,
    Problem,
    Record,
    Root,
    Runs,
    Specializers,
    Symbols,
    System,
    Unread,
    Uses,
)
from ..soundness import KNOWN_RELATIONS
from .rules import (
    DEFINITIONS,
    END,
    HEADER,
    LEFT_OUT,
    MEMBERS,
    NUMBERING,
    ORDER,
    REFERRING,
    UNIQUE,
    VALUES,
    BreachError,
)
from .values import FieldType, check_values, field_types

ORDERED: tuple[tuple[type[Record], ...], ...] = (
    (Header,),
    (Root,),
    (System,),
    (Components,),
    (Package,),
    (Symbols,),
    (Presences,),
    (Definition, Documentation),
    (Class, Specializers),
    (Unread, Callers),
    (Expansion, Uses, Runs, Counts, Callees),
    (End,),
)
"""The types of records in the order of the stream; those of one group may alternate."""
ANYWHERE: tuple[type[Record], ...] = (File, Problem)
"""The types that come between others: files once all systems have come, problems after the header."""
_STAGES = {cls: stage for stage, group in enumerate(ORDERED) for cls in group}
_STAGES |= {Problem: 0, File: _STAGES[Components]}
_CLASS_KINDS = ("class", "structure", "condition")


class Conformance:
    """Compares records with the rules, as they come."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._stage = 0
        self._header: Header | None = None
        self._kinds: set[str] = set()
        self._left_out: frozenset[str] = frozenset()
        self._latest_package = 0
        self._known: dict[str, set[Any]] = {}
        self._without_parts: dict[str, set[int]] = {"class": set(), "specializers": set()}
        self._ended = False
        self._more: dict[type[Record], Callable[[Any], None]] = {
            Header: self._take_header,
            Package: self._take_package,
            Symbols: self._take_symbols,
            Presences: self._take_presences,
            File: _take_file,
            Definition: self._take_definition,
            Documentation: self._take_documentation,
            Class: self._take_class,
            Specializers: self._take_specializers,
            Callers: lambda record: self._count_rows("caller", len(record.rows)),
            Uses: lambda record: self._count_rows("use", len(record.rows) // _USE_FIELDS),
            Runs: lambda record: self._distinct("runs", (tuple(row[:3]) for row in record.rows)),
            Unread: lambda record: self._distinct("unread texts", (tuple(row[:2]) for row in record.rows)),
            End: self._take_end,
        }

    @property
    def ended(self) -> bool:
        """Whether the end record has come."""
        return self._ended

    def check(self, record: Record) -> None:
        """Raise BreachError if ``record`` breaks a rule where it stands."""
        cls = type(record)
        self._check_place(cls)
        check_values(record, self._refer)
        for one in field_types(cls):
            self._check_field(cls, one, getattr(record, one.name))
        if more := self._more.get(cls):
            more(record)

    def _check_place(self, cls: type[Record]) -> None:
        name = cls.__name__.lower()
        if self._ended:
            raise BreachError(END, f"a record of type {name} comes after the end record")
        if cls not in _STAGES:
            raise BreachError(MEMBERS, f"records of type {name} are reserved for oblist's own refreshes")
        if (cls is Header) != (self._header is None):
            there = "a second header" if self._header else f"the first record is of type {name}"
            raise BreachError(HEADER, there)
        stage = _STAGES[cls]
        if stage < self._stage and cls not in ANYWHERE:
            before = " or ".join(one.__name__.lower() for one in ORDERED[self._stage])
            raise BreachError(ORDER, f"a record of type {name} comes after one of type {before}")
        self._stage = max(stage, self._stage)

    def _check_field(self, cls: type[Record], one: FieldType, value: Any) -> None:
        facts = one.facts
        where = f"{cls.__name__.lower()}.{one.name}"
        if facts.inner and value is not None:
            raise BreachError(MEMBERS, f"{where} is reserved for oblist's own refreshes")
        if facts.part in self._left_out and value not in (None, []):
            raise BreachError(
                LEFT_OUT, f"{where} is present, but the header says that the stream leaves out {facts.part}"
            )
        if facts.unique:
            self._distinct(where, [value])
        if facts.numbers and one.type is int:
            self._number(facts.numbers, where, value)

    def _number(self, what: str, where: str, value: int) -> None:
        expected = self._counts[what] + 1
        if value != expected:
            raise BreachError(NUMBERING, f"{where} is {value}, not {expected}")
        self._count_rows(what, 0 if what == "symbol" else 1)

    def _count_rows(self, what: str, number: int) -> None:
        self._counts[what] += number

    def _refer(self, of: str, value: Any, where: str, later: bool) -> None:
        if of == "kind":
            if value not in self._kinds:
                raise BreachError(DEFINITIONS, f"the header does not list the kind {ascii(value)[:40]}")
            return
        if later:
            self._latest_package = max(self._latest_package, value)
            return
        header = self._header
        if of == "operator" and header:
            first, last = 0, len(header.operators) - 1
        elif of == "relation" and header:
            first, last = 1, len(header.relations)
        else:
            # A symbol's own record has no symbols yet; a package may use itself.
            first, last = 1, self._counts[of]
        if not first <= value <= last:
            raise BreachError(REFERRING, f"{where} is {value}, but the stream has no such {of} before it")

    def _distinct(self, what: str, values: Iterable[Any]) -> None:
        known = self._known.setdefault(what, set())
        for value in values:
            if value in known:
                raise BreachError(UNIQUE, f"{ascii(value)[:60]} occurs a second time in {what}")
            known.add(value)

    def _take_header(self, record: Header) -> None:
        if record.stream != STREAM_VERSION:
            cure = (
                "use a newer oblist"
                if record.stream > STREAM_VERSION
                else f"this oblist reads version {STREAM_VERSION}"
            )
            raise BreachError(HEADER, f"the stream has version {record.stream}: {cure}")
        for pairs in ("case_pairs", "titlecase_pairs"):
            if len({len(one) for one in getattr(record, pairs)}) != 1 or len(getattr(record, pairs)) != 2:
                raise BreachError(VALUES, f"{pairs} is not two strings of the same length")
        if not record.case_pairs[0]:
            raise BreachError(VALUES, "case_pairs is empty")
        if record.operators[:2] != [None, "SETF"] or record.operators[2:] not in ([], ["CAS"]):
            raise BreachError(VALUES, "operators must list null, SETF and, optionally, CAS, in this order")
        if unknown := [one for one in record.relations if one not in KNOWN_RELATIONS]:
            raise BreachError(VALUES, f"relations contains {ascii(unknown[0])[:40]}, which is not a relation")
        if unknown := [one for one in record.left_out if one not in PARTS]:
            raise BreachError(LEFT_OUT, f"left_out contains {ascii(unknown[0])[:40]}, which is not a part")
        self._distinct("relations", record.relations)
        self._distinct("left_out", record.left_out)
        self._distinct("kinds", (kind for kind, *_ in record.kinds))
        self._header = record
        self._left_out = frozenset(record.left_out)
        self._kinds = {str(kind) for kind, *_ in record.kinds}

    def _take_package(self, record: Package) -> None:
        self._distinct("package.nicknames", record.nicknames)
        self._distinct(f"package {record.id}: uses", record.uses)
        nicknames = (nickname for nickname, _ in record.local_nicknames)
        self._distinct(f"package {record.id}: local_nicknames", nicknames)

    def _take_symbols(self, record: Symbols) -> None:
        if self._latest_package > self._counts["package"]:
            raise BreachError(
                REFERRING, f"a package uses package {self._latest_package}, which does not exist"
            )
        self._count_rows("symbol", len(record.rows))

    def _take_presences(self, record: Presences) -> None:
        present = [*record.external, *record.internal]
        for what, symbols in (("symbols", present), ("shadowing symbols", record.shadowing)):
            if len(set(symbols)) != len(symbols):
                raise BreachError(UNIQUE, f"a symbol occurs twice among the {what} of a package")

    def _take_definition(self, record: Definition) -> None:
        is_package = record.kind == "package"
        if (record.symbol is None) != is_package or (record.package is not None) != is_package:
            needed, other = ("package", "symbol") if is_package else ("symbol", "package")
            raise BreachError(
                DEFINITIONS, f"a definition of kind {record.kind} must have a {needed} and no {other}"
            )
        if record.kind in _CLASS_KINDS:
            self._without_parts["class"].add(record.id)
        elif record.kind == "method":
            self._without_parts["specializers"].add(record.id)

    def _take_documentation(self, record: Documentation) -> None:
        self._distinct("documentation", [(record.symbol, record.type)])

    def _take_class(self, record: Class) -> None:
        self._take_part("class", record.definition)

    def _take_specializers(self, record: Specializers) -> None:
        self._take_part("specializers", record.definition)

    def _take_part(self, what: str, definition: int) -> None:
        left = self._without_parts[what]
        if definition not in left:
            raise BreachError(
                DEFINITIONS, f"definition {definition} already has a {what} record, or takes none"
            )
        left.remove(definition)

    def _take_end(self, record: End) -> None:
        self._ended = True
        for what, left in self._without_parts.items():
            if left:
                raise BreachError(DEFINITIONS, f"definition {min(left)} has no {what} record")
        if REFERENCES not in self._left_out and not self._counts["caller"]:
            raise BreachError(
                LEFT_OUT, "there are no callers, but left_out in the header does not list `references`"
            )
        for one in ("package", "symbol", "definition"):
            said = getattr(record, f"{one}s")
            if said != self._counts[one]:
                raise BreachError(END, f"{one}s is {said}, but the stream has {self._counts[one]}")


_USE_FIELDS = next(len(one.facts.rows) for one in field_types(Uses))


def _take_file(record: File) -> None:
    if record.crc32 is not None and not re.fullmatch("[0-9a-f]{8}", record.crc32):
        raise BreachError(VALUES, f"file.crc32 is {ascii(record.crc32)[:40]}, not 8 hexadecimal digits")
