"""A copy is equal and its own, whether its blocks are shared or not."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from oblist.indexer.copying import copy_file


def test_a_copy_is_equal_and_its_own(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(bytes(range(256)) * 1000)
    with tempfile.TemporaryDirectory(dir=".") as elsewhere:  # often on another file system
        for target in (tmp_path / "target", Path(elsewhere, "target")):
            target.write_text("what was there, and is longer than nothing")
            copy_file(source, target)
            assert target.read_bytes() == source.read_bytes()
            target.write_bytes(b"changed")
            assert source.stat().st_size == 256_000


def test_what_cannot_be_read_leaves_the_target_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("old")
    with pytest.raises(FileNotFoundError):
        copy_file(tmp_path / "missing", target)
    assert target.read_text() == "old"
