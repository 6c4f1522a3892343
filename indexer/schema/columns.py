"""The columns of tables, each with its description."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ForeignKey, Integer, MetaData, Text

metadata = MetaData()

Row = tuple[Any, ...]
"""A row of a table, in the order of its columns."""


def column(
    name: str,
    kind: type[Integer] | type[Text],
    comment: str,
    *keys: ForeignKey,
    nullable: bool = True,
    primary_key: bool = False,
    unique: bool = False,
) -> Column[object]:
    """A column with its description."""
    return Column(
        name,
        kind,
        *keys,
        comment=comment,
        nullable=nullable and not primary_key,
        primary_key=primary_key,
        unique=unique or None,
    )


def row_id(what: str) -> Column[object]:
    """The column ``id`` of a table."""
    return column("id", Integer, f"Number of the {what} within this index", primary_key=True)


def link(name: str, target: str, comment: str, *, nullable: bool = False) -> Column[object]:
    """A column that holds an ``id`` of the table ``target``."""
    return column(name, Integer, comment, ForeignKey(f"{target}.id"), nullable=nullable)
