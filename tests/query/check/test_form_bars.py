"""check_form on forms of real libraries: what is right is left alone, and planted faults are found."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.check.form import check_form
from oblist.query.check.form.answer import FormCheckAnswer
from support.forms.drawn import Drawn, drawn_forms
from support.forms.faults import Fault, FormFaults

SEED = 1958
# Calls in the corpus with too few arguments, which SBCL warns of too.
TRULY_WRONG = {("cl-unicode/util.lisp", "case-folding: 1 argument given, 2 expected")}


def judged(index: Index, text: str, package: str) -> FormCheckAnswer:
    answer = check_form(index, text, package)
    assert isinstance(answer, FormCheckAnswer), answer
    assert answer.not_checked is None, answer
    return answer


def is_found(index: Index, fault: Fault) -> bool:
    """Whether there is a finding of one of the rules at the place of a fault."""
    found = judged(index, fault.text, fault.drawn.package).findings
    there = (fault.line, fault.column)
    return any(
        one.rule in fault.rules and (fault.line is None or (one.line, one.column) == there) for one in found
    )


def false_errors(index: Index, forms: list[Drawn]) -> tuple[list[str], int]:
    """The errors in forms that are right, and the number of calls judged."""
    errors, calls = [], 0
    for one in forms:
        answer = judged(index, one.text, one.package)
        calls += answer.calls
        errors += [
            f"{one.path}:{one.line}: {found.message}"
            for found in answer.findings
            if found.severity == "error"
            and not any(one.path.endswith(path) and said in found.message for path, said in TRULY_WRONG)
        ]
    return errors, calls


def test_forms_that_are_right_have_no_errors(libraries_index: Path) -> None:
    forms = list(drawn_forms(libraries_index))
    assert len(forms) > 800
    with open_index(libraries_index) as index:
        errors, calls = false_errors(index, forms)
        assert errors == []
        assert calls > 6_000
        warned = [one for one in forms if judged(index, one.text, one.package).total]
        assert warned == []


def test_of_three_hundred_planted_faults_at_least_95_in_100_are_found(libraries_index: Path) -> None:
    faults = FormFaults(libraries_index, SEED).plant(300)
    assert len({one.kind for one in faults}) >= 11
    with open_index(libraries_index) as index:
        missed = [one for one in faults if not is_found(index, one)]
    assert len(missed) <= 15, missed


@pytest.mark.full
def test_all_forms_of_the_corpus_that_are_right_have_no_errors(corpus_index: Path) -> None:
    forms = list(drawn_forms(corpus_index))
    assert len(forms) > 15_000
    with open_index(corpus_index) as index:
        errors, calls = false_errors(index, forms)
    assert errors == []
    assert calls > 100_000


@pytest.mark.full
def test_of_the_faults_planted_into_the_corpus_at_least_95_in_100_are_found(corpus_index: Path) -> None:
    faults = FormFaults(corpus_index, SEED).plant(1400)
    assert set(Counter(one.kind for one in faults).values()) == {100}
    with open_index(corpus_index) as index:
        missed = [one for one in faults if not is_found(index, one)]
    assert len(missed) <= 70, Counter(one.kind for one in missed)
