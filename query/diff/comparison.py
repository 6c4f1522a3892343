"""The context of a comparison: both APIs, and the names that changed between them."""

from __future__ import annotations

from collections.abc import Iterator

from ..syntax.printed import double_colon, with_symbols
from .api import Api
from .findings import MAJOR, MINOR, PATCH, Finding
from .sql import ApiDefinitionRow


class Comparison:
    """The two APIs of a diff, and the names that changed between them."""

    def __init__(self, old: Api, new: Api, renamed: dict[str, str]) -> None:
        """``renamed`` maps the old names of renamed packages to the new ones."""
        self.old = old
        self.new = new
        self._renamed = renamed

    def package_now(self, name: str) -> str:
        """The new name of the package with the old name ``name``."""
        return self._renamed.get(name, name)

    def name_now(self, name: str) -> str:
        """The name in the new index for ``PACKAGE::NAME`` in the old one; its home package may have changed.

        ``(EQL PACKAGE::NAME)``, a specializer, counts as a name too; other text is returned unchanged.
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
        """A printed type from the old index, with the names that its symbols have in the new one."""
        if text is None or ":" not in text:
            return text
        return with_symbols(text, self._symbol_now)

    def _symbol_now(self, symbol: str) -> str:
        name = double_colon(symbol)
        now = self.name_now(name)
        return symbol if now == name else now

    def ancestors(self, text: str) -> frozenset[str]:
        """The names of a class and all its superclasses, from either index; empty if it is not a class."""
        return self.new.ancestor_names(text) or self.old.ancestor_names(text)


def compare_remarks(facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow) -> Iterator[Finding]:
    """The changes that any definition may have: in its documentation or its deprecation."""
    if (old.documentation or None) != (new.documentation or None):
        what = "changed" if old.documentation and new.documentation else "is new"
        what = what if new.documentation else "is gone"
        message = f"its documentation {what}"
        yield Finding("documentation", PATCH, facet, message, None, old.documentation, new.documentation)
    yield from _deprecation(facet, old, new)


def _deprecation(facet: str, old: ApiDefinitionRow, new: ApiDefinitionRow) -> Iterator[Finding]:
    if old.deprecated == new.deprecated:
        return
    if new.deprecated is None:
        yield Finding("undeprecated", PATCH, facet, "it is no longer deprecated", None, old.deprecated)
        return
    advice = f"; use {new.replacement}" if new.replacement else ""
    since = f" as of {new.deprecated_since}" if new.deprecated_since else ""
    # SBCL signals an error on any use of a name whose deprecation is final.
    final = new.deprecated == "final"
    message = f"it is deprecated{since} ({new.deprecated}){advice}"
    step = MAJOR if final else MINOR
    yield Finding("deprecated", step, facet, message, new.replacement, old.deprecated, new.deprecated)
