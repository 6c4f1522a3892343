"""Forms of any operators of the grammar, whole or not: the walk ends, and tells each place only once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fuzz.target import Check, Target
from hypothesis import strategies as st

from oblist.query.syntax.walk.files import walk_text
from support.forms.of_grammar import planted_forms
from support.shelf import shelf_and_sources
from support.walks import Walks

_OPERATORS = (
    *("let", "let*", "flet", "labels", "macrolet", "symbol-macrolet", "lambda", "function", "quote", "the"),
    *("declare", "special", "type", "setf", "defun", "defmethod", "defmacro", "defclass", "defstruct"),
    *("defgeneric", "defpackage", "export", "in-package", "loop", "for", "with", "=", "and", "using", "into"),
    *("do", "dolist", "block", "return-from", "tagbody", "go", "handler-case", "restart-case", "with-slots"),
    *("cond", "case", "destructuring-bind"),
)
_OTHER = (
    *("'", "`", ",", ",@", "#'", "#(", "#.", "#+sbcl", "#-sbcl", "#+#.(x)", "x", "y", "nil", "t", "1", '"s"'),
    *(":k", ":method", "&key", "&optional", "&rest", "#:g", ".", "|", "#|", "#L", "[", ";"),
    *("(x)", "(x y)", "((x 1))", "(x &optional (y x))", "(declare (special x))"),
)
_PLANTED = sorted({one.text for one in planted_forms()})
_PIECES = st.one_of(
    st.sampled_from([*_OPERATORS, *_OTHER, "(", "(", "(", ")", ")", ")"]), st.sampled_from(_PLANTED)
)
_BROKEN = st.builds(
    lambda form, start, length, put: form[:start] + put + form[start + length :],
    st.sampled_from(_PLANTED),
    st.integers(0, 200),
    st.integers(0, 8),
    st.one_of(st.just(""), _PIECES),
)
_TEXTS = st.one_of(st.lists(_PIECES, max_size=40).map(" ".join), _BROKEN)


@contextmanager
def _opened(_: Path) -> Iterator[Check]:
    walks = Walks(shelf_and_sources()[0])

    def check(text: str) -> None:
        for form in walk_text(text, "COMMON-LISP-USER", walks.features, walks.meanings, walks.tokens):
            walked = form.walked
            for found in (walked.occurrences, walked.uses):
                starts = [one.start for one in found]
                assert starts == sorted(starts)
                assert all(one.start + one.length <= len(text) and one.length for one in found)
            # A place that is changed has its reader and its writer.
            told = [(one.start, one.operator) for one in walked.occurrences]
            assert len(told) == len(set(told))
            assert len({one.start for one in walked.uses}) == len(walked.uses)
            bound = set(walked.bindings)
            assert all(use.binding in bound for use in walked.uses if use.binding is not None)

    with walks.index:
        yield check


TARGET = Target("forms", _TEXTS, _opened, short=200)
