"""Imports that wait until something is used: a command starts sooner without modules it may not need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def imported(path: str, package: str) -> Any:
    """What ``path`` names: a module relative to ``package``, a colon, and a name, as ``.ask:describe``."""
    module, name = path.split(":")
    return getattr(import_module(module, package), name)
