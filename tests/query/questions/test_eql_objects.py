"""EQL specializers: of which classes their objects are, as a live SBCL says, and how one writes them."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import MethodsAnswer
from oblist.query.questions.classes.precedence import ancestors
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command import write_system
from support.command_line import oblist
from support.live import LISP_SOURCES
from support.oracle import Answers, Field, ask_oracle, without_addresses

_SOURCE = LISP_SOURCES / "eql_objects.lisp"
_SYSTEM = "eql-objects"
# The table as feature 6 had it.
_BEFORE = """
CREATE TABLE older (definition_id INTEGER, position INTEGER, symbol_id INTEGER, eql TEXT,
                    PRIMARY KEY (definition_id, position)) WITHOUT ROWID;
INSERT INTO older SELECT definition_id, position, symbol_id, eql FROM method_specializers;
DROP TABLE method_specializers;
ALTER TABLE older RENAME TO method_specializers;
UPDATE meta SET value = '6' WHERE name = 'feature';
"""
_OBJECTS = """
SELECT packages.name, symbols.name, operator, qualifiers, position, eql, definitions.specializers,
       eql_class_id
FROM method_specializers JOIN definitions ON definitions.id = definition_id
JOIN symbols ON symbols.id = definitions.symbol_id LEFT JOIN packages ON packages.id = symbols.package_id
WHERE eql IS NOT NULL ORDER BY 1, 2, 3, 4, 5, 6, 7
"""
_NAMES = """
SELECT symbols.id, packages.name, symbols.name
FROM symbols LEFT JOIN packages ON packages.id = package_id
"""
Key = tuple[Field, ...]
Name = tuple[Field, ...]


def _build(folder: Path) -> None:
    write_system(folder / "sources", _SYSTEM, _SOURCE.read_text(encoding="utf-8"))
    build_with_system(_SYSTEM, folder / "sources", folder / "oblist.db", small_sbcl())


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder with the sources and the index."""
    return kept(_SYSTEM, _build, [_SOURCE])


@pytest.fixture(scope="module")
def index(built: Path) -> Iterator[Index]:
    with open_index(built / "oblist.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def live(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """The classes of the image, and those that each EQL object is of."""
    folder = tmp_path_factory.mktemp("oracle")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CL_SOURCE_REGISTRY", f"{built / 'sources'}:")
        environment.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{folder / 'compiled'}/:")
        return ask_oracle(small_sbcl(), "eql_objects", folder / "answers", systems=[_SYSTEM])


def typed(name: Sequence[Field]) -> str:
    """A name as one can always type it."""
    package, symbol = (str(part).replace("\\", "\\\\").replace("|", "\\|") for part in name)
    return f"|{package}|::|{symbol}|"


def objects(live: Answers) -> dict[Key, set[Name]]:
    """The classes that each EQL object of the live image is of."""
    found: dict[Key, set[Name]] = {}
    for row in live["object"]:
        *about, eql, specializers = row[:7]
        key = (*about, without_addresses(str(eql)), without_addresses(str(specializers)))
        found.setdefault(key, set()).add(row[7:])
    return found


def test_the_index_says_of_each_object_what_typep_says_of_it(index: Index, live: Answers) -> None:
    expected = objects(live)
    names = {number: (home, name) for number, home, name in index.connection.execute(_NAMES)}
    classes = {row[2:] for row in live["class"]}
    assert len(classes) > 600
    seen, unknown = 0, []
    for *about, of in index.connection.execute(_OBJECTS).fetchall():
        key = tuple(None if one is None else str(one) for one in about)
        if of is None:
            unknown.append(key[1])
            continue
        above = {names[row.number] for row in ancestors(index, of)}
        assert above & classes == expected[key], key
        seen += 1
    assert seen > 80 and unknown == ["DOUBT"]


def test_methods_on_a_class_have_the_objects_that_typep_says_are_of_it(index: Index, live: Answers) -> None:
    methods = {
        key[-1]: classes for key, classes in objects(live).items() if key[:2] == ("EQL-OBJECTS", "TAKE")
    }
    assert len(methods) > 45
    for *name, package, own in live["class"]:
        answer = index.methods("eql-objects:take", [typed(name)])
        assert isinstance(answer, MethodsAnswer), answer
        found = {one.specializers for one in answer.methods if one.possibly}
        assert found == {text for text, classes in methods.items() if (package, own) in classes}, name
        assert answer.note is None


def test_an_object_whose_class_has_no_name_may_be_of_any_and_the_answer_says_so(index: Index) -> None:
    for name, expected in (("eql-objects::part", 2), ("eql-objects::other", 1), ("integer", 1)):
        answer = index.methods("eql-objects:doubt", [name])
        assert isinstance(answer, MethodsAnswer)
        assert answer.total == expected, name
        assert answer.note == (
            "the class of an EQL object is not known, so its method is listed for all classes"
        )
    answer = index.methods("eql-objects:doubt", ["t"])  # which nobody doubts
    assert isinstance(answer, MethodsAnswer)
    assert (answer.total, answer.note) == (2, None)


def test_an_older_index_lists_what_it_does_not_know_and_says_so(built: Path, tmp_path: Path) -> None:
    older = Path(shutil.copyfile(built / "oblist.db", tmp_path / "older.db"))
    with closing(sqlite3.connect(older)) as connection, connection:
        connection.executescript(_BEFORE)
    with open_index(older) as index:
        answer = index.methods("eql-objects:take", ["integer"])
        assert isinstance(answer, MethodsAnswer)
        found = {one.specializers for one in answer.methods}
        assert {"((EQL 5))", '((EQL "text"))', "((EQL 2.5))"} <= found
        assert not {"((EQL CAR))", "((EQL #\\a))"} & found
        assert answer.note is not None and answer.note.endswith("Rebuild it with: oblist index")
        everything = index.methods("eql-objects:take", ["t"])
        assert isinstance(everything, MethodsAnswer) and everything.note is None
        symbols = index.methods("cl:documentation", ["symbol", "symbol"])
        assert isinstance(symbols, MethodsAnswer) and symbols.note is None  # all of them print as symbols
    done = oblist("methods", "eql-objects:take", "--on", "integer", "--index", older)
    assert "((EQL 2.5))" in done.stdout and "older oblist" in done.stderr
    assert oblist("check-index", "--index", older).returncode == 0
    compared = oblist("check-index", "--index", built / "oblist.db", "--same-as", older)
    assert compared.returncode and "older.db: feature 6; this oblist compares indexes of" in compared.stderr
