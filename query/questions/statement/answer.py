"""The answer of query, as a frozen dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """The rows of an SQL statement: the answer of query."""

    columns: list[str] = doc("names of the columns")
    rows: list[list[Any]] = doc(
        "the values of each row, in the order of the columns: null, numbers and text; bytes as hexadecimal "
        "text"
    )
    truncated: bool = doc("true when there are more rows than the limit")
