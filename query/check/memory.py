"""What was found in the forms of a text that is checked repeatedly, as in an editor.

A toplevel form is judged again if its text has changed, if it mentions a name whose definition has changed
or is lost, or if something was found in it, because the suggestions may differ now. A changed package, class
or macro can affect forms that do not mention it, so every form is judged again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from .declare.declarations import Declarations, DeclaredDefinition
from .declare.definition_forms import UNKNOWN
from .declare.lost import Lost
from .findings import SourceFinding

# Kinds whose definitions concern only the forms that mention their names.
_BY_NAME = frozenset(
    {"function", "generic-function", "method", "setf-function", "setf-generic-function", "setf-method"}
    | {"variable", "constant", UNKNOWN}
)
_SLOT = "slot"  # the accessor of a structure's or class's slot; constructors know all slots
_ESCAPES = "|\\"
_MOST_FILES, _MOST_MEMORIES = 20, 2


class FormKey(NamedTuple):
    """What identifies a form, besides the definitions."""

    text: str
    package: str | None
    """The package that it is read in."""
    before: int
    """The number of earlier forms that begin in the same way.

    It distinguishes the compiler's records of these forms.
    """
    column: int
    """The column that it begins in."""


@dataclass(frozen=True, slots=True)
class FormJudged:
    """What was found in a form; the lines of the findings count from its first line, from 0."""

    findings: tuple[SourceFinding, ...]
    strangers: frozenset[tuple[str, str]]
    package: str | None
    """The package after it."""
    calls: int
    symbols: int


@dataclass(slots=True)
class Memory:
    """The forms of one text, and all that they were judged by."""

    circumstances: object
    definitions: frozenset[tuple[object, ...]]
    lost: Lost
    """What the index has but the texts no longer define."""
    forms: dict[FormKey, FormJudged] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    """The names, in lower case, whose definitions have changed since the previous memory."""
    known: dict[FormKey, FormJudged] = field(default_factory=dict)
    """The forms of the previous memory, as far as they still hold."""

    def recall(self, key: FormKey) -> FormJudged | None:
        """What was found in a form, if that must still be so."""
        known = self.known.get(key)
        if known is None or not self.changed:
            return known
        if known.findings or known.strangers or any(one in key.text for one in _ESCAPES):
            return None
        folded = key.text.lower()
        return None if any(name in folded for name in self.changed) else known


class Memories:
    """The memories of files in one build of an index; those of one file differ in what else was known."""

    def __init__(self, kept: dict[str, list[Memory]], declarations: Declarations, lost: Lost) -> None:
        """``kept`` has the memories by path; ``declarations`` are those of all files of this check."""
        self._kept = kept
        self._lost = lost
        self._definitions = frozenset(_told(declarations.definitions))
        self._rest = _without_places(declarations)

    def begin(self, path: str, circumstances: object) -> Memory:
        """A new memory of a file, with what is known from the one that differs least."""
        lost = self._lost
        whole = self._rest, lost.packages, lost.parts, lost.classes
        new = Memory((circumstances, whole), self._definitions, lost)
        before = [one for one in self._kept.get(path, ()) if one.circumstances == new.circumstances]
        nearest = min(before, key=lambda one: len(one.definitions ^ new.definitions), default=None)
        if nearest is not None:
            changed = nearest.definitions ^ new.definitions
            if all(one[_KIND] in _BY_NAME and one[_VARIANT] != _SLOT for one in changed):
                new.known = nearest.forms
                names = {str(one[_NAME]) for one in changed}
                if nearest.lost.definitions != lost.definitions:
                    names |= {*nearest.lost.names, *lost.names}
                new.changed = frozenset(map(str.lower, names))
        return new

    def keep(self, path: str, memory: Memory) -> None:
        """Keep a memory that is complete, instead of the one that is most like it if there are too many."""
        memory.known = {}
        if path not in self._kept and len(self._kept) >= _MOST_FILES:
            del self._kept[next(iter(self._kept))]
        others = sorted(
            self._kept.get(path, ()), key=lambda one: len(one.definitions ^ memory.definitions), reverse=True
        )
        if others and others[-1].definitions == memory.definitions:
            others.pop()
        self._kept[path] = [memory, *others[: _MOST_MEMORIES - 1]]


_NAME, _KIND, _VARIANT = 1, 2, 3


def _told(definitions: Iterable[DeclaredDefinition]) -> Iterable[tuple[object, ...]]:
    """Everything about each definition that matters to other forms; its place does not."""
    numbers: Counter[tuple[str, str]] = Counter()
    for one in definitions:
        numbers[one.package, one.name] += 1
        yield (
            *(one.package, one.name, one.kind, one.variant, one.operator, one.arglist, one.settled),
            *(one.within, one.interned, one.text, numbers[one.package, one.name]),
        )


def _without_places(declarations: Declarations) -> object:
    """The rest of what is judged by."""
    packages = [
        (
            *(one.name, one.nicknames, one.local_nicknames, one.uses, set(one.exports), one.imports),
            *(one.shadows, one.interned, one.copied, one.complete, one.computed),
        )
        for one in declarations.packages.values()
    ]
    return packages, list(declarations.entered), set(declarations.initargs), set(declarations.obscure)
