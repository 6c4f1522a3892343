"""Answers from an oblist index, without a Lisp.

from oblist.query import open_index

with open_index() as index:
    print(index.describe("mapcar").arglist)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import Index, open_index

__all__ = ["Index", "open_index"]


def __getattr__(name: str) -> object:
    """Import the API when it is asked for: the command line begins here, and has other things to do first."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import api

    return getattr(api, name)
