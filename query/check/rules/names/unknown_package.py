"""The rule unknown-package."""

from __future__ import annotations

from ..described import Rule

RULE = Rule("unknown-package", "error", __file__, refutable=True)


def message(package: str) -> str:
    """The message about a package, as one writes its name."""
    return f"there is no package {package}"
