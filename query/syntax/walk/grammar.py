"""The grammar of the standard's operators, which is in lisp/dump/occurrences/grammar.lisp."""

from __future__ import annotations

from functools import cache

from oblist.lisp.sources import SOURCES

from ..features import Features
from ..nodes import Atom, Form
from ..nodes import Node as Read
from ..reader import read
from ..tokens import Tokens

FILE = SOURCES / "dump" / "occurrences" / "grammar.lisp"

Description = str | list["Description"]
"""A symbol, with the prefix of its package as written, or a list; all in upper case."""


@cache
def rules() -> list[list[Description]]:
    """The rules: lists of an operator, operators or a name, and what describes its arguments."""
    for toplevel in read(FILE.read_text(encoding="utf-8"), Features("", Tokens(str.upper))):
        match toplevel.node:
            case Form(items=[Atom(text="defparameter"), _, Form(items=[Form() as quoted]), _]):
                return [rule for one in quoted.items if isinstance(rule := _described(one), list)]
    raise ValueError(f"{FILE} has no grammar.")


def _described(node: Read) -> Description:
    return node.text.upper() if isinstance(node, Atom) else [_described(item) for item in node.items]
