"""Indexes whose rows contradict each other: every surface answers, or says which table is damaged."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.soundness import KNOWN_RELATIONS, first_fault
from oblist.query import open_index
from oblist.query.errors import IndexDamagedError, IndexUnusableError
from oblist.query.index.relations import RELATIONS
from support.amount import amount
from support.command_line import oblist
from support.damaged.lies import LIES, lying_index
from support.damaged.surfaces import all_surfaces, command_surfaces, wrong_answers

_CHOSEN = random.Random(56).sample(sorted(LIES), 8)
# What may be so, and lies about texts that only a Lisp could read: nothing in the index says otherwise.
_PLAUSIBLE = frozenset(
    {
        "no spans",  # as of a form that is not found in its text
        "a line without an end",
        "no text",  # which a build may leave out
        "features that are no list",
        "a type that never closes",
        "specializers that never close",
    }
)


@pytest.fixture
def index(shelf: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy of an index, as that of a project."""
    path = tmp_path / "project" / ".oblist" / "oblist.db"
    path.parent.mkdir(parents=True)
    return Path(shutil.copyfile(shelf[0], path))


def test_the_relations_are_those_that_readers_know() -> None:
    assert set(KNOWN_RELATIONS) == {*RELATIONS}


def test_a_sound_index_has_no_fault(index: Path, systems_index: Path) -> None:
    for path in (index, systems_index):
        with closing(sqlite3.connect(path)) as connection:
            assert first_fault(connection, "index") is None


@pytest.mark.timeout(600)
@pytest.mark.parametrize("lie", amount(_CHOSEN, sorted(LIES)))
def test_check_index_finds_every_lie_by_its_table(lie: str, index: Path, shelf: tuple[Path, Path]) -> None:
    """By the checksums, and by the rows alone where somebody made the checksums again."""
    lying_index(lie, shelf[0], index)
    done = oblist("check-index", index)
    assert done.returncode in {1, 3} and "since the index was built" in done.stdout + done.stderr, done
    lying_index(lie, shelf[0], index, with_checksums=True)
    done = oblist("check-index", index)
    assert (done.returncode == 0) == (lie in _PLAUSIBLE), done


@pytest.mark.timeout(600)
@pytest.mark.parametrize("lie", amount(_CHOSEN[:4], []))
def test_every_command_answers_or_says_what_is_damaged(
    lie: str, index: Path, shelf: tuple[Path, Path], tmp_path: Path
) -> None:
    surfaces = command_surfaces(index, *shelf, tmp_path / "exported")
    lying_index(lie, shelf[0], index, with_checksums=True)
    assert list(wrong_answers(surfaces)) == []


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_every_surface_answers_or_says_what_is_damaged(index: Path, shelf: tuple[Path, Path]) -> None:
    wrong = {}
    with all_surfaces(index, *shelf) as surfaces:
        assert list(wrong_answers(surfaces)) == []
        for lie in LIES:
            lying_index(lie, shelf[0], index, with_checksums=True)
            if found := list(wrong_answers(surfaces)):
                wrong[lie] = found
    assert wrong == {}


def test_the_message_names_the_table_and_the_cure(index: Path, shelf: tuple[Path, Path]) -> None:
    lying_index("a blob for a lambda list", shelf[0], index, with_checksums=True)
    done = oblist("describe", "shelf::page", "--index", index)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(
        f"oblist: {index}: the file is damaged (the table definitions is inconsistent"
    )
    assert done.stderr.endswith(f"Rebuild it with: oblist index --project {index.parent.parent}\n")


def test_a_message_has_nothing_that_a_terminal_obeys(index: Path, shelf: tuple[Path, Path]) -> None:
    for statement in (
        """CREATE VIEW "mine\x1b[2J" AS SELECT 1""",
        "UPDATE symbols SET type = char(27) || '[2J' || hex(zeroblob(5000)) WHERE name = 'BOOK'",
    ):
        shutil.copyfile(shelf[0], index)
        with closing(sqlite3.connect(index)) as connection, connection:
            connection.execute(statement)
        for words in (["describe", "shelf:book", "--json"], ["class", "shelf:book"], ["check-index"]):
            done = oblist(*words, "--index", index)
            said = done.stdout + done.stderr
            assert "\x1b" not in said and len(said) < 30_000, words


def test_an_error_of_the_caller_stays_as_it_is(index: Path, shelf: tuple[Path, Path]) -> None:
    lying_index("no packages", shelf[0], index, with_checksums=True)
    with pytest.raises(KeyError, match="mine"), open_index(index):
        raise KeyError("mine")
    with pytest.raises(IndexUnusableError), open_index(index) as opened:
        opened.describe("shelf:book")


def test_a_fault_of_ours_is_not_the_index_s(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("oblist.query.api.answered", fail)
    with open_index(index) as opened, pytest.raises(KeyError, match="ours"):
        opened.describe("car")


def test_a_file_that_is_replaced_by_a_sound_one_is_asked_again(index: Path, shelf: tuple[Path, Path]) -> None:
    with open_index(index) as opened:
        lying_index("no packages", shelf[0], index)
        with pytest.raises(IndexDamagedError, match="the table"):
            for name in ("shelf:book", "shelf::page", "shelf:title"):
                opened.describe(name)
                opened.package("shelf")
        new = index.with_name("new.db")
        shutil.copyfile(shelf[0], new)
        new.replace(index)
        assert opened.describe("shelf:book")
