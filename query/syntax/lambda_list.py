"""Ordinary and macro lambda lists (CLHS 3.4.1, 3.4.4): the number of arguments and the keywords."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .nodes import Atom, Form, Node
from .tokens import KEYWORD, Tokens

_OPTIONAL, _REST, _BODY, _KEY, _AUX = "&OPTIONAL", "&REST", "&BODY", "&KEY", "&AUX"
_OTHER_KEYS = "&ALLOW-OTHER-KEYS"
_WITH_A_VARIABLE = ("&WHOLE", "&ENVIRONMENT")
_LIST_NAME = re.compile(
    r"(^|[-/*%])(NAMES?|SLOTS?|BINDINGS?|CLAUSES?|SPECS?|SYMS|SYMBOLS|VARS?|VARIABLES?|ENTRIES|FIELDS|OPTIONS"
    r"|(VAR|VARIABLE|LAMBDA|ARG|PARAMETER|SLOT|NAME|CLASS)-?LIST|PARAMETERS|SUPERS|SUPERCLASSES)[*%]?$"
)
_BODY_LIST = re.compile(r"(^|[-/*%])(ARGS|ARGUMENTS|CASES|RULES|METHODS)[*%]?$")
# &more is SBCL's own; like &rest, it takes any number of arguments.
_REST_WORDS = (_REST, _BODY, "&MORE", "&PARSE-BODY")


@dataclass(frozen=True, slots=True)
class LambdaList:
    """The arguments that a call may have.

    ``body`` is the position, from 0, of the first argument that ``&body`` takes; None without ``&body``.
    ``lists`` are the positions of arguments that are not forms when they are lists: the ones that a macro
    destructures, and the ones whose names suggest it, such as ``bindings``; ``lists_follow`` is the same
    for the arguments of ``&rest``.
    """

    required: int
    optional: int = 0
    rest: bool = False
    keywords: frozenset[str] | None = None
    other_keywords: bool = False
    body: int | None = None
    lists: frozenset[int] = frozenset()
    lists_follow: bool = False
    text: str = field(default="", compare=False)

    @property
    def positional(self) -> int:
        """The number of arguments before the rest list and the keywords."""
        return self.required + self.optional

    @property
    def unlimited(self) -> bool:
        """Whether any number of arguments is allowed."""
        return self.rest or self.keywords is not None

    def with_keywords_of(self, others: Iterable[LambdaList]) -> LambdaList:
        """Return a generic function's lambda list with the keywords of its methods (CLHS 7.6.5)."""
        if not self.unlimited:
            return self
        methods = list(others)
        keywords = set(self.keywords or ())
        for method in methods:
            keywords |= method.keywords or set()
        # A method with &rest and without &key takes anything; so does such a generic function.
        free = self.other_keywords or any(
            one.other_keywords or (one.rest and one.keywords is None) for one in methods
        )
        if self.keywords is None:
            return self
        return replace(self, keywords=frozenset(keywords), other_keywords=free)


def parse_lambda_list(form: Form, tokens: Tokens, text: str = "") -> LambdaList | None:
    """Parse ``form``; None if it is not a supported lambda list (dotted, a template, unknown keywords)."""
    parser = _Parser(tokens)
    for item in form.items:
        if not parser.take(item):
            return None
    return parser.result(text)


class _Parser:
    """A parser that takes the items of a lambda list one by one."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._section = ""
        self._counts = {"": 0, _OPTIONAL: 0}
        self._keywords: set[str] | None = None
        self._rest = self._other = self._lists_follow = False
        self._body: int | None = None
        self._lists: set[int] = set()
        self._naming = ""
        """The lambda list keyword whose variable comes next."""

    def take(self, item: Node) -> bool:
        """Take the next item; return False if it has no place in a supported lambda list."""
        word = _word(item, self._tokens)
        if isinstance(item, Form) and item.kind != "(":
            return False
        if self._naming:
            self._variable(item)
        elif word is not None and (word.startswith("&") or word == "."):
            return self._keyword_of_lambda_list(word)
        elif self._section in self._counts:
            if (isinstance(item, Form) and not self._section) or _names_a_list(item):
                self._lists.add(sum(self._counts.values()))
            self._counts[self._section] += 1
        elif self._keywords is not None and self._section == _KEY:
            keyword = _keyword(item, self._tokens)
            self._other = self._other or keyword is None
            self._keywords.add(keyword or "")
        return True

    def _variable(self, item: Node) -> None:
        """Take the variable after &rest, &body, &whole or &environment."""
        if self._naming in _REST_WORDS:
            also = _BODY_LIST if self._naming != _REST else None
            self._lists_follow = _names_a_list(item, also)
        self._naming = ""

    def _keyword_of_lambda_list(self, word: str) -> bool:
        if word in _WITH_A_VARIABLE:
            self._naming = word
        elif word in _REST_WORDS:
            self._section = self._naming = word
            self._rest = True
            if word != _REST:
                self._body = sum(self._counts.values())
        elif word == _KEY:
            self._section, self._keywords = word, set()
        elif word == _OTHER_KEYS:
            self._other = True
        elif word in (_OPTIONAL, _AUX):
            self._section = word
        else:
            return False
        return True

    def result(self, text: str) -> LambdaList:
        """Return the lambda list, whose printed form is ``text``."""
        return LambdaList(
            self._counts[""],
            self._counts[_OPTIONAL],
            self._rest,
            None if self._keywords is None else frozenset(self._keywords),
            self._other,
            self._body,
            frozenset(self._lists),
            self._lists_follow,
            text,
        )


def _names_a_list(item: Node, also: re.Pattern[str] | None = None) -> bool:
    """Return whether the name of a macro's parameter suggests a list of names or bindings."""
    while isinstance(item, Form):
        if not item.items:
            return False
        item = item.items[0]
    name = item.text.upper()
    return any(pattern.search(name) for pattern in (_LIST_NAME, also) if pattern is not None)


def _word(item: Node, tokens: Tokens) -> str | None:
    if isinstance(item, Form):
        return None
    token = tokens.symbol(item.text)
    return token.name if token is not None else item.text


def _keyword(item: Node, tokens: Tokens) -> str | None:
    """Return the keyword of ``x``, ``(x default)`` or ``((:y x) default)``; None if it has none."""
    if isinstance(item, Atom):
        token = tokens.symbol(item.text)
        return token.name if token else None
    if not item.items:
        return None
    first = item.items[0]
    if isinstance(first, Atom):
        return _keyword(first, tokens)
    named = first.items[0] if first.items else None
    if not isinstance(named, Atom):
        return None
    token = tokens.symbol(named.text)
    return token.name if token and token.package == KEYWORD else None


def parameter_names(node: Node) -> list[Atom]:
    """Return every atom in a lambda list, at any depth: all variables that it binds, and more."""
    found, rest = [], [node]
    while rest:
        one = rest.pop()
        if isinstance(one, Form):
            rest.extend(one.items)
        else:
            found.append(one)
    return found
