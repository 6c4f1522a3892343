"""The rule undefined-function."""

from __future__ import annotations

from .undefined import UndefinedRule

RULE = UndefinedRule(
    "undefined-function",
    "warning",
    __file__,
    "there is no function or macro {}",
    lambda meaning: meaning.kind is not None,
)
