"""Ordinary and macro lambda lists (CLHS 3.4.1, 3.4.4): how many arguments, which keywords."""

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
# SBCL's own: &more takes any number of arguments as &rest does.
_REST_WORDS = (_REST, _BODY, "&MORE", "&PARSE-BODY")


@dataclass(frozen=True, slots=True)
class LambdaList:
    """What a call may look like.

    ``body`` is the place of the first argument, from 0, that ``&body`` takes; None without one. ``lists``
    are the places of arguments that are no forms when they are lists: those that a macro takes apart by a
    lambda list of their own, and those whose name says so, such as ``bindings``; ``lists_follow`` says
    the same of what comes by ``&rest``.
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
        """How many arguments come before what is taken as a list or by keyword."""
        return self.required + self.optional

    @property
    def unlimited(self) -> bool:
        """Whether there is no greatest number of arguments."""
        return self.rest or self.keywords is not None

    def with_keywords_of(self, others: Iterable[LambdaList]) -> LambdaList:
        """A generic function's lambda list, with what its methods take (CLHS 7.6.5)."""
        if not self.unlimited:
            return self
        methods = list(others)
        keywords = set(self.keywords or ())
        for method in methods:
            keywords |= method.keywords or set()
        # A method with &rest and no &key takes whatever comes; so does a generic function of that sort.
        free = self.other_keywords or any(
            one.other_keywords or (one.rest and one.keywords is None) for one in methods
        )
        if self.keywords is None:
            return self
        return replace(self, keywords=frozenset(keywords), other_keywords=free)


def parse_lambda_list(form: Form, tokens: Tokens, text: str = "") -> LambdaList | None:
    """What ``form`` says; None when it is none that this knows (dotted, a template, other words)."""
    parser = _Parser(tokens)
    for item in form.items:
        if not parser.take(item):
            return None
    return parser.result(text)


class _Parser:
    """Takes the items of a lambda list one after the other."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._section = ""
        self._counts = {"": 0, _OPTIONAL: 0}
        self._keywords: set[str] | None = None
        self._rest = self._other = self._lists_follow = False
        self._body: int | None = None
        self._lists: set[int] = set()
        self._naming = ""
        """The word whose variable comes next."""

    def take(self, item: Node) -> bool:
        """Take the next item; false when it belongs to no lambda list that can be told."""
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
        """The variable after &rest, &body, &whole or &environment."""
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
        """The lambda list, whose printed form is ``text``."""
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
    """Whether a macro's parameter is called as those are whose arguments are lists of names or bindings."""
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
    """The keyword of ``x``, ``(x default)`` or ``((:y x) default)``; None when it is no keyword."""
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
    """Every atom in a lambda list, however deep: at least all variables that it binds."""
    found, rest = [], [node]
    while rest:
        one = rest.pop()
        if isinstance(one, Form):
            rest.extend(one.items)
        else:
            found.append(one)
    return found
