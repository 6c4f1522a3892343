"""How the operators of the standard are indented, and what a lambda list says of a macro.

A specification has an element for each argument. A number is a distance from the parenthesis of the list.
None stands for the column of a function's argument, LAMBDA for a lambda list, a tuple for a list whose own
elements follow its WHOLE, that of the list itself; REST repeats the element after it, and BODY stands for all
the rest of a body. A number instead of all this is how many arguments come before a body. These are the rules
of the mode that programmers of Common Lisp use in Emacs, slime-cl-indent.el, and the numbers of its table.
"""

from __future__ import annotations

from ..lambda_list import BODY as BODY_WORD
from ..lambda_list import LambdaList

LAMBDA, BODY, REST, WHOLE = "&lambda", "&body", "&rest", "&whole"
DEFMETHOD, DEFSETF, DO, IF_STAR, LOOP, TAGBODY, LAMBDA_BODY = (
    *("defmethod", "defsetf", "do", "if*", "loop", "tagbody", "lambda body"),
)
"""Elements and specifications that are handled by functions of their own."""

Spec = int | str | tuple["Spec | None", ...]

DEFUN: Spec = (4, LAMBDA, BODY)
WITH: Spec = (LAMBDA, BODY)
_CASE: Spec = (4, REST, (WHOLE, 2, REST, 1))
_LET: Spec = ((WHOLE, 4, REST, (WHOLE, 1, 1, 2)), BODY)
_FLET: Spec = ((WHOLE, 4, REST, (WHOLE, 1, 4, LAMBDA, BODY)), BODY)
_CLASS: Spec = (6, (WHOLE, 4, REST, 1), (WHOLE, 2, REST, 1), (WHOLE, 2, REST, 1))
_BIND: Spec = ((WHOLE, 6, REST, 1), 4, BODY)
_CLAUSES: Spec = (4, REST, (WHOLE, 2, LAMBDA, BODY))
_VARIABLE: Spec = (4, 2, 2)
_DOLIST: Spec = ((WHOLE, 4, 2, 1), BODY)

SPECS: dict[str, Spec] = {
    **dict.fromkeys(("case", "ccase", "ecase", "typecase", "etypecase", "ctypecase"), _CASE),
    **dict.fromkeys(("let", "let*", "compiler-let", "handler-bind", "restart-bind", "symbol-macrolet"), _LET),
    **dict.fromkeys(("flet", "labels", "macrolet", "generic-flet", "generic-labels"), _FLET),
    **dict.fromkeys(("defclass", "define-condition"), _CLASS),
    **dict.fromkeys(
        ("multiple-value-bind", "with-accessors", "with-condition-restarts", "with-slots"), _BIND
    ),
    **dict.fromkeys(("handler-case", "restart-case"), _CLAUSES),
    **dict.fromkeys(("defvar", "defparameter", "defconstant"), _VARIABLE),
    **dict.fromkeys(
        (
            *("defun", "defgeneric", "defmacro", "defsubst", "deftype", "define-setf-expander"),
            *("define-setf-method", "define-modify-macro"),
        ),
        DEFUN,
    ),
    **dict.fromkeys(("dolist", "dotimes"), _DOLIST),
    **dict.fromkeys(("do", "do*"), DO),
    **dict.fromkeys(("prog", "prog*"), (LAMBDA, REST, TAGBODY)),
    **dict.fromkeys(("defmethod", ":method"), DEFMETHOD),
    **dict.fromkeys(("multiple-value-setq", "multiple-value-setf"), (4, 2)),
    **dict.fromkeys(("block", "catch", "eval-when", "locally", "prog1", "throw", "unless", "when"), 1),
    "multiple-value-prog1": 1,
    **dict.fromkeys(("progn", "return"), 0),
    "prog2": 2,
    "cond": (REST, (WHOLE, 2, REST, None)),
    ":constructor": (4, LAMBDA),
    "defcustom": (4, 2, 2, 2),
    "defconst": (4, 2, 2, 2),
    "defsetf": DEFSETF,
    "defpackage": (4, 2),
    "defstruct": ((WHOLE, 4, REST, (WHOLE, 2, REST, 1)), REST, (WHOLE, 2, REST, 1)),
    "destructuring-bind": (LAMBDA, 4, BODY),
    "if": (REST, None),
    "if*": IF_STAR,
    "lambda": (LAMBDA, REST, LAMBDA_BODY),
    "named-lambda": (4, LAMBDA, REST, LAMBDA_BODY),
    "loop": LOOP,
    "multiple-value-call": (4, BODY),
    "pprint-logical-block": (4, 2),
    "print-unreadable-object": ((WHOLE, 4, 1, REST, 1), BODY),
    "progv": (4, 4, BODY),
    "return-from": (None, BODY),
    "tagbody": TAGBODY,
    "unwind-protect": (5, BODY),
    "with-compilation-unit": ((WHOLE, 4, REST, 1), BODY),
    "with-output-to-string": (4, 2),
    "with-standard-io-syntax": (2,),
}


def spec_of_macro(parameters: LambdaList) -> int | None:
    """How the forms of a macro are indented: the number of arguments before its body; None without one."""
    return len(parameters.positional) if parameters.rest_word == BODY_WORD else None
