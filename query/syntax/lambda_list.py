"""The one parser of lambda lists: ordinary, generic function, specialized, macro, destructuring (CLHS 3.4).

It keeps only what concerns a caller, so it drops &whole, &environment and &aux; SBCL's &more and a dotted
tail count as &rest parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

from .features import Features
from .nodes import Atom, Form, Node
from .reader import read
from .tokens import KEYWORD, Tokens

REQUIRED, OPTIONAL, REST, BODY, KEY, AUX = "&REQUIRED", "&OPTIONAL", "&REST", "&BODY", "&KEY", "&AUX"
_DOT = "."
OTHER_KEYS = "&ALLOW-OTHER-KEYS"
# The variable after one of these does not concern the caller; the current section continues after it.
WITH_A_VARIABLE = ("&WHOLE", "&ENVIRONMENT")
_REST_WORDS = (REST, BODY, "&MORE")
_SECTIONS = (REQUIRED, OPTIONAL, KEY, AUX)
_MOST_DEPTH = 20  # of destructuring: deeper levels are compared as text


@dataclass(frozen=True, slots=True)
class LambdaParameter:
    """A required, optional or rest parameter as written, and the lambda list that it destructures to."""

    name: str
    inner: LambdaList | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class KeywordParameter:
    """A &key parameter: the keyword as written, such as ``:test``, and its default.

    ``name`` is the keyword's name, ``TEST``; None if a symbol other than a keyword selects the argument.
    """

    written: str
    name: str | None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class LambdaList:
    """The parameters of a lambda list that concern a caller."""

    required: tuple[LambdaParameter, ...] = ()
    optional: tuple[LambdaParameter, ...] = ()
    rest: LambdaParameter | None = None
    rest_word: str | None = None
    """The lambda list keyword of ``rest``: &REST, &BODY or &MORE, or a dot."""
    keywords: tuple[KeywordParameter, ...] | None = None
    """None without &key."""
    allows_other_keys: bool = False
    regular: bool = True
    """Whether it contains only what CLHS 3.4 and SBCL define, and has no dotted tail."""

    @property
    def positional(self) -> tuple[LambdaParameter, ...]:
        """The required and optional parameters, in order."""
        return (*self.required, *self.optional)

    @property
    def takes_anything_more(self) -> bool:
        """Whether any arguments may follow the positional ones: &rest without &key."""
        return self.rest_word is not None and self.keywords is None

    @property
    def defaults(self) -> dict[str, str | None]:
        """The defaults of the &key parameters, by keyword as written."""
        return {one.written: one.default for one in self.keywords or ()}


def read_lambda_list(
    text: str, tokens: Tokens, features: Features, *, partial: bool = False
) -> LambdaList | None:
    """Return the lambda list that ``text`` begins with; None if it does not begin with a whole list.

    With ``partial``, a list without an end is taken as far as it can be read.
    """
    for toplevel in read(text, features):
        if isinstance(toplevel.node, Form) and (toplevel.whole or partial):
            return _Parser(text, tokens, 0).parse(toplevel.node)
    return None


class _Parser:
    """A parser that takes the items of one lambda list one by one."""

    def __init__(self, text: str, tokens: Tokens, depth: int) -> None:
        self._text = text
        self._tokens = tokens
        self._depth = depth
        self._section = REQUIRED
        self._parameters: dict[str, list[LambdaParameter]] = {REQUIRED: [], OPTIONAL: []}
        self._keywords: list[KeywordParameter] | None = None
        self._rest: LambdaParameter | None = None
        self._rest_word: str | None = None
        self._other_keys = False
        self._regular = True
        self._naming = ""
        """The lambda list keyword whose variable comes next."""

    def parse(self, form: Form) -> LambdaList:
        """Return the lambda list of a form."""
        for item in form.items[:-1] if form.dotted else form.items:
            self._take(item)
        if form.dotted:
            self._rest, self._rest_word, self._regular = self._parameter(form.items[-1]), _DOT, False
        return LambdaList(
            tuple(self._parameters[REQUIRED]),
            tuple(self._parameters[OPTIONAL]),
            self._rest,
            self._rest_word,
            None if self._keywords is None else tuple(self._keywords),
            self._other_keys,
            self._regular and form.kind == "(",
        )

    def _take(self, item: Node) -> None:
        word = _word(item, self._tokens)
        if isinstance(item, Form) and item.kind != "(":
            self._regular = False
        if self._naming:
            if self._naming in _REST_WORDS:
                self._rest = self._parameter(item)
            self._naming = ""
        elif word is not None and word.startswith("&") and self._is_keyword(word):
            return
        elif self._section in self._parameters:
            optional = self._section == OPTIONAL
            self._parameters[self._section].append(
                self._with_default(item) if optional else self._parameter(item)
            )
        elif self._section == KEY and self._keywords is not None:
            self._keywords.append(self._keyword(item))

    def _is_keyword(self, word: str) -> bool:
        """Take a lambda list keyword; return False for any other symbol with an ampersand."""
        if word in WITH_A_VARIABLE:
            self._naming = word
        elif word in _REST_WORDS:
            self._section = self._naming = self._rest_word = word
        elif word == OTHER_KEYS:
            self._other_keys = True
        elif word in _SECTIONS and word != REQUIRED:
            self._section = word
            if word == KEY:
                self._keywords = self._keywords or []
        else:
            self._regular = False
            return False
        return True

    def _parameter(self, item: Node) -> LambdaParameter:
        """A variable, or the list that it destructures to."""
        inner = None
        if isinstance(item, Form) and item.kind == "(" and self._depth < _MOST_DEPTH:
            inner = _Parser(self._text, self._tokens, self._depth + 1).parse(item)
        return LambdaParameter(self._written(item), inner)

    def _with_default(self, item: Node) -> LambdaParameter:
        """An optional parameter: ``x``, ``(x default)``."""
        if isinstance(item, Atom) or item.kind != "(" or not item.items:
            return LambdaParameter(self._written(item))
        variable = self._parameter(item.items[0])
        return LambdaParameter(variable.name, variable.inner, self._default(item))

    def _keyword(self, item: Node) -> KeywordParameter:
        """A keyword parameter: ``x``, ``(x default)``, ``((:y x) default)``."""
        default = None
        if isinstance(item, Form) and item.items:
            default = self._default(item)
            item = item.items[0]
            if isinstance(item, Form) and item.items and isinstance(item.items[0], Atom):
                selector = item.items[0]
                token = self._tokens.symbol(selector.text)
                own = token is not None and token.package == KEYWORD
                return KeywordParameter(selector.text, token.name if token and own else None, default)
        written = self._written(item)
        token = self._tokens.symbol(written) if isinstance(item, Atom) else None
        return KeywordParameter(f":{written.removeprefix(':')}", token.name if token else None, default)

    def _default(self, item: Form) -> str | None:
        return self._written(item.items[1]) if len(item.items) > 1 else None

    def _written(self, node: Node) -> str:
        return node.text if isinstance(node, Atom) else self._text[node.start : node.end]


def _word(item: Node, tokens: Tokens) -> str | None:
    if isinstance(item, Form):
        return None
    token = tokens.symbol(item.text)
    return token.name if token is not None else item.text
