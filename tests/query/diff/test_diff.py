"""diff: sixty edits of two libraries, each with its known consequences."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from oblist.query import Index, open_index
from oblist.query.diff.answer import DiffAnswer
from oblist.query.diff.ask import diff
from oblist.query.index.not_found import NotFound
from support.command_line import run_main
from support.projects.library_edits import ALEXANDRIA, EDITS, edited_library, library


class Pair(NamedTuple):
    """Two builds of one library."""

    old: Path
    new: Path


@pytest.fixture(scope="module")
def pair() -> Pair:
    """The library before and after all edits."""
    return Pair(library(), edited_library())


@pytest.fixture(scope="module")
def answer(pair: Pair) -> DiffAnswer:
    with open_index(pair.old) as old, open_index(pair.new) as new:
        found = diff(old, new)
    assert isinstance(found, DiffAnswer)
    return found


def test_every_edit_has_exactly_its_known_consequences(answer: DiffAnswer) -> None:
    assert ALEXANDRIA.exists()
    assert len(EDITS) >= 60
    expected = {change for edit in EDITS for change in edit.changes}
    found = {(one.written, one.change, one.step, one.part) for one in answer.changes}
    assert sorted(map(str, found - expected)) == []
    assert sorted(map(str, expected - found)) == []
    assert len(answer.changes) == len(expected)
    assert answer.breaking == sum(step == "major" for _, _, step, _ in expected)
    assert answer.step == "major"


def test_an_index_against_itself_has_no_change(pair: Pair) -> None:
    for path in pair:
        done = run_main("diff", str(path), str(path))
        assert done.code == 0
        assert done.output.startswith("No change in the exported API of ")
        assert json.loads(run_main("diff", str(path), str(path), "--json").output)["changes"] == []


def test_a_symbol_that_two_packages_export_is_reported_once_with_both_names(answer: DiffAnswer) -> None:
    also = {one.written: one.also for one in answer.changes if one.also}
    assert also["alexandria:clamp"] == ["alexandria-2:clamp"]
    assert also["gallery:show"] == ["gallery-cafe:show"]


def test_a_symbol_with_another_home_is_not_removed(answer: DiffAnswer) -> None:
    moved = {one.written: one for one in answer.changes if one.change == "home"}
    assert set(moved) == {"gallery-tools:saw", "gallery:item"}
    assert not any(one.breaking for one in moved.values())
    saw = moved["gallery-tools:saw"]
    assert (saw.old, saw.new) == ("GALLERY-TOOLS", "GALLERY-IRON")
    # Definitions that refer to a moved class have not changed.
    assert not {"gallery:relic", "gallery:clean", "gallery:*item*"} & {one.written for one in answer.changes}


def test_each_system_gets_its_needed_version(answer: DiffAnswer) -> None:
    steps = {one.name: one for one in answer.systems}
    gallery, alexandria = steps["gallery"], steps["alexandria"]
    assert (gallery.old_version, gallery.new_version) == ("1.4.2", "2.0.0")
    assert (gallery.step, gallery.needed_version, gallery.enough) == ("major", "2.0.0", True)
    assert (alexandria.needed_version, alexandria.enough) == ("2.0.0", False)
    assert (gallery.only_in, alexandria.only_in) == (None, None)


def test_a_system_that_one_index_lacks_has_no_versions_to_compare(pair: Pair, bare_index: Path) -> None:
    gone = run_main("diff", str(pair.old), str(bare_index)).output.splitlines()
    new = run_main("diff", str(bare_index), str(pair.old)).output.splitlines()
    assert "gallery is only in the old index (version step: major)" in gone
    assert "gallery is only in the new index (version step: minor)" in new


def test_changes_say_where_the_definition_is(answer: DiffAnswer, pair: Pair) -> None:
    (bid,) = [one for one in answer.changes if one.written == "gallery:bid"]
    lines = (pair.new.parent / "sources" / "gallery.lisp").read_text().splitlines()
    assert (bid.root, bid.relative_path) == ("gallery", "gallery.lisp")
    assert bid.line is not None
    assert lines[bid.line - 1].startswith("(defun bid ")
    assert (bid.old, bid.new) == ("(THING AMOUNT)", "(THING)")


# The command


def test_the_command_ends_with_1_when_something_breaks(pair: Pair) -> None:
    paths = str(pair.old), str(pair.new)
    done = run_main("diff", *paths)
    assert done.code == 1
    assert "gallery:bid                      its argument AMOUNT is gone\n" in done.output
    assert "(THING AMOUNT) -> (THING)\n" in done.output
    assert "gallery: 1.4.2 -> 2.0.0 is high enough (major)\n" in done.output
    assert run_main("diff", *paths, "--fail-on", "never").code == 0
    # A package that has only additions.
    quiet = run_main("diff", *paths, "-p", "gallery-store")
    assert (quiet.code, run_main("diff", *paths, "-p", "gallery-store", "--fail-on", "minor").code) == (0, 1)
    assert "Version step: minor." in quiet.output


def test_packages_and_systems_narrow_what_is_compared(pair: Pair) -> None:
    paths = str(pair.old), str(pair.new)
    only = json.loads(run_main("diff", *paths, "--system", "alexandria", "--json").output)
    assert only["packages"] == ["ALEXANDRIA", "ALEXANDRIA-2"]
    assert {one["system"] for one in only["changes"]} == {"alexandria"}
    by_old_name = json.loads(run_main("diff", *paths, "-p", "gallery-shop", "--json").output)
    assert by_old_name["packages"] == ["GALLERY-STORE"]
    for arguments in (("-p", "no-such"), ("--system", "no-such")):
        missing = run_main("diff", *paths, *arguments)
        assert missing.code == 1
        assert "not found" in missing.output


def test_markdown_has_the_sections_of_a_changelog(pair: Pair) -> None:
    text = run_main("diff", str(pair.old), str(pair.new), "--format", "markdown").output
    headings = [line for line in text.splitlines() if line.startswith("#")]
    sections = ("Breaking changes", "Added", "Deprecated", "Changed", "Documentation")
    assert headings == [f"### {section}" for section in sections]
    assert "- `gallery:*light*`: its documentation is gone\n" in text
    assert "- `gallery:print-label`: it is deprecated as of gallery 2.0 (early); use LABEL\n" in text


def test_a_limit_bounds_only_the_list(pair: Pair) -> None:
    paths = str(pair.old), str(pair.new)
    whole = json.loads(run_main("diff", *paths, "--json").output)
    part = json.loads(run_main("diff", *paths, "--json", "--limit", "3").output)
    assert part["changes"] == whole["changes"][:3]
    assert part | {"changes": whole["changes"]} == whole
    assert f"... and {whole['total'] - 3} more" in run_main("diff", *paths, "--limit", "3").output


def test_an_index_that_cannot_be_used_ends_with_3_and_is_named(pair: Pair, tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    for paths in ((pair.old, missing), (missing, pair.new)):
        done = run_main("diff", *map(str, paths))
        assert (done.code, done.output) == (3, "")
        assert str(missing) in done.errors


def test_going_back_reverses_every_change(pair: Pair) -> None:
    with open_index(pair.old) as old, open_index(pair.new) as new:
        there, back = _names(new, old), _names(old, new)
    assert there["removed"] <= back["added"] | back["definition-added"]
    assert back["package-added"] == there["package-removed"]
    assert there["keyword-added"]
    assert there["keyword-added"] <= back["keyword-removed"] | back["keyword-unnamed"]


def _names(old: Index, new: Index) -> defaultdict[str, set[str]]:
    answer = diff(old, new)
    assert not isinstance(answer, NotFound)
    found = defaultdict(set)
    for one in answer.changes:
        found[one.change].add(one.written)
    return found
