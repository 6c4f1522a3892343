"""The tables of kinds and relations have all those of an index, and no others."""

from __future__ import annotations

from pathlib import Path

from oblist.query import open_index
from oblist.query.index.kinds import CLASSES, KINDS
from oblist.query.index.relations import RELATIONS


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


def test_the_table_of_relations_is_that_of_the_index(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        recorded = [relation for (relation,) in index.rows("SELECT relation FROM relations ORDER BY id")]
        types = {row[0] for row in index.rows("SELECT DISTINCT documentation_type FROM kinds")}
        kinds = {row[0] for row in index.rows("SELECT kind FROM kinds")}
    assert [*RELATIONS] == recorded
    assert {one for relation in RELATIONS.values() for one in relation.refers_to} <= types
    assert {one for relation in RELATIONS.values() for one in relation.never_of} <= kinds


def test_formats_tell_kinds_apart() -> None:
    letters = [kind.ctags for kind in KINDS.values() if kind.ctags is not None]
    assert len(letters) == len(set(letters)) > 15
