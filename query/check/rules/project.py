"""The rules about the project as a whole: duplicate definitions, and exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...syntax.mentions import name_parts
from ..declare.declarations import Declarations, DeclaredDefinition, Place
from ..findings import SourceFinding
from ..world.operators import Operators
from ..world.packages import World, WorldSymbol
from .suggestions import Suggestions

# Definitions replace each other if their kinds have the same value here.
_SPACES = {
    "function": "function", "macro": "function", "generic-function": "function",
    "variable": "variable", "constant": "variable", "symbol-macro": "variable",
    "class": "type", "structure": "type", "condition": "type", "type": "type",
    "method": "method", "setf-method": "setf method", "setf-function": "setf function",
    "setf-generic-function": "setf function", "setf-expander": "setf expander",
    "compiler-macro": "compiler macro", "method-combination": "method combination",
}  # fmt: skip
_MADE = "slot"
_DOCUMENTABLE = {
    "function",
    "macro",
    "generic-function",
    "variable",
    "constant",
    "class",
    "structure",
    "condition",
    "type",
}


class ProjectRules:
    """Judges all definitions and exports of the files together."""

    def __init__(
        self,
        declarations: Declarations,
        world: World,
        operators: Operators,
        suggestions: Suggestions,
        systems: Mapping[str, str],
    ) -> None:
        """``systems`` are the systems that files are loaded with."""
        self._declarations = declarations
        self._systems = systems
        self._world = world
        self._operators = operators
        self._written = suggestions.written
        self._cased = suggestions.cased

    def duplicates(self) -> Iterator[SourceFinding]:
        """The definitions that replace an earlier one in the same file, or in another one of the same system.

        A variable may be declared in one file before another one gives it a value.
        """
        first: dict[tuple[object, ...], DeclaredDefinition] = {}
        for definition in self._declarations.definitions:
            space = _SPACES.get(definition.kind)
            if space is None or not definition.settled or definition.variant == _MADE:
                continue
            path = definition.place.path
            together = path if space == "variable" else self._systems.get(path, path)
            name = definition.within, definition.package, definition.name
            key = (together, *name, space, definition.variant)
            known = first.setdefault(key, definition)
            if known is not definition and known.operator == definition.operator:
                where = f"on line {known.place.line}"
                if known.place.path != path:
                    where = f"in {known.place.path}, line {known.place.line}"
                said = f"the {space} {self._written(definition.name)} is already defined {where}"
                yield _finding(definition.place, "duplicate-definition", said, definition.name)

    def undocumented(self) -> Iterator[SourceFinding]:
        """The exported symbols whose definitions have no documentation string."""
        defined = self._definitions()
        for name, place, symbol in self._exports():
            there = [
                one for one in defined.get(symbol, ()) if one.kind in _DOCUMENTABLE and one.variant != _MADE
            ]
            if there and not any(one.documented for one in there):
                said = f"the {there[0].kind} {self._written(name)} has no documentation string"
                yield _finding(place, "undocumented-export", said, name)

    def unused(self, texts: Callable[[], Iterable[str]]) -> Iterator[SourceFinding]:
        """The exported symbols that nothing defines and that are mentioned only where they are exported."""
        exports = [
            (name, place, symbol) for name, place, symbol in self._exports() if not self._is_defined(symbol)
        ]
        if not exports:
            return
        wanted = {self._cased(name) for name, _, _ in exports}  # the text may be read in another case
        mentions: Counter[str] = Counter()
        for text in texts():
            mentions.update(word for word in map(self._cased, name_parts(text)) if word in wanted)
        exported = Counter(self._cased(name) for name, _, _ in exports)
        for name, place, _ in exports:
            if mentions[self._cased(name)] <= exported[self._cased(name)]:
                said = f"{self._written(name)} is exported, but nothing defines or mentions it"
                yield _finding(place, "unused-export", said, name)

    def _exports(self) -> Iterator[tuple[str, Place, WorldSymbol]]:
        """The exports of the packages in the files; only those of a package's own symbols."""
        for declared in self._declarations.packages.values():
            package = self._world.package(declared.name)
            for name, place in declared.exports.items():
                found = self._world.find(package, name) if package is not None else None
                if (
                    package is not None
                    and place is not None
                    and found is not None
                    and found[0].home == package.name
                ):
                    yield name, place, found[0]

    def _definitions(self) -> dict[WorldSymbol, list[DeclaredDefinition]]:
        found: dict[WorldSymbol, list[DeclaredDefinition]] = {}
        for definition in self._declarations.definitions:
            package = self._world.package(definition.package)
            known = self._world.find(package, definition.name) if package is not None else None
            if known is not None:
                found.setdefault(known[0], []).append(definition)
        return found

    def _is_defined(self, symbol: WorldSymbol) -> bool:
        meaning = self._operators.meaning(symbol)
        return meaning.kind is not None or meaning.variable or meaning.maybe or meaning.anything


def _finding(place: Place, rule: str, message: str, name: str) -> SourceFinding:
    return SourceFinding(place.path, place.line, place.column, rule, message, length=max(1, len(name)))
