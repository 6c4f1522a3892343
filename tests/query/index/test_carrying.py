"""Places are carried through edits: to the right place, or nowhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oblist.query.index.present.carrying import Carrying

SHAPES = [
    "(defun {0} (x)\n  (print x)\n  (a{0} x))",
    '(defun {0} ()\n  "Doc é𝒳.\n(not a form) of {0}s."\n\n  (list (a{0}) b{0}))',
    "(defvar {0} 1)",
    "(defmacro {0} (&body body)\n  `(progn ,@body))",
    "(defclass {0} ()\n  ((a{0} :initform nil)\n   (b :initform nil))\n; note\n  (:documentation nil))",
]
KINDS = ["insert", "delete", "replace", "move", "rename", "grow", "comment", "split"]
EDITS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 99), st.integers(0, 99)), max_size=6)
SIZES = st.lists(st.integers(0, len(SHAPES) - 1), min_size=1, max_size=8)
CONSTITUENT = re.compile(r"""[^\s()"'`,;]""")


@dataclass
class Piece:
    """A form of a model of a text, with the number that it has for life."""

    number: int
    text: str
    touched: bool = False


class Model:
    """A text made of forms with names of their own."""

    def __init__(self, shapes: list[int]) -> None:
        self.made = 0
        self.pieces: list[Piece] = []
        for shape in shapes:
            self.add(len(self.pieces), shape)

    def add(self, place: int, shape: int) -> None:
        text = SHAPES[shape % len(SHAPES)].format(f"n{self.made}𝒳")
        self.pieces.insert(place, Piece(self.made, text))
        self.made += 1

    def edit(self, kind: str, one: int, other: int) -> None:
        place = one % max(1, len(self.pieces))
        if kind == "insert" or not self.pieces:
            self.add(place, other)
        elif kind == "delete":
            del self.pieces[place]
        elif kind == "replace":
            del self.pieces[place]
            self.add(place, other)
        elif kind == "move":
            self.pieces.insert(other % len(self.pieces), self.pieces.pop(place))
        else:
            self.touch(self.pieces[place], kind, other)

    def touch(self, piece: Piece, kind: str, other: int) -> None:
        if kind == "comment":
            piece.text = f"; about {other}\n{piece.text}"
            return
        piece.touched = True
        if kind == "rename":
            piece.text = re.sub(rf"\bn{piece.number}(x*)𝒳", rf"n{piece.number}x\1𝒳", piece.text)
        elif kind == "grow":
            piece.text = piece.text[:-1] + f"\n  (more m{other}))"
        else:
            piece.text = piece.text.replace(" (", "\n        (", 1)

    def text(self, end: str) -> str:
        return ("\n\n".join(piece.text for piece in self.pieces) + "\n").replace("\n", end)

    def extents(self, end: str) -> dict[int, tuple[int, int]]:
        found, offset = {}, 0
        for piece in self.pieces:
            text = piece.text.replace("\n", end)
            form = re.search(r"^\(", text, re.MULTILINE)
            assert form is not None
            found[piece.number] = (offset + form.start(), offset + len(text))
            offset += len(text) + 2 * len(end)
        return found


def names(text: str) -> dict[str, int]:
    """The names of a text that occur once, with their places."""
    tokens = list(re.finditer(r"""[^\s()"'`,;]+""", text))
    texts = [one[0] for one in tokens]
    return {
        one[0]: one.start() for one in tokens if re.search(r"n\d.*𝒳", one[0]) and texts.count(one[0]) == 1
    }


@settings(max_examples=400, deadline=None)
@given(shapes=SIZES, edits=EDITS, ends=st.tuples(*[st.sampled_from(["\n", "\r\n"])] * 2))
def test_a_place_is_carried_to_the_right_place_or_nowhere(
    shapes: list[int], edits: list[tuple[str, int, int]], ends: tuple[str, str]
) -> None:
    model = Model(shapes)
    old, before = model.text(ends[0]), model.extents(ends[0])
    for edit in edits:
        model.edit(*edit)
    new, after = model.text(ends[1]), model.extents(ends[1])
    carrying = Carrying(old, new)
    untouched = {piece.number for piece in model.pieces if not piece.touched} & set(before)
    now = names(new)
    for name, start in names(old).items():
        number = next(number for number, (low, high) in before.items() if low <= start < high)
        found = carrying.offset(start, len(name))
        assert found == now[name] if number in untouched else found in (None, now.get(name))
    for number, extent in before.items():
        carried = carrying.form(*extent)
        if number in untouched:
            assert carried == after[number]
        else:
            assert carried in (None, after.get(number))


@settings(max_examples=300, deadline=None)
@given(
    old=st.text(alphabet="ab (\n\r;\"'𝒳", max_size=40),
    new=st.text(alphabet="ab (\n\r;\"'𝒳", max_size=40),
    kept=st.text(alphabet="ab()\n \r", max_size=30),
)
def test_what_is_carried_is_the_same_text_between_the_same_limits(old: str, new: str, kept: str) -> None:
    old, new = old + kept, kept + new
    carrying = Carrying(old, new)
    for start in range(len(old)):
        for length in range(1, min(4, len(old) - start + 1)):
            now = carrying.offset(start, length)
            if now is None:
                continue
            assert new[now : now + length] == old[start : start + length]
            for ours, theirs in ((start - 1, now - 1), (start + length, now + length)):
                if 0 <= theirs < len(new) and CONSTITUENT.match(new, theirs):
                    assert 0 <= ours < len(old) and CONSTITUENT.match(old, ours)
            carrying.form(start, start + length)


def carried(old: str, new: str, part: str) -> str | None:
    """What surrounds a part of the old text in the new one, from where it was carried."""
    found = Carrying(old, new).offset(old.index(part), len(part))
    return None if found is None else new[found : found + len(part) + 3]


@pytest.mark.parametrize(
    ("old", "new", "part", "expected"),
    [
        ("(foo bar)", "(foo bar)", "bar", "bar)"),
        ("(foo bar baz)", "(new foo bar baz)", "bar", "bar ba"),
        ("(foo bar)", "(foo bar-baz)", "bar", None),
        ("(foo bar)", "(foo)", "bar", None),
        ("(foo\n  (bar x))", "(progn\n(foo\n    (bar x)))", "bar x", "bar x)))"),
        ("(a)\n(foo bar)\n(b)", "(b)\n(a)\n(foo bar)", "foo", "foo ba"),
        ("(defun foo (x) 1)\n", "(defun bar (y)\n  (foo y))\n", "foo", None),
        ("(foo)", "", "foo", None),
        ("(f (g a) (g z))", "(f (g a) (g b) (g z))", "g z", "g z))"),
        ("(f (a t) (z t) (k))", "(f (a t) (b t) (z t) (k))", "t) (z", None),
        ("(f (a t) (b t) (z t) (k))", "(f (a t) (z t) (k))", "z t", "z t) ("),
        ("(defun f (x)\n  (g x))\n(a)", "(a)\n(defun f (x)\n  (h)\n    (g x))", "g x", "g x))"),
        ("#+x\n(a b)\n(c d)", "(c d)\n#+x\n(a b)", "a b", "a b)"),
        ("(defun f (x)\n  (g x)\n  (h x))", "(defun k (x y)\n  (g x))", "g x", None),
        ("", "(foo)", "", None),
    ],
)
def test_small_edits(old: str, new: str, part: str, expected: str | None) -> None:
    assert carried(old, new, part) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("(defun f (x)\n  (g x))", "(defun f (x)\n  (new)\n  (g x))", "(defun f (x)\n  (new)\n  (g x))"),
        ("(defun f (x)\n  (g x))", "(defun h (x)\n  (g x))", None),
        ("(call f (g x) y)", "(call h (g x) y)", "(call h (g x) y)"),
        ("(a:defun (setf f) (x) y)", "(a:defun (setf h) (x) y)", None),
        ("(defun f (x) (g x))", "(defun f (x) (g x)", None),
        ('(defun f (x) "a) b")', '\n\n(defun f (x) #|)|# "a) (b")', '(defun f (x) #|)|# "a) (b")'),
        ("(defun f (x)\n  (g x))", "(defvar *a* 1)", None),
        ("'(a b c)", "'(a b d c)", "'(a b d c)"),
    ],
)
def test_the_extent_of_a_form_follows_its_inside(old: str, new: str, expected: str | None) -> None:
    found = Carrying(old, new).form(0, len(old))
    assert (new[found[0] : found[1]] if found else None) == expected


def test_the_other_forms_of_a_long_text_are_carried_when_some_change() -> None:
    forms = [f"(defun f{i} (x)\n  (list x))" for i in range(2000)]
    old = "\n\n".join(forms)
    changed = [*forms[1500:], *forms[:700], "(defun new ())", *forms[701:1500]]
    new = "\n\n".join(changed)
    carrying = Carrying(old, new)
    found = [carrying.offset(old.index(form), len(form)) for form in forms]
    assert len(found) == 2000
    assert [i for i, place in enumerate(found) if place is None] == [700]
    assert all(found[i] == new.index(form) for i, form in enumerate(forms) if i != 700)
