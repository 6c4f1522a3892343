"""Parentheses move, and forms get others around them, without anything else changing."""

from __future__ import annotations

import pytest

from oblist.query.edit.changes import Edit, edited
from oblist.query.edit.forms.lists import (
    barf_backward,
    barf_forward,
    slurp_backward,
    slurp_forward,
    wrapped,
)

CURSOR = "‸"
MOVES = {
    "slurp": slurp_forward,
    "slurp before": slurp_backward,
    "barf": barf_forward,
    "barf first": barf_backward,
}


def moved(how: str, text: str) -> str:
    """The text after a move at the cursor; the same if nothing can be done."""
    at = text.index(CURSOR)
    plain = text.replace(CURSOR, "")
    return edited(plain, MOVES[how](plain, at))


@pytest.mark.parametrize(
    ("how", "before", "after"),
    [
        ("slurp", "(f (a‸ b) c d)", "(f (a b c) d)"),
        ("slurp", "(f (‸) c)", "(f ( c))"),
        ("slurp", "(f (‸a)c)", "(f (a c))"),
        ("slurp", "(f (‸a)(c))", "(f (a (c)))"),
        ("slurp", "(f (a ‸; why\n   b) ; then\n  'c d)", "(f (a ; why\n   b ; then\n  'c) d)"),
        ("slurp", "(f (g (‸a)) b)", "(f (g (a)) b)"),
        ("slurp", "(f (‸a) #+sbcl b c)", "(f (a) #+sbcl b c)"),
        ("slurp", "(f #-sbcl (‸a) b)", "(f #-sbcl (a) b)"),
        ("slurp", "(f #+(or a b) (‸a) b)", "(f #+(or a b) (a) b)"),
        ("slurp", "(f (‸a) . b)", "(f (a) . b)"),
        ("slurp", "(a‸) (b)", "(a) (b)"),
        ("slurp before", "(f a (b‸ c))", "(f (a b c))"),
        ("slurp before", "(f a '(b‸ c))", "(f a '(b c))"),
        ("slurp before", "(f a `(b‸ c))", "(f a `(b c))"),
        ("slurp before", "(f a(b‸))", "(f (a b))"),
        ("slurp before", "((b‸))", "((b))"),
        ("slurp before", "(f #+sbcl a (b‸))", "(f #+sbcl a (b))"),
        ("slurp before", "(f #+(and) a (b‸))", "(f #+(and) a (b))"),
        ("barf", "(f (a‸ b c) d)", "(f (a b) c d)"),
        ("barf", '(f (a‸"x")d)', '(f (a)"x" d)'),
        ("barf", "(f (a‸) d)", "(f (a) d)"),
        ("barf", "(f (a‸ ; one\n b ; two\n ) d)", "(f (a) ; one\n b ; two\n  d)"),
        ("barf", "(f (a‸ . b))", "(f (a . b))"),
        ("barf first", "(f (a‸ b c) d)", "(f a (b c) d)"),
        ("barf first", "(f (a‸(b)))", "(f a ((b)))"),
        ("barf first", "(f '(a‸ b))", "(f '(a b))"),
    ],
)
def test_what_moves(how: str, before: str, after: str) -> None:
    assert moved(how, before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(f (a‸ b))", "(f ((when a) b))"),
        ("(f ‸(a b) c)", "(f (when (a b)) c)"),
        ("(f «(a b) c» d)", "(f (when (a b) c) d)"),
        ("(f «(a» b))", "(f (a b))"),
        ("‸(f)", "(when (f))"),
        ("(f ‸'a)", "(f (when 'a))"),
        ("(f ‸ a)", "(f  a)"),
        ("(incf ‸(car x) 2)", "(incf (car x) 2)"),
        ("`(f ,@‸(g x))", "`(f ,@(g x))"),
        ("(f #+sbcl ‸a)", "(f #+sbcl (when a))"),
        ("(f «#+sbcl a»)", "(f #+sbcl a)"),
    ],
)
def test_what_is_wrapped(before: str, after: str) -> None:
    plain = before
    for mark in (CURSOR, "«", "»"):
        plain = plain.replace(mark, "")
    start = before.index(CURSOR if CURSOR in before else "«")
    end = before.index("»") - 1 if "»" in before else start
    edits: list[Edit] = wrapped(plain, start, end, "when")
    assert edited(plain, edits) == after
