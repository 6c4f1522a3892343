"""EQL specializers as sources write them, ``(eql 'car)``, and as they are printed, ``(EQL CAR)``.

The text is only taken apart, never read by a Lisp: a form that has to be evaluated means nothing here.
"""

from __future__ import annotations

from ..features import Features
from ..lexemes import lexemes
from ..nodes import Atom, Form, Node
from ..reader import read
from ..tokens import Tokens
from .atoms import ObjectKey, UnreadableError, atom_key, symbol_key

_EQL = "EQL"
_WITH_OBJECT = 2  # the items of (EQL object) and (QUOTE object)
_PREFIXES = {"'": "QUOTE", "#'": "FUNCTION"}
_KINDS = ("#(", "#c", "#p", "#a", "#s")
_MOST_NESTED = 100


def typed_objects(text: str, tokens: Tokens) -> frozenset[ObjectKey]:
    """Return the keys of the objects that the specializer ``text`` may mean; none if it is not an EQL one.

    ``(eql (quote car))`` may be the source of ``(EQL CAR)``, or what is printed for ``(eql ''car)``.
    """
    node = _object_in(text, tokens)
    if node is None:
        return frozenset()
    try:
        found = [_key(node, tokens)]
        if isinstance(node, Form) and node.kind == "'":
            found = [_key(node.items[0], tokens)]
        elif isinstance(node, Form) and len(node.items) == _WITH_OBJECT and _is_named(node, "QUOTE", tokens):
            found.append(_key(node.items[1], tokens))
    except UnreadableError:
        return frozenset()
    return frozenset(found)


def printed_object(text: str, tokens: Tokens) -> ObjectKey | None:
    """Return the key of the object of a printed specializer; None if it is not an EQL one or not readable."""
    node = _object_in(text, tokens)
    try:
        return None if node is None else _key(node, tokens)
    except UnreadableError:
        return None


def fault_in(text: str) -> str | None:
    """Return why the list of specializers ``text`` cannot be read, as a sentence; None if it can."""
    depth = 0
    before = ""
    for lexeme in lexemes(text):
        if lexeme.kind == "close":
            if before == "quote":
                return "Nothing follows a quote."
            depth -= 1
            if depth < 0:
                return "There is an extra closing parenthesis."
        elif lexeme.kind == "stray" and lexeme.text[0] in '"|':
            return f"There is an unclosed {lexeme.text[0]}."
        depth += lexeme.kind == "open"
        before = lexeme.kind
    return "A parenthesis is missing." if depth else None


def is_eql(text: str, tokens: Tokens) -> bool:
    """Return whether the list ``text`` is an EQL specializer with one object."""
    return _object_in(text, tokens) is not None


def _object_in(text: str, tokens: Tokens) -> Node | None:
    """Return the object in an EQL specializer, as it stands there; None if ``text`` is not one."""
    if not text.startswith("("):
        return None
    tops = list(read(text, Features("", tokens)))
    if len(tops) != 1 or not (tops[0].closed and tops[0].standard):
        return None
    form = tops[0].node
    if not isinstance(form, Form) or len(form.items) != _WITH_OBJECT or not _is_named(form, _EQL, tokens):
        return None
    return form.items[1]


def _is_named(form: Form, name: str, tokens: Tokens) -> bool:
    """Return whether a list begins with the symbol ``name``."""
    head = form.items[0] if form.items else None
    if form.kind != "(" or not isinstance(head, Atom):
        return False
    token = tokens.symbol(head.text)
    return token is not None and token.name == name


def _key(node: Node, tokens: Tokens, depth: int = 0) -> ObjectKey:
    """Return the key of an object that is not evaluated; raises UnreadableError."""
    if depth > _MOST_NESTED:
        raise UnreadableError
    if isinstance(node, Atom):
        return atom_key(node.text, tokens)
    inner = [_key(one, tokens, depth + 1) for one in node.items]
    if node.kind == "(":
        return ("dotted list" if node.dotted else "list", *inner) if inner else symbol_key("NIL")
    if node.kind in _PREFIXES:
        return "list", symbol_key(_PREFIXES[node.kind]), *inner
    if node.kind in _KINDS:
        return node.kind, *inner
    raise UnreadableError(node.kind)
