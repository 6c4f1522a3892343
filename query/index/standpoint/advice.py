"""What would make the names of an answer shorter in the package that they are written for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar, cast

from ..reading import Reading
from ..sql import FoundRow
from ..written import own_name, typed_name
from . import sql
from .package import SeenPackage, Sight
from .seen_from import SeenFrom

_MOST = 8  # lines of each sort
_MOST_IMPORTED = 5  # names; for more of one package, a nickname is better
_PART = re.compile(r"[^-./+_]+")
_Answer = TypeVar("_Answer")
_ITEMS = ("matches", "exports", "names")


def advised(seen: SeenPackage, answer: _Answer) -> _Answer:
    """Return the answer with its field ``seen_from`` filled in, about its subject or else its items."""
    found: Any = answer
    if not hasattr(found, "seen_from"):
        return answer
    subject = getattr(found, "written", None)
    items: Any = next(filter(None, (getattr(found, one, None) for one in _ITEMS)), [])
    forms = [subject] if subject is not None else [one.written for one in items]
    sights = [seen.sights[form] for form in forms if form in seen.sights]
    seen.sights.clear()
    return cast(_Answer, replace(found, seen_from=_Advice(seen).about(sights)))


class _Advice:
    """Advice to one package."""

    def __init__(self, seen: SeenPackage) -> None:
        self._seen = seen
        self._index: Reading = seen.index

    def about(self, sights: list[Sight]) -> SeenFrom:
        """Return what stands in the way of writing these symbols without prefix, and what helps."""
        prefixed = list(dict.fromkeys(one for one in sights if not one.bare))
        obstacles = list(dict.fromkeys(text for one in prefixed for text in self._obstacles(one)))
        add = list(self._lines([one for one in prefixed if one.through is not None]))
        return SeenFrom(self._seen.name, _bounded(obstacles), _bounded(add))

    def _obstacles(self, sight: Sight) -> Iterator[str]:
        name = own_name(sight.name, self._index.upcase)
        if sight.prefix is None:
            yield f"{name} is in no package, so it cannot be written in code"
            return
        if sight.prefix == "KEYWORD":
            return
        if sight.there is not None:
            yield f"{name} already means {self._other(sight.there)}, so an import would conflict"
        if self._seen.locked:
            yield f"{self._seen.name} is locked"

    def _other(self, there: FoundRow) -> str:
        """The symbol that has the name in the package, and how it came there."""
        upcase = self._index.upcase
        home = None if there.home is None else self._index.package_names[there.home]
        form = typed_name(there.name, home, upcase, external=self._is_external(there))
        shadows = self._index.rows(sql.SHADOWS, package=self._seen.number, symbol=there.number)
        how = "shadowing" if shadows else "inherited" if there.status == "inherited" else "present"
        return f"{form} ({how})"

    def _is_external(self, there: FoundRow) -> bool:
        return any(
            package == there.home and status == "external"
            for package, status in self._index.rows(sql.PRESENT_IN, symbol=there.number)
        )

    def _lines(self, sights: list[Sight]) -> Iterator[str]:
        """Yield the options of defpackage, one for each package."""
        if self._seen.locked or self._seen.number is None or self._seen.name == "KEYWORD":
            return
        by_package: dict[str, list[Sight]] = {}
        for one in sights:
            if one.prefix is not None and one.prefix != "KEYWORD":
                by_package.setdefault(one.prefix, []).append(one)
        for symbols in by_package.values():
            free = [one for one in symbols if one.there is None]
            if free and len(free) <= _MOST_IMPORTED:
                names = " ".join(self._designator(one.name) for one in free)
                yield f"(:import-from {self._designator(self._global_name(symbols[0]))} {names})"
            if len(symbols) > len(free) or len(free) > _MOST_IMPORTED:
                yield from self._nickname(symbols[0])

    def _global_name(self, sight: Sight) -> str:
        """The name of the package that a symbol is written after, as every package may call it."""
        assert sight.prefix is not None and sight.through is not None
        if self._index.package_numbers.get(sight.prefix) == sight.through:
            return sight.prefix
        return self._index.package_names[sight.through]

    def _nickname(self, sight: Sight) -> Iterator[str]:
        """Yield the option for a nickname that is shorter than the prefix and names no package yet."""
        name, prefix = self._global_name(sight), sight.prefix or ""
        parts = _PART.findall(name)
        initials = "".join(part[0] for part in parts)
        tries = [initials] if len(parts) > 1 else []
        tries += [name[:length] for length in range(1, len(prefix))]
        for nickname in tries:
            if len(nickname) < len(prefix) and not self._seen.names_package(nickname):
                yield f"(:local-nicknames ({self._designator(nickname)} {self._designator(name)}))"
                return

    def _designator(self, name: str) -> str:
        """The name as defpackage forms have it."""
        return typed_name(name, None, self._index.upcase, external=False)


def _bounded(lines: list[str]) -> list[str]:
    more = len(lines) - _MOST
    return lines if more <= 0 else [*lines[:_MOST], f"and {more} more"]
