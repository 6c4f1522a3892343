"""What the index has and the present texts of its files do not define any more."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ...syntax.mentions import name_parts
from .declarations import Declarations, DeclaredPackage


@dataclass(frozen=True, slots=True)
class Lost:
    """Definitions that are gone, by their numbers in the index.

    ``symbols`` have lost a definition, and ``packages`` are not defined any more, both by number. ``parts``
    are what the declarations of packages, by name, had and have not. A text that uses any of all this
    mentions one of ``names``. The values are the paths of the files that had them, as recorded.
    """

    definitions: frozenset[int] = frozenset()
    symbols: Mapping[int, str] = field(default_factory=dict)
    packages: Mapping[int, str] = field(default_factory=dict)
    parts: Mapping[str, DeclaredPackage] = field(default_factory=dict)
    classes: frozenset[int] = frozenset()
    """The symbols that have lost a class or type."""
    names: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.definitions or self.packages or self.parts)

    def are_named_in(self, text: str, files: Collection[str] | None = None) -> bool:
        """Whether ``text`` mentions a name that one of ``files``, paths in the index, or any has lost."""
        names = {name.upper() for name, path in self.names.items() if files is None or path in files}
        return bool(names) and not names.isdisjoint(map(str.upper, name_parts(text)))


NOTHING_LOST = Lost()


def without_lost(by_file: Mapping[str, Declarations], lost: Lost, loaded: Collection[str]) -> None:
    """Take from the declarations of files that do not load what would stand for a definition that is gone."""
    for path, declarations in by_file.items():
        if lost and path not in loaded:
            kept = [one for one in declarations.definitions if one.name not in lost.names]
            declarations.definitions[:] = kept
