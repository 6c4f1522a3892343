"""The places that names are typed at, and what fits there."""

from __future__ import annotations

from ...index.kinds import CLASSES

ANYWHERE, OPERATOR, TYPE, CLASS, CONDITION = PLACES = ("any", "operator", "type", "class", "condition")

OPERATORS = frozenset(("FUNCTION", "MACRO", "GENERIC-FUNCTION", "SPECIAL-OPERATOR"))
KINDS = {TYPE: (*sorted(CLASSES), "type"), CLASS: ("class", "structure"), CONDITION: ("condition",)}
"""The kinds of definitions whose names fit a place."""
