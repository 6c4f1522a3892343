"""No export reads a file that an index names; where the index has no text, that is left out, and said."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.command_line import run_main

FORMS = ("ctags", "etags", "scip", "dash")
SECRET = "(defvar *secret* 1) ; secret\n" * 400
WHY = "whose text is not in the index: to store it, run oblist index again, without --no-sources\n"


@pytest.fixture(params=["the right digest", "another digest"])
def naming(shelf: tuple[Path, Path], tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Path, Path]:
    """An index without texts that names a file which is not its own, and that file."""
    index, named = tmp_path / "oblist.db", tmp_path / "named.lisp"
    shutil.copy(shelf[0], index)
    named.write_text(SECRET)
    digest = hashlib.sha256(SECRET.encode()).hexdigest() if request.param == "the right digest" else "0" * 64
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute("DELETE FROM source_lines")
        changed = connection.execute(
            "UPDATE source_files SET path = ?, sha256 = ?, size = ? WHERE recorded LIKE '%shelf.lisp'",
            (str(named), digest, len(SECRET)),
        )
        assert changed.rowcount == 1
    return index, named


def written(form: str, index: Path, folder: Path) -> dict[str, bytes]:
    """What an export writes, by the names of the files."""
    run_main("export", form, "--index", str(index), "-o", str(folder / f"export.{form}"), "--overwrite")
    made = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".dsidx"]
    return {path.name: path.read_bytes() for path in made}


@pytest.mark.parametrize("form", FORMS)
def test_the_file_makes_no_difference(form: str, naming: tuple[Path, Path], tmp_path: Path) -> None:
    index, named = naming
    found = []
    for name in ("there", "gone"):
        folder = tmp_path / "exports"
        folder.mkdir()
        found.append(written(form, index, folder))
        assert found[-1] and b"secret" not in b"".join(found[-1].values())
        folder.rename(tmp_path / name)
        named.unlink(missing_ok=True)
    assert found[0] == found[1]


def test_what_is_left_out_is_counted(
    naming: tuple[Path, Path], shelf: tuple[Path, Path], tmp_path: Path
) -> None:
    for form, said, code in (("etags", "no tags", 1), ("scip", "no exact ranges", 0)):
        path = str(tmp_path / form)
        whole = run_main("export", form, "--index", str(shelf[0]), "-o", path, "--json")
        number = json.loads(whole.output)["files"]
        assert (whole.code, whole.errors, json.loads(whole.output)["without_text"]) == (0, "", 0)
        none = run_main("export", form, "--index", str(naming[0]), "-o", path, "--json")
        assert (none.code, json.loads(none.output)["without_text"]) == (code, number)
        assert none.errors == f"note: {said} for {number} files, {WHY}"
    for form in ("ctags", "dash"):
        done = run_main("export", form, "--index", str(naming[0]), "-o", str(tmp_path / form), "--json")
        assert (done.code, done.errors, json.loads(done.output)["without_text"]) == (0, "", 0)
