"""What a walk finds; every list is in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..names.meanings import Symbol

VARIABLE, FUNCTION, MACRO, SYMBOL_MACRO, BLOCK, TAG = (
    *("variable", "function", "macro", "symbol-macro", "block", "tag"),
)

_MENTIONS = "mentions"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place that names a global symbol, and what it is there for."""

    start: int
    length: int
    symbol: Symbol
    operator: str | None
    """SETF or CAS if the place names (setf symbol) or (cas symbol)."""
    relation: str


@dataclass(frozen=True, slots=True)
class Binding:
    """The place where a form binds a local name.

    The implicit block of a local function is the function's own binding; that of a global definition is a
    block at the name, and is there if something returns from it.
    """

    start: int
    length: int
    name: str
    kind: str
    """variable, function, macro, symbol-macro, block or tag."""
    form_start: int
    form_end: int


LeveledBinding = tuple[Binding, int]
"""A binding, and the level of macros at which it was made."""


@dataclass(frozen=True, slots=True)
class LocalUse:
    """A place that names something local; ``binding`` is None if only a macro knows what it means."""

    start: int
    length: int
    binding: Binding | None


@dataclass(frozen=True, slots=True)
class WalkedDefinition:
    """A name, and the form that defines it, or seems to: an unknown operator that begins with DEF."""

    start: int
    length: int
    symbol: Symbol
    macro: str
    """The name of the form's operator; empty for what the form defines besides, such as an accessor."""
    form_start: int
    form_end: int


@dataclass(frozen=True, slots=True)
class Walked:
    """All that a walk through a toplevel form finds."""

    occurrences: tuple[Occurrence, ...]
    bindings: tuple[Binding, ...]
    uses: tuple[LocalUse, ...]
    definitions: tuple[WalkedDefinition, ...]
    data: frozenset[int]
    """Where the symbols begin that are only parts of data: of a quoted list, of the keys of a clause."""
    slots: frozenset[int]
    """Where the names of slots begin, also in templates."""
    captured: frozenset[int]
    """Where unbound variables in templates begin: those of the code into which the templates are put."""

    def global_places(self) -> Iterator[Occurrence]:
        """The places that name something global and are evaluated.

        Inside a macro of a program, a name that is also bound around it may mean either, so it is left out.
        """
        local = {use.start: use.binding for use in self.uses}
        for one in self.occurrences:
            if one.start in self.data:
                continue
            if one.start not in local or (local[one.start] is None and one.relation != _MENTIONS):
                yield one
