"""Whoever writes files is killed at each step: what was there is there, or what is new, and nothing else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from oblist.query.edit.changes import Change
from oblist.query.edit.writing import finish_interrupted, write_changes
from support.command_line import run_main
from support.editors.atelier import copied_atelier
from support.starts.killing import killed_at_each_step

OLD, NEW = b"(defun old ())\n", b"(defun new ())\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_atelier(tmp_path_factory.mktemp("killed") / "atelier")


@pytest.mark.parametrize("first", ["one", "two", "both"])
def test_an_edit_of_files_in_two_folders(first: str, tmp_path: Path) -> None:
    """The next process may look at any of the folders first."""
    files = [tmp_path / folder / name for folder in ("one", "two") for name in ("a.lisp", "b.lisp")]
    system, moved = tmp_path / "two" / "old.asd", tmp_path / "two" / "new.asd"

    def reset() -> None:
        for folder in ("one", "two"):
            shutil.rmtree(tmp_path / folder, ignore_errors=True)
            (tmp_path / folder).mkdir()
        for path in (*files, system):
            path.write_bytes(OLD)

    def write() -> None:
        changes = [Change(path, OLD, NEW) for path in files]
        write_changes([*changes, Change(system, OLD, NEW, moved_to=moved)])

    def look() -> None:
        for folder in (first, "one", "two") if first != "both" else ("one", "two"):
            finish_interrupted([tmp_path / folder])
        here = {path for path in tmp_path.rglob("*") if path.suffix in {".lisp", ".asd"}}
        (content,) = {path.read_bytes() for path in here}
        assert here == {*files, moved if content == NEW else system}
        seen.add(content)
        if content == OLD:
            write()  # the next one, which removes what is left
        assert {path.name for path in tmp_path.rglob("*.*")} == {"a.lisp", "b.lisp", "new.asd"}
        reset()

    seen: set[bytes] = set()
    reset()
    assert killed_at_each_step(tmp_path, write, look) > 10
    assert seen == {OLD, NEW}


def export(*arguments: str) -> Callable[[Path, Path], tuple[int, str, str]]:
    def run(project: Path, output: Path) -> tuple[int, str, str]:
        index = project / ".oblist" / "oblist.db"
        return run_main("export", *arguments, "--index", str(index), "--output", str(output))

    return run


def baseline(project: Path, output: Path) -> tuple[int, str, str]:
    index = str(project / ".oblist" / "oblist.db")
    return run_main("check", str(project), "--index", index, "--jobs", "1", "--write-baseline", str(output))


def content(path: Path) -> dict[str, bytes]:
    """What a file has, or all files of a folder."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*") if one.is_file()}


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("TAGS", export("etags")),
        pytest.param("index.scip", export("scip"), marks=pytest.mark.full),  # which takes a second each
        ("atelier.docset", export("dash")),
        ("baseline.json", baseline),
    ],
)
def test_what_commands_write(
    name: str, written: Callable[[Path, Path], tuple[int, str, str]], old: bool, project: Path, tmp_path: Path
) -> None:
    output, kept = tmp_path / "output" / name, tmp_path / "kept" / name
    output.parent.mkdir()
    kept.parent.mkdir()
    assert written(project, output)[0] == 0
    if old:  # it has what no new one has
        changed = output if output.is_file() else output / "Contents" / "Resources" / "Documents" / "old.html"
        changed.write_bytes((output.read_bytes() if output.is_file() else b"") + b"\n")
        (shutil.copytree if output.is_dir() else shutil.copy)(output, kept)

    def reset() -> None:
        shutil.rmtree(output.parent)
        output.parent.mkdir()
        if old:
            (shutil.copytree if kept.is_dir() else shutil.copy)(kept, output)

    def look() -> None:
        if output.exists():
            seen.append(content(output))
        else:
            assert not old or name.endswith(".docset")
        assert written(project, output)[0] == 0
        assert [path.name for path in output.parent.iterdir()] == [name]
        new.append(content(output))
        reset()

    seen: list[dict[str, bytes]] = []
    new: list[dict[str, bytes]] = []
    reset()
    assert killed_at_each_step(output.parent, lambda: written(project, output), look) >= 2
    assert seen
    for one in seen:
        assert one == new[0] or (old and one == content(kept))


def test_what_is_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it is killed, it can be done again and taken back, and then all is as it was."""
    home = tmp_path / "home"
    settings = home / "project" / ".mcp.json"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    before = b'{"mcpServers": {"other": {"command": "other"}}}\n'

    def reset() -> None:
        shutil.rmtree(home, ignore_errors=True)
        settings.parent.mkdir(parents=True)
        settings.write_bytes(before)

    def set_up(*more: str) -> int:
        place = ("--no-index", "--project", str(settings.parent))
        return run_main("setup", "claude-code", *place, *more)[0]

    def look() -> None:
        servers = json.loads(settings.read_bytes())["mcpServers"]
        seen.add(tuple(servers))
        assert set_up("--write") == 0 and set_up("--undo") == 0
        assert settings.read_bytes() == before
        left = [path.name for path in home.rglob("*") if path.is_file()]
        assert sorted(left) == [".mcp.json", "setup.json"]
        reset()

    seen: set[tuple[str, ...]] = set()
    reset()
    assert killed_at_each_step(home, lambda: set_up("--write"), look) > 4
    assert seen == {("other",), ("other", "oblist")}
