"""Whatever the forms are, the walk ends, and tells every place only once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oblist.query.syntax.walk.files import walk_text
from support.walks import Walks

OPERATORS = (
    *("let", "let*", "flet", "labels", "macrolet", "symbol-macrolet", "lambda", "function", "quote", "the"),
    *("declare", "special", "type", "setf", "defun", "defmethod", "defmacro", "defclass", "defstruct"),
    *("defgeneric", "defpackage", "export", "in-package", "loop", "for", "with", "=", "and", "using", "into"),
    *("do", "dolist", "block", "return-from", "tagbody", "go", "handler-case", "restart-case", "with-slots"),
    *("cond", "case", "destructuring-bind"),
)
OTHER = (
    *("'", "`", ",", ",@", "#'", "#(", "#.", "#+sbcl", "#-sbcl", "#+#.(x)", "x", "y", "nil", "t", "1", '"s"'),
    *(":k", ":method", "&key", "&optional", "&rest", "#:g", ".", "|", "#|", "#L", "[", ";"),
    *("(x)", "(x y)", "((x 1))", "(x &optional (y x))", "(declare (special x))"),
)
PIECES = st.sampled_from([*OPERATORS, *OTHER, "(", "(", "(", ")", ")", ")"])


@given(pieces=st.lists(PIECES, max_size=40))
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arbitrary_forms(pieces: list[str], walks: Walks) -> None:
    text = " ".join(pieces)
    for form in walk_text(text, "COMMON-LISP-USER", walks.features, walks.meanings, walks.tokens):
        walked = form.walked
        for found in (walked.occurrences, walked.uses):
            starts = [one.start for one in found]
            assert starts == sorted(set(starts))
            assert all(one.start + one.length <= len(text) and one.length for one in found)
        bound = set(walked.bindings)
        assert all(use.binding in bound for use in walked.uses if use.binding is not None)


@pytest.mark.parametrize(
    "opening", ["(let ((x 1)) ", "(defmethod m ((x t)) ", "(loop for x in (list ", "'", "`(,"]
)
def test_any_depth(opening: str, walks: Walks) -> None:
    text = f"{opening * 2_000}x{')' * (opening.count('(') - opening.count(')')) * 2_000}"
    (form,) = walk_text(text, "COMMON-LISP-USER", walks.features, walks.meanings, walks.tokens)
    assert form.toplevel.closed


@pytest.fixture(scope="module")
def walks(libraries_index: Path) -> Walks:
    return Walks(libraries_index)
