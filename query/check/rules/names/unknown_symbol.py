"""The rule unknown-symbol."""

from __future__ import annotations

from ..described import Rule

RULE = Rule("unknown-symbol", "error", __file__, refutable=True)


def message(package: str, name: str) -> str:
    """The message about a name that a package does not have, both as one writes them."""
    return f"{package} has no symbol {name}"
