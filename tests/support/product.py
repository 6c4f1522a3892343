"""The modules of the product."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from support.checkout import ROOT

ROOMS = ("lisp", "indexer", "query")


def _modules() -> dict[str, Path]:
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()
"""The files of all modules by their names below ``oblist``."""


@cache
def nodes(module: str) -> tuple[ast.AST, ...]:
    """All nodes of the syntax tree of a module, which several tests look through."""
    return tuple(ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))))
