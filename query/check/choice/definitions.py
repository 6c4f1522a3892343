"""The files that system definitions name now, which the index may not know yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ...syntax.features import Features
from ...syntax.names.designators import designated
from ...syntax.nodes import Atom, Form, Node
from ...syntax.reader import read
from ...syntax.tokens import Tokens
from ..declare.standard_names import operator_text

_MOST_NESTED = 20
_SOURCE_FILES = ("FILE", "CL-SOURCE-FILE", "CL-SOURCE-FILE.CL", "CL-SOURCE-FILE.LSP")
_INFERRED = "PACKAGE-INFERRED-SYSTEM"
_NAMED_BY_OTHERS = frozenset({":version", ":feature", ":require"})


@dataclass(slots=True)
class DefinedSystem:
    """A system as its definition has it.

    ``path`` is that of its definition in the index, ``files`` are those that features do not leave out,
    without their suffixes, ``needs`` the systems that it depends on, and ``inferred`` is the folder whose
    files are systems of their own.
    """

    name: str
    path: str
    files: set[str] = field(default_factory=set)
    needs: set[str] = field(default_factory=set)
    inferred: str | None = None


class SystemDefinitions:
    """Reads the DEFSYSTEM forms in files, without evaluating anything in them."""

    def __init__(self, features: Features, tokens: Tokens) -> None:
        self._features = features
        self._tokens = tokens

    def systems(self, path: str, recorded: str, text: str) -> Iterator[DefinedSystem]:
        """The systems that the file at ``path`` defines, which the index has as ``recorded``."""
        for toplevel in read(text, self._features):
            node = toplevel.node
            if (
                operator_text(node, self._tokens) != "DEFSYSTEM"
                or not isinstance(node, Form)
                or len(node.items) < 2
            ):
                continue
            name = self._name(node.items[1])
            if name is not None:
                system = DefinedSystem(name, recorded)
                self._component(system, node.items[2:], Path(path).parent)
                yield system

    def _name(self, node: Node) -> str | None:
        """The name of a component: a string as it is, a symbol in lower case (ASDF, COERCE-NAME)."""
        name = designated(node, self._tokens)
        if name is None or (isinstance(node, Atom) and node.text[0] == '"'):
            return name
        return name.lower()

    def _component(self, system: DefinedSystem, options: list[Node], folder: Path, depth: int = 0) -> None:
        """Read the options of a system or module whose files are below ``folder``."""
        given = _given(options)
        if (named := given.get(":pathname")) is not None and (name := self._name(named)) is not None:
            folder = folder / name
        if depth == 0:
            self._of_system(system, given, folder)
        default = given.get(":default-component-class")
        if default is not None and not (designated(default, self._tokens) or "").startswith("CL-SOURCE-FILE"):
            return
        parts = given.get(":components")
        for part in parts.items if isinstance(parts, Form) and depth < _MOST_NESTED else ():
            if isinstance(part, Form):
                self._part(system, part, folder, depth)

    def _of_system(self, system: DefinedSystem, given: dict[str, Node], folder: Path) -> None:
        """Read what only a system has: its class, and what it depends on."""
        kind = given.get(":class")
        if kind is not None and (designated(kind, self._tokens) or "").upper().endswith(_INFERRED):
            system.inferred = os.path.realpath(folder)
        for option in (":depends-on", ":weakly-depends-on", ":defsystem-depends-on"):
            needed = given.get(option)
            if isinstance(needed, Form):
                system.needs.update(filter(None, map(self._needed, needed.items)))

    def _part(self, system: DefinedSystem, part: Form, folder: Path, depth: int) -> None:
        if len(part.items) < 2 or (name := self._name(part.items[1])) is None:
            return
        options = part.items[2:]
        given = _given(options)
        feature = given.get(":if-feature")
        if feature is not None and self._features.decide(feature) is False:
            return
        operator = operator_text(part, self._tokens)
        if operator == "MODULE":
            self._component(system, options, folder if ":pathname" in given else folder / name, depth + 1)
        elif operator in _SOURCE_FILES:
            named = given.get(":pathname")
            file = folder / ((self._name(named) if named is not None else None) or name)
            known = file.suffix in (".lisp", ".cl", ".lsp")
            system.files.add(os.path.realpath(file.with_suffix("") if known else file))

    def _needed(self, node: Node) -> str | None:
        """The name of a dependency: a name, or a list such as ``(:version name "1")``."""
        if isinstance(node, Form) and node.kind == "(" and len(node.items) > 1:
            head = node.items[0]
            if not isinstance(head, Atom) or head.text.lower() not in _NAMED_BY_OTHERS:
                return None
            return self._needed(node.items[2 if head.text.lower() == ":feature" else 1])
        return self._name(node)


def _given(options: list[Node]) -> dict[str, Node]:
    """The options of a component, by keyword in lower case."""
    return {
        key.text.lower(): value
        for key, value in zip(options[::2], options[1::2], strict=False)
        if isinstance(key, Atom)
    }
