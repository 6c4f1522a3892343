"""Questions that take too long end with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.errors import LateAnswerError
from support.command_line import oblist

_ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


def test_a_statement_that_never_ends_is_stopped(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        index.limit(0.05)
        index.reopen_if_replaced()
        with pytest.raises(LateAnswerError, match="no answer within"):
            index.rows(_ENDLESS)
        with pytest.raises(LateAnswerError):  # what comes after it is late, too
            index.rows("SELECT 1")
        index.limit(60)
        assert index.describe("car")  # the next question has its own time


def test_a_statement_has_a_limit_where_the_question_has_none(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oblist.query.index.reading._STATEMENT_SECONDS", 0.05)
    with open_index(bare_index) as index:
        with pytest.raises(LateAnswerError):
            index.rows(_ENDLESS)
        assert index.rows("SELECT 1") == [(1,)]


@pytest.mark.parametrize("words", [("describe", "car"), ("apropos", "car"), ("xref", "car"), ("info",)])
def test_a_command_says_how_to_allow_more_time(bare_index: Path, words: tuple[str, ...]) -> None:
    done = oblist(*words, "--index", bare_index, environment={"OBLIST_TIMEOUT": "0.0000001"})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "oblist: There was no answer within 1e-07 s. Ask for less. "
        "To allow more time, set OBLIST_TIMEOUT=SECONDS.\n"
    )
    assert oblist(*words, "--index", bare_index, environment={"OBLIST_TIMEOUT": "60"}).returncode == 0


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan"])
def test_a_limit_that_is_none_is_refused(bare_index: Path, text: str) -> None:
    done = oblist("describe", "car", "--index", bare_index, environment={"OBLIST_TIMEOUT": text})
    assert done.returncode == 2
    assert f"OBLIST_TIMEOUT must be a number of seconds above 0, not {text!r}." in done.stderr
