"""The field stale of describe: whether the source file of the main definition changed since the build."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import DefinitionTextAnswer, DescribeAnswer, NotFound
from oblist.query.index import stale
from oblist.query.questions.describe.text import describe_text
from support.command_line import run_main
from support.contract_sample import SAMPLE, contract_sample

LONG_AGO = 1_000_000_000
NAME = "open-door"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A copy of the sample and its index that tests may change, as if built there."""
    index, source = contract_sample()
    folder = tmp_path_factory.mktemp("stale")
    copy = Path(shutil.copy2(source, folder))
    moved = Path(shutil.copyfile(index, folder / index.name))
    with closing(sqlite3.connect(moved)) as connection:
        for table, column in (("roots", "path"), ("source_files", "path"), ("source_files", "recorded")):
            connection.execute(
                f"UPDATE {table} SET {column} = replace({column}, ?, ?)",
                (f"{source.parent}/", f"{folder}/"),
            )
        connection.commit()
    return moved, copy


@pytest.fixture
def source(built: tuple[Path, Path]) -> Iterator[Path]:
    """The source file, restored after each test."""
    path = built[1]
    text = path.read_bytes()
    yield path
    path.write_bytes(text)


def described(index: Path, name: str = NAME, **options: object) -> DescribeAnswer:
    with open_index(index, **options) as opened:  # type: ignore[arg-type]
        answer = opened.describe(name, SAMPLE)
    assert isinstance(answer, DescribeAnswer), answer
    return answer


def test_an_unchanged_source_is_not_stale(built: tuple[Path, Path], source: Path) -> None:
    answer = described(built[0])
    assert answer.path == str(source)
    assert answer.stale is False


def test_a_source_of_another_size_is_stale(built: tuple[Path, Path], source: Path) -> None:
    source.write_bytes(b";\n" + source.read_bytes())
    assert described(built[0]).stale is True


def test_a_source_of_the_same_size_with_another_text_is_stale(built: tuple[Path, Path], source: Path) -> None:
    text = source.read_bytes()
    source.write_bytes(text.replace(b"door", b"gate"))
    assert source.stat().st_size == len(text)
    assert described(built[0]).stale is True
    # Not even an mtime before the build hides the change.
    os.utime(source, (LONG_AGO, LONG_AGO))
    assert described(built[0]).stale is True


def test_a_source_that_was_only_touched_is_not_stale(built: tuple[Path, Path], source: Path) -> None:
    os.utime(source)
    assert described(built[0]).stale is False


def test_a_source_that_is_not_here_is_unknown(built: tuple[Path, Path], source: Path) -> None:
    away = source.rename(source.with_suffix(".away"))
    try:
        assert described(built[0]).stale is None
    finally:
        away.rename(source)


@pytest.mark.parametrize("name", [":test", "cl:nil"])
def test_what_has_no_source_file_is_unknown(built: tuple[Path, Path], name: str) -> None:
    with open_index(built[0]) as index:
        answer = index.describe(name)
    assert isinstance(answer, DescribeAnswer)
    assert (answer.path, answer.stale) == (None, None)


def test_a_moved_root_is_checked_at_its_new_path(
    built: tuple[Path, Path], source: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "moved"
    shutil.copytree(source.parent, elsewhere)
    root = described(built[0]).root
    assert root is not None
    source.write_bytes(b";\n" + source.read_bytes())
    assert described(built[0], roots={root: elsewhere}).stale is False
    (elsewhere / source.name).write_bytes(source.read_bytes())
    assert described(built[0], roots={root: elsewhere}).stale is True


def test_sbcls_own_sources_are_as_they_were(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        answers = [
            index.describe(name) for name in ("mapcar", "with-open-file", "*print-base*", "hash-table")
        ]
    seen = [answer.stale for answer in answers if isinstance(answer, DescribeAnswer)]
    here = [bool(answer.path and Path(answer.path).exists()) for answer in answers]  # type: ignore[union-attr]
    assert seen == [False if there else None for there in here]


def test_a_changed_file_is_noticed_by_an_index_that_is_open(built: tuple[Path, Path], source: Path) -> None:
    with open_index(built[0]) as index:
        found = []
        for text in (source.read_bytes(), b"\n" + source.read_bytes(), source.read_bytes()):
            source.write_bytes(text)
            answer = index.describe(NAME, SAMPLE)
            assert isinstance(answer, DescribeAnswer)
            found.append(answer.stale)
    assert found == [False, True, False]


def test_contents_are_read_once_for_each_time_that_a_file_was_touched(
    built: tuple[Path, Path], source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []
    differs = stale._differs
    monkeypatch.setattr(stale, "_differs", lambda recorded: reads.append(recorded) or differs(recorded))
    with open_index(built[0]) as index:
        for _ in range(5):
            index.describe(NAME, SAMPLE)
        assert len(reads) == 1
        os.utime(source)
        for _ in range(5):
            index.describe(NAME, SAMPLE)
        assert len(reads) == 2


def place(text: str, lines: int) -> str:
    """The offset and line in a description, both as they are with so many lines ``;`` before."""
    match = re.search(r":(\d+) \(line (\d+)\)", text)
    assert match is not None
    return f":{int(match[1]) + 2 * lines} (line {int(match[2]) + lines})"


def test_the_command_says_so_on_stderr_and_leaves_the_text_alone(
    built: tuple[Path, Path], source: Path
) -> None:
    arguments = ("describe", NAME, "-p", SAMPLE, "--index", str(built[0]))
    fresh = run_main(*arguments)
    assert fresh.errors == ""
    source.write_bytes(b";\n" + source.read_bytes())
    old = run_main(*arguments)
    assert fresh.output.replace(place(fresh.output, 0), place(fresh.output, 1)) == old.output
    assert old.output == describe_text(described(built[0])) + "\n"
    assert old.errors == (
        f"note: {source} has changed since the index was built; line numbers in it are current"
        " (to rebuild the index, run: oblist index)\n"
    )
    assert old.code == 0


def asked(index: Index) -> Iterator[tuple[str, object]]:
    """Answers of all questions that show a place or a text."""
    yield "describe", index.describe(NAME, SAMPLE)
    yield "definition", index.definition(NAME, SAMPLE)
    yield "examples", index.examples("intern", "CL")
    yield "xref", index.xref("no-arguments", SAMPLE)
    yield "class", index.class_("shape", SAMPLE)
    yield "methods", index.methods("area", ["shape"], SAMPLE)


def test_every_answer_with_a_place_says_which_files_changed_or_are_gone(
    built: tuple[Path, Path], source: Path
) -> None:
    def outdated() -> dict[str, str | None]:
        with open_index(built[0]) as index:
            return {what: getattr(answer, "outdated", "no such field") for what, answer in asked(index)}

    assert set(outdated().values()) == {None}
    source.write_bytes(b";\n" + source.read_bytes())
    changed = f"{source} has changed since the index was built; line numbers in it are current"
    assert outdated() == dict.fromkeys(outdated(), changed)
    source.unlink()
    assert set(outdated().values()) == {f"{source} has disappeared since the index was built"}
    gone = run_main("info", "--index", str(built[0]))
    assert f"gone         {source}\n" in gone.output


@pytest.mark.parametrize("command", [("describe", NAME), ("xref", "no-arguments")])
def test_several_indexes_say_so_too(
    command: tuple[str, ...], built: tuple[Path, Path], source: Path, bare_index: Path
) -> None:
    both = (*command, "-p", SAMPLE, "--index", str(built[0]), "--index", str(bare_index))
    assert run_main(*both).errors == ""
    source.write_bytes(b";\n" + source.read_bytes())
    assert f"note: {source} has changed since the index was built" in run_main(*both).errors


def test_without_its_folder_a_file_is_not_said_to_be_gone(built: tuple[Path, Path], source: Path) -> None:
    away = source.parent / "elsewhere"
    with closing(sqlite3.connect(built[0])) as connection:
        change = "UPDATE source_files SET path = replace(path, ?, ?)"
        connection.execute(change, (f"{source.parent}/", f"{away}/"))
        connection.commit()
        try:
            with open_index(built[0]) as index:
                assert {getattr(answer, "outdated", "") for _, answer in asked(index)} == {None}
                assert index.information().missing_files == []
        finally:
            connection.execute(change, (f"{away}/", f"{source.parent}/"))
            connection.commit()


@pytest.mark.parametrize(
    ("facts", "file"),
    [
        ({}, "/dev/zero"),
        ({}, "{fifo}"),
        ({"started": "yesterday"}, None),
        ({"started": "0001-01-01T00:00:00"}, None),
        ({"started": ""}, None),
    ],
)
def test_an_index_that_lies_about_its_sources_keeps_nobody_waiting(
    facts: dict[str, str], file: str | None, bare_index: Path, tmp_path: Path
) -> None:
    path, fifo = tmp_path / "oblist.db", tmp_path / "fifo"
    os.mkfifo(fifo)
    shutil.copy(bare_index, path)
    with closing(sqlite3.connect(path)) as connection:
        for name, value in facts.items():
            connection.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))
        if file is not None:
            connection.execute("UPDATE source_files SET path = ?, size = 0", (file.format(fifo=fifo),))
        connection.commit()
    with open_index(path) as index:
        answer = index.describe("mapcar")
    assert isinstance(answer, DescribeAnswer)
    assert answer.stale is (None if file else False)


# Places in files that have changed


def _placed(answer: object) -> Iterator[Any]:
    """All answers within an answer that have a place."""
    for one in vars_of(answer):
        if isinstance(one, list):
            for part in one:
                yield from _placed(part)
        elif is_dataclass(one):
            yield from _placed(one)
    if getattr(answer, "path", None) is not None and getattr(answer, "line", None) is not None:
        yield answer


def vars_of(answer: object) -> list[object]:
    return [getattr(answer, one.name) for one in fields(answer)] if is_dataclass(answer) else []


def shown(index: Index, path: str) -> Iterator[tuple[str, int, Any]]:
    """Each place in a file in the answers, with the question and its number there."""
    for what, answer in asked(index):
        for number, one in enumerate(_placed(answer)):
            if one.path == path:
                yield what, number, one


def test_every_place_is_carried_into_the_present_text(built: tuple[Path, Path], source: Path) -> None:
    with open_index(built[0]) as index:
        before = {(what, number): one for what, number, one in shown(index, str(source))}
        old = source.read_text().split("\n")
        # Lines before, between and after the forms; nothing within them.
        text = source.read_text().replace("\n(def", "\n\n;; inserted\n(def")
        source.write_text(f";\n;\n;\n{text}\n(defun after-all ())\n")
        new = source.read_text().split("\n")
        after = {(what, number): one for what, number, one in shown(index, str(source))}
    assert len(before) > 10
    assert before.keys() == after.keys()
    for key, one in before.items():
        now = after[key]
        assert new[now.line - 1] == old[one.line - 1], key
        assert now.line > one.line
        assert getattr(now, "column", None) == getattr(one, "column", None)
        if getattr(one, "offset", None) is not None and hasattr(one, "end_line"):
            assert source.read_text()[now.offset :].startswith(new[now.line - 1][now.column - 1 :])
        if getattr(one, "end_line", None) is not None:
            assert new[now.end_line - 1] == old[one.end_line - 1]
        if getattr(one, "text", None) is not None and hasattr(one, "relation"):
            assert now.text == new[now.line - 1]


def test_the_text_of_a_definition_and_of_an_example_is_that_of_now(
    built: tuple[Path, Path], source: Path
) -> None:
    with open_index(built[0]) as index:

        def text() -> str:
            answer = index.definition(NAME, SAMPLE)
            assert isinstance(answer, DefinitionTextAnswer)
            for one in answer.definitions:
                part = answer.text[one.text_offset : one.text_offset + one.text_length]
                assert one.line is None or source.read_text().split("\n")[one.line - 1 :][0] in part
            return answer.text

        assert "inserted" not in text()
        old = source.read_text()
        start = old.index(f"(defun {NAME}")
        source.write_text(f"\n\n{old[:start]}(defun {NAME} {old[start:].partition(NAME)[2].lstrip()}")
        source.write_text(source.read_text().replace(f"(defun {NAME} (", f"(defun {NAME} ; inserted\n    ("))
        assert "; inserted" in text()


def test_what_is_gone_has_no_line_and_is_counted(built: tuple[Path, Path], source: Path) -> None:
    with open_index(built[0]) as index:
        source.write_text(source.read_text().replace(f"(defun {NAME}", "(defun other-name"))
        for answer in (index.describe(NAME, SAMPLE), index.definition(NAME, SAMPLE)):
            assert not isinstance(answer, NotFound)
            assert [one.line for one in answer.definitions] == [None]
            assert answer.outdated is not None
            assert re.search(r", but \d+ places? (is|are) gone", answer.outdated)
        assert isinstance(answer, DefinitionTextAnswer)
        assert f"(defun {NAME}" in answer.text
        assert f"{source.name}\n" in answer.text  # no line in the comment
