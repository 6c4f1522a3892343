"""Forms are replaced, deleted and put beside others, as the files have them, and nothing else is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.questions.definition.digest import form_digest
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.forms.folded import folded
from oblist.query.refactor.forms.planned import FormEdit, form_edit
from oblist.query.refactor.project.texts import ProjectTexts
from support.builds.tested_version import since
from support.editors.atelier import CLOTH, PACKAGES, atelier

IN = "(in-package #:atelier)\n"
FOUR = f"""\
{IN}
;; The first.
(defun one () 1)

#+sbcl
(defun two () 2) ; and no more

(eval-when (:load-toplevel :execute)
  (defun three () 3)

  ;; The last.
  (defun four () 4))
"""


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:
        yield index


def planned(
    index: Index, text: str, name: str, form: str, operation: str = "replace", new: str | None = None
) -> FormEdit:
    """The edit of a form in a file with a text."""
    path = str(atelier() / "shop.lisp")
    assert form in text
    project = ProjectTexts(index, str(atelier()), {path: text})
    return form_edit(project, name, "ATELIER", operation, form_digest("shop.lisp", form), new)


def after(
    index: Index, text: str, name: str, form: str, operation: str = "replace", new: str | None = None
) -> str:
    """The text after an edit of one of its forms."""
    edit = planned(index, text, name, form, operation, new)
    ((path, edits),) = edit.plan.edits.items()
    return edited(edit.plan.texts[path], edits)


ONE, TWO, THREE, FOURTH = "(defun one () 1)", "(defun two () 2)", "(defun three () 3)", "(defun four () 4)"


@pytest.mark.parametrize(
    ("name", "form", "operation", "new", "before", "expected"),
    [
        ("one", ONE, "replace", "\n(defun one () 11)\n", ONE, "(defun one () 11)"),
        ("one", ONE, "before", "(defun a () 0)", ";; The first", "(defun a () 0)\n\n;; The first"),
        ("two", TWO, "before", "(defvar *a* 1)", "#+sbcl", "(defvar *a* 1)\n\n#+sbcl"),
        ("one", ONE, "after", "(defvar *a* 1)", ONE, f"{ONE}\n\n(defvar *a* 1)"),
        ("two", TWO, "after", "(defvar *a* 1)", "no more\n", "no more\n\n(defvar *a* 1)\n"),
        ("three", THREE, "after", "(defun a () 1)", THREE, f"{THREE}\n\n  (defun a () 1)"),
        ("three", THREE, "before", "(defun a () 1)", THREE, f"(defun a () 1)\n\n  {THREE}"),
        ("four", FOURTH, "before", "(defun a () 1)", "  ;; The last", "  (defun a () 1)\n\n  ;; The last"),
        ("four", FOURTH, "replace", "(defun four ()\n    5)", FOURTH, "(defun four ()\n    5)"),
        ("one", ONE, "delete", None, f";; The first.\n{ONE}\n\n", ""),
        ("two", TWO, "delete", None, f"#+sbcl\n{TWO} ; and no more\n\n", ""),
        ("three", THREE, "delete", None, f"  {THREE}\n\n", ""),
        ("four", FOURTH, "delete", None, f"{THREE}\n\n  ;; The last.\n  {FOURTH})", f"{THREE})"),
    ],
)
def test_each_operation(
    index: Index, name: str, form: str, operation: str, new: str | None, before: str, expected: str
) -> None:
    assert FOUR.count(before) == 1
    assert after(index, FOUR, name, form, operation, new) == FOUR.replace(before, expected)


def test_what_is_deleted_can_be_put_back(index: Index) -> None:
    text = f"{IN}\n{ONE}\n\n{TWO}\n\n{THREE}\n"
    for name, form, beside, where, operation in (
        ("one", ONE, TWO, "two", "before"),
        ("two", TWO, THREE, "three", "before"),
        ("two", TWO, ONE, "one", "after"),
        ("three", THREE, TWO, "two", "after"),
    ):
        without = after(index, text, name, form, "delete")
        assert form not in without
        assert after(index, without, where, beside, operation, form) == text


@pytest.mark.parametrize("gaps", [(1, 1), (2, 3), (3, 2), (1, 4), (4, 1)])
def test_the_gaps_between_forms_stay_what_they_are(index: Index, gaps: tuple[int, int]) -> None:
    above, below = ("\n" * one for one in gaps)
    text = f"{IN}\n{ONE}{above}{TWO}{below}{THREE}\n"
    for operation, expected in (
        ("before", f"{ONE}{above}(defvar *a* 1){above}{TWO}{below}{THREE}"),
        ("after", f"{ONE}{above}{TWO}{below}(defvar *a* 1){below}{THREE}"),
    ):
        added = after(index, text, "two", TWO, operation, "(defvar *a* 1)")
        assert added == f"{IN}\n{expected}\n"
        assert after(index, added, "*a*", "(defvar *a* 1)", "delete") == text
    wider = max(above, below)
    assert after(index, text, "two", TWO, "delete") == f"{IN}\n{ONE}{wider}{THREE}\n"


def test_white_space_and_conditionals_of_others_stay_what_they_are(index: Index) -> None:
    text = f"{IN}\n#+sbcl {ONE}\n    \n{TWO}\n\t\n{THREE}\n"
    for operation in ("before", "after"):
        for name, form in (("one", ONE), ("two", TWO)):
            added = after(index, text, name, form, operation, "(defvar *a* 1)")
            assert "\n(defvar *a* 1)\n" in added
            assert after(index, added, "*a*", "(defvar *a* 1)", "delete") == text


def test_a_comment_is_of_the_form_only_if_it_is_one_and_above(index: Index) -> None:
    texts = f'{IN}(defvar *text* "a\n; b")\n{ONE}\n'
    assert after(index, texts, "one", ONE, "delete") == texts.replace(f"{ONE}\n", "")
    beside = f"{IN}{TWO} ; of two\n{ONE}\n"
    assert after(index, beside, "one", ONE, "before", "(defvar *a* 1)") == beside.replace(
        ONE, f"(defvar *a* 1)\n{ONE}"
    )


def test_a_package_is_edited_by_its_name(index: Index) -> None:
    project = ProjectTexts(index, str(atelier()))
    form = PACKAGES[: PACKAGES.index("(defpackage #:atelier\n")].rstrip()
    edit = form_edit(
        project, "atelier.cloth", "CL-USER", "replace", form_digest("packages.lisp", form), f"{form} ; all"
    )
    assert edit.place == "packages.lisp:1" and edit.judgement.findings == []


def test_a_comment_at_the_top_is_not_of_the_first_form(index: Index) -> None:
    text = f";; All of it.\n{IN}{ONE}\n"
    assert after(index, text, "one", ONE, "delete") == f";; All of it.\n{IN}"
    headed = f"{IN}\n;;;; Numbers\n;;; First.\n{ONE}\n"
    assert after(index, headed, "one", ONE, "delete") == f"{IN}\n;;;; Numbers\n"
    alone = f";; About one.\n{ONE}\n"
    assert after(index, alone, "cl-user::one", ONE, "delete") == ";; About one.\n"


def test_line_ends_stay_what_they_are(index: Index) -> None:
    text = FOUR.replace("\n", "\r\n")
    new = after(index, text, "one", ONE, "replace", "(defun one ()\n  11)")
    assert new == text.replace(ONE, "(defun one ()\r\n  11)")
    added = after(index, text, "two", TWO, "after", "(defvar *a* 1)")
    assert added == text.replace("no more\r\n", "no more\r\n\r\n(defvar *a* 1)\r\n")


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("(defun one () 1", "is not closed"),
        ("(defun one () 1))", "no opening parenthesis|closes nothing|unmatched|parenthesis"),
        ('(defun one () "1)', "is not closed"),
        ("(defun one () 1) #| more", "is not closed"),
        ("(defun one () 1) #+sbcl", "is not closed|complete forms|last form"),
        ("(defun one () 1) '", "complete forms|last form"),
        (";; nothing", "contains no form"),
        ("#+(or) (defun one () 1)", "does not define one"),
        ("(defun uno () 1)", "does not define one.*rename_symbol"),
        ("(defvar *one* 1)", "does not define one"),
        (None, "text is missing"),
        ("  \n", "text is missing"),
    ],
)
def test_a_text_that_cannot_be_is_refused(index: Index, new: str | None, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        after(index, FOUR, "one", ONE, "replace", new)


def test_a_comment_may_not_swallow_what_follows(index: Index) -> None:
    with pytest.raises(RefactorError, match="must end with its last form"):
        after(index, FOUR, "four", FOURTH, "replace", "(defun four () 4) ; four")
    assert "(defun one () 1) ; one\n" in after(index, FOUR, "one", ONE, "replace", f"{ONE} ; one")


def test_deleting_takes_no_text(index: Index) -> None:
    with pytest.raises(RefactorError, match="takes no text"):
        after(index, FOUR, "one", ONE, "delete", "(defun one () 2)")


def test_the_new_text_is_judged_where_it_will_be(index: Index) -> None:
    edit = planned(index, FOUR, "one", ONE, "replace", "(defun one ()\n  (list (twoo) (three 1)))")
    told = {(one.line, one.rule): one.message for one in edit.judgement.findings}
    assert re.search("did you mean two", told[2, "undefined-function"])
    assert (2, "wrong-number-of-arguments") in told
    fine = planned(index, FOUR, "one", ONE, "replace", "(defun one () (list (two) (three)))")
    assert fine.judgement.findings == [] and fine.judgement.elsewhere == []
    assert fine.digest == form_digest("shop.lisp", "(defun one () (list (two) (three)))")


def test_what_was_found_before_does_not_refuse_an_edit(index: Index) -> None:
    wrong = "(defun one () (no-such-thing))"
    text = FOUR.replace(ONE, wrong)
    edit = planned(index, text, "one", wrong, "replace", "(defun one () (list (no-such-thing) 1))")
    assert edit.judgement.findings == []
    worse = planned(index, text, "one", wrong, "replace", "(defun one () (no-such-thing) (no-such-thing))")
    assert len(worse.judgement.findings) == 1


def test_what_it_leads_to_in_the_rest_of_the_file_is_told(index: Index) -> None:
    text = f"{FOUR}(defun five () (one))\n"
    edit = planned(index, text, "one", ONE, "replace", "(defun one (x) x)")
    assert edit.judgement.findings == []
    ((rule, line),) = [(one.rule, one.line) for one in edit.judgement.elsewhere]
    assert (rule, line) == ("wrong-number-of-arguments", text.count("\n"))


CUT = CLOTH[CLOTH.index("(defun cut (bolt") : CLOTH.index("\n\n(defun (setf cut)")]


@pytest.mark.parametrize("name", ["cut", "cloth:cut", "atelier.cloth:cut", "(function atelier.cloth:cut)"])
def test_names_are_those_of_answers(index: Index, name: str) -> None:
    project = ProjectTexts(index, str(atelier()))
    edit = form_edit(project, name, "ATELIER", "delete", form_digest("cloth.lisp", CUT), None)
    assert edit.place == "cloth.lisp:8" and edit.digest is None


def test_the_digest_chooses_among_the_definitions_of_a_name(index: Index) -> None:
    project = ProjectTexts(index, str(atelier()))
    for name, form in (
        ("cut", "(defun (setf cut) (new bolt) (setf (bolt-length bolt) new))"),
        ("(setf cut)", "(defun (setf cut) (new bolt) (setf (bolt-length bolt) new))"),
        ("(method weight (bolt))", "(defmethod weight ((thing bolt)) (* 2 (bolt-length thing)))"),
        ("weight", "(defgeneric weight (thing))"),
        ("(class button)", "(defclass button () ((holes :initarg :holes :accessor holes)))"),
    ):
        file = "shop.lisp" if "button" in name else "cloth.lisp"
        edit = form_edit(project, name, "ATELIER", "delete", form_digest(file, form), None)
        path = str(atelier() / file)
        ((start, end, _),) = edit.plan.edits[path]
        assert form in edit.plan.texts[path][start:end], name


def test_a_setf_function_is_not_replaced_by_a_function(index: Index) -> None:
    form = "(defun (setf cut) (new bolt) (setf (bolt-length bolt) new))"
    project, digest = ProjectTexts(index, str(atelier())), form_digest("cloth.lisp", form)
    with pytest.raises(RefactorError, match="does not define cut"):
        form_edit(project, "(setf cut)", "ATELIER", "replace", digest, "(defun cut (bolt) bolt)")
    assert form_edit(project, "(setf cut)", "ATELIER", "replace", digest, form.replace("new", "to")).digest


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing-at-all", "not found"),
        ("car", "outside"),
        # SBCL 2.0 says that an accessor is the whole structure, not the slot.
        *([("cloth:bolt-length", "is made by the form at cloth.lisp:6")] if since("2.2") else []),
        (
            "cut",
            r"none of its definitions has the digest 0000000000(.|\n)*;;; cloth.lisp:8, digest [0-9a-f]+\n",
        ),
        ("odd", "its definition does not have the digest 0000000000"),
    ],
)
def test_what_is_not_there_is_refused(index: Index, name: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        form_edit(ProjectTexts(index, str(atelier())), name, "ATELIER", "delete", "0" * 10, None)


def test_the_same_text_twice_is_refused(index: Index) -> None:
    with pytest.raises(RefactorError, match=r"by identical text at shop\.lisp:2, shop\.lisp:3"):
        after(index, f"{IN}{ONE}\n{ONE}\n", "one", ONE, "delete")


def test_a_file_is_folded_but_for_a_name(index: Index) -> None:
    path = str(atelier() / "cloth.lisp")
    file = ProjectTexts(index, str(atelier())).file(path)
    lines = folded(file, "atelier.cloth:cut", is_own=True)
    assert lines[:2] == [
        "1  (in-package #:atelier.cloth)",
        '4  (defvar *thread* "red" "What SEW sews with.")',
    ]
    at = lines.index(f";;; line 8, digest {form_digest('cloth.lisp', CUT)}")
    assert lines[at + 1 : at + 1 + CUT.count("\n") + 1] == CUT.splitlines()
    assert "15  (defun (setf cut) (new bolt) (setf (bolt-length bolt) new))" not in lines  # it has the name
    long = ProjectTexts(index, str(atelier()), {path: f"{CLOTH}(defun far (a b)\n  {'(list 1) ' * 30})\n"})
    assert folded(long.file(path), None, is_own=True)[-1] == "26-27  (defun far (a b) ...)"
