"""Random edits of library sources: every place is right, or said to be gone."""

from __future__ import annotations

import shutil
from itertools import chain
from pathlib import Path

import pytest

from support.amount import amount
from support.editors.edited_places import Desk, compare, misnamed, write
from support.editors.library_project import INDEX, WITHOUT_SOURCES, library_project


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return desk_with(INDEX, tmp_path, monkeypatch)


def desk_with(index: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A copy of the project, to be edited, and one of its indexes."""
    project = library_project()
    copy, texts = folder / "copy", folder / "texts"
    shutil.copytree(project, copy, ignore=shutil.ignore_patterns(".oblist"))
    texts.mkdir()
    monkeypatch.setenv("OBLIST_ROOTS", f"project={copy}")
    return Desk(project, project / index, copy, texts)


def test_places_in_edited_text_are_right_or_said_to_be_gone(desk: Desk, tmp_path: Path) -> None:
    sequences = [desk.sequence(number) for number in range(amount(30, 1_000))]
    desk.session.close()
    found = compare(sequences, tmp_path)
    counts = found.counts
    print(dict(sorted(counts.items())))
    assert found.faults == []
    assert counts["definitions found"] > 20 * len(sequences)
    assert counts["uses found"] > 150 * len(sequences)
    assert counts["definitions gone"] > len(sequences) // 4
    assert counts["uses gone"] > len(sequences)
    # What was edited is found as well, but for little.
    assert counts["definitions given up"] < counts["definitions"] // 20
    assert counts["uses given up"] < counts["uses"] // 50
    assert counts["uses unread"] < counts["uses"] // 100


def test_answers_about_edited_text_name_what_was_asked_for(desk: Desk, tmp_path: Path) -> None:
    asked = list(chain.from_iterable(desk.answers(number) for number in range(amount(8, 150))))
    desk.session.close()
    assert sum(len(one.places) for one in asked) > 5 * amount(8, 150)
    assert misnamed(asked, tmp_path) == []


def test_without_sources_only_unchanged_files_are_certain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(WITHOUT_SOURCES, tmp_path, monkeypatch)
    seen = 0
    for source in desk.sources:
        assert set(desk.certainties(source)) == {True}
        write(desk.path(source), f";; One more line.\n{source.text}")
        assert set(desk.certainties(source)) == {False}
        document = desk.open(source, source.text)
        assert set(desk.certainties(source)) == {True}
        document.replace(0, 0, "\n")
        assert set(desk.certainties(source)) == {False}
        desk.put_back(source)
        assert set(desk.certainties(source)) == {True}
        seen += len(source.definitions) + len(source.uses)
    desk.session.close()
    assert seen > 10_000


def test_a_document_that_is_opened_again_is_another(desk: Desk) -> None:
    source = desk.sources[0]
    name, place = source.definitions[0]
    for lines in (1, 5, 2):
        document = desk.open(source, source.text)
        document.set_text("\n" * lines + source.text)
        spot = desk.asked(source).places.definition(place, name)
        assert spot is not None
        assert place.line is not None
        assert spot.form.start.line == place.line - 1 + lines
        desk.put_back(source)
    desk.session.close()
