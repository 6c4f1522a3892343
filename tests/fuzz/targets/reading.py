"""Any text as Lisp: forms where the text has them, and the same after edits as if it were new."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fuzz.target import Check, Target
from hypothesis import strategies as st

from oblist.query.syntax.lexemes import lexemes, symbols
from oblist.query.syntax.nodes import Node, forms_in
from oblist.query.syntax.printed import items
from oblist.query.syntax.reader import read
from oblist.query.syntax.tokens import Tokens
from support.forms.broken_texts import EDITS, FEATURES, TEXTS
from support.forms.reread import edited_buffer, edited_texts

_TEXTS = st.one_of(
    TEXTS, st.text(max_size=80), st.text(alphabet="()'`,;#|\\\"+-:.ab1L/[ \n@<=*s", max_size=60)
)


def _is_placed(text: str) -> None:
    """Lexemes, forms and symbols are in order, and where they say."""
    end = 0
    for lexeme in lexemes(text):
        assert lexeme.start >= end
        assert lexeme.text == text[lexeme.start : lexeme.start + len(lexeme.text)] != ""
        end = lexeme.start + len(lexeme.text)
    symbols(text)
    items(text)
    tokens = Tokens(str.upper)
    for one in read(text, FEATURES):
        assert _leaves(one.node) <= 2 * len(text) + 1
        assert all(0 <= form.start < form.end <= len(text) for form in forms_in(one.node))
        for atom in one.qualified:
            assert text.startswith(atom.text, atom.start)
            tokens.symbol(atom.text)


def _leaves(node: Node) -> int:
    rest, count = [node], 0
    while rest:
        one = rest.pop()
        count += 1
        rest += one.items
    return count


@contextmanager
def _opened(_: Path) -> Iterator[Check]:
    def check(case: tuple[str, list[tuple[float, float, str]], bool]) -> None:
        text, edits, looked_at = case
        _is_placed(text)
        edited_buffer(text, edits)
        edited_texts(text, edits, looked_at=looked_at)

    yield check


TARGET = Target(
    "reading",
    st.tuples(_TEXTS, EDITS.map(lambda edits: [list(one) for one in edits]), st.booleans()).map(list),
    _opened,
    short=200,
)
