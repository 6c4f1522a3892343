"""The rule unmatched-parenthesis."""

from __future__ import annotations

from ..described import Rule

RULE = Rule("unmatched-parenthesis", "error", __file__)
MESSAGE = "this parenthesis closes nothing"
