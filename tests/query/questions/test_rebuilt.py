"""Classes without source text: the forms that are rebuilt from the index."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import DefinitionTextAnswer
from oblist.query.index.kinds import CLASSES as CLASS_KINDS
from oblist.query.index.kinds import KINDS
from oblist.query.questions.definition.rebuilt import rebuilt
from support.classes_sample import classes_sample
from support.live import read_lines, run_script, write_lines

CLASSES = """
SELECT symbols.id, symbols.name, packages.name, kind FROM classes
JOIN definitions ON definitions.id = class_id JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id WHERE representation IS NULL ORDER BY definitions.id
"""


def without_places(source: Path, copy: Path) -> Path:
    """A copy of an index in which no definition has an exact place."""
    copy.write_bytes(source.read_bytes())
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE definitions SET start_column = NULL")
        connection.commit()
    return copy


def test_every_class_of_the_image_reads_back_with_its_superclasses_and_slots(
    sbcl: Sbcl, bare_index: Path, tmp_path: Path
) -> None:
    """Superclasses and slots in order, readers, writers and initargs all agree with the MOP."""
    questions, answers = tmp_path / "questions", tmp_path / "answers"
    kinds: Counter[str] = Counter()
    lines = []
    with open_index(bare_index) as index:
        for symbol, name, package, kind in index.rows(CLASSES):
            form = rebuilt(index, symbol, kind, package)
            assert form is not None and form.startswith(f"({KINDS[kind].definer} ")
            lines.append((package, name, form))
            kinds[kind] += 1
    write_lines(questions, lines)
    run_script(sbcl, "rebuilt_oracle.lisp", questions=questions, answers=answers)
    *differences, summary = read_lines(answers)
    assert differences == []
    _, compared, slots = summary
    assert int(compared or 0) == kinds.total() and int(slots or 0) > 1500
    assert min(kinds[kind] for kind in CLASS_KINDS) > 100, kinds


def test_the_text_of_a_class_that_has_none_is_the_rebuilt_form(bare_index: Path, tmp_path: Path) -> None:
    with open_index(without_places(bare_index, tmp_path / "oblist.db")) as index:
        for name, begin in {
            "simple-error": "(define-condition SIMPLE-ERROR (SIMPLE-CONDITION ERROR)\n  ())",
            "sb-c::debug-source": "(defstruct DEBUG-SOURCE\n  (NAMESTRING ",
            "integer": "(defclass INTEGER (RATIONAL)\n  ()\n  (:metaclass BUILT-IN-CLASS))",
        }.items():
            answer = index.definition(name)
            assert isinstance(answer, DefinitionTextAnswer)
            assert begin in answer.text
            assert not answer.definitions[0].from_source


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    copy = tmp_path_factory.mktemp("rebuilt") / "placeless.db"
    with open_index(without_places(classes_sample(), copy)) as index:
        yield index


def text_of(index: Index, name: str) -> str:
    answer = index.definition(name, "CLASSES-SAMPLE")
    assert isinstance(answer, DefinitionTextAnswer)
    return answer.text


def test_a_class_has_its_slots_with_all_options(sample: Index) -> None:
    text = text_of(sample, "animal")
    assert "(defclass ANIMAL (NAMED)\n  ((LEGS :initarg :FEET :initarg :LEGS" in text
    for part in (
        ":initform (LIST 1 `(A ,B))",
        ":accessor LEGS-OF",
        ":reader LEGS",
        ":writer SET-LEGS",
        ":type (OR NULL CONS)",
        ":allocation :class",
        ':documentation "How many it stands on."',
        "(:default-initargs :LEGS (+ 2 2))",
        '(:documentation "What moves by itself.")',
    ):
        assert part in text, part


def test_a_structure_has_what_it_includes_its_prefix_and_its_slots(sample: Index) -> None:
    text = text_of(sample, "place")
    assert '(defstruct (PLACE (:include BASE) (:conc-name "AT-"))' in text
    assert "(X 0 :type FIXNUM :read-only t)" in text
    assert "(:type list)" in text_of(sample, "pair")


def test_a_condition_has_its_slots_and_superclasses(sample: Index) -> None:
    text = text_of(sample, "trouble")
    assert "(define-condition TROUBLE (ERROR)\n  ((CODE :initarg :CODE :initform (+ 1 2)" in text
    assert ":reader TROUBLE-CODE" in text
