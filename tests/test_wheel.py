"""The wheel, in a clean environment with runtime dependencies only, outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from oblist.lisp.sources import SOURCES, SYSTEMS, source_files
from support.checkout import ROOT

TOP_LEVEL = {"oblist"}
# Commands that need an extra.
EXTRAS = {
    "browse": "browse",
    "lsp": "lsp",
    "export scip": "scip",
    "catalog build --below . --jobs 2": "cluster",
    "catalog build --below . --scheduler tcp://127.0.0.1:1": "cluster",
    "catalog build --below . --store memory://store": "cluster",
}


def run(*command: str | Path, **options: object) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=280, check=False, **options
    )  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_has_our_package_alone_with_all_that_is_not_python(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == TOP_LEVEL
    lisp = {name for name in names if name.endswith((".lisp", ".asd"))}
    assert lisp == {f"oblist/lisp/{path.relative_to(SOURCES)}" for path in (SYSTEMS, *source_files())}
    pages = {f"oblist/{path.relative_to(ROOT)}" for path in (ROOT / "query" / "browse").glob("*/*.*")}
    shown = {name for name in pages if name.endswith((".html", ".css", ".js", ".svg"))}
    assert len(shown) > 10 and shown <= set(names)
    rules = {f"oblist/{path.relative_to(ROOT)}" for path in (ROOT / "query" / "check").rglob("*.md")}
    assert len(rules) > 10 and rules <= set(names)
    plugin = (ROOT / "data" / "clients" / "claude-code").rglob("*")
    editors = (ROOT / "data" / "clients").glob("*/*oblist.*")
    loaded = {f"oblist/{path.relative_to(ROOT / 'data')}" for path in (*plugin, *editors) if path.is_file()}
    assert len(loaded) > 10 and loaded <= set(names)
    assert [name for name in names if "/vscode/" in name or name.endswith(".elc")] == []


@pytest.mark.full
def test_the_wheel_without_extras_indexes_and_answers_outside_the_checkout(
    wheel: Path, tmp_path: Path
) -> None:
    venv = tmp_path / "venv"
    run(sys.executable, "-m", "venv", venv)
    run(venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    installed = json.loads(
        run(venv / "bin" / "pip", "list", "--format", "json", "--disable-pip-version-check")
    )
    extras = {"pygls", "lsprotocol", "protobuf", "distributed", "datasette", "fsspec"}
    assert not {"pytest", "mypy", "ruff", *extras} & {package["name"].lower() for package in installed}
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "OBLIST_INDEX": str(tmp_path / "oblist.db"),
    }
    oblist = venv / "bin" / "oblist"
    run(oblist, "index", "--quiet", env=environment, cwd=tmp_path)
    assert run(oblist, "describe", "mapcar", env=environment, cwd=tmp_path).startswith(
        "COMMON-LISP::MAPCAR [FUNCTION]\n"
    )
    assert run(oblist, "check", "--explain", "unclosed", cwd=tmp_path).startswith("# unclosed (error)\n")
    (tmp_path / "party.lisp").write_text("(defun greet (guest) (list guest))\n")
    assert "no findings" in run(oblist, "check", "party.lisp", env=environment, cwd=tmp_path)
    index = environment["OBLIST_INDEX"]
    assert "No change" in run(oblist, "diff", index, index, env=environment, cwd=tmp_path)
    for shape in ("ctags", "etags", "dash"):
        assert run(oblist, "export", shape, env=environment, cwd=tmp_path).startswith("wrote ")
    assert "find_references" in run(oblist, "tools", env=environment, cwd=tmp_path)
    serves = "import oblist.query.mcp.server, oblist.indexer.watch.file_changes"
    run(venv / "bin" / "python", "-c", serves, cwd=tmp_path)
    for command, extra in EXTRAS.items():
        done = subprocess.run(
            [oblist, *command.split()],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith("oblist: ") and done.stderr.endswith(
            f": pip install 'oblist[{extra}]'\n"
        )
    program = "from oblist.query import open_index\nprint(open_index().describe('car').arglist)"
    assert run(venv / "bin" / "python", "-c", program, env=environment, cwd=tmp_path) == "(LIST)\n"
