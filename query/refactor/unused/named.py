"""Names in text that a build does not compile: in files that it does not load, hidden code, and strings."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ...syntax.lexemes import lexemes
from ...syntax.names.literals import string_value
from ...syntax.tokens import KEYWORD
from ..errors import RefactorError
from ..packages.defined import package_forms
from ..project.texts import ProjectText, ProjectTexts, ReadSymbol
from . import sql
from .deletion import DeletedExtent, DeletedName

_ENDS_NAME = frozenset(" \t\r\n()'`,;\"")


class _Place(NamedTuple):
    file: ProjectText
    start: int


class NamedElsewhere:
    """Where the texts of a project may name something without its index knowing of it."""

    def __init__(self, project: ProjectTexts) -> None:
        self._project = project

    def refuse(self, name: DeletedName, extents: Sequence[DeletedExtent]) -> None:
        """Raise RefactorError if text outside of what is deleted may name it, and no build shows that."""

        def is_outside(place: _Place) -> bool:
            return not any(one.file is place.file and one.start <= place.start < one.end for one in extents)

        for place in filter(is_outside, self._unbuilt(name)):
            raise RefactorError(f"{_shown(place)} names it in code that this build does not read")
        for place in filter(is_outside, self._strings_with(name.name)):
            raise RefactorError(
                f"the string at {_shown(place)} is its name, so code may make the symbol from it"
            )

    def _unbuilt(self, name: DeletedName) -> Iterator[_Place]:
        """Yield what reads as a symbol in files that are not loaded, and where conditionals hide it."""
        for one in self._project.sources():
            if not one.has(name.name):
                continue
            is_loaded = os.path.realpath(one.path) in self._loaded
            for each in one.symbols_named(name.name):
                if is_loaded and one.is_read(each.start):
                    continue
                if self._may_be(name, each):
                    yield _Place(one, each.start)
            if not is_loaded:
                for form in package_forms(one):
                    if any(name.name == each for each, _ in (*form.imports(), *form.shadowing_imports())):
                        yield _Place(one, form.start)

    def _may_be(self, name: DeletedName, each: ReadSymbol) -> bool:
        meanings, prefix = self._project.meanings, each.token.package
        if prefix == KEYWORD:
            return False
        found = meanings.symbol(each.token, each.package)
        if found is not None:
            return found.number == name.symbol
        return prefix is not None and meanings.package(prefix, each.package) is None

    @cached_property
    def _loaded(self) -> frozenset[str]:
        index = self._project.index
        rows = index.rows(sql.FILE_NUMBERS)
        return frozenset(os.path.realpath(index.local_path(path) or path) for path, _ in rows)

    def _strings_with(self, name: str) -> Iterator[_Place]:
        """Yield the strings that are a name, or have it after the colon of a package."""
        yield from self._strings.get(name, ())
        fold = self._project.index.fold
        wanted = fold(f":{name}")
        for value, place in self._qualified:
            _, found, rest = fold(value).partition(wanted)
            if found and (not rest or rest[0] in _ENDS_NAME):
                yield place

    @cached_property
    def _strings(self) -> Mapping[str, Sequence[_Place]]:
        """The strings of the sources but for those in the forms of packages, by what they are."""
        found: defaultdict[str, list[_Place]] = defaultdict(list)
        for one in self._project.sources():
            forms = [(form.start, form.end) for form in package_forms(one)]
            for kind, piece, start in lexemes(one.text):
                if kind == "string" and not any(first <= start < end for first, end in forms):
                    found[string_value(piece)].append(_Place(one, start))
        return dict(found)

    @cached_property
    def _qualified(self) -> Sequence[tuple[str, _Place]]:
        """The strings with a colon."""
        return [(value, one) for value, places in self._strings.items() if ":" in value for one in places]


def _shown(place: _Place) -> str:
    return f"{place.file.shown}:{place.file.lines.place(place.start)[0]}"
