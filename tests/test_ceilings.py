"""What the tests start is counted for whoever causes it, and a run that starts more than is allowed fails."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from support.checkout import ROOT
from support.command import OBLIST
from support.starts.causes import SHARED, Cause, started_for
from support.starts.counting import CEILINGS, KINDS, UNKNOWN, above, counts, starts
from support.starts.programs import CAUSE, FILE, FILE_IN_HOME

IMAGE = [
    "sbcl",
    "--noinform",
    "--no-sysinit",
    "--no-userinit",
    "--non-interactive",
    "--eval",
    "(sb-ext:exit)",
]
A_TEST = """import subprocess

def test_two_commands():
    for _ in range(2):
        subprocess.run([{oblist!r}, "--version"], check=True)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of counts for this test alone."""
    path = tmp_path / FILE_IN_HOME
    path.touch()
    monkeypatch.setenv(FILE, str(path))
    return path


def test_each_start_is_counted_for_its_cause(file: Path) -> None:
    with started_for(Cause("a", "test", "one")):
        subprocess.run(IMAGE, check=True, capture_output=True)
        with started_for(Cause("b", "fixture", "one")):
            subprocess.run([OBLIST, "--version"], check=True, capture_output=True)
        subprocess.run(["sbcl", "--version"], check=True, capture_output=True)  # starts no image
    assert counts(starts(file)) == {"a": {"sbcl": 1}, "b": {"processes": 1}}


def test_an_sbcl_that_dumps_is_a_build_as_well(file: Path) -> None:
    for words in (["--eval", "'oblist::begin"], ["--eval", "'dumps"]):
        with started_for(Cause("a", words[1], "one")):
            subprocess.run([*IMAGE, *words], check=True, capture_output=True)
    assert counts(starts(file)) == {"a": {"sbcl": 2, "builds": 1}}


def test_a_fixture_that_several_workers_set_up_counts_once(file: Path) -> None:
    lines = [("one", 2), ("two", 3)]
    file.write_text("".join(f"sbcl\ta\tfixture\t{worker}\n" * times for worker, times in lines))
    assert counts(starts(file)) == {"a": {"sbcl": 3}}


def test_a_process_in_another_environment_is_counted_too(file: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(file.parent)}
    subprocess.run([OBLIST, "--version"], check=True, capture_output=True, env=environment)
    assert counts(starts(file)) == {UNKNOWN: {"processes": 1}}


def test_what_is_above_a_ceiling_is_named() -> None:
    found = {
        ("a", "one"): Counter(sbcl=1),
        ("a", "two"): Counter(sbcl=2, builds=1),
        ("b", ""): Counter(dask=1),
    }
    assert above(found, {"a": Counter(sbcl=3, builds=1), "b": Counter(dask=1)}) == []
    assert above(found, {"a": Counter(sbcl=1, builds=1)}) == [
        "a started 3 sbcl, and ceilings.toml allows 1; most of them: two 2, one 1",
        "b started 1 dask, and ceilings.toml allows 0; most of them: ? 1",
    ]


@pytest.mark.parametrize(("most", "code"), [(2, 0), (1, 1)])
def test_a_run_fails_that_starts_too_much(file: Path, tmp_path: Path, most: int, code: int) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (tmp_path / "pytest.ini").touch()
    (folder / "test_two.py").write_text(A_TEST.format(oblist=OBLIST))
    (folder / CEILINGS.name).write_text(f"[tests]\nprocesses = {most}\n")
    # Nothing of the pytest that runs this test, whose caller may have given it options.
    own = ("PYTEST", CAUSE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    environment |= {"PYTHONPATH": str(ROOT / "tests"), "TESTS_IN_FULL": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "support.starts.counting", str(folder)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    last = done.stdout.splitlines()[-1]
    assert last.startswith("ERROR tests started 2 processes, and ceilings.toml allows 1;") == bool(code)
    assert ("test_two.py::test_two_commands 2" in last) == bool(code)


def test_each_ceiling_is_that_of_a_folder() -> None:
    read = tomllib.loads((ROOT / CEILINGS).read_text())
    assert len(read) > 10
    for folder, row in read.items():
        assert folder in (SHARED, UNKNOWN) or (ROOT / folder).is_dir(), folder
        assert set(row) <= {*KINDS, "raised"}, folder
