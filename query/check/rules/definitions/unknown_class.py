"""The rule unknown-class."""

from __future__ import annotations

from .undefined import UndefinedRule

RULE = UndefinedRule(
    "unknown-class", "warning", __file__, "there is no class {}", lambda meaning: meaning.is_class
)
