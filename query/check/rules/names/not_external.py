"""The rule not-external."""

from __future__ import annotations

from ..described import Rule

RULE = Rule("not-external", "error", __file__, refutable=True, remark_in_prose=True)


def message(package: str, name: str, status: str) -> str:
    """The message about a symbol that is ``status`` in a package, not external."""
    return f"{package} does not export {name}: it is {status} there"
