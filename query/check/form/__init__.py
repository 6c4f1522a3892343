"""Judging a form, or the text of a file, before it is written anywhere.

from oblist.query import open_index
from oblist.query.check.form import check_form

with open_index() as index:
    print(check_form(index, "(mapcar #'car)").findings[0].message)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ask import check_form

__all__ = ["check_form"]


def __getattr__(name: str) -> object:
    """Import the checker when it is asked for: its parameters alone are known sooner."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import ask

    return getattr(ask, name)
