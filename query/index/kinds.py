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
    SymbolInformation.Kind. A format leaves out the kinds that it has no name for. ``macros`` are the macros
    of the standard and of SB-EXT whose forms make such definitions, and tell a checker the names defined.
    """

    definer: str
    ctags: str | None = None
    dash: str | None = None
    scip: int | None = None
    macros: str = ""


KINDS = {
    "function": Kind("defun", "f", "Function", 17, "DEFUN"),
    "generic-function": Kind("defgeneric", "g", "Function", 17, "DEFGENERIC"),
    "method": Kind("defmethod", "m", None, 26, "DEFMETHOD"),
    "macro": Kind("defmacro", "M", "Macro", 25, "DEFMACRO"),
    "special-operator": Kind("special-operator", "o", "Operator", 34),
    "setf-function": Kind("defun", "s", "Function", 17),
    "setf-expander": Kind("define-setf-expander", "e", "Function", 25, "DEFSETF DEFINE-SETF-EXPANDER"),
    "compiler-macro": Kind("define-compiler-macro", "C", None, 25, "DEFINE-COMPILER-MACRO"),
    "class": Kind("defclass", "c", "Class", 7, "DEFCLASS"),
    "structure": Kind("defstruct", "S", "Struct", 49, "DEFSTRUCT"),
    "condition": Kind("define-condition", "E", "Exception", 63, "DEFINE-CONDITION"),
    "type": Kind("deftype", "t", "Type", 55, "DEFTYPE"),
    "variable": Kind("defvar", "v", "Variable", 61, "DEFVAR DEFPARAMETER DEFGLOBAL"),
    "constant": Kind("defconstant", "k", "Constant", 8, "DEFCONSTANT"),
    "symbol-macro": Kind("define-symbol-macro", "y", "Variable", 25, "DEFINE-SYMBOL-MACRO"),
    "method-combination": Kind(
        "define-method-combination", "b", "Object", macros="DEFINE-METHOD-COMBINATION"
    ),
    "declaration": Kind("declaration"),
    "alien-type": Kind("define-alien-type", None, "Type"),
    "vop": Kind("define-vop"),
    "transform": Kind("deftransform"),
    "optimizer": Kind("defoptimizer"),
    "source-transform": Kind("define-source-transform"),
    "ir1-convert": Kind("def-ir1-translator"),
    "package": Kind("defpackage", "p", None, 35),
}

DEFINED_BY = {macro: name for name, kind in KINDS.items() for macro in kind.macros.split()}
"""The kind that each macro of the standard and of SB-EXT defines."""

CLASSES = frozenset({"class", "structure", "condition"})
"""The kinds of definitions that make a class, or a typed structure."""


def kind(name: str) -> Kind:
    """The kind called ``name``; one that this version does not know gets the macro ``define-NAME``."""
    return KINDS.get(name) or Kind(f"define-{name}")
