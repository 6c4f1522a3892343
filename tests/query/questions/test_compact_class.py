"""The short text of a class says in fewer words what the long one says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import ClassAnswer
from oblist.query.questions.classes.compact import class_compact_text
from oblist.query.questions.classes.text import class_text

SEED = 1131
DRAWN = 200
_CLASSES = """
SELECT symbols.name, packages.name FROM classes
JOIN definitions ON definitions.id = classes.class_id JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id ORDER BY definitions.id
"""


@pytest.fixture(scope="module")
def index(libraries_index: Path) -> Iterator[Index]:
    with open_index(libraries_index) as opened:
        yield opened


def test_nothing_of_a_class_is_lost_but_words(index: Index) -> None:
    drawn = random.Random(SEED).sample(index.rows(_CLASSES), DRAWN)
    lengths = [0, 0]
    for name, package in drawn:
        answer = index.class_(f"|{name}|", package, limit=0)
        assert isinstance(answer, ClassAnswer)
        short, whole = class_compact_text(answer, "--offset {offset}"), class_text(answer)
        lengths[0] += len(short)
        lengths[1] += len(whole)
        lines = short.splitlines()
        for slot in answer.slots:
            (line,) = [
                one for one in lines if one.startswith(f"    {slot.name}  ") or one == f"    {slot.name}"
            ]
            for said in (*slot.initargs, slot.type, slot.initform):
                assert said is None or said in line
            for function in (*slot.readers, *slot.writers):
                assert bare(function) in line
        for one in answer.methods:
            assert any(
                line.startswith(f"      {one.line or ''}") and bare(one.written) in line for line in lines
            )
        for subclass in answer.subclasses:
            assert any(line.startswith("      ") and line.endswith(bare(subclass.written)) for line in lines)
        for total in (answer.methods_total, answer.subclasses_total, answer.inherited_methods_total):
            assert not total or any(line.endswith(f": {total}") for line in lines)
    assert lengths[0] < 0.6 * lengths[1]


def bare(name: str) -> str:
    """The name of an accessor or generic function without SETF and package."""
    return name.removeprefix("(setf ").rstrip(")").rpartition(":")[2]


def test_names_are_short_where_the_heading_says_whose_they_are(index: Index) -> None:
    answer = index.class_("cl-ppcre:ppcre-syntax-error")
    assert isinstance(answer, ClassAnswer)
    lines = class_compact_text(answer, "").splitlines()
    assert "  Names without a package are those of cl-ppcre or the standard; ::name is internal." in lines
    assert "  Superclasses: ppcre-error" in lines
    assert [line for line in lines if line.endswith(" ::signal-syntax-error*")]
    assert [
        line
        for line in lines
        if line.startswith("    POS  :POS (default NIL)  reader ppcre-syntax-error-pos")
    ]
