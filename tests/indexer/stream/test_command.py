"""oblist index --records: an index of what another Lisp has written, or a sentence, and the old index."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.from_records import index_from_records
from oblist.indexer.left_out import PARTS
from oblist.indexer.stream.rules import BrokenRuleError
from oblist.query import open_index
from oblist.query.errors import UnrecordedError
from oblist.query.index.not_found import NotFound
from oblist.query.indexes import open_indexes
from support.checkout import ROOT
from support.command import oblist

EXAMPLE = ROOT / "docs" / "pages" / "example.records"


@pytest.fixture
def party(tmp_path: Path) -> Path:
    """The index of the example."""
    path = tmp_path / "party.db"
    with EXAMPLE.open("rb") as stream:
        summary = index_from_records(path, stream, "party.records", command="test")
    assert (summary.symbols, summary.definitions, summary.references) == (4, 4, 0)
    return path


def test_the_command_makes_an_index_of_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "party.db"
    done = oblist("index", "--records", "-", "--output", path, "--json", stdin=EXAMPLE.read_text())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["symbols"] == 4
    told = oblist("info", "--index", path).stdout
    assert "image        ECL 21.2.1 on x86_64 Linux" in told
    assert "left out     argument-counts, " in told
    assert "references   not recorded" in told
    assert oblist("check-index", "--index", path).returncode == 0


def test_a_stream_that_breaks_a_rule_leaves_the_old_index(party: Path, tmp_path: Path) -> None:
    old = party.read_bytes()
    cut = tmp_path / "cut.records"
    cut.write_bytes(EXAMPLE.read_bytes()[:-100])
    done = oblist("index", "--records", cut, "--output", party)
    assert done.returncode == 1
    assert done.stderr.startswith(f"oblist: {cut}, line 13: ")
    assert "Rule 1 of docs/formats/records.md" in done.stderr
    assert "Traceback" not in done.stderr
    assert party.read_bytes() == old
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.records", "party.db"]


@pytest.mark.parametrize("words", [("alexandria",), ("--project", ".")])
def test_what_is_about_a_lisp_does_not_go_with_records(words: tuple[str, ...], tmp_path: Path) -> None:
    done = oblist("index", "--records", EXAMPLE, "--output", tmp_path / "x.db", *words)
    assert done.returncode == 2
    assert "cannot be combined with --records, which starts no Lisp" in done.stderr
    assert not (tmp_path / "x.db").exists()


def test_a_whole_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace('"external":[2,3],"internal":[4]', '"external":[2,3],"internal":[]')
    stream = tmp_path / "party.records"
    stream.write_text(text)
    with (
        stream.open("rb") as file,
        pytest.raises(BrokenRuleError, match="symbols without any presence: NAME"),
    ):
        index_from_records(tmp_path / "x.db", file, "party.records", command="test")
    assert not (tmp_path / "x.db").exists()


def test_an_existing_file_of_another_sort_is_not_replaced(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Madam,")
    done = oblist("index", "--records", EXAMPLE, "--output", letter)
    assert done.returncode == 1
    assert letter.read_text() == "Dear Madam,"


def test_only_texts_of_lisp_files_are_read(party: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("password\n")
    source = tmp_path / "party.lisp"
    source.write_text("(defun greet (guest))\n")
    link = tmp_path / "link.lisp"
    link.symlink_to(secret)
    records = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    records[0]["left_out"].remove("files")
    place = next(number for number, one in enumerate(records) if one["record"] == "definition")
    records[place:place] = [
        {"record": "file", "id": number, "recorded": str(path), "path": str(path)}
        for number, path in enumerate((secret, source, link, tmp_path / "gone.lisp"), 1)
    ]
    stream = tmp_path / "party.records"
    stream.write_text("".join(json.dumps(one) + "\n" for one in records))
    with stream.open("rb") as file:
        index_from_records(party, file, "party.records", command="test")
    with open_index(party) as index:
        rows = index.rows("SELECT DISTINCT recorded FROM source_lines JOIN source_files ON id = file_id")
    assert rows == [(str(source),)]


def test_answers_say_what_was_not_recorded(party: Path) -> None:
    with open_index(party) as index:
        assert index.left_out < PARTS.keys()
        said = "This index of ECL 21.2.1 does not record references."
        found = index.describe("party:greet")
        assert found.arglist == "(GUEST &KEY (ALOUD T))"
        assert found.definitions[0].callers is None
        for answer in (index.xref("party:greet"), index.examples("party:greet")):
            assert answer.total == 0
            assert answer.reason is not None
            assert answer.reason.startswith(said)
        assert (index.class_("party:guest").incomplete or "").startswith(said)
        audit = index.audit("package:party")
        assert {one.sort for one in audit.findings} <= {
            "empty-export",
            "undocumented",
            "no-methods",
            "duplicate",
        }
        assert audit.incomplete is not None
        assert audit.incomplete.startswith(said)
        assert "unused, never-named" in audit.incomplete
        with pytest.raises(UnrecordedError, match="such as renaming, are refused"):
            index.require("references")


def test_a_change_that_must_know_all_uses_is_refused(party: Path) -> None:
    done = oblist("rename", "party:greet", "welcome", "--index", party)
    assert done.returncode not in (0, 2)
    assert "This index of ECL 21.2.1 does not record references." in done.stderr


def test_a_check_says_what_it_cannot_judge(party: Path, tmp_path: Path) -> None:
    source = tmp_path / "party.lisp"
    source.write_text("(in-package :party)\n(greet)\n")
    done = oblist("check", source, "--index", party)
    assert done.returncode == 1
    assert "error[wrong-number-of-arguments] greet: no arguments given, at least 1 expected" in done.stdout
    assert "This index of ECL 21.2.1 does not record components, deprecation." in done.stderr


def test_no_view_takes_what_was_not_recorded_for_unused(tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace('"external":[2,3],"internal":[4]', '"external":[3],"internal":[2,4]')
    path = tmp_path / "party.db"
    index_from_records(path, io.BytesIO(text.encode()), "party.records", command="test")
    with open_index(path) as index:
        assert index.rows("SELECT symbol FROM unused_internals") == []
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE meta SET value = '[]' WHERE name = 'left_out'")
        assert connection.execute("SELECT symbol FROM unused_internals").fetchall() == [("GREET",)]


def test_several_indexes_say_which_of_them_has_no_uses(party: Path, bare_index: Path) -> None:
    with open_indexes([party, bare_index]) as indexes:
        answer = indexes.xref("party:greet")
    assert not isinstance(answer, NotFound)
    assert (answer.incomplete or "").startswith(
        f"{party}: This index of ECL 21.2.1 does not record references."
    )
