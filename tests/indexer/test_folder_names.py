"""Projects in folders with odd names: they are indexed, or refused with a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oblist.indexer.write.engine import engine_writing
from support.command_line import oblist

REFUSED = {
    b"line\nend": "contains a line break",
    b"return\r": "contains a line break",
    b"latin-\xe9": "is not UTF-8",
    b"cut-\xe6\x97": "is not UTF-8",
}


@pytest.mark.parametrize("name", list(REFUSED))
@pytest.mark.parametrize("command", [["index", "--project"], ["watch", "--once"]])
def test_a_folder_that_sbcl_cannot_be_given_is_refused(
    command: list[str], name: bytes, tmp_path: Path
) -> None:
    folder = tmp_path / os.fsdecode(name)
    folder.mkdir()
    (folder / "odd.asd").write_text('(defsystem "odd")\n')
    done = oblist(*command, str(folder), "--sbcl", "/no/such/sbcl")
    assert done.returncode == 1
    assert REFUSED[name] in done.stderr
    assert done.stderr.endswith("Rename the folder.\n")
    assert not (folder / ".oblist").exists()


@pytest.mark.parametrize("name", ["que?ry", "ha#sh", "per%20cent", "sp ace", "semi;colon", "quote'\"s"])
def test_an_index_is_written_where_it_is_asked_for(name: str, tmp_path: Path) -> None:
    path = tmp_path / name / "index.db"
    path.parent.mkdir()
    with engine_writing(path).connect() as connection:
        connection.exec_driver_sql("CREATE TABLE there (x)")
        connection.commit()
    assert path.read_bytes().startswith(b"SQLite format 3")
    assert [one.name for one in path.parent.iterdir()] == ["index.db"]
    assert [one.name for one in tmp_path.iterdir()] == [name]
