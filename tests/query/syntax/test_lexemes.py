"""Lisp text is split into lexemes without a Lisp."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.query.index.reading import Reading
from oblist.query.syntax.lexemes import symbols
from oblist.query.syntax.printed import items, lower_symbols


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("(defun foo (x) x)", ["defun", "foo", "x"]),
        ("'a `(b ,c ,@d ,.e) #'f", ["a", "b", "c", "d", "e", "f"]),
        ('"a (b" |c d| e\\ f', ["|c d|", "e\\ f"]),
        ("a ; b\nc #| d #| e |# f |# g", ["a", "c", "g"]),
        ("#\\a #\\( #\\Space #\\; #\\\\ b", ["b"]),
        ("1 -2 +3. 4/5 6.7 8e9 1.0d0 .5 . .. 1+ -", ["1+", "-"]),
        ("#xFF #b101 #3r12 #*101 #1=a #1# #(b) #2A((c)) #:d #.e", ["a", "b", "c", "e"]),
        ("#+sbcl a #-(or x (and y)) b #+(and) c", ["a", "b", "c"]),
        ("p:a p::b :k |P|::|q r|", ["p:a", "p::b", ":k", "|P|::|q r|"]),
        ("a a A", ["a", "A"]),
        ("", []),
    ],
)
def test_the_symbols_of_a_text_are_what_a_reader_would_intern(text: str, named: list[str]) -> None:
    assert symbols(text) == named


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("(A (EQL 5) T)", ["A", "(EQL 5)", "T"]),
        ('((EQL (QUOTE X)) |a b| #\\) "( )" \'C)', ["(EQL (QUOTE X))", "|a b|", "#\\)", '"( )"', "'C"]),
        ("(A &OPTIONAL (B (LIST)) &KEY)", ["A", "&OPTIONAL", "(B (LIST))", "&KEY"]),
        ("()", []),
        ("NIL", []),
    ],
)
def test_the_items_of_a_printed_list_are_the_outermost_ones(printed: str, expected: list[str]) -> None:
    assert items(printed) == expected


def test_symbols_are_shown_in_lower_case_except_in_pipes_and_strings() -> None:
    assert lower_symbols('((EQL :FOO) |A b| "XY" #\\A T)', str.upper) == '((eql :foo) |A b| "XY" #\\A t)'


def test_symbols_outside_ascii_are_in_lower_case_where_the_reader_folds_them_back(bare_index: Path) -> None:
    with Reading(bare_index) as index:
        shown = lower_symbols("(STRAßE::GRÖßE &KEY ÜNÏ |Ü| J\u030c ΣΟΦΟΣ İ)", index.upcase)
    assert shown == "(straße::größe &key ünï |Ü| J\u030c σοφοσ İ)"
