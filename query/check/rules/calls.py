"""The rules about calls: wrong-number-of-arguments and unknown-keyword."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...syntax.lambda_list import LambdaList
from ...syntax.nodes import Atom, Form, Node
from ...syntax.tokens import KEYWORD, Tokens

_ELLIPSES = ("...", "…", "..")
_STANDARD = re.compile(r"#(?:[\\:]|\d*[bBoOxXrR*#])")
_UNCOUNTABLE = (",", "?")


@dataclass(frozen=True, slots=True)
class Complaint:
    """A fault in a call; ``at`` is the argument at fault, None for the call itself."""

    rule: str
    message: str
    at: Atom | None = None


def complaint(lambda_list: LambdaList, arguments: list[Node], tokens: Tokens) -> Complaint | None:
    """The fault in these arguments for that lambda list; None if they fit, or cannot be counted."""
    if not _countable(arguments):
        return None
    given = len(arguments)
    if given < lambda_list.required or (given > lambda_list.positional and not lambda_list.unlimited):
        return Complaint(
            "wrong-number-of-arguments", f"{_number(given)} given, {_expected(lambda_list)} expected"
        )
    if lambda_list.keywords is None:
        return None
    return _keyword_complaint(lambda_list, arguments[lambda_list.positional :], tokens)


def _countable(arguments: list[Node]) -> bool:
    """Whether each node is exactly one argument: none is spliced in, undecided, dotted or elided."""
    for one in arguments:
        if isinstance(one, Form):
            if one.kind in _UNCOUNTABLE:
                return False
        elif one.text == "." or one.text in _ELLIPSES or _strange(one.text):
            return False
    return True


def _strange(text: str) -> bool:
    """Whether an atom has a custom reader macro, which may read as more or less than one object."""
    return text[0] == "#" and _STANDARD.match(text) is None


def _keyword_complaint(lambda_list: LambdaList, pairs: list[Node], tokens: Tokens) -> Complaint | None:
    """The first keyword that is not accepted, or a keyword without a value (CLHS 3.4.1.4)."""
    assert lambda_list.keywords is not None
    names = [_keyword(one, tokens) for one in pairs[::2]]
    if lambda_list.other_keywords or "ALLOW-OTHER-KEYS" in names:
        return None
    for atom, name in zip(pairs[::2], names, strict=True):
        if name is not None and name not in lambda_list.keywords:
            assert isinstance(atom, Atom)
            known = ", ".join(f":{keyword.lower()}" for keyword in sorted(lambda_list.keywords) if keyword)
            message = f"takes no keyword {atom.text}" + (f", but {known}" if known else "")
            return Complaint("unknown-keyword", message, atom)
    if len(pairs) % 2 and not lambda_list.rest:
        return Complaint("wrong-number-of-arguments", "a keyword has no value")
    return None


def _keyword(node: Node, tokens: Tokens) -> str | None:
    if isinstance(node, Form):
        return None
    token = tokens.symbol(node.text)
    return token.name if token is not None and token.package == KEYWORD else None


def _number(count: int) -> str:
    return "1 argument" if count == 1 else f"{count or 'no'} arguments"


def _expected(lambda_list: LambdaList) -> str:
    if lambda_list.unlimited:
        return f"at least {lambda_list.required}"
    if lambda_list.optional:
        return f"{lambda_list.required} to {lambda_list.positional}"
    return f"{lambda_list.required or 'none'}"
