"""The records of a grown index, in the order in which SBCL writes those of a real one."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from oblist.indexer import records
from oblist.indexer.records import Record

from .layout import lay_out
from .material import DEFINITION_FIELDS, Material, Row
from .naming import Words, varied
from .parts import Part, Parts
from .prose import Prose
from .renaming import Renaming
from .uses import UsesStream

_ROWS_A_RECORD = 1000
_FIELD = {name: place for place, name in enumerate(DEFINITION_FIELDS)}
_TYPE_KINDS = {"class", "structure", "condition", "type"}


class GrowthStream:
    """The records of an index with a number of ``symbols``, the same for the same ``seed``."""

    def __init__(self, material: Material, symbols: int, seed: int) -> None:
        self.material, self.seed = material, seed
        self.parts = Parts(material, symbols, self._chance("parts"))
        self._names = {number: name for number, name, *_ in material.symbols}
        self._words = Words(self._names.values())
        self._prose = Prose(row[_FIELD["documentation"]] or "" for row in material.definitions)
        division = self.parts.division
        self._in_center = {
            self._names[symbol] for symbol, host in division.host.items() if host in division.central_packages
        }
        prefixes = self._chance("prefixes")
        for part in self.parts.worlds[1:]:
            part.prefix = self._words.prefix(part.number, prefixes)

    def _chance(self, what: object) -> random.Random:
        return random.Random(f"{self.seed} {what}")

    def records(self) -> Iterator[Record]:
        """All records."""
        yield self.material.header
        yield from self._systems()
        for part in self.parts.all:
            yield from self._packages(part)
        for part in self.parts.all:
            yield from self._symbols(part)
        for part in self.parts.all:
            yield from self._presences(part)
        yield from self._definitions_and_classes()
        for part in self.parts.all:
            yield from self._callers(part)
        yield from (records.Expansion(*row) for row in self.material.expansions)
        yield from UsesStream(self.parts, lay_out(self.parts)).records()
        yield from self._ending()

    # Systems and packages

    def _systems(self) -> Iterator[Record]:
        """The roots, and the systems of each world; without any, as in the bare image, one for each world."""
        material, number = self.material, 0
        roots = {system: path for _, path, system in material.roots if system}
        yield from (records.Root(name, path) for name, path, system in material.roots if not system)
        files = defaultdict(list)
        for file, _, path, system in material.files:
            if path and system:
                files[system].append((file, path))
        for part in self.parts.worlds:
            if not material.systems and part.prefix:
                number += 1
                yield records.System(number, part.prefix.lower(), True, [], [], folder=part.placed("/"))
            for system, name, asked, version, licence, author, description, definition in material.systems:
                number += 1
                own = part.shape.ranks["files"]
                yield records.System(
                    number,
                    part.prefixed(name).lower() if part.prefix else name,
                    bool(asked),
                    [part.placed(path) for file, path in files[system] if own[file] or not part.prefix],
                    [[kind, part.prefixed(other)] for _, kind, other, _ in self._depends(system)],
                    *(version, licence, author, description),
                    part.placed(definition) if definition else None,
                    part.placed(roots[system]) if system in roots else None,
                )

    def _depends(self, system: int) -> list[Any]:
        return self.material.dependencies.get(system, [])

    def _packages(self, part: Part) -> Iterator[Record]:
        material, parts, chance = self.material, self.parts, self._chance(f"packages {part.number}")
        for number, name, documentation, locked in material.packages:
            own = part.own("packages", number)
            if own is None:
                continue
            text = documentation
            if documentation and part.prefix:
                text = self._prose.like(documentation, [], chance)
            local = material.local_nicknames.get(number, [])
            yield records.Package(
                own,
                part.prefixed(name),
                [part.prefixed(one) for one in material.nicknames.get(number, [])],
                bool(locked),
                parts.seen(part, "packages", material.package_uses.get(number, [])),
                [[one, seen] for one, other in local if (seen := parts.number(part, "packages", other))],
                text,
            )

    # Symbols

    def _symbols(self, part: Part) -> Iterator[Record]:
        names = self._names_of(part)
        rows: list[list[Any]] = []
        first = part.before["symbols"] + 1
        for symbol in part.shape.rows["symbols"]:
            _, _, home, kind = self._symbol(symbol)
            package = self.parts.number(part, "packages", home) if home else None
            rows.append([names.get(symbol, self._names[symbol]), package, kind])
            if len(rows) == _ROWS_A_RECORD:
                yield records.Symbols(first, rows)
                first, rows = first + len(rows), []
        if rows:
            yield records.Symbols(first, rows)

    def _symbol(self, number: int) -> Row:
        row = self.material.symbols[number - 1]
        assert row[0] == number, "symbols are numbered from 1 without a gap"
        return row

    def _names_of(self, part: Part) -> dict[int, str]:
        """The new names of a world's symbols, of which it keeps those that texts need."""
        if not part.prefix:
            return {}
        division = self.parts.division
        groups: defaultdict[object, list[tuple[int, str]]] = defaultdict(list)
        for symbol in part.shape.rows["symbols"]:
            groups[division.host[symbol]].append((symbol, self._names[symbol]))
        found = varied(groups, self._in_center, self._words, self._chance(f"names {part.number}"))
        # The keywords of all worlds are in one package.
        self._in_center |= {
            found[symbol] for symbol in found if division.host[symbol] in division.central_packages
        }
        part.renamed = {
            self._names[symbol]: found[symbol] for symbol in self._kept_symbols if symbol in found
        }
        return found

    @property
    def _kept_symbols(self) -> list[int]:
        """The symbols that name types and slots."""
        types = {
            row[_FIELD["symbol"]] for row in self.material.definitions if row[_FIELD["kind"]] in _TYPE_KINDS
        }
        slots = {slot[1] for rows in self.material.classes.values() for slot in rows.slots}
        return sorted((types | slots) - {None})

    def _presences(self, part: Part) -> Iterator[Record]:
        """The symbols present in each package of a part; a world adds its keywords to the one KEYWORD."""
        parts, material = self.parts, self.material
        for package, *_ in material.packages:
            own, seen = part.own("packages", package), parts.number(part, "packages", package)
            if seen is None or (part is parts.center and not own):
                continue
            by_status: dict[str, list[int]] = {"external": [], "internal": []}
            for symbol, status in material.presences.get(package, ()):
                number = self._present(part, symbol, package, in_own_package=bool(own))
                if number is not None:
                    by_status[status].append(number)
            shadowing = parts.seen(part, "symbols", material.shadowing.get(package, ())) if own else []
            if own or any(by_status.values()):
                yield records.Presences(seen, by_status["external"], by_status["internal"], shadowing)

    def _present(self, part: Part, symbol: int, package: int, *, in_own_package: bool) -> int | None:
        """The number of a symbol, if a part says that it is present in a package."""
        if part is self.parts.center:
            return part.own("symbols", symbol)
        if in_own_package:
            return self.parts.number(part, "symbols", symbol)
        # In central packages, only the first world has what these import, or each would under the same name.
        hosted = self.parts.division.host[symbol] == package
        return part.own("symbols", symbol) if hosted or not part.prefix else None

    # Definitions

    def _definitions_and_classes(self) -> Iterator[Record]:
        for part in self.parts.all:
            yield from self._files(part)
            yield from self._definitions(part)
        for part in self.parts.all:
            yield from self._classes(part)
            yield from self._documentation(part)

    def _files(self, part: Part) -> Iterator[Record]:
        material = {row[0]: row for row in self.material.files}
        for file in part.shape.rows["files"]:
            _, recorded, path, _ = material[file]
            number = part.own("files", file)
            assert number is not None
            shown = part.placed(path) if path else None
            yield records.File(number, shown if part.prefix and shown else recorded, shown)

    def _definitions(self, part: Part) -> Iterator[Record]:
        parts, renaming = self.parts, Renaming(part.renamed)
        chance, names = self._chance(f"definitions {part.number}"), sorted(part.renamed.values())
        links = [(_FIELD[f"{sort[:-1]}"], sort) for sort in ("symbols", "packages", "files")]
        documentation = _FIELD["documentation"]
        for row in self.material.definitions:
            number = part.own("definitions", row[0])
            if number is None:
                continue
            values = list(row)
            values[0] = number
            for place, sort in links:
                if values[place] is not None:
                    values[place] = parts.number(part, sort, values[place])
            if part.prefix:
                if values[documentation]:
                    values[documentation] = self._prose.like(values[documentation], names, chance)
                for name in ("specializers", "ftype", "argument_types", "result_types"):
                    if values[_FIELD[name]]:
                        values[_FIELD[name]] = renaming.text(values[_FIELD[name]])
            yield records.Definition(*values)

    def _classes(self, part: Part) -> Iterator[Record]:
        parts, renamed = self.parts, part.renamed
        own = part.shape.ranks["definitions"]
        for definition, rows in self.material.classes.items():
            if not own[definition]:
                continue
            finalized, metaclass, representation, prefix = rows.facts
            number = part.own("definitions", definition)
            assert number is not None
            yield records.Class(
                number,
                finalized,
                parts.seen(part, "symbols", rows.superclasses),
                parts.seen(part, "symbols", rows.precedence),
                [self._slot(part, slot, renamed) for slot in rows.slots],
                rows.default_initargs,
                [
                    [*how, seen]
                    for *how, symbol in rows.functions
                    if (seen := parts.number(part, "symbols", symbol))
                ],
                parts.number(part, "symbols", metaclass) if metaclass else None,
                representation,
                prefix,
            )
        for definition, specializers in self.material.specializers.items():
            if own[definition]:
                number = part.own("definitions", definition)
                assert number is not None
                yield records.Specializers(number, [self._specializer(part, *one) for one in specializers])

    def _slot(self, part: Part, slot: list[Any], renamed: dict[str, str]) -> list[Any]:
        name, symbol, *facts, readers, writers = slot
        seen = self.parts.number(part, "symbols", symbol) if symbol else None
        accessors = [
            [
                [number, operator]
                for one, operator in some
                if (number := self.parts.number(part, "symbols", one))
            ]
            for some in (readers, writers)
        ]
        return [renamed.get(name, name), seen, *facts, *accessors]

    def _specializer(
        self, part: Part, symbol: int | None, eql: str | None, eql_class: int | None
    ) -> list[Any]:
        seen = self.parts.number(part, "symbols", symbol) if symbol else None
        of = self.parts.number(part, "symbols", eql_class) if eql_class else None
        return [seen, *((eql, of) if seen is None else (None, None))]

    def _documentation(self, part: Part) -> Iterator[Record]:
        chance = self._chance(f"documentation {part.number}")
        for symbol, kind, text in self.material.documentation:
            number = part.own("symbols", symbol)
            if number is not None:
                new = self._prose.like(text, [], chance) if part.prefix else text
                yield records.Documentation(number, kind, new)

    # Callers and the end

    def _callers(self, part: Part) -> Iterator[Record]:
        callers = {row[0]: row for row in self.material.callers}
        rows = []
        for caller in part.shape.rows["callers"]:
            _, definition, name, file, form = callers[caller]
            of = part.own("definitions", definition) if definition else None
            rows.append([of, name, self.parts.number(part, "files", file) if file else None, form])
        for first in range(0, len(rows), _ROWS_A_RECORD):
            yield records.Callers(rows[first : first + _ROWS_A_RECORD])

    def _ending(self) -> Iterator[Record]:
        for part in self.parts.all:
            rows = [[part.own("files", file), *lines] for file, *lines in self.material.unread]
            if found := [row for row in rows if row[0]]:
                yield records.Unread(found)
        yield from (records.Problem(*row) for row in self.material.problems)
        yield records.End(*(self.parts.totals(sort) for sort in ("packages", "symbols", "definitions")))
