"""Answers of one index as answers of several, with the fields that these add."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

_Extended = TypeVar("_Extended")


def extended(kind: type[_Extended], answer: Any, **more: Any) -> _Extended:
    """The ``answer`` as one of ``kind``, a subclass of its class, whose own fields are ``more``."""
    return kind(**{one.name: getattr(answer, one.name) for one in fields(answer)} | more)
