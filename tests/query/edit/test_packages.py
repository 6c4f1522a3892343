"""Names come into the form of a package and go out of it, in its own style."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oblist.indexer.names import written_name
from oblist.query.edit.changes import Edit, edited
from oblist.query.edit.forms.packages import PackageForm
from oblist.query.syntax.features import Features
from oblist.query.syntax.nodes import Form
from oblist.query.syntax.reader import read
from oblist.query.syntax.tokens import Tokens

TOKENS = Tokens(str.upper)
FORM = """\
(defpackage #:shop
  (:use #:cl)
  (:import-from #:tools #:flatten
                #:hat) ; two
  (:export #:total
           #:price))"""


def after(text: str, change: Callable[[PackageForm], Edit | list[Edit] | None]) -> str:
    """The text after a change of its form."""
    (toplevel,) = read(text, Features("SBCL", TOKENS))
    assert isinstance(toplevel.node, Form)
    form = PackageForm(text, 0, toplevel.node, TOKENS, lambda name: written_name(name, str.upper))
    edits = change(form)
    return edited(text, edits if isinstance(edits, list) else [edits] if edits else [])


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (lambda form: form.exporting("CART"), "#:price)", "#:price\n           #:cart)"),
        (lambda form: form.exporting("PRICE"), "", ""),
        (lambda form: form.exporting("Odd name"), "#:price)", "#:price\n           #:|Odd name|)"),
        (lambda form: form.importing("FOO", "TOOLS"), "#:hat)", "#:hat\n                #:foo)"),
        (lambda form: form.importing("HAT", "OTHER"), "", ""),
        (
            lambda form: form.importing("FOO", "OTHER"),
            "#:price))",
            "#:price)\n  (:import-from #:other #:foo))",
        ),
        (lambda form: form.using("TOOLS"), "#:cl)", "#:cl #:tools)"),
        (
            lambda form: form.nicknaming("T", "TOOLS"),
            "#:price))",
            "#:price)\n  (:local-nicknames (#:t #:tools)))",
        ),
        (lambda form: form.not_exporting("TOTAL"), " #:total\n  ", "\n  "),
        (lambda form: form.not_importing("FLATTEN"), " #:flatten\n", "\n"),
        (lambda form: form.not_importing("HAT"), "\n                #:hat", ""),
        (lambda form: form.sorting(()), "total\n           #:price", "price\n           #:total"),
    ],
)
def test_each_change(change: Callable[[PackageForm], Edit | list[Edit] | None], old: str, new: str) -> None:
    expected = FORM.replace(old, new, 1) if old else FORM
    assert after(FORM, change) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(defpackage "A" (:export "B"))', '(defpackage "A" (:export "B" "CART"))'),
        ("(defpackage :a (:use :cl))", "(defpackage :a (:use :cl)\n               (:export :cart))"),
        ("(defpackage a)", "(defpackage a\n  (:export cart))"),
        ("(defpackage :a (:export))", "(defpackage :a (:export :cart))"),
        ("(defpackage :a (:export :b #+ccl :c))", "(defpackage :a (:export :b :cart #+ccl :c))"),
        ("(defpackage :a (:export :b ; b\n))", "(defpackage :a (:export :b :cart ; b\n))"),
    ],
)
def test_new_names_are_written_as_the_others_are(text: str, expected: str) -> None:
    assert after(text, lambda form: form.exporting("CART")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "(defpackage :a (:export :b #+sbcl :c :d))",
        "(defpackage :a (:export :b ; the first\n :c))",
        "(defpackage :a (:export :b #| one |# :c))",
    ],
)
def test_what_a_comment_or_condition_is_about_stays(text: str) -> None:
    assert after(text, lambda form: form.not_exporting("C")) == text
    assert after(text, lambda form: form.sorting(())) == text


def test_sorting_leaves_imports_out() -> None:
    text = "(defpackage :a\n  (:import-from :tools :hat :flatten\n                :cat))"
    expected = "(defpackage :a\n  (:import-from :tools :cat :hat))"
    assert after(text, lambda form: form.sorting(("FLATTEN",))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "(defpackage :a (:use :cl :b))",
            "(defpackage :a (:use :cl)\n               (:import-from :b :x :y))",
        ),
        ("(defpackage :a\n  (:use :b))", "(defpackage :a\n  (:use)\n  (:import-from :b :x :y))"),
        (
            "(defpackage :a\n  (:use :cl :b)\n  (:import-from :b :x))",
            "(defpackage :a\n  (:use :cl)\n  (:import-from :b :y)\n  (:import-from :b :x))",
        ),
        ("(defpackage :a (:use :cl #+sbcl :b))", "(defpackage :a (:use :cl #+sbcl :b))"),
        ("(defpackage :a #+sbcl (:use :cl :b))", "(defpackage :a #+sbcl (:use :cl :b))"),
    ],
)
def test_names_are_imported_instead_of_using_a_package(text: str, expected: str) -> None:
    assert after(text, lambda form: form.importing_instead("B", ["X", "Y"], "B")) == expected


def test_a_package_that_is_a_file_stays_named() -> None:
    text = "(defpackage :a\n  (:use :cl :b/c))"
    expected = "(defpackage :a\n  (:use :cl)\n  (:import-from :b/c))"
    assert after(text, lambda form: form.importing_instead("B/C", [], "B/C")) == expected


def test_what_only_some_lisps_read_takes_no_names() -> None:
    text = "(defpackage :a\n  #+sbcl (:import-from :b :x))"
    expected = "(defpackage :a\n  #+sbcl (:import-from :b :x)\n         (:import-from :b :y))"
    assert after(text, lambda form: form.importing("Y", "B")) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" (:local-nicknames (:x :b))", ""),
        (" (:local-nicknames (:x :b) (:y :c))", " (:local-nicknames (:y :c))"),
        (" (:local-nicknames (:y :c) #+sbcl (:x :b))", " (:local-nicknames (:y :c) #+sbcl (:x :b))"),
    ],
)
def test_a_nickname_goes(old: str, new: str) -> None:
    assert after(f"(defpackage :a{old})", lambda form: form.not_nicknaming("X")) == f"(defpackage :a{new})"


def test_several_names_go_with_their_clause() -> None:
    text = "(defpackage :a\n  (:import-from :b :x :y)\n  (:export :z))"
    assert after(text, lambda form: form.not_importing("X", "Y")) == "(defpackage :a\n  (:export :z))"


def test_a_clause_without_names_goes_unless_it_names_a_file() -> None:
    text = "(defpackage :a/b\n  (:import-from :tools :hat)\n  (:import-from :a/c :cat)\n  (:export :x))"
    expected = "(defpackage :a/b\n  (:import-from :a/c)\n  (:export :x))"
    assert after(text, lambda form: form.sorting(("HAT", "CAT"))) == expected
    assert "tools" not in after(text, lambda form: form.not_importing("HAT"))
