"""Changes to sources keep all that they are not about, and are written together or not at all."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from oblist.query.edit.changes import Change, Edit, EditError, change_of, edited
from oblist.query.edit.writing import JOURNAL, finish_interrupted, write_changes
from support.checkout import ROOT
from support.damaged.disks import small_disk_at

# Writes one letter into all files of a folder, then another, until it is killed.
_WRITER = """
import sys
from pathlib import Path
from oblist.query.edit.changes import Edit, change_of
from oblist.query.edit.writing import write_changes
files = sorted(Path(sys.argv[1]).rglob("*.lisp"))
print("ready", flush=True)
while True:
    text = files[0].read_text()
    new = "b" if text[0] == "a" else "a"
    write_changes([change_of(one, text, [Edit(0, len(text), new * len(text))]) for one in files])
"""


def test_edits_are_made_wherever_they_come() -> None:
    assert edited("(car x)", [Edit(5, 6, "yy"), Edit(1, 4, "first")]) == "(first yy)"
    assert edited("ab", [Edit(1, 1, "-"), Edit(0, 0, ">"), Edit(2, 2, "<")]) == ">a-b<"
    assert edited("ab", [Edit(0, 1, "x"), Edit(0, 1, "x")]) == "xb"
    for wrong in ([Edit(0, 2, "x"), Edit(1, 3, "y")], [Edit(2, 9, "x")], [Edit(2, 1, "x")]):
        with pytest.raises(EditError):
            edited("abc", wrong)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"(lenght x)\r\n", b"(length x)\r\n"),
        (b"\xef\xbb\xbf(lenght x)", b"\xef\xbb\xbf(length x)"),
        ("(lenght é)\n".encode("latin-1"), "(length é)\n".encode("latin-1")),
        ("(lenght «é𝄞»)".encode(), "(length «é𝄞»)".encode()),
    ],
)
def test_encodings_marks_and_line_ends_stay(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "x.lisp"
    path.write_bytes(before)
    path.chmod(0o640)
    try:
        text = before.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        text = before.decode("latin-1")
    write_changes([change_of(path, text, [Edit(1, 7, "length")])])
    assert path.read_bytes() == after
    assert path.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["x.lisp"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.lisp").write_text("old")
    (tmp_path / "link.lisp").symlink_to("real.lisp")
    write_changes([change_of(tmp_path / "link.lisp", "old", [Edit(0, 3, "new")])])
    assert (tmp_path / "link.lisp").is_symlink() and (tmp_path / "real.lisp").read_text() == "new"


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    one, other = tmp_path / "one.lisp", tmp_path / "other.lisp"
    one.write_text("one")
    other.write_text("two")
    changes = [change_of(one, "one", [Edit(0, 3, "new")]), change_of(other, "two", [Edit(0, 3, "new")])]
    other.write_text("changed in the meantime")
    with pytest.raises(EditError, match="changed in the meantime"):
        write_changes(changes)
    assert (one.read_text(), other.read_text()) == ("one", "changed in the meantime")
    with pytest.raises(EditError, match="has changed since"):
        change_of(other, "two", [])
    with pytest.raises(EditError, match="No such file"):
        change_of(tmp_path / "none.lisp", "", [])
    latin = tmp_path / "latin.lisp"
    latin.write_bytes(b"\xe9")
    with pytest.raises(EditError, match="Latin-1"):
        change_of(latin, "é", [Edit(0, 1, "λ")])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["latin.lisp", "one.lisp", "other.lisp"]


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.lisp").write_text("old")
    change = change_of(folder / "a.lisp", "old", [Edit(0, 3, "new")])
    shutil.rmtree(folder)
    with pytest.raises(
        EditError, match=r"folder/a\.lisp cannot be written: No such file.*nothing was written"
    ):
        write_changes([change])


def test_a_process_that_is_killed_leaves_all_files_or_none(tmp_path: Path) -> None:
    files = [tmp_path / folder / f"{number}.lisp" for folder in ("one", "two") for number in range(6)]
    for path in files:
        path.parent.mkdir(exist_ok=True)
        path.write_text("a" * 20_000)
    chance = random.Random(5)
    for _ in range(25):
        command = [sys.executable, "-c", _WRITER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as writer:
            assert writer.stdout is not None and writer.stdout.readline() == b"ready\n"
            time.sleep(chance.random() / 20)
            writer.send_signal(signal.SIGKILL)
        for folders in ({chance.choice(files).parent}, {path.parent for path in files}):
            finish_interrupted(folders)
            texts = {path.read_text() for path in files}
            assert len(texts) == 1 and texts <= {"a" * 20_000, "b" * 20_000}
        assert not list(tmp_path.rglob(JOURNAL))


def test_an_interrupted_change_is_finished_but_not_over_what_has_changed_since(tmp_path: Path) -> None:
    """As it is if the process ends between two files, and somebody edits a third."""
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.lisp").write_text("old")
        (tmp_path / f".{name}.lisp.x.oblist-edit").write_text("new")
    (tmp_path / ".a.lisp.x.oblist-edit").replace(tmp_path / "a.lisp")
    (tmp_path / "c.lisp").write_text("edited since")
    old = sha256(b"old").hexdigest()
    renames = [[f".{name}.lisp.x.oblist-edit", f"{name}.lisp", old] for name in ("a", "b", "c")]
    (tmp_path / JOURNAL).write_text(json.dumps(renames))
    assert finish_interrupted([tmp_path]) == [tmp_path / "b.lisp"]
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert texts == {"a.lisp": "new", "b.lisp": "new", "c.lisp": "edited since"}


@pytest.mark.parametrize("is_there", [False, True])
def test_an_interrupted_move_is_finished(tmp_path: Path, is_there: bool) -> None:
    """As it is if the process ends before the new file is there, or before the old one is gone."""
    (tmp_path / "old.asd").write_text("old")
    (tmp_path / ("new.asd" if is_there else ".new.asd.x.oblist-edit")).write_text("new")
    before, after = (sha256(text).hexdigest() for text in (b"old", b"new"))
    renames = [[".new.asd.x.oblist-edit", "new.asd", before, "old.asd", after]]
    (tmp_path / JOURNAL).write_text(json.dumps(renames))
    assert finish_interrupted([tmp_path]) == [tmp_path / "new.asd"]
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"new.asd": "new"}


def test_a_file_moves_over_no_other(tmp_path: Path) -> None:
    old, new = tmp_path / "old.asd", tmp_path / "new.asd"
    for path in (old, new):
        path.write_text(path.name)
    with pytest.raises(EditError, match="already exists"):
        write_changes([Change(old, b"old.asd", b"x", new)])
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["new.asd", "old.asd"]


@pytest.mark.parametrize(
    "renames",
    [
        [["evil.oblist-edit", "../victim"]],
        [[".victim.x.oblist-edit", "../victim"]],
        [["../repository/.victim.x.oblist-edit", "../victim"]],
        [[".x.oblist-edit", "y"]],
    ],
)
def test_a_journal_moves_no_other_files(tmp_path: Path, renames: list[list[str]]) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    (tmp_path / "victim").write_text("mine")
    for name in ("evil.oblist-edit", ".victim.x.oblist-edit", ".x.oblist-edit"):
        (folder / name).write_text("evil")
    mine = sha256(b"mine").hexdigest()
    (folder / JOURNAL).write_text(json.dumps([[*one, mine] for one in renames]))
    assert finish_interrupted([folder]) == []
    assert (tmp_path / "victim").read_text() == "mine" and not (folder / "y").exists()
    assert not (folder / JOURNAL).exists()


def test_a_journal_that_is_no_journal_is_removed(tmp_path: Path) -> None:
    for text in ("", "{", "[1]", "{}", '[["a"]]', "[[1, 2]]", "null"):
        (tmp_path / JOURNAL).write_text(text)
        assert finish_interrupted([tmp_path]) == []
        assert not (tmp_path / JOURNAL).exists()


def test_a_full_disk_leaves_all_files_as_they_are(tmp_path: Path) -> None:
    """Whichever file finds no room: a new text, or the journal."""
    with small_disk_at(tmp_path / "disk", 64) as folder:
        files = [folder / f"{number}.lisp" for number in range(3)]
        for path in files:
            path.write_text("a" * 4096)
        changes = [Change(path, b"a" * 4096, b"b" * 4096) for path in files]
        filler = folder / "filler"
        said = set()
        for pages in range(13, 0, -1):
            filler.write_bytes(bytes(pages * 4096))
            try:
                write_changes(changes)
            except EditError as error:
                said.add(
                    re.split(r" cannot be written(?: to)?: No space left on device; nothing", str(error))[0]
                )
                assert {path.read_text()[0] for path in files} == {"a"}
                assert {path.name for path in folder.iterdir()} == {"filler", *(path.name for path in files)}
            else:
                break
        assert {path.read_text() for path in files} == {"b" * 4096}
        assert said == {*map(str, files), str(folder)}
