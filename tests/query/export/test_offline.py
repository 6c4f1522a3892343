"""diff, query, batch look-ups and exports are the same without SBCL and sources."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

from support.command import OBLIST, SECONDS
from support.namespace import namespace

FORMS = ("ctags", "etags", "scip", "dash")


def outcomes(index: Path, older: Path, folder: Path, prefix: list[str], home: Path) -> dict[str, object]:
    """The output of each command, and the digests of all files that the exports wrote."""
    folder.mkdir()
    names = home / "names"
    names.write_text("alexandria:flatten\nno-such-name\n(setf alexandria:first-elt)\n")
    commands: dict[str, list[str]] = {
        "query": ["query", "SELECT kind, count(*) FROM definitions GROUP BY 1", "--index", str(index)],
        "diff": ["diff", str(older), str(index), "-p", "alexandria", "-p", "sb-ext", "--fail-on", "never"],
    }
    for command in ("definition", "xref"):
        commands[command] = [command, "--batch", str(names), "--index", str(index)]
    for form in FORMS:
        target = folder / ("x.docset" if form == "dash" else form)
        chosen = ["--system", "alexandria", "-o", str(target)]
        commands[form] = ["export", form, "--index", str(index), *chosen]
    found: dict[str, object] = {}
    for name, arguments in commands.items():
        done = subprocess.run(
            [*prefix, OBLIST, *arguments],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            cwd=folder,
        )
        assert done.stderr == "" or done.stderr.startswith("note: "), done.stderr
        found[name] = done.returncode, done.stdout
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".dsidx"]
    assert len(files) > len(FORMS)
    found["files"] = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    return found


def test_all_is_the_same_without_sbcl_and_sources(
    libraries_index: Path, bare_index: Path, tmp_path: Path
) -> None:
    hidden = namespace(tmp_path)
    index, older = tmp_path / "oblist.db", tmp_path / "older.db"
    shutil.copy(libraries_index, index)
    shutil.copy(bare_index, older)
    here = outcomes(index, older, tmp_path / "exports", [], tmp_path)
    (tmp_path / "exports").rename(tmp_path / "before")
    there = outcomes(index, older, tmp_path / "exports", hidden, tmp_path)
    assert {name: value for name, value in there.items() if value != here[name]} == {}
    assert {str(here[form])[1] for form in FORMS} == {"0"}
