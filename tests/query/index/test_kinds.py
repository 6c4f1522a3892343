"""The table of kinds has every kind of an index, and no other."""

from __future__ import annotations

from pathlib import Path

from oblist.query import open_index
from oblist.query.index.kinds import CLASSES, KINDS


def test_the_table_of_kinds_is_that_of_the_index(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        kinds = dict(index.rows("SELECT kind, documentation_type FROM kinds"))
        with_class = {
            kind
            for (kind,) in index.rows(
                "SELECT DISTINCT kind FROM classes JOIN definitions ON definitions.id = classes.class_id"
            )
        }
    assert KINDS.keys() == kinds.keys()
    assert with_class == CLASSES
    assert {kinds[kind] for kind in CLASSES} == {"TYPE"}


def test_formats_tell_kinds_apart() -> None:
    letters = [kind.ctags for kind in KINDS.values() if kind.ctags is not None]
    assert len(letters) == len(set(letters)) > 15
