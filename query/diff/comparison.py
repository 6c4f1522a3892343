"""What two definitions are compared with: both APIs, and what names became of each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .api import Api
from .findings import MAJOR, MINOR, PATCH, Finding
from .sql import DefinitionRow

# A symbol with its package, as types are printed.
_QUALIFIED = re.compile(r"([^\s()'\":|]+)::?([^\s()'\":|]+)")


class Comparison:
    """The two APIs of one diff."""

    def __init__(self, old: Api, new: Api, renamed: dict[str, str]) -> None:
        """``renamed`` are the new names of packages that were renamed, by the old ones."""
        self.old = old
        self.new = new
        self._renamed = renamed

    def package_now(self, name: str) -> str:
        """The new name of the package that was called ``name``."""
        return self._renamed.get(name, name)

    def name_now(self, name: str) -> str:
        """``PACKAGE::NAME`` of the old index as the new one calls it, if its home is another one now.

        ``(EQL PACKAGE::NAME)`` is a name as well, that of a specializer; any other text stays as it is.
        """
        if name.startswith("("):
            return self.type_now(name) or name
        package, colons, symbol = name.partition("::")
        if not colons:
            return name
        now = self.package_now(package)
        found = self.new.packages.get(now)
        if found is not None and symbol in found.exports:
            now = self.new.symbols[found.exports[symbol]].home or now
        return f"{now}::{symbol}"

    def type_now(self, text: str | None) -> str | None:
        """A printed type of the old index with the names that the new one has for its symbols."""
        if text is None or ":" not in text:
            return text
        return _QUALIFIED.sub(self._renamed_in_type, text)

    def _renamed_in_type(self, match: re.Match[str]) -> str:
        name = f"{match[1]}::{match[2]}"
        now = self.name_now(name)
        return match[0] if now == name else now

    def ancestors(self, text: str) -> frozenset[str]:
        """The names of a class and all above it, in either index; empty for what is no class."""
        return self.new.ancestor_names(text) or self.old.ancestor_names(text)


def compare_remarks(facet: str, old: DefinitionRow, new: DefinitionRow) -> Iterator[Finding]:
    """What every definition may have: documentation, deprecation."""
    if (old.documentation or None) != (new.documentation or None):
        what = "changed" if old.documentation and new.documentation else "is new"
        what = what if new.documentation else "is gone"
        message = f"its documentation {what}"
        yield Finding("documentation", PATCH, facet, message, None, old.documentation, new.documentation)
    yield from _deprecation(facet, old, new)


def _deprecation(facet: str, old: DefinitionRow, new: DefinitionRow) -> Iterator[Finding]:
    if old.deprecated == new.deprecated:
        return
    if new.deprecated is None:
        yield Finding("undeprecated", PATCH, facet, "it is not deprecated any more", None, old.deprecated)
        return
    advice = f"; use {new.replacement}" if new.replacement else ""
    since = f" since {new.deprecated_since}" if new.deprecated_since else ""
    # SBCL signals an error where a name is used whose deprecation is final.
    final = new.deprecated == "final"
    message = f"it is deprecated{since} ({new.deprecated}){advice}"
    step = MAJOR if final else MINOR
    yield Finding("deprecated", step, facet, message, new.replacement, old.deprecated, new.deprecated)
