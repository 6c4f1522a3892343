"""Which release a system's name means, and the lists that tell SBCL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from .releases import Release
from .store.results import Store, key_of


def primary(system: str) -> str:
    """The part of a system's name before its first slash."""
    return system.partition("/")[0]


class SystemPlaces:
    """Finds the release that defines a system, as seen from one root.

    Of several releases that define it, those count first whose definition file has its name, as for ASDF,
    which opens no other file to look for it. Of these, the one in the same root counts, then those of the
    other roots, in order; in one root, the one with the last path, which with version numbers in it is the
    newest.
    """

    def __init__(self, releases: Iterable[Release], roots: Sequence[Path | None]) -> None:
        self._roots = list(roots)
        self._named: dict[Path | None, dict[str, Release]] = {root: {} for root in roots}
        self._learned: dict[Path | None, dict[str, Release]] = {root: {} for root in roots}
        for release in sorted(releases, key=lambda one: _natural(str(one.definition))):
            self._named[release.root][release.name] = release

    def learn(self, release: Release, defined: Iterable[str]) -> None:
        """Note which systems a release defines, apart from the one with its own name."""
        for system in defined:
            self._learned[release.root].setdefault(primary(system), release)

    def is_certain(self, system: str) -> bool:
        """Whether ``find`` finds ``system`` by the name of a file, so that nothing learned can change it."""
        return any(primary(system) in names for names in self._named.values())

    def find(self, system: str, root: Path | None) -> Release | None:
        """The release that defines ``system``, seen from ``root``."""
        name = primary(system)
        for known in (self._named, self._learned):
            for one in (root, *self._roots):
                if name in known[one]:
                    return known[one][name]
        return None

    def write(self, store: Store) -> dict[Path | None, str]:
        """Store, for each root, the list that SBCL reads; returns their names in the store."""
        names: dict[Path | None, str] = {}
        for root in self._roots:
            merged: dict[str, Release] = {}
            for known in (self._learned, self._named):
                for one in (*reversed(self._roots), root):
                    merged |= known[one]
            text = "".join(f"{name} {release.definition}\n" for name, release in sorted(merged.items()))
            names[root] = f"places/{key_of(text)}"
            store.keep(names[root], partial(text.encode, "utf-8", "surrogateescape"))
        return names


def _natural(text: str) -> list[tuple[int, int, str]]:
    """A key that sorts numbers in a text by their value."""
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.split(r"(\d+)", text)]
