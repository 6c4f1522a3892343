"""A wrong call is found in each position of the grammar's operators that is evaluated, and in no other.

SBCL's compiler says which positions these are.
"""

from __future__ import annotations

from pathlib import Path

from oblist.lisp.sbcl import Sbcl
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from oblist.query.syntax.walk.operators import WALKERS
from support.builds.tested_version import since
from support.forms.of_grammar import PRELUDE, planted_forms
from support.live import read_lines, run_script, write_lines

# SBCL evaluates the value itself when it compiles the form, and says nothing of what goes wrong then.
_EVALUATED_BY_EVAL = {"DEFCONSTANT"}
# SBCL 2.0 says nothing of wrong calls in the arguments of these.
_UNTOLD = set() if since("2.2") else {"DEFVAR", "DEFPARAMETER", "PROCLAIM"}


def test_a_wrong_call_is_found_where_it_is_evaluated(sbcl: Sbcl, bare_index: Path, tmp_path: Path) -> None:
    forms = list(planted_forms())
    assert {one.operator for one in forms} == set(WALKERS) - {"LOOP"}
    questions, answers = tmp_path / "questions", tmp_path / "answers"
    write_lines(questions, [(one.text,) for one in forms])
    run_script(sbcl, "compiled_positions.lisp", questions=questions, answers=answers)
    verdicts = dict(zip(forms, read_lines(answers), strict=True))
    whole = {one.text: said for one, said in verdicts.items() if one.at is None}
    assert {text: said for text, said in whole.items() if said[0] != "unmet"} == {}
    found = _found(bare_index, tmp_path / "forms.lisp", [one.text for one in forms])
    planted = [one for one in forms if one.at is not None and one.operator not in _EVALUATED_BY_EVAL]
    met = {one.text for one in planted if verdicts[one][0] == "met"}
    assert len(met) > 290 and len(planted) - len(met) > 15
    untold = {one.text for one in planted if one.operator in _UNTOLD}
    assert {one.text for one in planted if one.text in found} - untold == met - untold


def _found(index: Path, file: Path, forms: list[str]) -> set[str]:
    """Those of the forms in which a check finds the wrong call."""
    before = ["(defpackage :planted (:use :cl))", "(in-package :planted)", "(defclass base () ())", PRELUDE]
    file.write_text("\n".join([*before, *forms]), encoding="utf-8")
    outcome = Check(index, Settings(file.parent), 1, lambda *_: None).run([str(file)])
    return {
        forms[one.line - 1 - len(before)]
        for one in outcome.findings
        if one.rule == "wrong-number-of-arguments" and one.message.startswith("wants-one:")
    }
