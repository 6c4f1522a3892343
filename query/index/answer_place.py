"""The place of a definition as answers tell it.

The classes here are only inherited from, so no methods are generated for them: these would be unused, and
take time at each start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .answer_field import doc

_Answer = TypeVar("_Answer", bound=type)
_ORDER = ("path", "recorded_path", "root", "relative_path", "line", "column", "offset", "end_line")


@dataclass(frozen=True, slots=True, kw_only=True, init=False, repr=False, eq=False)
class AnswerPlace:
    """Where a definition begins."""

    path: str | None = doc("absolute path of the source file, in a form that programs can open")
    root: str | None = doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = doc("path of the source file below its root")
    line: int | None = doc("line of the definition's own form, or of the toplevel form around it, from 1")
    column: int | None = doc("column of the definition's own form, from 1")


@dataclass(frozen=True, slots=True, kw_only=True, init=False, repr=False, eq=False)
class AnswerLines(AnswerPlace):
    """The lines that a definition is on, and its file as SBCL records it."""

    recorded_path: str | None = doc("source file as SBCL records it, often a logical pathname")
    end_line: int | None = doc("last line of the definition's own form")


@dataclass(frozen=True, slots=True, kw_only=True, init=False, repr=False, eq=False)
class AnswerExtent(AnswerLines):
    """The lines that a definition is on, and where in the text its form begins."""

    offset: int | None = doc("character offset of the definition's own form, from 0")


def with_place(before: str | None = None) -> Callable[[_Answer], _Answer]:
    """Put the fields of the place ``before`` a field of an answer, or after all of the answer's own fields.

    JSON has the fields of a dataclass in the order of ``__dataclass_fields__``, which begins with those that
    are inherited.
    """

    def ordered(answer: _Answer) -> _Answer:
        fields = vars(answer)["__dataclass_fields__"]
        inherited = fields.keys() - answer.__annotations__.keys()
        place = {name: fields.pop(name) for name in _ORDER if name in inherited}
        names = list(fields)
        after = {name: fields.pop(name) for name in names[names.index(before) if before else len(names) :]}
        fields.update(place | after)
        return answer

    return ordered
