"""Answers from an oblist index, without a Lisp.

from oblist.query import open_index

with open_index() as index:
    print(index.describe("mapcar").arglist)
"""

from .api import Index, open_index

__all__ = ["Index", "open_index"]
