"""A project as a whole, and the rules that judge it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...declare.declarations import Declarations, DeclaredDefinition, FormPlace
from ...findings import SourceFinding
from ...world.operators import Operators
from ...world.packages import World, WorldSymbol
from ..described import Rule
from ..suggestions import Suggestions

MADE = "slot"
"""The variant of the definitions that a slot makes."""


class CheckedProject:
    """All definitions and exports of the checked files together."""

    def __init__(
        self,
        declarations: Declarations,
        world: World,
        operators: Operators,
        suggestions: Suggestions,
        systems: Mapping[str, str],
        texts: Callable[[], Iterable[str]],
    ) -> None:
        """``systems`` are the systems that files are loaded with, ``texts`` yields the texts of the files."""
        self.declarations = declarations
        self.systems = systems
        self.texts = texts
        self.written = suggestions.written
        self.cased = suggestions.cased
        self._world = world
        self._operators = operators

    def exports(self) -> Iterator[tuple[str, FormPlace, WorldSymbol]]:
        """The exports of the packages in the files; only those of a package's own symbols."""
        for declared in self.declarations.packages.values():
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

    def definitions(self) -> dict[WorldSymbol, list[DeclaredDefinition]]:
        """The definitions in the files, by their symbols."""
        found: dict[WorldSymbol, list[DeclaredDefinition]] = {}
        for definition in self.declarations.definitions:
            package = self._world.package(definition.package)
            known = self._world.find(package, definition.name) if package is not None else None
            if known is not None:
                found.setdefault(known[0], []).append(definition)
        return found

    def is_defined(self, symbol: WorldSymbol) -> bool:
        """Whether anything is or may be defined with this name."""
        meaning = self._operators.meaning(symbol)
        return meaning.kind is not None or meaning.variable or meaning.maybe or meaning.anything


class ProjectRule(Rule):
    """A rule about the project as a whole, whose ``findings`` it finds itself."""

    def __init__(
        self,
        name: str,
        severity: str,
        module: str,
        findings: Callable[[CheckedProject], Iterator[SourceFinding]],
    ) -> None:
        super().__init__(name, severity, module)
        self.findings = findings


def finding(rule: Rule, place: FormPlace, message: str, name: str) -> SourceFinding:
    """A finding of ``rule`` about ``name`` at a place."""
    return SourceFinding(place.path, place.line, place.column, rule.name, message, length=max(1, len(name)))
