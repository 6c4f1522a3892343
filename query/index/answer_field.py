"""Fields of answers, each with the description that the documentation shows."""

from __future__ import annotations

import re
from dataclasses import field, fields
from functools import cache
from typing import Any, NamedTuple, cast

_NESTED = re.compile(r"\b(?!None\b|Any\b)[A-Z]\w*")


class Fields(NamedTuple):
    """The names of the fields of a kind of answer, and those which have answers in them."""

    names: frozenset[str]
    nested: tuple[str, ...]


@cache
def fields_of(kind: type) -> Fields:
    """Return the fields of a kind of answer, which is a dataclass."""
    all_ = fields(cast(Any, kind))
    nested = tuple(one.name for one in all_ if _NESTED.search(str(one.type)))
    return Fields(frozenset(one.name for one in all_), nested)


def doc(text: str, **options: Any) -> Any:
    """Make a field of an answer, with the description that docs/formats/answers.md shows."""
    return field(metadata={"doc": text}, **options)


def incomplete_field() -> str | None:
    """Make the field of an answer for what it may lack (incomplete.py)."""
    found: str | None = doc("what did not load, if the answer may be incomplete because of it", default=None)
    return found


def outdated_field() -> str | None:
    """Make the field of an answer for files that have changed (stale.py)."""
    found: str | None = doc(
        "which files in the answer have changed or disappeared since the index was built", default=None
    )
    return found
