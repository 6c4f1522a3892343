"""Symbols get another name wherever they are read, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.symbols import renamed_symbol
from support.editors.atelier import CLOTH, FILES, NOTES, PACKAGES, SHOP, atelier


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:
        yield index


def after(
    index: Index, old: str, new: str, texts: dict[str, str] | None = None, *, docs: bool = False
) -> dict[str, str]:
    """The texts that a rename changes, by the names of their files."""
    given = {str(atelier() / name): text for name, text in (texts or {}).items()}
    project = ProjectTexts(index, str(atelier()), given)
    plan = renamed_symbol(project, old, new, "ATELIER", docs=docs)
    assert plan.unplaced == []
    return {path.rpartition("/")[2]: edited(plan.texts[path], edits) for path, edits in plan.edits.items()}


def cut_renamed(text: str) -> str:
    """A text with the function CUT called TRIM."""
    return re.sub(r"(?<=[(:' ])cut(?=[ )])|(?<=#')cut|(?<=#:)cut\b", "trim", text)


def test_a_function_is_renamed_everywhere_but_local_names(index: Index) -> None:
    changed = after(index, "cut", "trim")
    shop = cut_renamed(SHOP).replace("(trim 1))\n", "(cut 1))\n").replace("(+ trim length)", "(+ cut length)")
    cloth = cut_renamed(CLOTH).replace("one may trim twice", "one may cut twice")
    assert changed == {"shop.lisp": shop, "cloth.lisp": cloth, "packages.lisp": cut_renamed(PACKAGES)}


def test_comments_and_documentation_change_when_that_is_asked_for(index: Index) -> None:
    changed = after(index, "cut", "trim", docs=True)
    assert "the function TRIM" in changed["cloth.lisp"]
    assert ";; TRIM comes before SEW; one may cut twice." in changed["cloth.lisp"]
    assert changed["notes.md"] == NOTES.replace("`CUT`", "`TRIM`")


@pytest.mark.parametrize(
    ("old", "new", "file", "before", "expected"),
    [
        ("cloth:sew", "stitch", "packages.lisp", '"SEW"', '"STITCH"'),
        ("cloth:sew", "stitch", "cloth.lisp", "(list 'sew *thread*", "(list 'stitch *thread*"),
        ("cloth:*thread*", "*yarn*", "cloth.lisp", "((*thread* nil))", "((*yarn* nil))"),
        ("cloth:with-scissors", "with-blades", "shop.lisp", "(cloth:with-scissors", "(cloth:with-blades"),
        ("cloth:weight", "mass", "cloth.lisp", "#+nil (defmethod weight", "#+nil (defmethod mass"),
        ("button", "knob", "shop.lisp", "(defclass button", "(defclass knob"),
        ("holes", "eyes", "shop.lisp", "(with-slots (holes) button", "(with-slots (eyes) button"),
        ("holes", "eyes", "shop.lisp", "(+ holes (twice holes))", "(+ eyes (twice eyes))"),
        ("|odd name|", "even", "shop.lisp", "(|odd name| 1)", "(even 1)"),
        ("|odd name|", "|even name|", "shop.lisp", "(|odd name| 1)", "(|even name| 1)"),
        ("odd", "été", "shop.lisp", "(defun odd ()", "(defun été ()"),
        ("odd", "1+odd", "shop.lisp", "(defun odd ()", "(defun 1+odd ()"),
    ],
)
def test_each_kind_of_name(index: Index, old: str, new: str, file: str, before: str, expected: str) -> None:
    assert before in FILES[file]
    changed = after(index, old, new)[file]
    assert expected in changed and before not in changed


def test_a_structure_takes_what_it_makes_along(index: Index) -> None:
    changed = after(index, "cloth:bolt", "roll")
    assert ":roll #:roll-p #:make-roll #:roll-length" in changed["packages.lisp"]
    assert "(decf (roll-length bolt) length)" in changed["cloth.lisp"]
    assert "(copy-roll bolt)" in changed["cloth.lisp"] and "((thing roll))" in changed["cloth.lisp"]
    assert "(defstruct roll " in changed["cloth.lisp"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("cut", "coat", "is already in use"),
        ("cut", "weight", "is already in use"),
        ("cut", "car", "is already in use"),
        ("cut", "cut-list", "is already in use"),
        ("cut", "count", "is already in use"),
        ("cut", "length", "is already in use"),
        ("cut", "a:b", "without a package"),
        ("cut", "a b", "must be the name of a symbol"),
        ("cut", "", "must be the name of a symbol"),
        ("cut", "12", "must be the name of a symbol"),
        ("cut", "(x", "must be the name of a symbol"),
        ("car", "first-of", "COMMON-LISP"),
        ("nowhere", "here", "not found"),
        ("cloth:bolt-length", "length-of-bolt", "the structure"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(index: Index, old: str, new: str, why: str) -> None:
    with pytest.raises(RefactorError, match=re.escape(why)):
        after(index, old, new)


def test_what_may_name_it_is_told(index: Index) -> None:
    text = f'{SHOP}(defun late () (funcall (intern "CUT" :atelier.cloth) 1))\n'
    project = ProjectTexts(index, str(atelier()), {str(atelier() / "shop.lisp"): text})
    plan = renamed_symbol(project, "cut", "trim", "ATELIER")
    (place,) = plan.unplaced
    assert (place.line, place.path.rpartition("/")[2]) == (text.count("\n"), "shop.lisp")
    assert "this string is its name" in place.why


def test_a_variable_that_a_macro_takes_from_around_it_is_told(index: Index) -> None:
    plan = renamed_symbol(ProjectTexts(index, str(atelier())), "needle", "pin-cushion", "ATELIER")
    (place,) = plan.unplaced
    assert "with-needle" in place.text and "takes from the code around it" in place.why


def test_a_feature_of_its_name_stays(index: Index) -> None:
    text = f"{SHOP}#+cut (cut 1)\n#-(and cut (not sew)) (cut 2)\n"
    changed = after(index, "cut", "trim", {"shop.lisp": text})["shop.lisp"]
    assert changed.endswith("#+cut (trim 1)\n#-(and cut (not sew)) (trim 2)\n")


def test_a_local_name_stays_where_a_conditional_hides_it(index: Index) -> None:
    text = f"{SHOP}(defun f () (let ((cut 1)) #-sbcl (list cut) #-sbcl (cut 1) #+sbcl (cut cut)))\n"
    changed = after(index, "cut", "trim", {"shop.lisp": text})["shop.lisp"]
    assert "(let ((cut 1)) #-sbcl (list cut) #-sbcl (trim 1) #+sbcl (trim cut))" in changed


TESTS = """
(defpackage #:atelier.tests
  (:use #:cl #:atelier.cloth) (:local-nicknames (#:shop #:atelier)) (:shadow #:weight))
(in-package #:atelier.tests)
(defun weight (x) x)
(defun tested (cut) (list cut (cut 1 :length 2) #'cut 'sew (weight 1) (shop::pieces 1) (shop:coat 1)))
"""


@pytest.mark.parametrize(
    ("old", "new", "before", "expected"),
    [
        ("cut", "trim", "(cut 1 :length 2) #'cut", "(trim 1 :length 2) #'trim"),
        ("atelier.cloth:sew", "stitch", "'sew", "'stitch"),
        ("pieces", "parts", "(shop::pieces", "(shop::parts"),
        ("coat", "cloak", "(shop:coat", "(shop:cloak"),
        ("atelier.cloth:weight", "mass", "", ""),
    ],
)
def test_packages_that_only_the_text_has(
    index: Index, old: str, new: str, before: str, expected: str
) -> None:
    changed = after(index, old, new, {"tests.lisp": TESTS})
    assert changed.get("tests.lisp", TESTS) == TESTS.replace(before, expected)


def test_a_name_in_a_package_that_only_the_text_has_is_not_free(index: Index) -> None:
    with pytest.raises(RefactorError, match=r"tested is already in use at .*tests\.lisp"):
        after(index, "cut", "tested", {"tests.lisp": TESTS})


def test_a_name_that_only_the_new_text_has_is_not_free(index: Index) -> None:
    with pytest.raises(RefactorError, match=r"trim is already in use at .*shop\.lisp:\d+:8"):
        after(index, "cut", "trim", {"shop.lisp": f"{SHOP}(defun trim () 1)\n"})


@pytest.mark.parametrize(
    ("old", "new", "defined", "used"),
    [
        (
            "|Pin|",
            "|Tack|",
            "(defun Tack () (list 'Tack (pin)",
            "(atelier::Tack) (|PIN|)))\n(defun pins () (Tack))",
        ),
        (
            "|Pin|",
            "tack",
            "(defun tack () (list 'tack (pin)",
            "(atelier::tack) (|PIN|)))\n(defun pins () (tack))",
        ),
        ("pin", "tack", "(defun tack () 1)", "(list 'Pin (tack) (atelier::Pin) (tack)))"),
        ("pin", "|tack|", "(defun TACK () 1)", "(list 'Pin (TACK) (atelier::Pin) (TACK)))"),
    ],
)
def test_a_form_is_read_and_written_in_its_own_case(
    index: Index, old: str, new: str, defined: str, used: str
) -> None:
    changed = after(index, old, new)["labels.lisp"]
    assert defined in changed and used in changed
