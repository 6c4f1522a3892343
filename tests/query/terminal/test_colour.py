"""Colours and links of a terminal: when there are any, and that they are all that is added."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.command_line import run_main
from support.contract_sample import contract_sample
from support.starts.terminals import shown

XTERM = {"TERM": "xterm-256color"}
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")
COLOURS = re.compile(r"\x1b\[([0-9;]*)m")
LINK = re.compile(r"\x1b\]8;[^;]*;([^\x1b]*)\x1b\\")
QUESTIONS = [
    "describe contract-sample:open-door",
    "apropos door",
    "definition contract-sample:open-door",
    "xref contract-sample:open-door",
    "search with door",
    "package contract-sample",
    "class contract-sample:shape",
    "methods contract-sample:area --on t",
    "problems --all --limit 5",
    "info",
]


def asked(question: str, *more: str) -> list[str]:
    return [*question.split(), "--index", str(contract_sample()[0]), *more]


@pytest.mark.parametrize("question", QUESTIONS)
def test_colours_are_added_to_the_same_text(question: str) -> None:
    for width in (36, 100):
        plain = shown(*asked(question), width=width, environment={**XTERM, "NO_COLOR": "1"})
        coloured = shown(*asked(question), width=width, environment=XTERM)
        assert plain.output == SEQUENCE.sub("", coloured.output)
        assert "\x1b" not in plain.output
        assert "\x1b[" in coloured.output
        used = {part for found in COLOURS.findall(coloured.output) for part in found.split(";")}
        assert used <= {"0", "1", "2", "31", "32", "35", "36"}, "bold, dim and colours legible on both"


def test_the_words_that_were_looked_for_stand_out() -> None:
    found = shown(*asked("apropos door"), width=80, environment=XTERM)
    assert "\x1b[1mopen-\x1b[0m\x1b[1;31mdoor\x1b[0m" in found.output


@pytest.mark.parametrize(
    ("environment", "options", "coloured"),
    [
        (XTERM, [], True),
        ({}, [], False),
        ({"TERM": "dumb"}, [], False),
        ({"TERM": "dumb"}, ["--color", "always"], True),
        ({**XTERM, "NO_COLOR": "1"}, [], False),
        ({**XTERM, "NO_COLOR": ""}, [], True),
        ({**XTERM, "NO_COLOR": "1"}, ["--color", "always"], True),
        (XTERM, ["--color", "never"], False),
        (XTERM, ["--color", "auto"], True),
    ],
)
def test_the_option_comes_before_the_environment(
    environment: dict[str, str], options: list[str], coloured: bool
) -> None:
    after = shown(*asked("apropos door", *options), width=80, environment=environment)
    before = shown(*options, *asked("apropos door"), width=80, environment=environment)
    assert before == after
    assert ("\x1b" in after.output) == coloured


def test_the_option_after_the_command_counts() -> None:
    found = shown("--color", "never", *asked("apropos door", "--color", "always"), width=80)
    assert "\x1b" in found.output


def test_a_place_is_a_link_to_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    source = contract_sample()[1]
    monkeypatch.chdir(source.parent)
    question = asked("describe contract-sample:open-door")
    found = shown(*question, width=80, environment=XTERM)
    assert LINK.findall(found.output) == [source.as_uri(), ""]
    assert f"\x1b[32m{source.name}:10:1\x1b[0m" in found.output
    # The kernel's own console may print what it does not know.
    assert not LINK.findall(shown(*question, width=80, environment={"TERM": "linux"}).output)


@pytest.mark.parametrize("question", QUESTIONS)
def test_colours_in_a_pipe_are_added_to_its_own_text(question: str) -> None:
    piped = run_main(*asked(question))
    coloured = run_main(*asked(question, "--color", "always"))
    assert SEQUENCE.sub("", coloured.output) == piped.output
    assert not LINK.search(coloured.output)
    assert run_main(*asked(question, "--color", "auto")) == piped
    if question.startswith(("describe", "class", "methods")):
        assert "\x1b[" in coloured.output


def test_json_is_never_coloured(tmp_path: Path) -> None:
    found = shown(*asked("apropos door", "--json", "--color", "always"), width=36, environment=XTERM)
    assert found.lines[0] == "{" and "\x1b" not in found.output
