"""Names that a text mentions, recognized by their shape alone: in code, strings, comments and prose alike."""

from __future__ import annotations

import re

# A name without a prefix: neither part of a qualified symbol nor the beginning of a string or comment.
_BARE = re.compile(r"(?<![^\s()'`,@#])[^\s()'\"`,;:]+(?![^\s()'\"`,;])")
_PART = re.compile(r"[^\s()\"'`,;|\\:#]+")
# A symbol with a prefix in running text, as opposed to host:port, file:line and URLs.
_QUALIFIED = re.compile(r"[^\s()\"'`,;:\\]+::?[^\s()\"'`,;:/\\]*[A-Za-z][^\s()\"'`,;:/\\]*")

# A token, or another character that is not blank.
PIECE = re.compile(r"""[^\s()"'`,;]+|\S""")
# A character of a token.
CONSTITUENT = re.compile(r"""[^\s()"'`,;]""")
# What may be an operator, without its package.
_HEAD = re.compile(r"\(\s*(?:[^\s()\"';|:]*:{1,2})?([^\s()\"';|:]+)")
# The beginning of a call that makes an instance of a class, up to its quoted name.
_MAKING = re.compile(
    r"\(\s*(?:[^\s()'\";|:]+:{1,2})?(?:error|signal|warn|make-condition|make-instance)\s+'$", re.IGNORECASE
)
# The beginning of a call with a quoted name of a function, up to the name.
_CALLING = re.compile(
    r"(?:\(\s*(?:[^\s()'\";|:]+:{1,2})?(?:funcall|apply|map(?:c|car|can|l|list|con|hash)|every|some|not(?:any|every)"
    r"|reduce|complement|(?:remove|delete|find|position|count|member|assoc|rassoc)-if(?:-not)?"
    r"|fdefinition|symbol-function)|:(?:key|test|test-not))\s+'$",
    re.IGNORECASE,
)
# What a form is known by: its operator, and the name that it defines.
OPENING = re.compile(
    r"""\((?:(?:[^\s()"':]+:+)?def[^\s()"']*\s+(?:\(\s*)?(?:setf\s+)?[^\s()]+|[^\s()"'`,;]*)|.""",
    re.DOTALL | re.IGNORECASE,
)


def bare_names(text: str) -> list[str]:
    """Return the names in ``text`` that have no package prefix, as written."""
    return _BARE.findall(text)


def name_parts(text: str) -> list[str]:
    """Return the names in ``text``, as written; a qualified one counts as two, its package and its name."""
    return _PART.findall(text)


def is_qualified(word: str) -> bool:
    """Return whether a word of running text has the shape of a symbol with a package prefix."""
    return _QUALIFIED.fullmatch(word) is not None


def operators(text: str) -> list[str]:
    """Return what follows the parentheses in ``text``, without packages: all operators are among it."""
    return _HEAD.findall(text)


def is_calling(before: str) -> bool:
    """Return whether the text ``before`` a name begins a call of a function that calls what has that name."""
    return _CALLING.search(before) is not None


def is_making(before: str) -> bool:
    """Return whether the text ``before`` a name begins a call that makes an instance of that class."""
    return _MAKING.search(before) is not None
