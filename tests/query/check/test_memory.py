"""What a server finds with its memory of the forms of a text is what is found without one."""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query.check.findings import SourceFinding
from oblist.query.check.memory import Memory
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from oblist.query.index.reading import Reading
from support.amount import amount

SEED = 1958
_NAME = re.compile(r"(?<=[( ])[a-z][a-z-]{3,}(?=[ )\n])")
_FORM = re.compile(r"^\(def.*?(?=^\(|\Z)", re.MULTILINE | re.DOTALL)
_DEFINED = re.compile(r"^\(def[a-z]+ ([a-z*%-]+) \((?=[a-z)])", re.MULTILINE)
_ADDED = (
    "(defun added (a) a)\n(added 1 2)\n",
    "(defvar *added* 1)\n",
    "(defmacro added-macro (a &body b) `(progn ,a ,@b))\n",
    "(defclass added-class () ((x :initarg :x)))\n(make-instance 'added-class :y 1)\n",
    "(defstruct added-row a)\n(make-added-row :b 1)\n",
    "(defgeneric added-to (a &key))\n(defmethod added-to ((a list) &key b) b)\n(added-to 1 :c 2)\n",
    "(undefined-thing 1)\n",
    "(in-package :cl-user)\n",
    "(defun unclosed (a) (list a\n",
)


def edited(text: str, chance: random.Random) -> str:
    """The text after an edit of one of several kinds."""
    names = list(_NAME.finditer(text))
    if len(names) < 10:  # an edit before has deleted nearly all
        return text
    defined = list(_DEFINED.finditer(text))
    match chance.randrange(8 if defined else 6):
        case 0:  # a form more, perhaps one that changes what others mean
            at = chance.choice([one.start() for one in _FORM.finditer(text)] or [0])
            return text[:at] + chance.choice(_ADDED) + text[at:]
        case 1:  # a form less, or twice
            form = chance.choice(list(_FORM.finditer(text)))
            return text[: form.start()] + form[0] * chance.choice((0, 2)) + text[form.end() :]
        case 2:  # another name, at one place or everywhere
            name = chance.choice(names)
            if chance.random() < 0.5:
                return text[: name.start()] + name[0][:-1] + text[name.end() :]
            return text.replace(name[0], f"{name[0]}-x")
        case 3:  # another number of arguments or parameters
            name = chance.choice(names)
            return f"{text[: name.end()]} more{text[name.end() :]}"
        case 4:  # an empty line, which moves all below it
            at = max(0, text.find("\n", chance.randrange(len(text) // 2 + 1)))
            return f"{text[:at]}\n{text[at:]}"
        case 6:  # a parameter more of what others call
            at = chance.choice(defined).end()
            return f"{text[:at]}more {text[at:]}"
        case 7:  # the name of what others call
            at = chance.choice(defined).end(1)
            return f"{text[:at]}-x{text[at:]}"
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("()\"|; x'") + text[at:]


def checked(index: Path, path: Path, text: str, reading: Reading | None) -> list[SourceFinding]:
    texts = {str(path): text}
    check = Check(index, Settings(path.parent), 1, lambda *_: None, texts=texts, reading=reading)
    return check.run([str(path)]).findings


@pytest.fixture
def recalled(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each form that was judged since was known."""
    told: list[bool] = []
    recall = Memory.recall

    def telling(memory: Memory, key: object) -> object:
        known = recall(memory, key)
        told.append(known is not None)
        return known

    monkeypatch.setattr(Memory, "recall", telling)
    return told


_FILES = "SELECT path FROM source_files WHERE root_id IN (SELECT id FROM roots WHERE name <> 'sbcl')"


def sources(index: Path) -> list[Path]:
    """The sources of the libraries in an index, from 100 to 900 lines."""
    with closing(sqlite3.connect(index)) as connection:
        paths = [Path(path) for (path,) in connection.execute(_FILES) if path and path.endswith(".lisp")]
    return [one for one in paths if one.is_file() and 100 < one.read_bytes().count(b"\n") < 900]


def test_findings_are_the_same_with_and_without_a_memory(libraries_index: Path, recalled: list[bool]) -> None:
    chance = random.Random(SEED)
    files = chance.sample(sources(libraries_index), amount(5, 20))
    rules: Counter[str] = Counter()
    with closing(Reading(libraries_index)) as reading, closing(Reading(libraries_index)) as other:
        for path in files:
            original = path.read_text("utf-8")
            text = original
            for number in range(amount(12, 30)):
                text = edited(original if number % 4 == 0 else text, chance)
                found = checked(libraries_index, path, text, reading)
                for kept in ("memories", "read texts", "declarations"):
                    other.kept.pop(kept, None)
                assert found == checked(libraries_index, path, text, other), (path, number)
                rules.update(one.rule for one in found)
    assert len(rules) >= 6
    assert sum(recalled) > len(recalled) / 6  # the half without a memory knows none
