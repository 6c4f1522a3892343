"""Expanding macro forms: what MACROEXPAND-1 and MACROEXPAND-ALL say, whatever the macro does."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.lisp.evaluation_child import EvaluationLimits
from oblist.query import Index, open_index
from oblist.query.expansions import ALL, ONCE, STEPS
from oblist.query.questions.definition.ask import package_read_in
from oblist.query.questions.examples.ask import forms_in_use
from oblist.query.values import evaluation
from oblist.query.values.evaluation import Evaluation, Evaluator
from support.agents.tool_calls import called, executing
from support.builds.images import ImageIndex, bare_image
from support.builds.snapshots import build_id
from support.builds.tested_version import since
from support.oracle import without_addresses

SEED = 27
LIMITS = EvaluationLimits(evaluating=2, loading=30)
MACROS = """
SELECT symbols.id, symbols.name, packages.name FROM symbols
JOIN packages ON packages.id = symbols.package_id WHERE symbols.type = 'MACRO' ORDER BY symbols.id
"""
# The same printing as in lisp/serve/expand.lisp, of what the functions of the standard and of PCL return.
ORACLE = """(let ((*gensym-counter* 1)) (write ({function} (read-from-string {text})) :pretty t
  :right-margin 100 :miser-width nil :case :downcase :circle nil :gensym t :readably nil :length nil
  :level nil :escape t)
 (values))"""
# What SBCL 2.6.7 says within EVAL, as the oracle is, if the expansion of a macro prints a note.
NO_NOTE = "Error: TYPE-ERROR: The value NIL is not of type SB-C::COMPILATION-UNIT"
FUNCTIONS = {ONCE: "macroexpand-1", ALL: "sb-walker:macroexpand-all"}
NOT_ONE = ";; this is not a macro form\n"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ImageIndex]:
    made = bare_image().copy_of_cache(tmp_path_factory.mktemp("expansion") / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(made.cache))
        yield made


@pytest.fixture(scope="module")
def evaluator(image: ImageIndex) -> Iterator[Evaluator]:
    made = Evaluator(build_id(image.path), LIMITS)
    yield made
    made.close()


def drawn_forms(index: Index, number: int) -> list[tuple[str, str]]:
    """Short forms of the indexed code that use a macro, each with the package that it is read in."""
    macros = index.rows(MACROS)
    random.Random(SEED).shuffle(macros)
    found: list[tuple[str, str]] = []
    for symbol, _, _ in macros:
        for one in forms_in_use(index, symbol, None, 3)[1]:
            package = package_read_in(index, one.row.file, one.row.line)
            if package is not None and one.relation == "macroexpands":
                found.append((one.text, package.name))
        if len(found) >= number:
            break
    return found[:number]


def lisp_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@pytest.mark.parametrize("how", [ONCE, ALL] if since("2.2") else [ONCE])  # SBCL 2.0 expands all elsewhere
def test_expansions_are_those_of_the_live_image(image: ImageIndex, evaluator: Evaluator, how: str) -> None:
    with open_index(image.path) as index:
        forms = drawn_forms(index, 620)
    macros = failed = 0
    for text, package in forms:
        ours = evaluator.expand(text, package, how)
        oracle = ORACLE.format(function=FUNCTIONS[how], text=lisp_string(text))
        if package != "COMMON-LISP-USER":  # the form is read there, the functions are named here
            oracle = f"(let ((*package* (find-package {lisp_string(package)}))) {oracle})"
        theirs = evaluator.evaluate(oracle)
        assert ours.success == theirs.success or theirs.text == NO_NOTE, (text, package, ours, theirs)
        if not theirs.success:  # some forms of SBCL's sources are for building SBCL only
            failed += 1
            continue
        expansion, expected = map(without_addresses, (ours.text, theirs.text))
        assert expansion.removeprefix(NOT_ONE) == expected.removesuffix("\n; No values"), (text, package)
        macros += NOT_ONE not in ours.text
    assert len(forms) - failed >= 500
    assert macros > 450


def test_steps_lead_from_one_form_to_the_next(evaluator: Evaluator) -> None:
    answer = evaluator.expand("(when (and a b) (unless c 1))", how=STEPS)
    assert answer == Evaluation(
        True,
        ";; 1. when\n(if (and a b)\n    (unless c 1))\n\n"
        ";; 2. and at 1\n(if a\n    b)\n\n"
        ";; 3. unless at 2\n(if c\n    nil\n    1)",
    )
    assert evaluator.expand("(car x)", how=STEPS).text == ";; this is not a macro form\n(car x)"
    local = evaluator.expand("(macrolet ((twice (x) `(* 2 ,x))) (twice y))", how=STEPS).text
    assert ";; 2. twice at 2\n(* 2 y)" in local
    quoted = evaluator.expand("(list '(when a b) (function (lambda (x) (when x))))", how=STEPS).text
    assert quoted.startswith(";; 1. when at 2.1.2\n"), "quoted data is no code"


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("", "There is no form."),
        ("(when a b) (when c d)", "There is more than one form."),
        ("(when a", "INCOMPLETE-FORM"),
        ("(when)", "Error: "),
        ("(no-such-package:macro)", "Error: "),
        ("(when a \ud800)", "lone surrogate"),
    ],
)
def test_what_is_no_form_is_said_to_be_none(evaluator: Evaluator, form: str, reason: str) -> None:
    answer = evaluator.expand(form)
    assert not answer.success
    assert answer.text.startswith("Error: ") and reason in answer.text


HOSTILE = {
    "loops": "(loop)",
    "cannot be stopped": "(sb-sys:without-interrupts (loop))",
    "handles everything": "(loop (handler-case (loop) (condition () nil)))",
    "exits": "(sb-ext:exit :code 3 :abort t)",
    "exits politely": "(sb-ext:exit)",
    "prints": '(progn (loop repeat 100000 do (write-string "0123456789")) 1)',
    "interns": '(progn (loop for i below 1000 do (intern (format nil "MADE-~D" i) "COMMON-LISP-USER")) 1)',
    "redefines": "(progn (setf *print-base* 2) (setf (symbol-function 'car-of) #'cdr) 1)",
    "is endless": "(let ((l (list 1))) (setf (cdr l) l) (list 'quote l))",
    "fills the heap": "(loop collect (make-array 10000000))",
    "fails": '(error "No.")',
}


def test_hostile_macros_end_and_change_nothing_that_other_tools_answer(
    image: ImageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "EvaluationLimits", lambda: LIMITS)
    questions = [
        ("describe_symbol", {"name": "*print-base*"}),
        ("describe_symbol", {"name": "car"}),
        ("apropos_search", {"pattern": "made-", "package": "cl-user"}),
        ("eval_form", {"form": '(list *print-base* (find-symbol "MADE-1" "CL-USER") (fboundp \'car-of))'}),
        ("index_status", {}),
    ]
    with executing(image.path, allowed="cautious", live=True) as executor:
        called(executor, "eval_form", form="1")
        before = [called(executor, tool, **arguments) for tool, arguments in questions]
        assert all(one.success for one in before)
        for what, body in HOSTILE.items():
            began = time.monotonic()
            form = f"(macrolet ((hostile () {body})) (hostile))"
            result = called(executor, "expand_form", form=form, how="all")
            assert time.monotonic() - began < 20, what
            assert result.success == (what in ("prints", "interns", "redefines", "is endless")), (
                what,
                result,
            )
            assert len(result.content or result.error or "") < 12_000, what
        assert [called(executor, tool, **arguments) for tool, arguments in questions] == before
        assert called(executor, "expand_form", form="(when a b)").content == "(if a\n    b)"


def test_without_leave_the_definition_is_shown(libraries_index: Path) -> None:
    with executing(libraries_index) as executor:
        refused = called(executor, "expand_form", form="(alexandria:when-let ((x y)) z)")
        assert not refused.success
        assert (refused.error or "").endswith(
            "macro_definition, with the same arguments, shows how the macro is defined and used."
        )
        shown = called(executor, "macro_definition", form="(alexandria:when-let ((x y)) z)")
        assert "(defmacro when-let (bindings &body forms)" in shown.content
        named = called(executor, "macro_definition", form="alexandria:when-let")
        assert named == shown
        used = called(executor, "macro_definition", form="(alexandria:with-gensyms (a) b)")
        assert "(with-gensyms" in used.content
        assert "so it has no expansion" in (called(executor, "macro_definition", form="(car x)").error or "")
        assert "give a form" in (called(executor, "macro_definition", form='("x")').error or "")
        assert "not found" in called(executor, "macro_definition", form="(no-such-macro)").content
        small = called(executor, "macro_definition", form="(loop)", max_chars=1_000)
        assert len(small.content) <= 1_000


def test_a_tool_tells_the_expansion(image: ImageIndex) -> None:
    with executing(image.path, allowed="cautious") as executor:
        result = called(executor, "expand_form", form="(push x place)", package="cl-user")
        assert (result.success, result.content) == (
            True,
            "(let* ((#:item x))\n  (setq place (cons #:item place)))",
        )
        assert json.dumps(result.structured)
        failing = called(executor, "expand_form", form="(when)")
        assert not failing.success and (failing.error or "").startswith("Error: ")
