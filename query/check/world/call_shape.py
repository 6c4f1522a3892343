"""The shape of the calls that a lambda list allows: how many arguments, and which keywords."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ...syntax.lambda_list import LambdaList


@dataclass(frozen=True, slots=True)
class CallShape:
    """The arguments that a call may have; ``text`` is the lambda list as written.

    ``inner`` are the shapes of arguments that a macro destructures, each with its position, from 0.
    """

    required: int
    optional: int = 0
    rest: bool = False
    keywords: frozenset[str] | None = None
    other_keywords: bool = False
    inner: tuple[tuple[int, CallShape], ...] = ()
    text: str = field(default="", compare=False)

    @property
    def positional(self) -> int:
        """The number of arguments before the rest list and the keywords."""
        return self.required + self.optional

    @property
    def unlimited(self) -> bool:
        """Whether any number of arguments is allowed."""
        return self.rest or self.keywords is not None

    @property
    def all_keywords(self) -> frozenset[str]:
        """The keywords of the call and of the arguments that a macro destructures."""
        return (self.keywords or frozenset()).union(*(shape.all_keywords for _, shape in self.inner))

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
    keywords = lambda_list.keywords
    destructured = (
        (at, call_shape(one.inner, ""))
        for at, one in enumerate(lambda_list.required)
        if one.inner is not None
    )
    return CallShape(
        len(lambda_list.required),
        len(lambda_list.optional),
        lambda_list.rest_word is not None,
        # A parameter selected by a symbol other than a keyword admits any keyword, as its own is unknown.
        None if keywords is None else frozenset(one.name for one in keywords if one.name is not None),
        lambda_list.allows_other_keys or any(one.name is None for one in keywords or ()),
        tuple((at, shape) for at, shape in destructured if shape is not None),
        text,
    )
