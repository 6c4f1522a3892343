"""A file is saved while its index is made: no answer mixes two texts, and the next build has the new one."""

from __future__ import annotations

import json
import os
import shutil
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
from oblist.indexer.stream.rules import BrokenRuleError
from oblist.lisp.images import Setup
from support.builds.small_sbcl import small_sbcl
from support.checkout import ROOT
from support.projects.followed_project import FollowedProject

DAY = 86_400
OLD = '(defpackage "MEANWHILE" (:use "CL"))\n(in-package "MEANWHILE")\n\n\n\n(defun old (x)\n  (list x))\n'
NEW = '(defpackage "MEANWHILE" (:use "CL"))\n(in-package "MEANWHILE")\n(defun new (x) (list x))\n'
# Saves another file, once, while it is loaded: one that ASDF has read before.
ARMED = """
(let ((armed #P"{folder}/armed"))
  (when (probe-file armed)
    (sleep 1.1)                         ; ASDF compares whole seconds
    (rename-file armed "{saved}")))
"""
LARGER = '(defsystem "meanwhile" :components ((:file "one") (:file "two")))\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "meanwhile"
    folder.mkdir()
    (folder / "meanwhile.asd").write_text('(defsystem "meanwhile" :components ((:file "one")))\n')
    (folder / "one.lisp").write_text(OLD)
    return folder


@pytest.fixture
def saving(monkeypatch: pytest.MonkeyPatch, project: Path) -> dict[Path, str]:
    """Files, each with the text that it gets right before its text is read for an index."""
    to_save = {project / "one.lisp": NEW}

    def read(path: str | Path, most: int | None = None) -> bytes:
        if Path(path) in to_save:
            time.sleep(1.1)  # ASDF compares whole seconds
            Path(path).write_text(to_save.pop(Path(path)))
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


def functions(index: Path) -> dict[str, int | None]:
    """The functions of the project, with their lines."""
    with closing(sqlite3.connect(index)) as connection:
        assert list(contradictions(connection)) == []
        return dict(
            connection.execute(
                "SELECT s.name, d.start_line FROM definitions d JOIN symbols s ON s.id = d.symbol_id"
                " JOIN packages p ON p.id = s.package_id"
                " WHERE p.name = 'MEANWHILE' AND d.kind = 'function' ORDER BY s.name"
            ).fetchall()
        )


def plan_of(project: Path, role: str, folder: Path, environment: pytest.MonkeyPatch) -> ImagePlan:
    """The plan of an index of the project, or of another that needs it as a library."""
    setup = Setup([project], user_init=False)
    if role == "library":
        environment.setenv("CL_SOURCE_REGISTRY", f"{project}//:")
        user = folder / "user"
        user.mkdir()
        (user / "user.asd").write_text('(defsystem "user" :depends-on ("meanwhile"))\n')
        setup = Setup([user], user_init=False)
    return ImagePlan(small_sbcl(), (), setup)


def test_a_build_has_no_text_that_it_did_not_load(
    project: Path, saving: dict[Path, str], tmp_path: Path
) -> None:
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
    project: Path, saving: dict[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


def test_a_watch_tells_what_has_changed_once_it_has_the_text(
    project: Path, saving: dict[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And does not tell that all definitions have changed of a file whose text it had not."""
    saving.clear()
    one = project / "one.lisp"
    one.write_text(f"{NEW}(defun edited (x) x)\n")
    followed = FollowedProject(small_sbcl(), project, tmp_path / "work", monkeypatch)
    followed.refresh()
    one.write_text(f"{NEW}(defun edited (x) (car x))\n")
    saving[one] = f"{NEW}(defun edited (x) (cdr x))\n"
    step = followed.follower.follow()
    assert step is not None and not saving
    assert str(step.changes) == "+0 -0 ~0 definitions in meanwhile"
    step = followed.follower.follow()
    assert step is not None and str(step.changes) == "~ meanwhile::edited"
    followed.follower.close()


def test_a_layer_of_libraries_is_made_again(
    project: Path, saving: dict[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = plan_of(project, "library", tmp_path, monkeypatch), tmp_path / "i.db"
    build_index(path, plan, command="tests")
    assert not saving
    has_no_text(path)
    assert find_libraries(plan.sbcl, (), plan.setup) is None
    build_index(path, plan, command="tests")
    has_new_text(path)
    assert find_libraries(plan.sbcl, (), plan.setup) is not None


def arm(project: Path, saved: str, text: str) -> None:
    """Make the next load of the project save this file of it."""
    (project / "armed").write_text(text)
    one = project / "one.lisp"
    if "armed" not in one.read_text():
        one.write_text(OLD + ARMED.format(folder=project, saved=project / saved))


@pytest.mark.parametrize("role", ["project", "library"])
def test_a_definition_that_is_saved_while_it_is_loaded_counts_as_changed(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    (project / "two.lisp").write_text('(in-package "MEANWHILE")\n(defun two ())\n')
    (project / "one.lisp").write_text(OLD + ARMED.format(folder=project, saved=project / "meanwhile.asd"))
    plan, path = plan_of(project, role, tmp_path, monkeypatch), tmp_path / "i.db"
    request = Request(plan, "tests", True, None)
    build_index(path, plan, command="tests")  # compiles
    assert is_unchanged(path, request)
    (project / "armed").write_text(LARGER)
    layer = find_libraries(plan.sbcl, (), plan.setup)
    assert layer is not None
    if role == "library":
        shutil.rmtree(layer.core.parent)
    build_index(path, plan, command="tests")
    assert not (project / "armed").exists()
    assert list(functions(path)) == ["OLD"]
    assert not is_unchanged(path, request)
    build_index(path, plan, command="tests")
    assert list(functions(path)) == ["OLD", "TWO"]
    assert is_unchanged(path, request)


def test_a_source_that_each_load_writes_is_no_change(project: Path, tmp_path: Path) -> None:
    (project / "meanwhile.asd").write_text(
        '(defsystem "meanwhile" :serial t :components ((:file "one") (:file "made")))\n'
    )
    made = '(format out "(in-package ~S)~%(defun made ())~%" "MEANWHILE")'
    writing = (
        f'(with-open-file (out #P"{project}/made.lisp" :direction :output :if-exists :supersede) {made})'
    )
    (project / "one.lisp").write_text(f"{OLD}\n{writing}\n")
    plan, path = ImagePlan(small_sbcl(), (), Setup([project], user_init=False)), tmp_path / "i.db"
    build_index(path, plan, command="tests")
    assert list(functions(path)) == ["MADE", "OLD"]
    assert is_unchanged(path, Request(plan, "tests", True, None))


def test_a_library_that_is_touched_as_the_message_asks_is_compiled_again(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it is in a layer, which had another text than was compiled."""
    plan, path = plan_of(project, "library", tmp_path, monkeypatch), tmp_path / "i.db"
    build_index(path, plan, command="tests")
    one = project / "one.lisp"
    one.write_text(NEW)
    os.utime(one, (time.time() - DAY,) * 2)
    time.sleep(1.1)  # the index says in whole seconds since when it was made
    build_index(path, plan, command="tests")
    assert functions(path) == {"OLD": None}
    assert is_unchanged(path, Request(plan, "tests", True, None))
    one.touch()
    build_index(path, plan, command="tests")
    has_new_text(path)


def test_a_text_that_was_not_loaded_is_no_last_good_state(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = FollowedProject(small_sbcl(), project, tmp_path / "work", monkeypatch)
    path = followed.follower.index.path
    arm(project, "one.lisp", NEW)
    (project / "armed").rename(tmp_path / "armed")
    followed.refresh()  # compiles
    (tmp_path / "armed").rename(project / "armed")
    (project / "meanwhile.asd").touch()
    followed.refresh()
    assert not (project / "armed").exists()
    assert functions(path) == {"OLD": None}
    (project / "one.lisp").write_text(NEW + "(defun new")
    step = followed.follower.follow()
    assert step is not None and (step.broken or step.kept)
    assert functions(path) == {"OLD": None}
    (project / "one.lisp").write_text(NEW)
    followed.refresh()
    has_new_text(path)


def records_about(source: Path, crc32: str, folder: Path) -> Path:
    """A stream in which GREET is on line 6 of a source with this CRC-32."""
    text = (ROOT / "docs" / "pages" / "example.records").read_text()
    records = [json.loads(line) for line in text.splitlines()]
    records[0]["left_out"].remove("files")
    place = next(number for number, one in enumerate(records) if one["record"] == "definition")
    file = {"record": "file", "id": 1, "recorded": str(source), "path": str(source), "crc32": crc32}
    records.insert(place, file)
    records[place + 2] |= {"file": 1, "line": 6}
    stream = folder / "party.records"
    stream.write_text("".join(json.dumps(one) + "\n" for one in records))
    return stream


@pytest.mark.parametrize("text", [OLD, NEW])
def test_records_of_another_text_bring_none(text: str, tmp_path: Path) -> None:
    """A stream may be older than the files that it names, or come from another machine."""
    source, path = tmp_path / "party.lisp", tmp_path / "i.db"
    source.write_text(text)
    stream = records_about(source, f"{zlib.crc32(OLD.encode()):08x}", tmp_path)
    with stream.open("rb") as file:
        index_from_records(path, file, "party.records", command="tests")
    if text == NEW:
        has_no_text(path, "GREET")
    else:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT count(*) FROM source_lines").fetchone() == (8,)
            assert connection.execute("SELECT count(*) FROM problems").fetchone() == (0,)


@pytest.mark.parametrize("crc32", ["", "ABCDEF01", "0xabcdef", "abcdef012", "abcdefgh"])
def test_records_with_another_sum_are_refused(crc32: str, tmp_path: Path) -> None:
    stream = records_about(tmp_path / "party.lisp", crc32, tmp_path)
    with stream.open("rb") as file, pytest.raises(BrokenRuleError, match=r"file\.crc32 is .* not 8 hexa"):
        index_from_records(tmp_path / "i.db", file, "party.records", command="tests")
