"""The rule unknown-place."""

from __future__ import annotations

from .undefined import UndefinedRule

RULE = UndefinedRule(
    "unknown-place",
    "warning",
    __file__,
    "nothing defines how to set ({} ...)",
    lambda meaning: meaning.settable,
)
