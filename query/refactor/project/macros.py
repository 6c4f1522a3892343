"""What the definitions of macros say of their arguments, including those of libraries on this machine."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.named_texts import named_text
from ...index.reading import Reading
from ...syntax.current_package import first_package
from ...syntax.features import Features
from ...syntax.names.meanings import Meanings, Symbol
from ...syntax.nodes import Form, Node, forms_in
from ...syntax.tokens import Tokens
from ...syntax.walk.files import WALKERS, read_forms
from ...syntax.walk.macro_arguments import MacroArguments, macro_arguments
from ...syntax.walk.nodes import LIST
from . import sql

_DEFINING = "defmacro"


class KnownMacros:
    """Finds each macro once, in the file that the index says."""

    def __init__(self, index: Reading, meanings: Meanings, tokens: Tokens, features: Features) -> None:
        self._index = index
        self._meanings = meanings
        self._tokens = tokens
        self._features = features
        self._known: dict[int, MacroArguments | None] = {}
        self._files: dict[str, dict[int, tuple[Node, str]]] = {}

    def __call__(self, symbol: Symbol) -> MacroArguments | None:
        """The arguments of the macro that a symbol names; None if nothing is known of them."""
        if symbol.number is None:
            return None
        if symbol.number not in self._known:
            self._known[symbol.number] = None  # a macro that reaches itself tells nothing of itself
            self._known[symbol.number] = self._looked_up(symbol.number)
        return self._known[symbol.number]

    def _looked_up(self, number: int) -> MacroArguments | None:
        for (recorded,) in self._index.rows(sql.MACRO_DEFINED_AT, symbol=number):
            path = self._index.local_path(recorded) or recorded
            found = self._macros_in(path).get(number)
            if found is not None:
                return macro_arguments(*found, self._meanings, WALKERS, self)
        return None

    def _macros_in(self, path: str) -> dict[int, tuple[Node, str]]:
        """The forms that define macros in a file, by the numbers of the symbols, with their packages."""
        if path not in self._files:
            found: dict[int, tuple[Node, str]] = {}
            try:
                text = named_text(self._index, path)
            except OSError:
                text = self._index.indexed_text(self._index.source_number(path)) or ""
            package = first_package(path)
            for toplevel, names in read_forms(text, package, self._features, self._meanings, self._tokens):
                node = toplevel.node
                if toplevel.closed and _DEFINING in text[node.start : node.end].lower():
                    names.tell(node)
                    found |= {number: (form, names.package) for number, form in _defined_in(node)}
            self._files[path] = found
        return self._files[path]


def _defined_in(node: Node) -> Iterator[tuple[int, Form]]:
    """Yield the forms that define macros in a toplevel form, with the numbers of their symbols."""
    for form in forms_in(node):
        if form.kind == LIST and len(form.items) > 1 and form.items[0].word == _DEFINING.upper():
            symbol = form.items[1].symbol
            if symbol is not None and symbol.number is not None:
                yield symbol.number, form
