"""Building in a child process: its stages, every way to end it, and rebuilding from a record."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from oblist.indexer.build.index import Summary
from oblist.indexer.image import ImagePlan
from oblist.lisp.build_records import BuildRecord, BuildRecords
from oblist.lisp.images import Setup
from oblist.lisp.sbcl import Sbcl
from oblist.query.processes import build as build_process
from oblist.query.processes.build import BuildProcess, NotBuiltHereError, arguments_of, rebuild_arguments
from support.builds.shared_code import share_code
from support.command import OBLIST, oblist, processes_with, write_system
from support.command_line import run_main
from support.patience import SOON

LAST_STAGES = ["writing the search tables", "checking the index", "saving the image for values"]
SECONDS = 100
# These test building, not the content of SBCL.
pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache for this module only, which identifies its processes."""
    folder = tmp_path_factory.mktemp("build-process") / "cache"
    share_code(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder / "oblist"


def quiet(_: str) -> None:
    """Ignore a stage."""


def facts(index: Path, statement: str) -> object:
    with closing(sqlite3.connect(index)) as connection:
        return connection.execute(statement).fetchone()[0]


def build_id(index: Path) -> str:
    return str(facts(index, "SELECT value FROM meta WHERE name = 'build_id'"))


def assert_nothing_is_left(folder: Path, cache: Path, *names: str) -> None:
    """No SBCL of this cache runs, and the folder has these files and no others."""
    deadline = time.monotonic() + SOON
    while (left := processes_with(str(cache))) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left
    assert sorted(entry.name for entry in folder.iterdir()) == sorted(names)
    assert not list((cache / "live").glob("saving-*"))


def test_a_build_tells_its_stages_in_order_and_what_it_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SBCL")  # the whole SBCL has references to count
    index = tmp_path / "oblist.db"
    stages: list[str] = []
    threads: set[int] = set()

    def on_stage(stage: str) -> None:
        stages.append(stage)
        threads.add(threading.get_ident())

    outcome = BuildProcess([f"--output={index}", "--from-scratch"]).run(on_stage, SECONDS)
    assert (outcome.success, outcome.code) == (True, 0), outcome
    assert stages[0] == "starting SBCL"
    assert stages[-len(LAST_STAGES) :] == LAST_STAGES
    counts = stages[1 : -len(LAST_STAGES)]
    assert len(counts) > 10
    assert all(stage.endswith(" references") for stage in counts)
    assert counts == sorted(counts, key=lambda stage: int(stage.split()[1].replace(",", "")))
    assert threads == {threading.get_ident()}
    symbols = facts(index, "SELECT count(*) FROM symbols")
    assert outcome.text.startswith(f"{index}: {symbols:,} symbols, ")
    assert outcome.text.endswith(" s") and "\n" not in outcome.text


def test_what_is_loaded_is_counted_and_what_does_not_load_is_reported(tmp_path: Path) -> None:
    index, good, bad = (tmp_path / name for name in ("oblist.db", "good.lisp", "bad.lisp"))
    good.write_text("(defvar cl-user::*good* 1)")
    bad.write_text('(error "Not on a ~A." "Sunday")')
    stages: list[str] = []
    arguments = [f"--output={index}", "--no-userinit", f"--load={bad}", f"--load={good}"]
    outcome = BuildProcess(arguments).run(stages.append, SECONDS)
    assert (outcome.success, outcome.code) == (True, 1)
    loading = [stage for stage in stages if stage.startswith("loading ")]
    assert stages[: len(loading) + 1] == ["starting SBCL", *loading]
    # If both are loaded at once, only the last is told.
    assert loading in ([f"loading file {bad}", f"loading file {good}"], [f"loading file {good}"])
    summary, warning = outcome.text.splitlines()
    assert summary.startswith(f"{index}: ")
    assert outcome.not_loaded == f"file {bad} (SIMPLE-ERROR: Not on a Sunday.)"
    assert warning == f"Some parts did not load: {outcome.not_loaded}"
    assert facts(index, "SELECT count(*) FROM symbols WHERE name = '*GOOD*'") == 1


@pytest.fixture
def old_index(bare_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An existing index; builds save snapshots."""
    monkeypatch.delenv("OBLIST_NO_SNAPSHOT")
    index = tmp_path / "index" / "oblist.db"
    index.parent.mkdir()
    shutil.copy(bare_index, index)
    return index


@pytest.mark.parametrize("moment", ["starting SBCL", "/endless.lisp", " references", LAST_STAGES[0]])
def test_a_cancelled_build_leaves_the_old_index_and_nothing_else(
    moment: str, old_index: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if moment == " references":
        monkeypatch.delenv("SBCL")
    before = old_index.read_bytes()
    (tmp_path / "first.lisp").write_text("(+ 1 1)")
    loads = [f"--load={tmp_path / 'first.lisp'}"]
    if moment == "/endless.lisp":  # ... something that never ends
        (tmp_path / "endless.lisp").write_text("(loop (sleep 1))")
        loads.append(f"--load={tmp_path / 'endless.lisp'}")
    process = BuildProcess([f"--output={old_index}", "--from-scratch", "--no-userinit", *loads])
    reached = threading.Event()

    def on_stage(stage: str) -> None:
        if stage.endswith(moment):
            reached.set()

    def cancel() -> None:
        assert reached.wait(SECONDS)
        process.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    began = time.monotonic()
    outcome = process.run(on_stage, SECONDS)
    canceller.join()
    assert not outcome.success and outcome.code == 130, outcome
    assert outcome.text == "The build was cancelled; the old index, if there is one, is still used."
    assert time.monotonic() - began < SOON
    assert old_index.read_bytes() == before
    assert_nothing_is_left(old_index.parent, cache, "oblist.db")


def test_a_build_that_was_cancelled_before_it_began_does_not_build(tmp_path: Path, cache: Path) -> None:
    process = BuildProcess([f"--output={tmp_path / 'oblist.db'}"])
    process.cancel()
    outcome = process.run(quiet, SECONDS)
    assert not outcome.success and "cancelled" in outcome.text
    assert_nothing_is_left(tmp_path, cache)


def test_a_build_that_takes_too_long_is_ended(old_index: Path, cache: Path, tmp_path: Path) -> None:
    before = old_index.read_bytes()
    (tmp_path / "endless.lisp").write_text("(loop (sleep 1))")
    began = time.monotonic()
    arguments = [f"--output={old_index}", "--no-userinit", f"--load={tmp_path / 'endless.lisp'}"]
    outcome = BuildProcess(arguments).run(quiet, 2.5)
    assert 2.5 <= time.monotonic() - began < SOON
    assert not outcome.success and outcome.code == 130
    assert outcome.text.startswith("The build took longer than 2.5 s")
    assert old_index.read_bytes() == before
    assert_nothing_is_left(old_index.parent, cache, "oblist.db")


def test_an_error_of_whoever_is_told_ends_the_build(tmp_path: Path, cache: Path) -> None:
    def on_stage(stage: str) -> None:
        raise RuntimeError(stage)

    with pytest.raises(RuntimeError, match="starting SBCL"):
        BuildProcess([f"--output={tmp_path / 'oblist.db'}"]).run(on_stage, SECONDS)
    assert_nothing_is_left(tmp_path, cache)


def test_a_build_that_fails_says_why_and_leaves_the_old_index(old_index: Path, cache: Path) -> None:
    before = old_index.read_bytes()
    stages: list[str] = []
    outcome = BuildProcess([f"--output={old_index}", "--sbcl=/no/such/sbcl"]).run(stages.append, SECONDS)
    assert (outcome.success, outcome.code, stages) == (False, 1, [])
    assert outcome.text.startswith("oblist: No SBCL found: /no/such/sbcl is not a program.")
    # A build that gets further, and fails with SBCL.
    fake = old_index.parent.parent / "sbcl"
    fake.write_text('#!/bin/sh\n[ "$1" = --version ] && echo SBCL 9.9 || { echo no heap today; exit 3; }\n')
    fake.chmod(0o700)
    outcome = BuildProcess([f"--output={old_index}", f"--sbcl={fake}"]).run(stages.append, SECONDS)
    assert (outcome.success, outcome.code, stages) == (False, 1, ["starting SBCL"])
    assert "no heap today" in outcome.text and '{"stage"' not in outcome.text
    outcome = BuildProcess(["--no-such-option"]).run(quiet, SECONDS)
    assert not outcome.success and outcome.code == 2 and "--no-such-option" in outcome.text
    assert old_index.read_bytes() == before
    assert_nothing_is_left(old_index.parent, cache, "oblist.db")


def instead_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Run a shell script in place of the build."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))


def test_what_does_not_end_when_asked_is_killed_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "deaf-child"
    marker.write_text("#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 0.1; done\n")
    marker.chmod(0o700)
    instead_of_python(tmp_path, monkeypatch, f"trap '' TERM\n{marker} &\nwhile :; do sleep 0.1; done")
    monkeypatch.setattr(build_process, "_GRACE_SECONDS", 0.3)
    began = time.monotonic()
    outcome = BuildProcess([]).run(quiet, 0.5)
    assert not outcome.success and outcome.code == 128 + signal.SIGKILL
    assert time.monotonic() - began < SOON
    time.sleep(0.3)
    assert not processes_with(str(marker))


def test_a_build_that_a_signal_ended_has_the_code_of_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As Python ends if it is interrupted while a class is made.
    interrupted = "try:\n    exec('raise KeyboardInterrupt')\nexcept KeyboardInterrupt:\n    sys.exit(130)\n"
    (tmp_path / "late.py").write_text(f"import sys\n{interrupted}")
    instead_of_python(tmp_path, monkeypatch, f"cd {tmp_path}\nexec {sys.executable} -m late")
    outcome = BuildProcess([]).run(quiet, SECONDS)
    assert (outcome.success, outcome.code) == (False, 130), outcome


def test_what_is_kept_of_much_output_is_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    much = "yes 'many words 日本' | head -n 1000000 >&2; yes | tr -d '\\n' | head -c 20000000"
    told = """echo '{"stage": "one"}' >&2; echo '{"stage" no' >&2; echo 'the end' >&2; exit 7"""
    instead_of_python(tmp_path, monkeypatch, f"{much}\n{told}")
    stages: list[str] = []
    outcome = BuildProcess([]).run(stages.append, SECONDS)
    assert (outcome.success, outcome.code, stages) == (False, 7, ["one"])
    assert len(outcome.text) <= 2000
    assert outcome.text.endswith('many words 日本\n{"stage" no\nthe end'), outcome.text[-200:]


def test_a_program_that_does_not_start_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    outcome = BuildProcess([]).run(quiet, SECONDS)
    assert not outcome.success and outcome.code == 127 and "/no/such/python" in outcome.text


def test_nothing_is_imported_from_the_folder_we_work_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "oblist").mkdir()
    for name in ("click.py", "oblist/__init__.py"):
        (tmp_path / name).write_text("raise SystemExit('imported from here')")
    monkeypatch.chdir(tmp_path)
    assert BuildProcess(["--sbcl=/no/such/sbcl"]).run(quiet, SECONDS).text.startswith("oblist: No SBCL")


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv ends the child with its parent")
def test_the_build_ends_when_we_are_killed(tmp_path: Path, cache: Path) -> None:
    endless = tmp_path / "endless.lisp"
    endless.write_text("(loop (sleep 1))")
    arguments = [f"--output={tmp_path / 'oblist.db'}", "--no-userinit", f"--load={endless}"]
    code = (
        "from oblist.query.processes.build import BuildProcess\n"
        f"BuildProcess({arguments!r}).run(print, {SECONDS})"
    )
    with subprocess.Popen([sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "starting SBCL"
        time.sleep(1)
        assert processes_with(str(cache)) and processes_with("--progress-json")
        child.kill()
    deadline = time.monotonic() + SOON
    mine = f"--output={tmp_path}"
    while (left := processes_with(str(cache)) + processes_with(mine)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


# Rebuilding from a record


def record_of(sbcl: Sbcl, index: Path, systems: tuple[str, ...], setup: Setup) -> BuildRecord:
    return BuildRecord.of("some-id", index, sbcl, systems, setup)


SETUPS = {
    "bare": ((), Setup()),
    "systems": (("asdf", "sb-posix"), Setup(user_init=True)),
    "no user init": (("asdf",), Setup()),
    "project": ((), Setup(projects=[Path("-project"), Path("other")], user_init=True)),
    "files": ((), Setup(files=[Path("one.lisp"), Path("-two two.lisp")])),
    "init": (("asdf",), Setup(init=Path("-init=x.lisp"), user_init=True)),
    "init alone": ((), Setup(init=Path("one.lisp"))),
    "everything": (
        ("asdf", "uiop"),
        Setup([Path("-project")], [Path("one.lisp")], Path("-init=x.lisp"), user_init=False),
    ),
    "hostile names": (("--output=/tmp/other.db", "-h", "--", "--sbcl", "", "a b", "--no-userinit"), Setup()),
}


@pytest.mark.parametrize("case", SETUPS)
def test_the_command_line_of_a_record_means_what_the_record_says(
    case: str, sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-project", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.asd").touch()
    for name in ("one.lisp", "-two two.lisp", "-init=x.lisp"):
        (tmp_path / name).touch()
    index = tmp_path / "oblist.db"
    monkeypatch.delenv("OBLIST_NO_SNAPSHOT", raising=False)
    kept = {"sources": case != "files", "snapshot": case != "init"}
    record = replace(record_of(sbcl, index, *SETUPS[case]), **kept)
    made: list[BuildRecord] = []

    def note(output: Path, plan: ImagePlan, store_sources: bool, snapshot: bool, **_: object) -> Summary:
        made.append(
            BuildRecord.of(
                "some-id",
                output,
                plan.sbcl,
                plan.systems,
                plan.setup,
                sources=store_sources,
                snapshot=snapshot,
            )
        )
        return Summary(output, 1, 1, 1, 1, 1.0, 1, [])

    monkeypatch.setattr("oblist.indexer.commands.index.build_index", note)
    monkeypatch.setenv("OBLIST_INDEX", str(tmp_path / "elsewhere.db"))
    monkeypatch.setenv("SBCL", "/no/such/sbcl")
    monkeypatch.chdir("/")
    arguments = arguments_of(record, index)
    run = run_main("index", *arguments)
    assert run.code == 0, run.errors
    assert made == [record]


def test_an_index_is_built_again_from_its_record(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in write_system(
        tmp_path / "sample", "again-sample", "(defun cl-user::again (x) (car x))"
    ).items():
        monkeypatch.setenv(name, value)
    extra = tmp_path / "extra file.lisp"
    extra.write_text('(defvar cl-user::*extra* 1 "Loaded first.")')
    (tmp_path / "index").mkdir()
    index, first = tmp_path / "index" / "oblist.db", tmp_path / "first.db"
    done = oblist("index", "again-sample", "--load", extra, "--no-userinit", "--output", index)
    assert done.returncode == 0, done.stderr
    first_id = build_id(index)
    shutil.copy(index, first)
    records = BuildRecords(cache)
    record = records.find(first_id)
    assert record is not None
    outcome = BuildProcess(rebuild_arguments(index, first_id)).run(quiet, SECONDS)
    assert (outcome.success, outcome.code) == (True, 0), outcome
    assert build_id(index) != first_id
    done = oblist("check-index", "--index", index, "--same-as", first)
    assert done.returncode == 0, done.stdout
    assert facts(index, "SELECT count(*) FROM symbols WHERE name IN ('AGAIN', '*EXTRA*')") == 2
    assert records.find(build_id(index)) == replace(record, build_id=build_id(index))
    assert_nothing_is_left(index.parent, cache, "oblist.db")


def test_a_system_whose_name_looks_like_an_option_is_a_system(
    small: Sbcl, tmp_path: Path, cache: Path
) -> None:
    other, index = tmp_path / "other.db", tmp_path / "index" / "oblist.db"
    record = record_of(small, index, (f"--output={other}", "--help"), Setup())
    outcome = BuildProcess(arguments_of(record, index)).run(quiet, SECONDS)
    assert (outcome.success, outcome.code) == (True, 1), outcome
    assert f"Some parts did not load: system --output={other} (" in outcome.text
    assert "; system --help (" in outcome.text
    assert not other.exists()
    assert_nothing_is_left(index.parent, cache, "oblist.db")


def test_an_index_that_was_not_built_here_is_not_built_again(bare_index: Path, tmp_path: Path) -> None:
    copy = tmp_path / "oblist.db"
    shutil.copy(bare_index, copy)
    for forged in (build_id(copy), "", ".", "..", "../live", "--output=x", str(tmp_path)):
        with pytest.raises(NotBuiltHereError, match="built elsewhere") as refused:
            rebuild_arguments(copy, forged)
        assert str(copy) in str(refused.value) and "oblist index" in str(refused.value)


def test_a_build_asked_to_end_by_sigterm_tidies_up(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SBCL")
    arguments = ["index", "--progress-json", f"--output={tmp_path / 'oblist.db'}"]
    with subprocess.Popen([OBLIST, *arguments], stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert child.stderr.readline() == '{"stage": "starting SBCL"}\n'
        assert child.stderr.readline().endswith(' references"}\n')
        os.kill(child.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            child.wait(20)
        assert child.returncode == 130
        assert child.stderr.read().splitlines()[-1] == "oblist: interrupted"
    assert_nothing_is_left(tmp_path, cache)
