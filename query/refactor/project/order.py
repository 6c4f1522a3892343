"""Which file of a project is loaded before which."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath

from ...syntax.names.designators import designated
from ...syntax.nodes import Atom, Form, Node, forms_in
from ...syntax.tokens import Tokens
from . import sql
from .sql import LoadedFileRow, NeededSystemRow
from .texts import ProjectTexts

_UNKNOWN = "<unknown>"
_PARENTS = (":module", ":system")
_SOURCES = (".lisp", ".lsp", ".cl")


@dataclass(slots=True)
class _Component:
    """A component of a system as its definition has it; ``after`` are the names that it depends on."""

    name: str
    path: str
    parts: list[_Component] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


class LoadOrder:
    """Tells which place of a project is loaded before which, from the definitions of its systems."""

    def __init__(self, project: ProjectTexts) -> None:
        self._project = project

    def systems_of(self, path: str) -> Sequence[str]:
        """The names of the systems that load a file."""
        return self._systems.get(os.path.realpath(path), ())

    def is_before(self, one: tuple[str, int], other: tuple[str, int]) -> bool:
        """Whether a place, which is a path and an offset, is certainly loaded before another one."""
        if one[0] == other[0]:
            return one[1] < other[1]
        first, second = (os.path.realpath(path) for path, _ in (one, other))
        for order in self._orders:
            if first in order and second in order:
                return order[first] < order[second]
        needed = {above for system in self.systems_of(second) for above in self.needed(system)}
        return bool(needed.intersection(self.systems_of(first)))

    def needed(self, system: str) -> set[str]:
        """The names of all systems that a system depends on, at any remove."""
        found: set[str] = set()
        waiting = [system]
        while waiting:
            for name in self._dependencies.get(waiting.pop(), ()):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return found

    def system_of_package(self, package: str) -> str | None:
        """The name of the system that a package belongs to."""
        rows = self._project.index.rows(sql.SYSTEM_OF_PACKAGE, package=package)
        return rows[0][0] if rows else None

    @cached_property
    def _systems(self) -> Mapping[str, Sequence[str]]:
        index = self._project.index
        found: defaultdict[str, list[str]] = defaultdict(list)
        for row in map(LoadedFileRow._make, index.rows(sql.COMPONENTS)):
            found[os.path.realpath(index.local_path(row.path) or row.path)].append(row.system)
        return dict(found)

    @cached_property
    def _dependencies(self) -> Mapping[str, set[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for row in map(NeededSystemRow._make, self._project.index.rows(sql.DEPENDENCIES)):
            found[row.system].add(row.name)
        return dict(found)

    @cached_property
    def _orders(self) -> Sequence[Mapping[str, int]]:
        """The places of the files in the order of each system, by their paths."""
        found = []
        for one in self._project.sources():
            if not one.path.endswith(".asd"):
                continue
            for toplevel in one.toplevels:
                for form in forms_in(toplevel.toplevel.node):
                    if _defines_system(form):
                        system = _component(form, os.path.dirname(one.path), toplevel.tokens)  # noqa: PTH120
                        paths = dict.fromkeys(_in_order(system))
                        found.append({path: number for number, path in enumerate(paths)})
        return found


def _defines_system(form: Form) -> bool:
    head = form.items[0] if form.kind == "(" and len(form.items) > 1 else None
    return isinstance(head, Atom) and head.text.rpartition(":")[2].lower() == "defsystem"


def _component(form: Form, folder: str, tokens: Tokens) -> _Component:
    """A component, with its parts; a path that the text does not tell is that of no file."""
    options = {
        key.text.lower(): value
        for key, value in zip(form.items[2::2], form.items[3::2], strict=False)
        if isinstance(key, Atom)
    }
    is_parent = form.items[0].text.lower() in _PARENTS or _defines_system(form)
    name = _name(form.items[1], tokens)
    given = options.get(":pathname")
    below = name if given is None else (_name(given, tokens) if isinstance(given, Atom) else _UNKNOWN)
    if given is None and _defines_system(form):
        below = ""
    path = os.path.normpath(f"{folder}/{below}")
    found = _Component(name, path)
    if is_parent:
        parts = options.get(":components")
        for one in parts.items if isinstance(parts, Form) else ():
            if isinstance(one, Form) and one.kind == "(" and len(one.items) > 1:
                found.parts.append(_component(one, path, tokens))
        serial = options.get(":serial")
        if isinstance(serial, Atom) and serial.text.lower() == "t":
            for before, part in pairwise(found.parts):
                part.after.append(before.name)
    depends = options.get(":depends-on")
    found.after += [_name(one, tokens) for one in depends.items] if isinstance(depends, Form) else []
    return found


def _name(node: Node, tokens: Tokens) -> str:
    """The name of a component, which ASDF has in lower case unless it is a string."""
    name = designated(node, tokens)
    if name is None:
        return _UNKNOWN
    return name if node.text.startswith('"') else name.lower()


def _in_order(component: _Component) -> Iterator[str]:
    """Yield the paths that the files of a component may have, in the order in which ASDF loads them.

    That is the order of the definition, but for what others depend on, which comes before them.
    """
    if not component.parts:
        known = PurePath(component.path).suffix.lower() in _SOURCES
        yield from (os.path.realpath(component.path + suffix) for suffix in ([""] if known else _SOURCES))
        return
    by_name = {one.name: one for one in component.parts}
    seen: set[str] = set()
    waiting = [one.name for one in reversed(component.parts)]
    while waiting:
        name = waiting[-1]
        missing = [one for one in by_name[name].after if one in by_name and one not in seen]
        seen.add(name)
        if missing:
            waiting += reversed(missing)
            continue
        waiting.pop()
        yield from _in_order(by_name[name])
