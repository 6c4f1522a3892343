"""Slots and keyword arguments get another name with all that is made of it, and where they are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.plan import EditPlan
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.members.planned import renamed_member
from oblist.query.refactor.rename.symbols import renamed_symbol
from support.editors.atelier import BOXES, CALLS, GARMENTS, atelier


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:
        yield index


def project_with(index: Index, texts: dict[str, str]) -> ProjectTexts:
    return ProjectTexts(index, str(atelier()), {str(atelier() / name): text for name, text in texts.items()})


def after(plan: EditPlan) -> dict[str, str]:
    """The texts that a plan changes, by the names of their files."""
    return {path.rpartition("/")[2]: edited(plan.texts[path], edits) for path, edits in plan.edits.items()}


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


WIDTH = (
    ("(width &key", "(breadth &key"),
    ("  width (height", "  breadth (height"),
    ("(box-width ", "(box-breadth "),
    ("#'box-width", "#'box-breadth"),
    ("(make-box :width", "(make-box :breadth"),
    ("'width)", "'breadth)"),
)

HIDDEN = "code that a conditional hides may give it the keyword"


def test_a_structures_slot_takes_accessors_and_keywords_along(index: Index) -> None:
    plan = renamed_member(project_with(index, {}), "width", "breadth", "box", "ATELIER")
    calls = replaced(CALLS, ("#S(box :width", "#S(box :breadth"))
    expected = replaced(BOXES, *WIDTH, ("(with-slots (width)", "(with-slots ((width breadth))"))
    assert after(plan) == {"boxes.lisp": expected, "calls.lisp": calls}
    assert plan.unplaced == []
    assert plan.renamed == {
        "width": "breadth",
        "box-width": "box-breadth",
        "crate/width": "crate/breadth",
    }


def test_an_accessor_that_a_structure_makes_takes_the_slot_along(index: Index) -> None:
    plan = renamed_symbol(project_with(index, {}), "box-width", "box-breadth", "ATELIER")
    assert after(plan) == after(renamed_member(project_with(index, {}), "width", "breadth", "box", "ATELIER"))


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        (
            "make-jar",
            "jar-of",
            (
                ("(jar (:conc-name jar-))", "(jar (:conc-name jar-) (:constructor jar-of))"),
                ("(make-jar", "(jar-of"),
            ),
        ),
        ("jar-p", "is-jar", (("(jar (:conc-name jar-))", "(jar (:conc-name jar-) (:predicate is-jar))"),)),
    ],
)
def test_what_a_structure_makes_gets_an_option(
    index: Index, old: str, new: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    plan = renamed_symbol(project_with(index, {}), old, new, "ATELIER")
    assert (after(plan), plan.unplaced) == ({"boxes.lisp": replaced(BOXES, *pairs)}, [])


def test_a_structure_without_options_gets_one(index: Index) -> None:
    plan = renamed_symbol(project_with(index, {}), "atelier.cloth:make-bolt", "unroll", "ATELIER")
    assert "(defstruct (bolt (:constructor unroll)) (length 0) colour)" in after(plan)["cloth.lisp"]
    assert "#:unroll" in after(plan)["packages.lisp"] and plan.unplaced == []


def test_the_symbol_of_a_slot_takes_all_that_is_made_of_it_along(index: Index) -> None:
    plan = renamed_symbol(project_with(index, {}), "width", "breadth", "ATELIER")
    calls = replaced(CALLS, ("#S(box :width", "#S(box :breadth"))
    slots = ("(with-slots (width)", "(with-slots (breadth)"), ("setf width", "setf breadth")
    expected = replaced(BOXES, *WIDTH, *slots)
    assert after(plan) == {"boxes.lisp": expected, "calls.lisp": calls}
    assert plan.unplaced == []


def test_structures_that_include_it_follow(index: Index) -> None:
    plan = renamed_member(project_with(index, {}), "height", "depth", "box", "ATELIER")
    expected = replaced(
        BOXES,
        ("(height 1) &aux", "((:height depth) 1) &aux"),
        ("  width (height 1)", "  width (depth 1)"),
        ("(:include box (height 2))", "(:include box (depth 2))"),
        ("(box-height box)", "(box-depth box)"),
        ("(make-box :width 1 :height", "(make-box :width 1 :depth"),
        ("(make-crate :height", "(make-crate :depth"),
        ("crate/height", "crate/depth"),
    )
    calls = replaced(CALLS, ("#S(box :width 1 :height", "#S(box :width 1 :depth"))
    assert (after(plan), plan.unplaced) == ({"boxes.lisp": expected, "calls.lisp": calls}, [])


def test_a_method_tells_of_which_class_an_instance_is(index: Index) -> None:
    plan = renamed_member(project_with(index, {}), "hue", "tint", "garment", "ATELIER")
    expected = replaced(
        GARMENTS,
        ("(hue :initarg :hue)))\n(defclass dress", "(tint :initarg :hue)))\n(defclass dress"),
        ("(slot-value garment 'hue)", "(slot-value garment 'tint)"),
        ("(with-slots (hue) dress", "(with-slots ((hue tint)) dress"),
    )
    assert (after(plan), plan.unplaced) == ({"garments.lisp": expected}, [])


def test_a_place_that_may_be_the_slot_of_another_class_is_told(index: Index) -> None:
    text = f"""{BOXES}(defun how-high (x) (slot-value x 'height))
(defun of (x slot) (slot-value x slot))
(defvar *slots* '(width height))
"""
    plan = renamed_member(project_with(index, {"boxes.lisp": text}), "height", "depth", "box", "ATELIER")
    last = text.count("\n")
    assert [(one.line, one.why) for one in plan.unplaced] == [
        (last - 2, "it may be the slot of another class: rename the symbol to change both"),
        (last, "it may be the name of the slot"),
    ]


@pytest.mark.parametrize(
    ("function", "old", "new", "pairs"),
    [
        (
            "paint",
            ":side",
            ":face",
            (
                ("(:side t)", "(:face t)"),
                ("&key side (count", "&key face (count"),
                ("(ignorable side)", "(ignorable face)"),
                ("(list box side", "(list box face"),
                ("(paint ,box :side", "(paint ,box :face"),
                (":count 1 :side :side", ":count 1 :face :side"),
                ("'(:side 1)", "'(:face 1)"),
            ),
        ),
        (
            "paint",
            ":count",
            ":times",
            (
                ("(:count t)", "(:times t)"),
                ("(count 1 countp)", "(times 1 countp)"),
                ("side count countp", "side times countp"),
                (":count 1 :side", ":times 1 :side"),
            ),
        ),
        (
            "paint",
            ":count",
            ":countp",
            (
                ("(:count t)", "(:countp t)"),
                ("(count 1 countp)", "((:countp count) 1 countp)"),
                (":count 1 :side", ":countp 1 :side"),
            ),
        ),
        (
            "with-paint",
            ":side",
            ":face",
            (
                ("(box &key side) `", "(box &key face) `"),
                (":side ,side", ":side ,face"),
                ("(with-paint box :side", "(with-paint box :face"),
            ),
        ),
        (
            "stack",
            ":onto",
            ":below",
            (
                ("(box &key onto)\n", "(box &key below)\n"),
                ("(onto nil)) (list box onto)", "(below nil)) (list box below)"),
                ("((:onto floor) nil)", "((:below floor) nil)"),
                ("((box jar) &key onto)", "((box jar) &key ((:below onto)))"),
                ("box :onto", "box :below"),
            ),
        ),
    ],
)
def test_a_keyword_argument(
    index: Index, function: str, old: str, new: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    plan = renamed_member(project_with(index, {}), old, new, function, "ATELIER")
    assert (after(plan), plan.unplaced) == ({"calls.lisp": replaced(CALLS, *pairs)}, [])


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("(defun later (&rest all) (apply #'paint 1 all))", "the keyword may be passed to it here"),
        ("(defmacro later (&rest all) `(paint 1 ,@all))", "the keyword may be passed to it here"),
        ("(defmacro later (key) `(paint 1 ,key 2))", "the keyword may be passed to it here"),
        ("(defun later (f) (funcall f 1 :side 2))", "the keyword may be passed to it here"),
        ("(later (paint :side 2))", "the keyword may be passed to it here"),
        ("#-sbcl (paint 1 #+sbcl :side 2)", HIDDEN),
        ("(paint 1 #+(or) :count #+(and oblist-unknown) :side 2)", "the keyword may be passed to it here"),
    ],
)
def test_where_it_may_be_given_is_told(index: Index, form: str, why: str) -> None:
    text = f"{CALLS}(defvar *painter* #'paint)\n{form}\n"
    plan = renamed_member(project_with(index, {"calls.lisp": text}), ":side", ":face", "paint", "ATELIER")
    assert [(one.line, one.why) for one in plan.unplaced] == [(text.count("\n"), why)]


@pytest.mark.parametrize(
    ("owner", "old", "new", "why"),
    [
        ("paint", ":hue", ":tone", "no keyword argument :hue; it takes :count, :side"),
        ("paint", ":side", ":count", "already takes a keyword argument :count"),
        ("cut-nowhere", ":side", ":count", "not found"),
        ("cl:find", ":key", ":by", "COMMON-LISP"),
        ("box", "depth", "size", "no slot depth of its own; it has width, height, colour"),
        ("box", "width", "colour", "box has a slot of that name"),
        ("box", "width", "lid", "crate has a slot of that name"),
        ("paint", "width", "lid", "paint has no slot width of its own"),
    ],
)
def test_what_cannot_be_is_refused(index: Index, owner: str, old: str, new: str, why: str) -> None:
    with pytest.raises(RefactorError, match=re.escape(why)):
        renamed_member(project_with(index, {}), old, new, owner, "ATELIER")


def test_an_initarg(index: Index) -> None:
    plan = renamed_member(project_with(index, {}), ":size", ":girth", "garment", "ATELIER")
    expected = replaced(
        GARMENTS,
        ("((size :initarg :size", "((size :initarg :girth"),
        (":default-initargs :size", ":default-initargs :girth"),
        ("&key (size 38)", "&key (girth 38)"),
        ("garment :size (1+ size)", "garment :girth (1+ girth)"),
        ("'garment :size", "'garment :girth"),
        ("'dress :size", "'dress :girth"),
    )
    assert (after(plan), plan.unplaced) == ({"garments.lisp": expected}, [])


@pytest.mark.parametrize(
    "form",
    [
        "(defun made (class) (make-instance class :size 1))",
        "(defun made (all) (apply #'make-instance 'dress all))",
        "(defun made (dress) (reinitialize-instance dress :size 1))",
        "(defmacro made (&rest all) `(make-instance 'dress ,@all))",
    ],
)
def test_where_an_initarg_may_be_given_is_told(index: Index, form: str) -> None:
    text = f"{GARMENTS}{form}\n"
    project = project_with(index, {"garments.lisp": text})
    plan = renamed_member(project, ":size", ":girth", "garment", "ATELIER")
    assert [one.line for one in plan.unplaced] == [text.count("\n")]


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (":hue", "garment already takes an initarg :hue"),
        (":fit", "already takes an initarg :fit"),
    ],
)
def test_an_initarg_that_is_taken(index: Index, new: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        renamed_member(project_with(index, {}), ":size", new, "garment", "ATELIER")


def test_a_constructor_takes_the_slot_along(index: Index) -> None:
    plan = renamed_member(project_with(index, {}), ":width", ":breadth", "make-box", "ATELIER")
    assert after(plan) == after(renamed_member(project_with(index, {}), "width", "breadth", "box", "ATELIER"))
