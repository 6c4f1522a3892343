"""Semantic tokens: what names are, what is not read, and what has changed since."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from lsprotocol.types import SemanticTokens, SemanticTokensDelta

from oblist.query.lsp.requests.overlays.tokens import LEGEND, KnownTokens, tokens
from oblist.query.lsp.session import Session

URI = "file:///nowhere/coloured.lisp"
TEXT = """(in-package :cl-user)
(defun area (side &key round)
  (let ((sum 1)) #+no-such-feature (hidden sum
    "more") (when round (setf sum (* side pi)))
    (flet ((local (x) x))
      (local (list sum *print-base* 'car #'cdr)))
    (block done (return-from done most-positive-fixnum))
    (make-condition 'file-error :pathname "é") #-sbcl gone #+(or sbcl) kept-in-place))
"""
EXPECTED = [
    ("in-package", "macro"),
    (":cl-user", "enumMember"),
    ("defun", "macro"),
    ("area", "function"),
    ("side", "parameter"),
    ("round", "parameter"),
    ("let", "keyword"),
    ("sum", "parameter"),
    ("(hidden sum", "comment"),
    ('    "more")', "comment"),
    ("when", "macro"),
    ("round", "parameter"),
    ("setf", "macro"),
    ("sum", "parameter"),
    ("*", "function"),
    ("side", "parameter"),
    ("pi", "variable"),
    ("flet", "keyword"),
    ("local", "function"),
    ("x", "parameter"),
    ("x", "parameter"),
    ("local", "function"),
    ("list", "function"),
    ("sum", "parameter"),
    ("*print-base*", "variable"),
    ("car", "function"),
    ("cdr", "function"),
    ("block", "keyword"),
    ("done", "label"),
    ("return-from", "keyword"),
    ("done", "label"),
    ("most-positive-fixnum", "variable"),
    ("make-condition", "function"),
    ("file-error", "class"),
    (":pathname", "enumMember"),
    ("gone", "comment"),
]


@pytest.fixture(scope="module")
def session(bare_index: Path) -> Iterator[Session]:
    session = Session(bare_index)
    yield session
    session.close()


def decoded(text: str, data: Sequence[int]) -> list[tuple[int, str, str, list[str]]]:
    """The tokens: line, text, type and modifiers."""
    found, line, start = [], 0, 0
    lines = text.split("\n")
    assert len(data) % 5 == 0
    for number in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[number : number + 5]
        assert down >= 0 and length > 0 and (right > 0 or down or not number)
        line, start = line + down, right if down else start + right
        names = [one for bit, one in enumerate(LEGEND.token_modifiers) if modifiers >> bit & 1]
        found.append((line, lines[line][start : start + length], LEGEND.token_types[kind], names))
    return found


def test_names_are_what_the_walk_finds_them_to_be(session: Session) -> None:
    session.open(URI, TEXT, 1)
    found = decoded(TEXT, tokens(session.asked(URI)))
    session.documents.close(URI)
    assert [(text, kind) for _, text, kind, _ in found] == EXPECTED
    modifiers = {text: names for _, text, _, names in found}
    assert modifiers["area"] == ["definition"]
    assert modifiers["*print-base*"] == ["static", "defaultLibrary"]
    assert modifiers["most-positive-fixnum"] == ["readonly", "defaultLibrary"]
    first = next(names for _, text, _, names in found if text == "sum")
    assert first == ["definition"] and modifiers["sum"] == []


def test_a_part_of_a_document_has_the_tokens_of_its_lines(session: Session) -> None:
    session.open(URI, TEXT, 1)
    asked = session.asked(URI)
    whole = decoded(TEXT, tokens(asked))
    for first, last in ((0, 0), (2, 4), (3, 3), (5, 99)):
        some = decoded(TEXT, tokens(asked, first, last))
        assert some == [one for one in whole if first <= one[0] <= last]
    session.documents.close(URI)


def test_a_client_that_knows_an_answer_gets_what_has_changed(session: Session) -> None:
    chance = random.Random(6)
    known = KnownTokens()
    document = session.open(URI, TEXT, 1)
    before = known.full(session.asked(URI))
    data, number = [*before.data], before.result_id
    for _ in range(60):
        at = chance.randrange(len(document.text))
        document.replace(
            at, min(len(document.text), at + chance.randrange(3)), chance.choice(["", "(", ")", " a "])
        )
        answer = known.delta(session.asked(URI), number or "")
        assert isinstance(answer, SemanticTokensDelta)
        assert len(answer.edits) <= 1
        for edit in answer.edits:
            data[edit.start : edit.start + edit.delete_count] = edit.data or []
        number = answer.result_id
        assert data == tokens(session.asked(URI))
    assert isinstance(known.delta(session.asked(URI), "something else"), SemanticTokens)
    session.documents.close(URI)
