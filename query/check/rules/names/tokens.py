"""Judges the names that the reader looks up, by the rules of this folder (CLHS 2.3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....syntax.mentions import is_qualified
from ....syntax.names.designators import designated, designated_names
from ....syntax.nodes import Atom, Form, Node
from ....syntax.tokens import KEYWORD, SymbolToken, Tokens
from ...world.packages import EXTERNAL, World, WorldPackage, WorldSymbol
from ..suggestions import Suggestions
from . import missing_system, not_external, unknown_package, unknown_symbol

Wrong = tuple[str, str, tuple[str, ...]]
# With a custom readtable, tokens that contain one of these may not be symbols.
_FOREIGN = frozenset("[]{}")
_USING = (":use", ":mix", ":reexport", ":use-reexport", ":mix-reexport")
_IMPORTING = (":import-from", ":shadowing-import-from")


STRANGE_PACKAGE = "strange-package"
"""No rule: an unknown package with a name like no other is a fault only in a file that loads."""
NO_PACKAGE = frozenset({unknown_package.RULE.name, missing_system.RULE.name, STRANGE_PACKAGE})
UNREADABLE = frozenset(
    {
        *(unknown_package.RULE.name, missing_system.RULE.name),
        *(unknown_symbol.RULE.name, not_external.RULE.name),
    }
)


class TokenRules:
    """Judges symbols with a package prefix, and the names in package definitions."""

    def __init__(
        self,
        world: World,
        tokens: Tokens,
        suggestions: Suggestions,
        assumed: frozenset[str],
        unsure: frozenset[str],
        missing: Mapping[str, str],
    ) -> None:
        """``assumed`` packages exist, and ``unsure`` ones may have any names.

        ``missing`` are the systems that are not in the index, each with what is known of it.
        """
        self._world = world
        self._tokens = tokens
        self._suggestions = suggestions
        self._assumed = assumed
        self._unsure = unsure
        self._missing_systems = missing_system.MissingSystems(missing)
        self._verdicts: dict[tuple[str, str], Wrong | None] = {}
        self.judged = 0
        """The number of symbols judged."""

    def symbol(self, atom: Atom, within: WorldPackage | None) -> Wrong | None:
        """The verdict on a symbol with a package prefix: rule, message and suggestions."""
        self.judged += 1
        key = (within.name if within is not None else "", atom.text)
        try:
            return self._verdicts[key]
        except KeyError:
            verdict = self._verdicts[key] = self._verdict(atom, within)
            return verdict

    def in_prose(self, atom: Atom, within: WorldPackage | None) -> Wrong | None:
        """The verdict on a symbol in running text, whose prefix may be a local nickname of any package."""
        wrong = self.symbol(atom, within)
        if wrong is None:
            return None
        rule, _, suggestions = wrong
        token = self._tokens.symbol(atom.text)
        assert token is not None and token.package is not None
        if token.name.endswith("*") and (len(token.name) == 1 or not token.name.startswith("*")):
            return None  # all names that begin so
        if (
            rule == unknown_symbol.RULE.name
            and token.colons > 1
            and (not suggestions or self.is_of_others(atom, within))
        ):
            return None  # the reader would intern it
        for target in self._world.local_nicknames(token.package):
            package = self._world.named(target)
            found = self._world.find(package, token.name) if package is not None else None
            if package is None or (found is not None and (token.colons > 1 or found[1] == EXTERNAL)):
                return None
        return wrong

    def means_one_thing(self, symbol: WorldSymbol) -> bool:
        """Whether an operator without a prefix is surely this symbol whatever package a text is in."""
        return self._world.is_exported_once(symbol.name)

    def _verdict(self, atom: Atom, within: WorldPackage | None) -> Wrong | None:
        token = self._tokens.symbol(atom.text)
        if token is None or token.package is None or token.package == KEYWORD or _FOREIGN & set(atom.text):
            return None
        package = self._world.named(token.package, within)
        if package is not None:
            return self._in_package(package, token)
        if token.package in self._assumed or not self._world.knows_all:
            return None
        return self._no_package(token.package, self._suggestions.for_package(token))

    def _in_package(self, package: WorldPackage, token: SymbolToken) -> Wrong | None:
        assert token.package is not None
        if package.number is None and package.declared is not None and package.declared.computed:
            return None
        if not self._world.knows(package) or package.name in self._unsure:
            return None
        prefix, name = map(self._suggestions.written, (token.package, token.name))
        found = self._world.find(package, token.name)
        if found is None:
            near = self._suggestions.for_symbol(package, token)
            return unknown_symbol.RULE.name, unknown_symbol.message(prefix, name), near
        if token.colons == 1 and found[1] != EXTERNAL:
            instead = self._suggestions.typed(token.package, token.name, external=False)
            return not_external.RULE.name, not_external.message(prefix, name, found[1]), (instead,)
        return None

    def certain(self, atom: Atom, within: WorldPackage) -> bool:
        """Whether an atom in running text is surely meant as a symbol with a package prefix."""
        token = self._tokens.symbol(atom.text)
        if token is None or token.package is None:
            return False
        if self._world.named(token.package, within) is not None:
            return True
        if not is_qualified(atom.text):
            return False
        # host:port and the like: a package is meant only if one with a similar name has the symbol.
        near = self._suggestions.packages(token.package)
        return bool(near) and any(
            one.partition(":")[0] in near for one in self._suggestions.for_package(token)
        )

    def is_of_others(self, atom: Atom, within: WorldPackage | None) -> bool:
        """Whether the prefix of a symbol is a package that the checked files do not define."""
        token = self._tokens.symbol(atom.text)
        package = self._world.named(token.package, within) if token and token.package else None
        return package is not None and package.declared is None

    def package(self, name: str) -> Wrong:
        """The verdict on the name of a package that does not exist."""
        return self._no_package(name, self._suggestions.packages(name))

    def _no_package(self, name: str, near: tuple[str, ...]) -> Wrong:
        message = unknown_package.message(self._suggestions.written(name))
        why = self._missing_systems.why(name)
        if why is not None:
            return missing_system.RULE.name, missing_system.message(message, why), ()
        known = self._suggestions.packages(name)
        return (unknown_package.RULE.name if known else STRANGE_PACKAGE), message, near

    def package_form(
        self, form: Node, within: WorldPackage | None
    ) -> Iterator[tuple[Atom, str, str, tuple[str, ...]]]:
        """The verdicts on names in a package definition that do not exist."""
        for option in form.items[2:] if isinstance(form, Form) else []:
            if not isinstance(option, Form) or not option.items or not isinstance(option.items[0], Atom):
                continue
            keyword = option.items[0].text.lower()
            if keyword in _USING:
                for name, atom in designated_names(option.items[1:], self._tokens).items():
                    yield from self._missing(name, atom, within)
            elif keyword in _IMPORTING and len(option.items) > 1 and isinstance(option.items[1], Atom):
                yield from self._imports(option.items[1], option.items[2:], within)
            elif keyword == ":local-nicknames":
                for pair in option.items[1:]:
                    if isinstance(pair, Form) and len(pair.items) == 2 and isinstance(pair.items[1], Atom):
                        name = designated(pair.items[1], self._tokens) or ""
                        yield from self._missing(name, pair.items[1], None)

    def _missing(
        self, name: str, atom: Atom, within: WorldPackage | None
    ) -> Iterator[tuple[Atom, str, str, tuple[str, ...]]]:
        if not name or name in self._assumed or not self._world.knows_all:
            return
        if self._world.named(name, within) is None:
            yield atom, *self.package(name)

    def _imports(
        self, source: Atom, nodes: list[Node], within: WorldPackage | None
    ) -> Iterator[tuple[Atom, str, str, tuple[str, ...]]]:
        name = designated(source, self._tokens) or ""
        package = self._world.named(name, within)
        if package is None:
            yield from self._missing(name, source, within)
            return
        if not self._world.knows(package) or package.name in self._unsure:
            return
        for symbol, atom in designated_names(nodes, self._tokens).items():
            if self._world.find(package, symbol) is None:
                message = unknown_symbol.message(*map(self._suggestions.written, (name, symbol)))
                near = self._suggestions.within(package, symbol)
                yield atom, unknown_symbol.RULE.name, message, near
