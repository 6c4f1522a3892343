"""How the fields of records are declared: one place for the description, the type and the limits of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

LARGEST = 2**31 - 1
"""The largest number in a stream."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of the rows in a field: its name, what it holds, and the type of its values.

    ``of`` says what a number is the number of, ``words`` are the only texts; ``optional`` values may be null.
    ``cells`` are those of a list within the row: of rows, or, if it is one cell, of values. A ``path`` is
    absolute.
    """

    name: str
    type: type
    doc: str
    of: str | None = None
    words: Sequence[str] = ()
    optional: bool = False
    cells: Sequence[Cell] = ()
    path: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredField:
    """What a record's field holds, beside its Python type.

    ``numbers`` is what the field gives numbers to, ``of`` what a number in it is the number of, which may
    come ``later`` in the stream; ``part`` is the part of the stream that may be left out, ``rows`` are the
    columns of the rows in a list, ``flat`` if these are one list; ``words`` are the only texts, ``unique``
    values occur once, and a ``path`` is absolute. ``inner`` fields are only in oblist's own streams, such as
    those of a refresh.
    """

    doc: str
    numbers: str | None = None
    of: str | None = None
    later: bool = False
    part: str | None = None
    rows: Sequence[Cell] = ()
    flat: bool = False
    words: Sequence[str] = ()
    unique: bool = False
    least: int = 0
    path: bool = False
    inner: bool = False


def doc(text: str, *, default: Any = ..., **facts: Any) -> Any:
    """Make a field of a record, with its description for the page about records, and other facts."""
    metadata = {"declared": DeclaredField(text, **facts)}
    return field(metadata=metadata) if default is ... else field(default=default, metadata=metadata)


def declared(one: Any) -> DeclaredField:
    """What a field of a record, as ``dataclasses.fields`` has it, was declared with."""
    found = one.metadata["declared"]
    assert isinstance(found, DeclaredField)
    return found
