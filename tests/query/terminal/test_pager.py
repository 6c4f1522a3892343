"""The pager: for more than one screen, chosen as git chooses it, and never in the way."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from support.contract_sample import contract_sample
from support.starts.terminals import Shown, run_on_terminal

PROMPT = b":\x1b[K"  # that of less
# An interrupt discards what was typed before less has seen it.
QUITS = [(b"", b"q")] * 20
COUNTING = """
import os, sys
text = sys.stdin.read()
print("PAGER", sys.argv[1:], os.environ.get("LESS"), len(text.splitlines()), text.splitlines()[0])
"""


def asked(question: str, *more: str) -> list[str]:
    return [*question.split(), "--index", str(contract_sample()[0]), *more]


def long() -> list[str]:
    return asked("package sb-ext --limit 60", "--color", "never")


def short() -> list[str]:
    return asked("apropos open-door", "--color", "never")


@pytest.fixture
def counting(tmp_path: Path) -> str:
    """A pager that says what it was given."""
    program = tmp_path / "counting.py"
    program.write_text(COUNTING)
    return f"{sys.executable} {program}"


def without_notes(found: Shown) -> list[str]:
    return [one for one in found.lines if not one.startswith("note: ")]


def test_one_screen_is_printed_and_more_is_paged(counting: str) -> None:
    environment = {"PAGER": counting}
    assert "PAGER" not in run_on_terminal(*short(), environment=environment).output
    assert "PAGER" in run_on_terminal(*short(), height=3, environment=environment).output
    plain = run_on_terminal(*long(), "--no-pager", environment=environment)
    paged = run_on_terminal(*long(), environment=environment)
    assert paged.lines == [f"PAGER [] FRX {len(plain.lines)} {plain.lines[0]}"]
    assert run_on_terminal("--no-pager", *long(), environment=environment) == plain


def test_remarks_beside_an_answer_fit_too() -> None:
    found = run_on_terminal(*asked("describe contract-sample:no-arguments"), width=20)
    at = next(number for number, one in enumerate(found.lines) if one.startswith("note: "))
    assert found.lines[at + 1].startswith("  ")
    assert [one for one in found.lines[at:] if len(one) > 20 and " " in one.strip()] == []


def test_our_own_variable_comes_first_and_a_pager_may_have_arguments(counting: str) -> None:
    environment = {"OBLIST_PAGER": f"LESS=abc {counting} -x 'y z'", "PAGER": "false"}
    assert run_on_terminal(*long(), environment=environment).lines[0].startswith("PAGER ['-x', 'y z'] abc ")
    environment = {"PAGER": counting, "LESS": "own"}
    assert run_on_terminal(*long(), environment=environment).lines[0].startswith("PAGER [] own ")


@pytest.mark.parametrize(
    "environment",
    [
        {"OBLIST_PAGER": ""},
        {"OBLIST_PAGER": "cat"},
        {"PAGER": "cat"},
        {"PAGER": "no-such-pager --at-all"},
        {"PAGER": "'unbalanced"},
        {"PAGER": "less", "TERM": "dumb"},
    ],
)
def test_no_pager_is_no_error(environment: dict[str, str]) -> None:
    plain = run_on_terminal(*long(), "--no-pager")
    assert plain.code == 0 and len(plain.lines) > 60
    assert run_on_terminal(*long(), environment=environment) == plain


def test_less_is_the_pager_and_quitting_it_is_no_error() -> None:
    assert shutil.which("less"), "the tests need it"
    unused = asked("xref contract-sample::text-argument")
    for question, code in ((long(), 0), (unused, 1)):
        found = run_on_terminal(*question, height=3, width=20, typed=[(PROMPT, b"q")])
        assert found.code == code
        assert "Traceback" not in found.output and "oblist:" not in found.output
    coloured = asked("package sb-ext --limit 60")
    assert "\x1b[36mSymbols:" in run_on_terminal(*coloured, typed=[(PROMPT, b"q")]).output


def test_a_pager_that_ends_early_changes_nothing() -> None:
    endless = asked("package sb-ext --limit 0", "--color", "never")
    found = run_on_terminal(*endless, environment={"PAGER": "head -n 1"})
    assert (found.code, len(found.lines)) == (0, 1)


def test_an_interrupt_is_for_the_pager() -> None:
    # less stays: the person may have interrupted a search in it.
    found = run_on_terminal(*long(), typed=[(PROMPT, b"\x03"), *QUITS])
    assert (found.code, "Traceback" in found.output) == (0, False)
    # sleep ends, and so does the command.
    waiting = "sh -c 'echo waiting; exec sleep 100'"
    found = run_on_terminal(*long(), environment={"PAGER": waiting}, typed=[(b"waiting", b"\x03")])
    assert found.code == 130
    assert found.lines[-1] == "oblist: interrupted"
