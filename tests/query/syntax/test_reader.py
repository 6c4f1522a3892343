"""The checker's reader, on every piece of the standard syntax and on long texts."""

from __future__ import annotations

import pytest

from oblist.query.syntax.features import Features
from oblist.query.syntax.nodes import Toplevel
from oblist.query.syntax.reader import read
from oblist.query.syntax.tokens import SymbolToken, Tokens

TOKENS = Tokens(str.upper)
FEATURES = Features(":SBCL :UNIX ALEXANDRIA::ODD", TOKENS)


def forms(text: str) -> list[Toplevel]:
    return list(read(text, FEATURES))


def shown(text: str) -> list[str]:
    """Read ``text``, and return the nodes as they print."""
    return [repr(one.node) for one in forms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a b) c", ["(a b)", "c"]),
        ("'a `(b ,c ,@d ,.e)", ["'a", "`(b ,c ,d ,e)"]),
        ("#'car #(1 2) #3(x)", ["#'car", "#(1 2)", "#(x)"]),
        ('"a ) ; \\" b" ; c )', ['"a ) ; \\" b"']),
        ("a #| b #| c |# d |# e", ["a", "e"]),
        ("#\\( #\\) #\\; #\\Space #\\| x", ["#\\(", "#\\)", "#\\;", "#\\Space", "#\\|", "x"]),
        ("|a b| c\\ d x|;(|y", ["|a b|", "c\\ d", "x|;(|y"]),
        ("#b101 #xFF #36rZZ #*1010 #:g", ["#b101", "#xFF", "#36rZZ", "#*1010", "#:g"]),
        ("#1=(a #1#)", ["(a #1#)"]),
        ('#p"a" #s(x :a 1) #c(1 2) #2a((1))', ['#p"a"', "#s(x :a 1)", "#c(1 2)", "#a((1))"]),
        ("#+sbcl a #-sbcl b c", ["a", "c"]),
        ("#+(and sbcl (not unix)) a #+(or ccl unix) b", ["b"]),
        ("(a #+ccl b 'c) '#+ccl x y", ["(a 'c)", "'y"]),
        ("#+alexandria::odd a #+alexandria:even b", ["a"]),
        ("#+#.(x) (a) b", ["?(a)", "b"]),
        ("#+(and ccl #.(x)) (a) b", ["b"]),
        ("#!/usr/bin/sbcl --script )\n(a)", ["(a)"]),
        ("(a . b) 1.5 1/2 +1 1+ - ...", ["(a . b)", "1.5", "1/2", "+1", "1+", "-", "..."]),
        (") a", ["a"]),
        ("(a ')", ["(a)"]),
    ],
)
def test_the_standard_syntax(text: str, expected: list[str]) -> None:
    assert shown(text) == expected


def test_reading_continues_after_a_broken_form() -> None:
    first, second = forms("(a p:x #<odd> q:y\n(b)")
    assert (first.whole, [atom.text for atom in first.qualified]) == (False, ["p:x"])
    assert (second.whole, repr(second.node)) == (True, "(b)")


def test_custom_syntax_is_passed_over_if_the_form_ends_well() -> None:
    (only,) = forms('(a #L(b !1) #?"x ) y" #/; p:z)\n(rest')[:1]
    assert (only.whole, only.standard) == (True, False)
    assert [atom.text for atom in only.qualified] == ["p:z"]
    assert not forms("(a [b c] d)")[0].whole


def test_the_end_of_a_text_may_come_anywhere() -> None:
    text = "(defun f (x) #+sbcl '(a:b \"c\" |d| #\\e) `(,@f) #|g|# #'h #1=i)"
    for end in range(len(text)):
        assert all(one.node is not None for one in forms(text[:end]))


def test_definitions_and_prefixed_symbols_are_noted() -> None:
    (one,) = forms("(progn (cl:defun a () b:c) (define-x y) :k #+ccl z:z '|p q|:r)")
    assert [repr(form.items[0]) for form in one.definers] == ["cl:defun", "define-x"]
    assert [atom.text for atom in one.qualified] == ["cl:defun", "b:c", "|p q|:r"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("car", SymbolToken(None, 0, "CAR")),
        (":test", SymbolToken("KEYWORD", 1, "TEST")),
        ("a:b", SymbolToken("A", 1, "B")),
        ("a::|b c|", SymbolToken("A", 2, "b c")),
        ("|a:b|:c\\d", SymbolToken("a:b", 1, "Cd")),
        ("1+", SymbolToken(None, 0, "1+")),
        *((number, None) for number in ("12", "-1.", "1/2", "1.5e3", ".5", "1d0", "...", ".")),
        *((odd, None) for odd in ("a:b:c", "a:::b", "::a", "a:")),
    ],
)
def test_tokens(text: str, expected: SymbolToken | None) -> None:
    assert TOKENS.symbol(text) == expected


@pytest.mark.parametrize("piece", ["(", "'(", "#|", "(#L\n", "\n(#<", '"', "#+(", "|", "(a [\n", "\n(a #/"])
def test_long_unbalanced_text_is_read_in_bounded_time(piece: str) -> None:
    assert len(forms(piece * 20_000)) <= 20_001
