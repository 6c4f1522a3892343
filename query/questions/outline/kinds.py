"""The sorts of definitions that an outline can be limited to."""

from __future__ import annotations

ALL = "all"
SORTS = {
    "function": ("function", "setf-function"),
    "generic-function": ("generic-function",),
    "method": ("method",),
    "macro": ("macro", "compiler-macro", "setf-expander", "symbol-macro"),
    "variable": ("variable", "constant"),
    "class": ("class", "structure"),
    "condition": ("condition",),
    "type": ("type", "alien-type"),
    "package": ("package",),
}
"""The kinds of definitions of each sort; the other kinds are of none."""
