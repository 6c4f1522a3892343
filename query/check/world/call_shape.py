"""The shape of the calls that a lambda list allows: how many arguments, which keywords, which lists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ...syntax.lambda_list import BODY, REST, LambdaList, Parameter

_LIST_NAME = re.compile(
    r"(^|[-/*%])(NAMES?|SLOTS?|BINDINGS?|CLAUSES?|SPECS?|SYMS|SYMBOLS|VARS?|VARIABLES?|ENTRIES|FIELDS|OPTIONS"
    r"|(VAR|VARIABLE|LAMBDA|ARG|PARAMETER|SLOT|NAME|CLASS)-?LIST|PARAMETERS|SUPERS|SUPERCLASSES)[*%]?$"
)
_BODY_LIST = re.compile(r"(^|[-/*%])(ARGS|ARGUMENTS|CASES|RULES|METHODS)[*%]?$")


@dataclass(frozen=True, slots=True)
class CallShape:
    """The arguments that a call may have.

    ``body`` is the position, from 0, of the first argument that ``&body`` takes; None without ``&body``.
    ``lists`` are the positions of arguments that, when they are lists, are not forms: those that a macro
    destructures, and those whose parameter's name suggests it, such as ``bindings``; ``lists_follow`` says
    the same about the arguments of ``&rest``. ``text`` is the lambda list as written.
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

    def with_keywords_of(self, others: Iterable[CallShape]) -> CallShape:
        """The shape for a generic function, with the keywords of its methods (CLHS 7.6.5)."""
        if self.keywords is None:
            return self
        methods = list(others)
        keywords = self.keywords.union(*(method.keywords or () for method in methods))
        # A method with &rest and without &key takes anything; so does such a generic function.
        free = self.other_keywords or any(
            one.other_keywords or (one.rest and one.keywords is None) for one in methods
        )
        return replace(self, keywords=keywords, other_keywords=free)


def call_shape(lambda_list: LambdaList, text: str) -> CallShape | None:
    """The shape of calls for ``lambda_list``; None if it is dotted, a template, or has unknown keywords."""
    if not lambda_list.regular:
        return None
    word, keywords = lambda_list.rest_word, lambda_list.keywords
    positional = lambda_list.positional
    destructured = {at for at, one in enumerate(lambda_list.required) if one.inner is not None}
    return CallShape(
        len(lambda_list.required),
        len(lambda_list.optional),
        word is not None,
        # A parameter selected by a symbol other than a keyword admits any keyword, as its own is unknown.
        None if keywords is None else frozenset(one.name for one in keywords if one.name is not None),
        lambda_list.allows_other_keys or any(one.name is None for one in keywords or ()),
        len(positional) if word not in (None, REST) else None,
        frozenset(destructured | {at for at, one in enumerate(positional) if _names_a_list(one)}),
        _rest_is_of_lists(lambda_list.rest, is_body=word == BODY),
        text,
    )


def _rest_is_of_lists(rest: Parameter | None, *, is_body: bool) -> bool:
    """Whether the name of a rest parameter suggests that its arguments are lists, but not forms."""
    return rest is not None and (_names_a_list(rest) or (is_body and _names_a_list(rest, _BODY_LIST)))


def _names_a_list(parameter: Parameter, pattern: re.Pattern[str] = _LIST_NAME) -> bool:
    """Whether the name of a macro's parameter suggests a list of names or bindings."""
    while parameter.inner is not None:
        first = (*parameter.inner.positional, parameter.inner.rest)[0]
        if first is None:
            return False
        parameter = first
    return pattern.search(parameter.name.upper()) is not None
