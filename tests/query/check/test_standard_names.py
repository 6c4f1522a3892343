"""Operators that matter to what a text means are recognized by symbol, not by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.query.check.findings import SourceFinding
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings

HIDING = "(defpackage :hiding (:use :cl) (:shadow #:in-package #:defpackage #:export #:progn))\n"
BARE = "(defpackage :bare (:use))\n"
SHOP = "(defpackage :shop (:use :cl) (:export #:price))\n(in-package :shop)\n(defun price () 1)\n"
# In the package HIDING: text, and the findings on it, with the line that they are on.
HIDDEN = [
    ("(in-package :shop)\n(cl:defun here () 1)\n(cl:defun f () (hiding::here))", []),
    ("(in-package :shop)\n(cl:defun f () (price))", [(2, "undefined-function")]),
    (
        "(cl:in-package :shop)\n(defun here () 1)\n(defun f () (shop::here) (car))",
        [(3, "wrong-number-of-arguments")],
    ),
    ("(cl:progn (cl:in-package :shop))\n(defun here () 1)\n(defun f () (shop::here))", []),
    ("(progn (cl:in-package :shop))\n(cl:defun here () 1)\n(cl:defun f () (hiding::here))", []),
    ("(defpackage :made (:export #:f))\n(cl:defun f () (made:f))", [(2, "unknown-package")]),
    ("(cl:defpackage :made (:export #:f))\n(cl:defun made:f () (made:f))", []),
    ("(export 'shown)\n(cl:defun shown () (hiding:shown))", [(2, "not-external")]),
    ("(cl:export 'shown)\n(cl:defun shown () (hiding:shown))", []),
]
MACROS = """
(in-package :hiding)
(cl:defmacro in-package (name) `(cl:quote ,name))
(cl:defmacro defpackage (name cl:&rest options) `(cl:quote (,name ,@options)))
(cl:defmacro progn (cl:&rest forms) `(cl:quote ,forms))
(cl:defun export (symbol) symbol)
"""


def checked(index: Path, folder: Path, files: dict[str, str]) -> list[SourceFinding]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    found = Check(index, Settings(folder), 1, lambda *_: None).run([str(folder)]).findings
    return [one for one in found if one.severity != "info"]


@pytest.mark.parametrize(("text", "findings"), HIDDEN)
@pytest.mark.parametrize("apart", [False, True])
def test_a_package_that_shadows_an_operator_has_another_one(
    bare_index: Path, tmp_path: Path, text: str, findings: list[tuple[int, str]], apart: bool
) -> None:
    head = MACROS if apart else HIDING + MACROS
    files = {"shop.lisp": SHOP, "a.lisp": head + text, **({"b.lisp": HIDING} if apart else {})}
    found = checked(bare_index, tmp_path, files)
    lines = head.count("\n")
    assert [(one.line - lines, one.rule) for one in found] == findings


def test_a_package_that_does_not_use_the_standard_has_its_own_symbols(
    bare_index: Path, tmp_path: Path
) -> None:
    head = f"{BARE}(in-package :bare)\n(cl:defmacro in-package (name) `(cl:quote ,name))\n"
    text = (
        f"{head}(in-package :shop)\n(cl:defun here () 1)\n(cl:in-package :shop)\n(defun f () (bare::here))\n"
    )
    assert checked(bare_index, tmp_path, {"shop.lisp": SHOP, "bare.lisp": text}) == []


@pytest.mark.parametrize(
    "package",
    [
        "(uiop:define-package :made (:export #:f))",
        "(uiop:define-package :made (:mix :uiop))",
        "(make-package :made :use '(:cl))",
        "(defpackage :made (:use :again))\n(defpackage :again (:use :cl) (:import-from :cl #:car) "
        "(:export #:in-package #:defun #:car))",
    ],
)
def test_packages_get_the_standards_symbols_in_other_ways(
    systems_index: Path, tmp_path: Path, package: str
) -> None:
    text = f"{package}\n(in-package :made)\n(defun f () (car))\n(in-package :shop)\n(defun g () (made::f))\n"
    found = checked(systems_index, tmp_path, {"shop.lisp": SHOP, "made.lisp": text})
    assert [one.rule for one in found] == ["wrong-number-of-arguments"]
