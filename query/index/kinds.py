"""The kinds of definitions: their defining macros, and their names in the formats of other programs.

An index lists its own kinds, with the documentation type that gives their namespace (table ``kinds``). This
table holds only what an index does not record. A test compares the two, so that every new kind gets a row
here.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """One kind of definition.

    ``definer`` is the macro that a placeholder shows, ``ctags`` the letter in a tags file, ``dash`` the entry
    type of a docset (kapeli.com/docsets#supportedentrytypes), ``scip`` the number in SCIP's enumeration
    SymbolInformation.Kind, ``lsp`` that in SymbolKind of the Language Server Protocol. A format leaves out
    the kinds that it has no name for. ``macros`` are the macros of the standard and of SB-EXT whose forms
    make such definitions, and tell a checker the names defined. A ``companion`` adds to a name that has
    another definition: it tells the compiler, or SETF, more about the name.
    """

    definer: str
    ctags: str | None = None
    dash: str | None = None
    scip: int | None = None
    macros: str = ""
    lsp: int | None = None
    companion: bool = False


KINDS = {
    "function": Kind("defun", "f", "Function", 17, "DEFUN", lsp=12),
    "generic-function": Kind("defgeneric", "g", "Function", 17, "DEFGENERIC", lsp=11),
    "method": Kind("defmethod", "m", None, 26, "DEFMETHOD", lsp=6),
    "macro": Kind("defmacro", "M", "Macro", 25, "DEFMACRO", lsp=12),
    "special-operator": Kind("special-operator", "o", "Operator", 34, lsp=25),
    "setf-function": Kind("defun", "s", "Function", 17, lsp=12),
    "setf-expander": Kind(
        "define-setf-expander", "e", "Function", 25, "DEFSETF DEFINE-SETF-EXPANDER", lsp=12, companion=True
    ),
    "compiler-macro": Kind(
        "define-compiler-macro", "C", None, 25, "DEFINE-COMPILER-MACRO", lsp=12, companion=True
    ),
    "class": Kind("defclass", "c", "Class", 7, "DEFCLASS", lsp=5),
    "structure": Kind("defstruct", "S", "Struct", 49, "DEFSTRUCT", lsp=23),
    "condition": Kind("define-condition", "E", "Exception", 63, "DEFINE-CONDITION", lsp=5),
    "type": Kind("deftype", "t", "Type", 55, "DEFTYPE", lsp=26),
    "variable": Kind("defvar", "v", "Variable", 61, "DEFVAR DEFPARAMETER DEFGLOBAL", lsp=13),
    "constant": Kind("defconstant", "k", "Constant", 8, "DEFCONSTANT", lsp=14),
    "symbol-macro": Kind("define-symbol-macro", "y", "Variable", 25, "DEFINE-SYMBOL-MACRO", lsp=13),
    "method-combination": Kind(
        "define-method-combination", "b", "Object", lsp=19, macros="DEFINE-METHOD-COMBINATION"
    ),
    "declaration": Kind("declaration", companion=True),
    "alien-type": Kind("define-alien-type", None, "Type"),
    "vop": Kind("define-vop", companion=True),
    "transform": Kind("deftransform", companion=True),
    "optimizer": Kind("defoptimizer", companion=True),
    "source-transform": Kind("define-source-transform", companion=True),
    "ir1-convert": Kind("def-ir1-translator", companion=True),
    "package": Kind("defpackage", "p", None, 35, lsp=4),
}

DEFINED_BY = {macro: name for name, kind in KINDS.items() for macro in kind.macros.split()}
"""The kind that each macro of the standard and of SB-EXT defines."""

CLASSES = frozenset({"class", "structure", "condition"})
"""The kinds of definitions that make a class, or a typed structure."""


COMPANIONS = frozenset(name for name, kind in KINDS.items() if kind.companion)
"""The kinds of definitions whose code is not that of the function or variable that they concern."""


def kind(name: str) -> Kind:
    """The kind called ``name``; one that this version does not know gets the macro ``define-NAME``."""
    return KINDS.get(name) or Kind(f"define-{name}")


_USUAL = {
    "function": ("defun",),
    "setf-function": ("defun",),
    "generic-function": ("defgeneric", "defmethod"),
    "method": ("defmethod", "defgeneric"),
    "macro": ("defmacro",),
    "variable": ("defvar", "defparameter"),
    "constant": ("defconstant",),
    "class": ("defclass",),
    "structure": ("defstruct",),
    "condition": ("define-condition",),
    "type": ("deftype",),
}
"""The macros that usually define the kinds that a program has."""


def unusual_macro(name: str, defined_by: str | None) -> str | None:
    """The macro that made a definition of the kind ``name``, unless it is a usual one for that kind."""
    usual = _USUAL.get(name)
    return None if usual is None or defined_by in usual else defined_by
