"""A definition moves where all that it needs is there, and where it is there for all that needs it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.moving.moved import moved_definition
from oblist.query.refactor.project.texts import ProjectTexts
from support.editors.bazaar import LATE, SHOP, TOOLS, bazaar


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(bazaar() / ".oblist" / "oblist.db") as index:
        yield index


def after(index: Index, name: str, target: str, **texts: str) -> dict[str, str]:
    """The texts that a move changes, by the names of their files."""
    given = {str(bazaar() / f"{file}.lisp"): text for file, text in texts.items()}
    project = ProjectTexts(index, str(bazaar()), given)
    plan = moved_definition(project, name, "BAZAAR", str(bazaar() / target))
    return {path.rpartition("/")[2]: edited(plan.texts[path], edits) for path, edits in plan.edits.items()}


def test_a_function_moves_with_its_comment_into_its_package(index: Index) -> None:
    moved = ";; How a door is shut here.\n(defun shut (x) (bazaar.tools:shut x))"
    entered = f"\n\n(in-package #:bazaar)\n\n{moved}\n\n(in-package #:bazaar.late)\n"
    assert after(index, "bazaar::shut", "late.lisp") == {
        "shop.lisp": SHOP.replace(f"{moved}\n\n", ""),
        "late.lisp": f"{LATE.rstrip()}{entered}",
    }
    late = f"(in-package #:bazaar)\n(defun first-one () 1) ; the first\n\n{LATE}"
    assert (
        f"; the first\n\n{moved}\n\n(in-package" in after(index, "shut", "late.lisp", late=late)["late.lisp"]
    )


def test_a_function_moves_to_where_it_is_loaded_earlier(index: Index) -> None:
    changed = after(index, "bazaar::tally", "tools.lisp")
    assert "(in-package #:bazaar)\n\n(defun tally (x)" in changed["tools.lisp"]
    assert "tally" not in changed["shop.lisp"]


@pytest.mark.parametrize(
    ("name", "target", "why"),
    [
        ("bazaar:total", "tools.lisp", r"the definition needs the one at .*shop\.lisp:6, loaded after"),
        (
            "bazaar::with-total",
            "late.lisp",
            r"shop\.lisp:9, which is loaded before .*, may need the definition",
        ),
        (
            "bazaar.tools:*door*",
            "shop.lisp",
            r"tools\.lisp:3, which is loaded before .*, may need the definition",
        ),
        ("bazaar:total", "shop.lisp", "is already in .*shop.lisp"),
        ("bazaar:total", "bazaar.asd", "are not files of the same system"),
        ("bazaar::totally", "late.lisp", "not found"),
        ("car", "late.lisp", "is not defined in a file that a system"),
    ],
)
def test_what_is_needed_before_or_needs_more_stays(index: Index, name: str, target: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        after(index, name, target)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(defvar *all* (total '()))", r"shop\.lisp:14, which is loaded before .*, may need the definition"),
        (
            "(defun all () (total '()))\n(defvar *all* (all))",
            r"shop\.lisp:15, which is loaded before .*, may need the definition",
        ),
        (
            "(defmacro all () (total '()))\n(defun every-one () (all))",
            r"shop\.lisp:14, which is loaded before .*, may need the definition",
        ),
        ("(declaim (inline total))", r"shop\.lisp:14 is a proclamation about the name"),
        ("(setf *readtable* (copy-readtable))", "may change how the definition is read"),
        ("(declaim (optimize speed))", "are compiled with different policies"),
    ],
)
def test_what_runs_before_keeps_a_function_from_moving_later(index: Index, text: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        after(index, "bazaar:total", "late.lisp", shop=f"{SHOP}\n{text}\n")


def test_a_function_that_only_functions_call_moves_later(index: Index) -> None:
    shop = f"{SHOP}\n(defun all () (total '()))\n"
    assert "(defun total (wares)" in after(index, "bazaar:total", "late.lisp", shop=shop)["late.lisp"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("(defun spare", "#+sbcl\n(defun spare", "a conditional"),
        ("(defun spare () 1)", "(defun spare () #.(+ 1 1))", "is computed at read time"),
        ("(defun spare () 1)\n", "(defun spare () 1) ", "shares a line"),
        ("(defun spare () 1)", "(defun spare () *load-truename*)", "depends on which file it is in"),
    ],
)
def test_what_is_bound_to_its_place_stays(index: Index, old: str, new: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        after(index, "bazaar.tools:spare", "late.lisp", tools=TOOLS.replace(old, new))


def test_one_of_several_forms_is_given_by_its_place(index: Index) -> None:
    shop = f"{SHOP}(defgeneric worth (x))\n(defmethod worth ((x string)) 1)\n"
    path = bazaar() / "shop.lisp"
    changed = after(index, f"{path}:14", "late.lisp", shop=shop)
    assert "(defmethod worth ((x string)) 1)" in changed["late.lisp"]
    with pytest.raises(RefactorError, match="there is no definition at"):
        after(index, f"{path}:99", "late.lisp")
