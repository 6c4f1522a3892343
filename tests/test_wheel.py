"""The wheel and the archive of the sources: what is in them, and what they do once they are installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from oblist.indexer.format import CATALOG_FORMAT, FEATURE, FORMAT
from oblist.lisp.sources import SOURCES, SYSTEMS, source_files
from oblist.query.cli import COMMANDS
from support.checkout import ROOT

_SECONDS = 900  # to install sixty packages where much else runs
BIN = Path(sys.executable).parent
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
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
        **options,
    )  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the archive of the sources, and the wheel that was built from that."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def sources(built: Path) -> Path:
    (path,) = built.glob("*.tar.gz")
    return path


def test_the_tools_of_packagers_find_no_fault(wheel: Path, sources: Path) -> None:
    run(BIN / "twine", "check", "--strict", wheel, sources)
    run(BIN / "check-wheel-contents", wheel)


def test_the_sources_have_what_is_needed_to_build_and_test_and_no_more(wheel: Path, sources: Path) -> None:
    with tarfile.open(sources) as archive:
        (top,) = {name.partition("/")[0] for name in archive.getnames()}
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert top == wheel.name.removesuffix("-py3-none-any.whl")
    folders = {".ci", "data", "docs", "indexer", "lisp", "query", "tests"}
    assert {name.partition("/")[0] for name in names if "/" in name} == folders
    files = {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "pyproject.toml"}
    hidden = {".gitignore", ".pre-commit-hooks.yaml"}
    assert {name for name in names if "/" not in name} == {*files, *hidden, "PKG-INFO"}
    made = (".pyc", ".fasl", ".db", ".whl", ".core")
    assert [name for name in names if name.endswith(made) or "node_modules" in name] == []
    assert {"tests/conftest.py", ".ci/setup", ".ci/requirements.txt", "data/systems.txt"} <= names


def test_the_wheel_has_a_manual_page_for_each_command(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    pages = {name.rpartition("/")[2] for name in names if "/data/share/man/man1/" in name}
    assert pages == {"oblist.1", *(f"oblist-{name}.1" for name in COMMANDS)}


def test_the_wheel_has_our_package_alone_with_all_that_is_not_python(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    installed = [name for name in names if ".dist-info/" not in name and ".data/" not in name]
    assert {name.split("/")[0] for name in installed} == TOP_LEVEL
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
@pytest.mark.timeout(2 * _SECONDS)
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


# How a file is installed into an empty environment at a folder, and where its commands are then.
INSTALLERS = {
    "pip": ([[sys.executable, "-m", "venv", "{0}"], ["{0}/bin/pip", "install", "--quiet", "{1}"]], {}),
    "uv": (
        [[BIN / "uv", "tool", "install", "{1}"]],
        {"UV_TOOL_DIR": "{0}/tools", "UV_TOOL_BIN_DIR": "{0}/bin"},
    ),
    "pipx": ([[BIN / "pipx", "install", "{1}"]], {"PIPX_HOME": "{0}", "PIPX_BIN_DIR": "{0}/bin"}),
}


@pytest.mark.full
@pytest.mark.timeout(2 * _SECONDS)
@pytest.mark.parametrize("kind", ["wheel", "sources"])
@pytest.mark.parametrize("installer", INSTALLERS)
def test_it_is_installed_and_asked(
    installer: str, kind: str, wheel: Path, sources: Path, bare_index: Path, tmp_path: Path
) -> None:
    file, folder = (wheel if kind == "wheel" else sources), tmp_path / "installed"
    commands, variables = INSTALLERS[installer]
    environment = {**os.environ, **{name: text.format(folder) for name, text in variables.items()}}
    for command in commands:
        run(*(str(word).format(folder, file) for word in command), env=environment, cwd=tmp_path)
    environment["OBLIST_INDEX"] = str(bare_index)
    oblist = folder / "bin" / "oblist"
    answer = run(oblist, "describe", "mapcar", env=environment, cwd=tmp_path)
    assert answer.startswith("COMMON-LISP::MAPCAR [FUNCTION]\n")
    version = wheel.name.split("-")[1]
    formats = f"index format {FORMAT}; feature {FEATURE}; catalog format {CATALOG_FORMAT}"
    assert run(oblist, "--version", env=environment, cwd=tmp_path) == f"oblist {version} ({formats})\n"
