"""Only records in the user's own cache decide what is started for values, whatever an index says."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from oblist.indexer.layers import cache
from oblist.lisp.build_records import BuildRecord, BuildRecords
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl, find_sbcl
from oblist.query import open_index
from oblist.query.questions.describe.answer import DescribeAnswer
from oblist.query.values.live import live_values
from support.builds.images import ImageIndex, live_image
from support.builds.shared_code import share_code
from support.command import oblist

SYMBOL, PACKAGE = "*PROBE*", "CL-USER"
NOT_BUILT_HERE = "this index was built elsewhere"

_AGE = re.compile(r"used (just now|.*? ago) +")


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
    monkeypatch.setenv("PROBE", "loaded again")
    assert probed(index) == ('"built"', None)


@pytest.fixture
def saving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds save snapshots, in a cache of the test's own."""
    share_code(tmp_path / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("OBLIST_NO_SNAPSHOT", raising=False)


HOW = "; run `oblist index` to save an image, or name a running one with --attach"


@pytest.mark.usefixtures("nothing_starts")
def test_a_removed_snapshot_is_not_replaced_by_loading_the_systems(index: Path, tmp_path: Path) -> None:
    (entry(index, tmp_path) / "image.core").unlink()
    assert probed(index) == (None, f"no live value: the saved image was removed{HOW}")
    change_record(index, tmp_path, no_core="other threads run: poll")
    why = "the build of the index could not save the image: other threads run: poll"
    assert probed(index) == (None, f"no live value: {why}{HOW}")
    change_record(index, tmp_path, no_core=None, snapshot=False)
    assert probed(index) == (None, f"no live value: the build saved no image{HOW}")


@pytest.mark.usefixtures("nothing_starts")
def test_a_snapshot_of_another_sbcl_is_not_started(
    index: Path, records: BuildRecords, tmp_path: Path
) -> None:
    change_record(index, tmp_path, runtime=[1, 1])
    record = records.find(build_id(index))
    assert record is not None
    why = f"{record.sbcl} has changed since the index was built"
    assert probed(index) == (None, f"no live value: {why}{HOW}")


@pytest.mark.parametrize("content", [b"", b"no core", os.urandom(1 << 16)])
def test_a_snapshot_that_does_not_start_gives_no_value(content: bytes, index: Path, tmp_path: Path) -> None:
    core = entry(index, tmp_path) / "image.core"
    core.write_bytes(content)
    assert probed(index) == (None, f"no live value: the saved image of the index does not start{HOW}")
    # It stays: perhaps only this process's limits kept it from starting.
    assert core.read_bytes() == content


@pytest.mark.usefixtures("small", "saving")
def test_the_image_tells_what_did_not_load_into_it(tmp_path: Path) -> None:
    (tmp_path / "probe.lisp").write_text(f'(defvar cl-user::{SYMBOL} "built")\n')
    (tmp_path / "broken.lisp").write_text('(error "no")\n')
    path = tmp_path / "oblist.db"
    files = [argument for name in ("probe", "broken") for argument in ("--load", tmp_path / f"{name}.lisp")]
    assert oblist("index", "--no-userinit", *files, "--output", path).returncode == 1
    assert probed(path) == ('"built"', "1 of the systems and files of the build did not load")


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


def keep_several(records: BuildRecords, sbcl: Sbcl, folder: Path, number: int, size: int = 1000) -> None:
    """Keep cores of that many indexes, each used a second after the one before it."""
    template = BuildRecord.of("", folder, sbcl, (), Setup())
    for one in range(number):
        record = replace(template, build_id=f"{one:032x}", index=index_file(folder, one))
        keep(records, record, core_of(folder / "work", size))
        os.utime(folder / "oblist" / "live" / record.build_id / "record.json", (one, one))


def test_the_cores_of_all_indexes_are_kept(tmp_path: Path, sbcl: Sbcl) -> None:
    records = BuildRecords(tmp_path / "oblist")
    keep_several(records, sbcl, tmp_path, 60)
    assert kept(records, range(60)) == [*range(60)]


def test_beyond_the_limit_the_least_recently_used_go(
    tmp_path: Path, sbcl: Sbcl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    records = BuildRecords(tmp_path / "oblist")
    keep_several(records, sbcl, tmp_path, 10, 450_000_000)
    assert cache.most_bytes() == 4_000_000_000
    assert len(cache.prune()) == 2
    assert kept(records, range(10)) == [2, 3, 4, 5, 6, 7, 8, 9]
    records.note_use(f"{3:032x}")
    removed = cache.prune(1_000_000_000)
    assert kept(records, range(10)) == [3, 9]
    assert len(removed) == 6
    assert all(records.find(f"{number:032x}") for number in range(10))


def test_cores_that_nothing_can_use_are_named_and_removed(
    tmp_path: Path, sbcl: Sbcl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    records = BuildRecords(tmp_path / "oblist")
    keep_several(records, sbcl, tmp_path, 3)
    (tmp_path / "1.db").unlink()
    other = tmp_path / "oblist" / "live" / f"{2:032x}" / "record.json"
    other.write_text(json.dumps({**json.loads(other.read_text()), "runtime": [1, 1]}))
    useless = {one.record.build_id[-1]: one.why_useless for one in records.saved()}
    assert useless == {"0": None, "1": "its index is gone", "2": f"{sbcl.path} has changed"}
    assert [one.path.parent.name[-1] for one in cache.prune()] == ["2", "1"]
    assert kept(records, range(3)) == [0]


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
    with pytest.raises(PermissionError, match="other users can write to"):
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
    left = tmp_path / "oblist" / "live" / "saving-999999999-left"
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
    shown = f"{size / 1e6:.1f} MB"
    assert " ".join(done.stdout.splitlines()[-1].split()) == f"snapshot {shown} (all snapshots: {shown})"
    done = oblist("describe", f"cl-user::{SYMBOL}", "--index", index)
    assert (done.returncode, done.stdout.splitlines()[1], done.stderr) == (0, '  Value: "built"', "")
    done = oblist("describe", f"cl-user::{SYMBOL}", "--index", index, "--no-live")
    assert "Value:" not in done.stdout
    assert done.stderr == ""


@pytest.mark.usefixtures("small", "saving")
def test_there_is_no_value_until_a_build_saves_an_image_and_again_when_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    done = oblist("index", "--no-snapshot", "--output", path)
    assert "no snapshot for values: none was wanted" in done.stdout
    assert oblist("info", "--index", path).stdout.splitlines()[-1].split()[:2] == ["snapshot", "none"]
    done = oblist("describe", "*print-base*", "--index", path)
    assert "Value:" not in done.stdout
    assert done.stderr == f"note: no live value: the build saved no image{HOW}\n"
    assert "up to date" not in oblist("index", "--output", path).stdout
    assert "  Value: 10\n" in oblist("describe", "*print-base*", "--index", path).stdout
    assert "up to date" in oblist("index", "--output", path).stdout
    assert oblist("cache", "--prune", "--most", "0").stdout.splitlines()[-2].startswith("removed ")
    assert "snapshot for values" in oblist("index", "--output", path).stdout


def test_cache_lists_and_removes(index: Path, tmp_path: Path) -> None:
    core = entry(index, tmp_path) / "image.core"
    size = core.stat().st_size
    listed = oblist("cache").stdout
    line = next(line for line in listed.splitlines() if str(index) in line)
    assert f"{size / 1e6:.1f} MB" in line
    assert listed.splitlines()[-1].startswith("1 image and ")
    (one,) = [one for one in json.loads(oblist("cache", "--json").stdout)["kept"] if one["kind"] == "image"]
    assert (one["what"], one["size"], one["useless"]) == (f"values of {index}", size, None)
    # Time passes meanwhile, and other tests use layers: the last used is the first.
    again = oblist("cache", "--prune").stdout
    assert sorted(_AGE.sub("", again).splitlines()) == sorted(_AGE.sub("", listed).splitlines())
    done = json.loads(oblist("cache", "--prune", "--most", "0", "--json").stdout)
    assert all(one["kind"] == "layer" for one in done["kept"])
    assert size in [one["size"] for one in done["removed"]]
    assert not core.exists()
    assert oblist("cache").stdout.splitlines()[-1].startswith("0 images and ")
