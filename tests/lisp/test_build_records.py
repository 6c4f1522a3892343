"""Only records in the user's own cache decide what is started for values, whatever an index says."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from oblist.lisp.build_records import MOST_SNAPSHOTS, BuildRecord, BuildRecords
from oblist.lisp.sbcl import Sbcl, Setup, find_sbcl
from oblist.query import open_index
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.values.live import live_values
from support.builds.images import ImageIndex, live_image
from support.command import oblist

SYMBOL, PACKAGE = "*PROBE*", "CL-USER"
NOT_BUILT_HERE = "this index was built elsewhere"


@pytest.fixture(scope="module")
def built() -> ImageIndex:
    """An index with a snapshot, and the cache that holds the snapshot."""
    return live_image()


@pytest.fixture
def index(built: ImageIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The index, with a copy of the cache that a test may spoil."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return built.copy_of_cache(tmp_path / "cache").path


@pytest.fixture
def records(index: Path, tmp_path: Path) -> BuildRecords:
    assert index.exists()
    return BuildRecords(tmp_path / "cache" / "oblist")


def build_id(index: Path) -> str:
    with closing(sqlite3.connect(index)) as connection:
        return str(connection.execute("SELECT value FROM meta WHERE name = 'build_id'").fetchone()[0])


def probed(index: Path) -> tuple[str | None, str | None]:
    """The value of the probe, and the note."""
    with open_index(index, values=live_values(60)) as opened:
        answer = opened.describe(SYMBOL, PACKAGE)
    assert isinstance(answer, DescribeAnswer), answer
    return answer.value, answer.value_note


def entry(index: Path, tmp_path: Path) -> Path:
    return tmp_path / "cache" / "oblist" / "live" / build_id(index)


def change_record(index: Path, tmp_path: Path, **changes: object) -> None:
    path = entry(index, tmp_path) / "record.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_snapshots_are_nobody_elses(index: Path, tmp_path: Path) -> None:
    folder = entry(index, tmp_path)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder.parent, folder, *folder.iterdir())
    }
    assert modes == {"live": 0o700, folder.name: 0o700, "image.core": 0o600, "record.json": 0o600}


def test_values_come_from_the_snapshot(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBE", "loaded anew")
    assert probed(index) == ('"built"', None)


def test_without_a_snapshot_the_systems_are_loaded(
    index: Path, records: BuildRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBE", "loaded anew")
    records.forget_core(build_id(index))
    assert probed(index) == ('"loaded anew"', None)


def test_what_does_not_load_any_more_is_told(index: Path, records: BuildRecords, tmp_path: Path) -> None:
    records.forget_core(build_id(index))
    change_record(index, tmp_path, systems=["no-such-system"])
    value, note = probed(index)
    assert value == '"built"'
    assert note == "1 of the things that the build loaded did not load"


def test_a_snapshot_of_another_sbcl_is_passed_by_with_a_word(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBE", "loaded anew")
    change_record(index, tmp_path, runtime=[1, 1], sbcl_version="1.0")
    value, note = probed(index)
    assert value == '"loaded anew"'
    assert "changed since the index was built" in str(note)
    assert "the index is of 1.0" in str(note)
    assert not (entry(index, tmp_path) / "image.core").exists()


@pytest.mark.parametrize("content", [b"", b"no core", os.urandom(1 << 16)])
def test_a_snapshot_that_does_not_start_is_passed_by(
    content: bytes, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBE", "loaded anew")
    (entry(index, tmp_path) / "image.core").write_bytes(content)
    assert probed(index) == ('"loaded anew"', "the snapshot does not start, so the systems were loaded again")
    # It stays: perhaps only this process's limits kept it from starting.
    assert probed(index)[1] == "the snapshot does not start, so the systems were loaded again"


def test_who_will_not_wait_for_the_loading_is_told_so_and_leaves_nothing_running(
    index: Path, records: BuildRecords, tmp_path: Path
) -> None:
    slow = tmp_path / "slow.lisp"
    slow.write_text("(sleep 60)\n")
    records.forget_core(build_id(index))
    change_record(index, tmp_path, files=[str(slow)])
    started = time.monotonic()
    with open_index(index, values=live_values(0.5)) as opened:
        answer = opened.describe(SYMBOL, PACKAGE)
        assert isinstance(answer, DescribeAnswer)
        assert (answer.value, answer.type) == (None, "variable")
        assert "still loading" in str(answer.value_note)
        assert time.monotonic() - started < 10
    assert time.monotonic() - started < 20
    assert not [line for line in command_lines() if str(tmp_path) in line]


def command_lines() -> list[str]:
    """The command lines of all processes, as far as they are visible."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            found.append((folder / "cmdline").read_bytes().decode("utf-8", "replace"))
    return found


def test_an_sbcl_that_is_gone_is_named(index: Path, tmp_path: Path) -> None:
    change_record(index, tmp_path, sbcl="/nowhere/sbcl")
    value, note = probed(index)
    assert value is None
    assert "/nowhere/sbcl" in str(note)


# Nothing that an index says, or that others could have written, starts anything.


def spoiled(index: Path, folder: Path, **facts: str) -> Path:
    """A copy of the index with other facts in meta."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / "oblist.db"
    shutil.copy(index, copy)
    with closing(sqlite3.connect(copy)) as connection:
        for name, value in facts.items():
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
        connection.commit()
    return copy


@pytest.fixture
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was started")

    monkeypatch.setattr("subprocess.Popen", refuse)


@pytest.mark.usefixtures("nothing_starts")
@pytest.mark.parametrize(
    "told",
    ["", "0" * 32, "..", "../live", "/", ".", "../../../../../tmp", "a/b", "\0", "saving-1", "x" * 5000],
)
def test_an_index_of_another_build_id_starts_nothing(told: str, index: Path, tmp_path: Path) -> None:
    hostile = spoiled(
        index, tmp_path / "hostile", build_id=told, command="oblist index evil --init /tmp/evil", sbcl="/evil"
    )
    value, note = probed(hostile)
    assert value is None
    assert NOT_BUILT_HERE in str(note)


@pytest.mark.usefixtures("nothing_starts")
def test_a_record_beside_an_index_is_not_believed(index: Path, tmp_path: Path) -> None:
    hostile = spoiled(index, tmp_path / "hostile", build_id="f" * 32)
    shutil.copytree(entry(index, tmp_path), hostile.parent / "live" / ("f" * 32))
    shutil.copytree(entry(index, tmp_path), hostile.parent / ("f" * 32))
    assert NOT_BUILT_HERE in str(probed(hostile)[1])


@pytest.mark.usefixtures("nothing_starts")
@pytest.mark.parametrize("mode", [0o701, 0o710, 0o770, 0o707, 0o755])
@pytest.mark.parametrize("which", ["live", "entry"])
def test_a_cache_that_others_can_look_into_is_not_believed(
    which: str, mode: int, index: Path, tmp_path: Path
) -> None:
    folder = entry(index, tmp_path)
    (folder if which == "entry" else folder.parent).chmod(mode)
    assert NOT_BUILT_HERE in str(probed(index)[1])


@pytest.mark.usefixtures("nothing_starts")
def test_a_cache_that_others_can_write_is_not_believed(index: Path, tmp_path: Path) -> None:
    entry(index, tmp_path).parent.parent.chmod(0o777)
    assert NOT_BUILT_HERE in str(probed(index)[1])


@pytest.mark.usefixtures("nothing_starts")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("which", ["oblist", "live", "entry"])
def test_a_cache_of_another_user_is_not_believed(which: str, index: Path, tmp_path: Path) -> None:
    folder = entry(index, tmp_path)
    target = {"oblist": folder.parent.parent, "live": folder.parent, "entry": folder}[which]
    os.chown(target, 65534, 65534)
    assert NOT_BUILT_HERE in str(probed(index)[1])


@pytest.mark.usefixtures("nothing_starts")
def test_links_are_not_followed(index: Path, tmp_path: Path) -> None:
    folder = entry(index, tmp_path)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert NOT_BUILT_HERE in str(probed(index)[1])


@pytest.mark.usefixtures("nothing_starts")
def test_a_program_named_from_the_present_folder_is_not_started(index: Path, tmp_path: Path) -> None:
    change_record(index, tmp_path, sbcl="bin/sbcl")
    assert NOT_BUILT_HERE in str(probed(index)[1])


def test_an_sbcl_is_known_by_its_absolute_path(
    sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sbcl").symlink_to(sbcl.path)
    monkeypatch.chdir(tmp_path)
    assert find_sbcl("bin/sbcl").path == tmp_path / "bin" / "sbcl"


@pytest.mark.usefixtures("nothing_starts")
@pytest.mark.parametrize("content", ["", "[]", "{}", '{"build_id": 1}', "null", "\0" * 100, '{"runtime": 1}'])
def test_a_damaged_record_starts_nothing(content: str, index: Path, tmp_path: Path) -> None:
    (entry(index, tmp_path) / "record.json").write_text(content)
    assert NOT_BUILT_HERE in str(probed(index)[1])


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_an_index_of_another_user_in_a_parent_folder_is_passed_over(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = spoiled(index, tmp_path / "shared" / ".oblist", build_id="e" * 32)
    os.chown(theirs, 65534, 65534)
    (tmp_path / "shared" / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "shared" / "mine")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = oblist("describe", f"cl-user::{SYMBOL}")
    assert done.returncode == 3
    assert str(tmp_path / "data") in done.stderr


# What is kept.


def core_of(folder: Path, size: int = 1000) -> Path:
    folder.mkdir(exist_ok=True)
    core = folder / "core"
    with core.open("wb") as file:
        file.truncate(size)  # a sparse file: as big as it says, and nearly empty
    return core


def keep(records: BuildRecords, record: BuildRecord, core: Path) -> None:
    records.publish(record)
    records.add_core(record, core)


def index_file(folder: Path, number: int) -> str:
    path = folder / f"{number}.db"
    path.touch()
    return str(path)


def kept(records: BuildRecords, numbers: range) -> list[int]:
    return [number for number in numbers if records.core(f"{number:032x}")]


def test_few_snapshots_are_kept_the_newest(tmp_path: Path, sbcl: Sbcl) -> None:
    records = BuildRecords(tmp_path / "oblist")
    template = BuildRecord.of("", tmp_path, sbcl, (), Setup())
    for number in range(6):
        record = replace(template, build_id=f"{number:032x}", index=index_file(tmp_path, number))
        keep(records, record, core_of(tmp_path / "work"))
        os.utime(tmp_path / "oblist" / "live" / record.build_id, (number, number))
    assert kept(records, range(6)) == [3, 4, 5]
    assert MOST_SNAPSHOTS == 3
    assert all(records.find(f"{number:032x}") for number in range(6))


def test_big_snapshots_push_out_the_older(tmp_path: Path, sbcl: Sbcl) -> None:
    records = BuildRecords(tmp_path / "oblist")
    template = BuildRecord.of("", tmp_path, sbcl, (), Setup())
    for number in range(3):
        record = replace(template, build_id=f"{number:032x}", index=index_file(tmp_path, number))
        keep(records, record, core_of(tmp_path / "work", 240_000_000))
        os.utime(tmp_path / "oblist" / "live" / record.build_id, (number, number))
    assert kept(records, range(3)) == [1, 2]


def test_a_new_build_of_an_index_replaces_what_was_kept_of_the_old(tmp_path: Path, sbcl: Sbcl) -> None:
    records = BuildRecords(tmp_path / "oblist")
    template = BuildRecord.of("", tmp_path / "oblist.db", sbcl, (), Setup())
    for number in range(2):
        keep(records, replace(template, build_id=f"{number:032x}"), core_of(tmp_path / "work"))
    assert [records.find(f"{number:032x}") is not None for number in range(2)] == [False, True]


def test_records_of_indexes_that_are_gone_go_too(tmp_path: Path, sbcl: Sbcl) -> None:
    records = BuildRecords(tmp_path / "oblist")
    template = BuildRecord.of("", tmp_path, sbcl, (), Setup())
    for number in range(3):
        keep(
            records,
            replace(template, build_id=f"{number:032x}", index=index_file(tmp_path, number)),
            core_of(tmp_path / "work"),
        )
    (tmp_path / "1.db").unlink()
    records.publish(replace(template, build_id="a" * 32, index=index_file(tmp_path, 10)))
    assert [records.find(f"{number:032x}") is not None for number in range(3)] == [True, False, True]


def test_a_loose_umask_makes_no_loose_cache(tmp_path: Path, sbcl: Sbcl) -> None:
    before = os.umask(0o002)
    try:
        records = BuildRecords(tmp_path / "cache" / "oblist")
        record = BuildRecord.of("a" * 32, tmp_path, sbcl, (), Setup())
        keep(records, record, core_of(tmp_path / "work"))
    finally:
        os.umask(before)
    assert records.find("a" * 32) == record
    assert records.core("a" * 32)


def test_a_cache_that_cannot_be_believed_is_said_to_be_so_at_once(tmp_path: Path, sbcl: Sbcl) -> None:
    records = BuildRecords(tmp_path / "oblist")
    (tmp_path / "oblist").mkdir()
    (tmp_path / "oblist").chmod(0o777)
    with pytest.raises(PermissionError, match="others may change"):
        records.publish(BuildRecord.of("a" * 32, tmp_path, sbcl, (), Setup()))
    assert list((tmp_path / "oblist" / "live").iterdir()) == []


def test_two_builds_at_once_do_not_touch_each_others_cores(tmp_path: Path) -> None:
    records = BuildRecords(tmp_path / "oblist")
    with records.saving() as first, records.saving() as second:
        assert first != second
        assert first.parent.is_dir()


def test_a_reader_that_asked_too_early_finds_the_record_later(index: Path, tmp_path: Path) -> None:
    folder = entry(index, tmp_path)
    folder.rename(tmp_path / "away")
    with open_index(index, values=live_values(60)) as opened:
        early = opened.describe(SYMBOL, PACKAGE)
        assert isinstance(early, DescribeAnswer)
        assert NOT_BUILT_HERE in str(early.value_note)
        (tmp_path / "away").rename(folder)
        later = opened.describe(SYMBOL, PACKAGE)
        assert isinstance(later, DescribeAnswer)
        assert later.value == '"built"'


def test_what_a_killed_build_left_is_removed_by_the_next(tmp_path: Path) -> None:
    records = BuildRecords(tmp_path / "oblist")
    left = tmp_path / "oblist" / "live" / "saving-999999999"
    with records.saving() as core:
        assert core.parent.is_dir()
        left.mkdir()
        assert not records.find(core.parent.name)
    with records.saving():
        assert not left.exists()
    assert list((tmp_path / "oblist" / "live").iterdir()) == []


# The command line.


def test_info_says_how_big_the_snapshot_is_and_describe_asks_it(index: Path, tmp_path: Path) -> None:
    done = oblist("info", "--index", index)
    size = (entry(index, tmp_path) / "image.core").stat().st_size
    assert done.stdout.splitlines()[-1].split() == ["snapshot", f"{size / 1e6:.1f}", "MB"]
    done = oblist("describe", f"cl-user::{SYMBOL}", "--index", index)
    assert (done.returncode, done.stdout.splitlines()[1], done.stderr) == (0, '  Value: "built"', "")
    done = oblist("describe", f"cl-user::{SYMBOL}", "--index", index, "--no-live")
    assert "Value:" not in done.stdout
    assert done.stderr == ""


@pytest.mark.usefixtures("small")
def test_without_snapshot_none_is_saved_but_values_are_there(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index.exists()
    path = tmp_path / "other.db"
    done = oblist("index", "--no-snapshot", "--output", path)
    assert "no snapshot for values: none was wanted" in done.stdout
    assert oblist("info", "--index", path).stdout.splitlines()[-1].split() == ["snapshot", "none"]
    assert "  Value: 10\n" in oblist("describe", "*print-base*", "--index", path).stdout


@pytest.mark.usefixtures("small")
def test_a_snapshot_of_an_image_with_threads_is_given_up_with_a_word(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index.exists()
    monkeypatch.delenv("OBLIST_NO_SNAPSHOT")
    file = tmp_path / "threads.lisp"
    file.write_text('(sb-thread:make-thread (lambda () (sleep 100)) :name "sleeper")\n(defvar *here* 1)\n')
    path = tmp_path / "threads.db"
    done = oblist("index", "--no-userinit", "--load", file, "--output", path)
    assert done.returncode == 0, done.stderr
    assert "no snapshot for values: other threads run: sleeper" in done.stdout
    assert "  Value: 1\n" in oblist("describe", "cl-user::*here*", "--index", path).stdout
