"""A file is saved while its index is made: no answer mixes two texts, and the next build has the new one."""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer import sources
from oblist.indexer.build.from_records import index_from_records
from oblist.indexer.build.index import build_index
from oblist.indexer.check.contradictions import contradictions
from oblist.indexer.image import ImagePlan
from oblist.indexer.inputs import Request, is_unchanged
from oblist.indexer.layers.make import find_libraries
from oblist.indexer.source_text import source_octets
from oblist.lisp.images import Setup
from support.builds.small_sbcl import small_sbcl
from support.checkout import ROOT
from support.projects.followed_project import FollowedProject

OLD = '(defpackage "MEANWHILE" (:use "CL"))\n(in-package "MEANWHILE")\n\n\n\n(defun old (x)\n  (list x))\n'
NEW = '(defpackage "MEANWHILE" (:use "CL"))\n(in-package "MEANWHILE")\n(defun new (x) (list x))\n'
ARMED = """
(let ((armed #P"{folder}/armed"))
  (when (probe-file armed)
    (delete-file armed)
    (with-open-file (out #P"{folder}/meanwhile.asd" :direction :output :if-exists :supersede)
      (format out "(defsystem \\"meanwhile\\" :components ((:file \\"one\\") (:file \\"two\\")))~%"))))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "meanwhile"
    folder.mkdir()
    (folder / "meanwhile.asd").write_text('(defsystem "meanwhile" :components ((:file "one")))\n')
    (folder / "one.lisp").write_text(OLD)
    return folder


@pytest.fixture
def saving(monkeypatch: pytest.MonkeyPatch, project: Path) -> list[Path]:
    """Files that get the new text right before their text is read for an index."""
    to_save = [project / "one.lisp"]

    def read(path: str | Path, most: int | None = None) -> bytes:
        if Path(path) in to_save:
            to_save.remove(Path(path))
            time.sleep(1.1)  # ASDF compares whole seconds
            Path(path).write_text(NEW)
        return source_octets(path, most)

    monkeypatch.setattr(sources, "source_octets", read)
    return to_save


def has_no_text(index: Path, name: str = "OLD") -> None:
    """The index has the function with this name, none of the text of its file, and says so."""
    with closing(sqlite3.connect(index)) as connection:
        assert list(contradictions(connection)) == []
        ((path, sha256, size, lines),) = connection.execute(
            "SELECT path, sha256, size, (SELECT count(*) FROM source_lines WHERE file_id = f.id)"
            " FROM definitions d JOIN symbols s ON s.id = d.symbol_id JOIN source_files f ON f.id = d.file_id"
            " WHERE s.name = ?",
            [name],
        ).fetchall()
        assert (sha256, size, lines) == (None, None, 0)
        told = connection.execute("SELECT message FROM problems WHERE subject = ?", [path]).fetchall()
        assert [message.partition(",")[0] for (message,) in told] == [
            "The file was saved after its definitions had been found in it"
        ]


def has_new_text(index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        assert list(contradictions(connection)) == []
        rows = connection.execute(
            "SELECT s.name, l.text FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
            " JOIN source_files f ON f.id = d.file_id"
            " JOIN source_lines l ON l.file_id = f.id AND l.line = d.start_line"
            " WHERE f.path LIKE '%one.lisp' AND d.kind = 'function'"
        ).fetchall()
    assert rows == [("NEW", "(defun new (x) (list x))")]


def functions(index: Path) -> list[str]:
    """The functions of the project."""
    with closing(sqlite3.connect(index)) as connection:
        rows = connection.execute(
            "SELECT s.name FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
            " JOIN packages p ON p.id = s.package_id"
            " WHERE p.name = 'MEANWHILE' AND d.kind = 'function' ORDER BY s.name"
        )
        return [name for (name,) in rows]


def test_a_build_has_no_text_that_it_did_not_load(project: Path, saving: list[Path], tmp_path: Path) -> None:
    plan, path = ImagePlan(small_sbcl(), (), Setup([project], user_init=False)), tmp_path / "i.db"
    request = Request(plan, "tests", True, None)
    build_index(path, plan, command="tests")
    assert not saving
    has_no_text(path)
    assert not is_unchanged(path, request)
    build_index(path, plan, command="tests")
    has_new_text(path)
    assert is_unchanged(path, request)


def test_a_watch_refreshes_again(
    project: Path, saving: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = FollowedProject(small_sbcl(), project, tmp_path / "work", monkeypatch)
    followed.refresh()
    assert not saving
    has_no_text(followed.follower.index.path)
    step = followed.follower.follow()
    assert step is not None and step.broken is None
    has_new_text(followed.follower.index.path)
    assert followed.follower.follow() is None
    followed.follower.close()


def test_a_layer_of_libraries_is_made_again(
    project: Path, saving: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{project}//:")
    user = tmp_path / "user"
    user.mkdir()
    (user / "user.asd").write_text('(defsystem "user" :depends-on ("meanwhile"))\n')
    setup = Setup([user], user_init=False)
    plan, path = ImagePlan(small_sbcl(), (), setup), tmp_path / "i.db"
    build_index(path, plan, command="tests")
    assert not saving
    has_no_text(path)
    assert find_libraries(small_sbcl(), (), setup) is None
    build_index(path, plan, command="tests")
    has_new_text(path)
    assert find_libraries(small_sbcl(), (), setup) is not None


def test_a_definition_that_is_saved_while_it_is_loaded_counts_as_changed(
    project: Path, tmp_path: Path
) -> None:
    (project / "one.lisp").write_text(OLD + ARMED.format(folder=project))
    (project / "two.lisp").write_text('(in-package "MEANWHILE")\n(defun two ())\n')
    plan, path = ImagePlan(small_sbcl(), (), Setup([project], user_init=False)), tmp_path / "i.db"
    request = Request(plan, "tests", True, None)
    build_index(path, plan, command="tests")
    assert is_unchanged(path, request)
    (project / "armed").touch()
    build_index(path, plan, command="tests")
    assert not (project / "armed").exists()
    assert functions(path) == ["OLD"]
    assert not is_unchanged(path, request)
    build_index(path, plan, command="tests")
    assert functions(path) == ["OLD", "TWO"]
    assert is_unchanged(path, request)


@pytest.mark.parametrize("text", [OLD, NEW])
def test_records_of_another_text_bring_none(text: str, tmp_path: Path) -> None:
    """A stream may be older than the files that it names, or come from another machine."""
    source = tmp_path / "party.lisp"
    source.write_text(text)
    records = [
        json.loads(line) for line in (ROOT / "docs" / "pages" / "example.records").read_text().splitlines()
    ]
    records[0]["left_out"].remove("files")
    place = next(number for number, one in enumerate(records) if one["record"] == "definition")
    crc = f"{zlib.crc32(OLD.encode()):08x}"
    records.insert(
        place, {"record": "file", "id": 1, "recorded": str(source), "path": str(source), "crc32": crc}
    )
    records[place + 2] |= {"file": 1, "line": 6}
    stream, path = tmp_path / "party.records", tmp_path / "i.db"
    stream.write_text("".join(json.dumps(one) + "\n" for one in records))
    with stream.open("rb") as file:
        index_from_records(path, file, "party.records", command="tests")
    if text == NEW:
        has_no_text(path, "GREET")
    else:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM source_lines").fetchone() == (8,)
            assert connection.execute("SELECT count(*) FROM problems").fetchone() == (0,)
