"""The rule undefined-variable."""

from __future__ import annotations

from .undefined import UndefinedRule

RULE = UndefinedRule(
    "undefined-variable", "warning", __file__, "there is no variable {}", lambda meaning: meaning.variable
)
