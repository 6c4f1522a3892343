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
