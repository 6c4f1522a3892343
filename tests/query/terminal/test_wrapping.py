"""What people see of describe at a terminal: names as one writes them, places, lines that fit."""

from __future__ import annotations

import shutil
from os import terminal_size
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import DescribeAnswer
from oblist.query.questions.describe import command as describe_command
from oblist.query.questions.describe.people import people_text
from oblist.query.terminal import wrapping
from support.command_line import run_main
from support.contract_sample import SAMPLE, contract_sample


@pytest.mark.parametrize("width", [20, 36, 80, 160])
def test_no_line_is_broken_inside_a_word(width: int, libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        for name in ("alexandria:flatten", "cl:print-object", "cl-ppcre:scan", "car", "sb-ext:*gc-run-time*"):
            answer = index.describe(name)
            assert isinstance(answer, DescribeAnswer)
            text = people_text(answer, index.upcase, Path("/"))
            shown = wrapping.wrapped(text, width)
            assert shown.split() == text.split()
            for line in shown.split("\n"):
                assert len(line) <= width or " " not in line.strip()


def test_names_are_as_one_writes_them_and_places_as_one_opens_them() -> None:
    path, source = contract_sample()
    with open_index(path) as index:
        answer = index.describe("open-door", SAMPLE)
        assert isinstance(answer, DescribeAnswer)
        first, call, *rest = people_text(answer, index.upcase, source.parent).split("\n")
    assert first == "contract-sample:open-door  function, exported"
    assert call == "  (open-door door &optional (width 2) &key ((:colour paint) :red) |lower|)"
    assert rest[:2] == ["", "    Open DOOR."]
    assert f"  {source.name}:10:1" in rest


def test_people_see_it_and_programs_the_text_of_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    path, source = contract_sample()
    monkeypatch.chdir(source.parent)
    arguments = ("describe", "open-door", "-p", SAMPLE, "--index", str(path))
    piped = run_main(*arguments).output
    assert piped.startswith("CONTRACT-SAMPLE::OPEN-DOOR [FUNCTION]\n")
    monkeypatch.setattr(describe_command, "on_terminal", lambda: True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: terminal_size((40, 24)))
    shown = run_main(*arguments).output
    assert shown.startswith("contract-sample:open-door  function,\n  exported\n")
    assert f"\n  {source.name}:10:1\n" in shown
