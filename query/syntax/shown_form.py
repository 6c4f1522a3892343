"""Names as answers show them, so that what is read in one answer can be typed into the next question."""

from __future__ import annotations

import re
from collections.abc import Container

_SYMBOL = r"(?:[^\s()|\\\[\]]|\|(?:[^|\\]|\\.)*\||\\.)+"
_NAME = rf"{_SYMBOL}|\(\s*(?:setf|cas)\s+{_SYMBOL}\s*\)"
# (method p:area :around (string cons)), (variable p:*ink*): a kind, the name, and what distinguishes it.
_FORM = re.compile(rf"\(\s*(?P<kind>[a-z][a-z-]*)\s+(?P<name>{_NAME})(?:\s.*)?\)", re.IGNORECASE | re.DOTALL)
# p:area [generic-function]
_HEADING = re.compile(rf"(?P<name>{_NAME})\s+\[[\w -]+\]", re.IGNORECASE)


def name_in(text: str, kinds: Container[str]) -> str:
    """Return the name in ``text`` if that is a definition as an answer shows it, else ``text``.

    ``(method p:area (string cons))`` names ``p:area`` if "method" is one of ``kinds``, and
    ``p:area [function]`` does.
    """
    stripped = text.strip()
    if stripped.endswith("]") and (heading := _HEADING.fullmatch(stripped)):
        return heading["name"]
    if stripped.startswith("(") and (form := _FORM.fullmatch(stripped)) and form["kind"].lower() in kinds:
        return form["name"]
    return text
