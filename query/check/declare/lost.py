"""What the index has and the present texts of its files no longer define."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ...syntax.mentions import name_parts
from .declarations import Declarations, DeclaredPackage


@dataclass(frozen=True, slots=True)
class Lost:
    """Definitions that are gone, by their numbers in the index.

    ``symbols`` have lost a definition, and ``packages`` are no longer defined, both by number. ``parts`` are
    what the declarations of packages, by name, had and no longer have. A text that uses any of these mentions
    one of ``names``. The values are the paths of the files that had the definitions, as recorded.
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
        folded = text.upper()
        # Most texts do not have the characters at all, which is quicker to tell.
        return any(name in folded for name in names) and not names.isdisjoint(name_parts(folded))


NOTHING_LOST = Lost()


def without_lost(
    by_file: Mapping[str, Declarations], lost: Lost, loaded: Collection[str]
) -> dict[str, Declarations]:
    """The declarations, without what is lost in files that do not load: those files define nothing."""
    return {
        path: found
        if path in loaded
        else replace(found, definitions=[one for one in found.definitions if one.name not in lost.names])
        for path, found in by_file.items()
    }
