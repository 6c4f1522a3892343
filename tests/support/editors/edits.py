"""Random edits of one Lisp text, as people make them: seeded, and followed by the character."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from support.editors.nested import Object, UnbalancedError, objects
from support.editors.tracked import Tracked

_SYMBOL = re.compile(r"(?<![^\s()'`,@])[a-zA-Z*%+][\w*+%<>=/?!-]*(?=[\s()])")
_LINE_START = re.compile(r"(?<=\n)[ \t]+(?=[(a-z:])")
_STRING = re.compile(r'"[^"\\\n]{3,}"')
_BEYOND = "𝒳😀🂡𐐷"
_MOST_TRIES = 30


class NotPossible(Exception):  # noqa: N818 - not an error: another edit is tried
    """There is nothing in the text that this edit could change."""


class TextEditor:
    """Edits a text at random."""

    def __init__(self, text: str, seed: str) -> None:
        self.tracked = Tracked(text)
        self.random = random.Random(seed)
        self.made: list[str] = []
        """The kinds of the edits so far."""
        self._count = 0
        self._kinds: dict[str, Callable[[], None]] = {
            "insert a form": self._insert_form,
            "copy a form": self._copy_form,
            "insert a remark": self._insert_remark,
            "insert a subform": self._insert_subform,
            "insert a line comment": self._insert_comment,
            "wrap a subform": self._wrap,
            "delete a subform": self._delete_subform,
            "delete a form": self._delete_form,
            "move a form": self._move_form,
            "move a subform": self._move_subform,
            "rename within a form": self._rename_within,
            "rename a definition": self._rename_definition,
            "rename everywhere": self._rename_everywhere,
            "change the case": self._change_case,
            "characters beyond the plane": self._beyond,
            "line ends": self._line_ends,
            "indent": self._indent,
            "break a line": self._break_line,
        }

    @property
    def text(self) -> str:
        return self.tracked.text

    def edit(self, kind: str | None = None) -> str:
        """Make one edit, and return its kind."""
        for _ in range(_MOST_TRIES):
            chosen = kind or self.random.choice(list(self._kinds))
            try:
                self._kinds[chosen]()
            except (NotPossible, UnbalancedError):
                continue
            self.made.append(chosen)
            return chosen
        raise NotPossible

    # What is there

    def _new(self, stem: str) -> str:
        self._count += 1
        return f"{stem}-made-{self._count}"

    def _forms(self) -> list[Object]:
        """The toplevel forms that begin a line and are nothing that the rest depends on."""
        forms = [
            form
            for form in objects(self.text)
            if form.parts
            and not form.marked
            and (form.start == 0 or self.text[form.start - 1] == "\n")
            and not self.text.startswith(("(in-package", "(defpackage"), form.start)
        ]
        if not forms:
            raise NotPossible
        return forms

    def _defining(self) -> tuple[Object, Object]:
        """A form that defines a symbol, and where that stands in it."""
        forms = [
            (form, form.parts[1])
            for form in self._forms()
            if form.parts and len(form.parts) > 2 and self.text[form.start : form.start + 4].lower() == "(def"
        ]
        found = [(form, name) for form, name in forms if _SYMBOL.match(self.text, name.start)]
        if not found:
            raise NotPossible
        return self.random.choice(found)

    def _form(self) -> Object:
        return self.random.choice(self._forms())

    def _subforms(self, form: Object) -> list[Object]:
        """All that is in a form but the first two elements, which say what it is."""
        assert form.parts is not None
        found, left = [], form.parts[2:]
        while left:
            one = left.pop()
            if not one.marked:
                found.append(one)
                left += one.parts or []
        return found

    def _subform(self, *, is_list: bool = False) -> tuple[int, int]:
        found = [one for one in self._subforms(self._form()) if one.parts or not is_list]
        if not found:
            raise NotPossible
        one = self.random.choice(found)
        return one.start, one.end

    def _symbols(self, start: int, end: int) -> list[str]:
        return sorted({match[0] for match in _SYMBOL.finditer(self.text, start, end)})

    def _symbol(self, start: int, end: int) -> str:
        names = [one for one in self._symbols(start, end) if not one.lower().startswith("def")]
        if not names:
            raise NotPossible
        return self.random.choice(names)

    def _between(self) -> int:
        """The beginning of a line that begins with a form."""
        return self._form().start

    def _lines(self, text: str) -> str:
        """A text with the line ends that prevail here."""
        return text.replace("\n", "\r\n") if "\r\n" in self.text else text

    # Edits

    def _insert(self, place: int, text: str) -> None:
        self.tracked.replace(place, place, self._lines(text))

    def _insert_form(self) -> None:
        name, other = self._new("fun"), self._new("arg")
        text = self.random.choice(
            [
                f'(defun {name} ({other} x)\n  "Makes 😀 of {other}."\n  (list x {other}))\n\n',
                f"(defvar *{name}* (list 1 2))\n",
                f"(defmacro {name} (&body {other})\n  `(progn ,@{other}))\n\n",
                f"(defmethod {name} (({other} t))\n  (car {other}))\n\n",
            ]
        )
        self._insert(self._between(), text)

    def _copy_form(self) -> None:
        """A form once more, under another name, as people do to begin a similar one."""
        form, name = self._defining()
        start, end, to = form.start, form.end, self._between()
        new = self._new(self.text[name.start : name.end])
        self.tracked.copy(start, end, to)
        self.tracked.replace(to + name.start - start, to + name.end - start, new)
        self._insert(to + end - start + len(new) - (name.end - name.start), "\n\n")

    def _insert_remark(self) -> None:
        text = self.random.choice(
            ["\n", "\n\n\n", ";;; A remark 𝒳 on what follows.\n", "#|\n(not a form)\n|#\n", "; (list x)\n\n"]
        )
        self._insert(self._between(), text)

    def _insert_subform(self) -> None:
        start, end = self._subform()
        name = self._symbol(start, end) if self.random.random() < 0.5 else "x"
        text = self.random.choice(
            ["({0} {1})", "\n      (list {1} ({0}))", "{0}", '(format t "~A 😀" {0} {1})']
        )
        self._insert(end, " " + text.format(self._new("call"), name))

    def _insert_comment(self) -> None:
        start, _ = self._subform(is_list=True)
        self._insert(start, f'; note {self._new("n")} 🂡 (x) "\n    ')

    def _wrap(self) -> None:
        start, end = self._subform(is_list=True)
        self._insert(end, ")")
        self._insert(start, f"({self._new('wrap')}\n ")

    def _delete_subform(self) -> None:
        start, end = self._subform()
        self._delete(start, end)

    def _delete(self, start: int, end: int) -> None:
        """Delete what could not have been deleted elsewhere with the same result."""
        text = self.text
        while start and text[start - 1] in " \t" and text[end : end + 1] != "\n":
            start -= 1
        before, after = text[max(0, start - 40) : start], text[end : end + 40]
        gone = text[start:end]
        if any(_joins(gone, one) for one in (before.split()[-1:], after.split()[:1])):
            raise NotPossible
        self.tracked.replace(start, end, " " if before.strip() and after.strip() else "")

    def _delete_form(self) -> None:
        form = self._form()
        self.tracked.replace(form.start, form.end, "")

    def _move_form(self) -> None:
        forms = self._forms()
        if len(forms) < 3:
            raise NotPossible
        form, other = self.random.sample(forms, 2)
        end = form.end
        while self.text[end : end + 1] in ("\r", "\n"):
            end += 1
        if "\n" not in self.text[form.end : end]:
            raise NotPossible
        self.tracked.move(form.start, end, other.start)

    def _move_subform(self) -> None:
        """A list behind another of the same toplevel form."""
        lists = [one for one in self._subforms(self._form()) if one.parts]
        if len(lists) < 2:
            raise NotPossible
        one, other = self.random.sample(lists, 2)
        if other.start < one.end and one.start < other.end:
            raise NotPossible
        self._insert(other.end, " ")
        shift = 1 if other.end <= one.start else 0
        self.tracked.move(one.start + shift, one.end + shift, other.end + 1)

    def _rename(self, start: int, end: int, old: str, new: str) -> None:
        pattern = re.compile(rf"(?<![^\s()'`,@#]){re.escape(old)}(?=[\s()])")
        places = [match.start() for match in pattern.finditer(self.text, start, end)]
        if not places:
            raise NotPossible
        for place in reversed(places):
            self.tracked.replace(place, place + len(old), new)

    def _rename_within(self) -> None:
        form = self._form()
        if form.parts is None or len(form.parts) < 3:
            raise NotPossible
        start = form.parts[2].start
        old = self._symbol(start, form.end)
        self._rename(start, form.end, old, self._new(old))

    def _rename_definition(self) -> None:
        _, name = self._defining()
        self.tracked.replace(name.start, name.end, self._new(self.text[name.start : name.end]))

    def _rename_everywhere(self) -> None:
        form = self._form()
        old = self._symbol(form.start, form.end)
        if old.lower() in ("t", "nil", "in-package", "x"):
            raise NotPossible
        self._rename(0, len(self.text), old, self._new(old))

    def _change_case(self) -> None:
        start, end = self._subform()
        if '"' in self.text[start:end] or "\\" in self.text[start:end] or "|" in self.text[start:end]:
            raise NotPossible
        for match in list(_SYMBOL.finditer(self.text, start, end)):
            if match[0] != match[0].upper():
                self.tracked.replace(match.start(), match.end(), match[0].upper())

    def _beyond(self) -> None:
        form = self._form()
        found = [one for one in _STRING.finditer(self.text, form.start, form.end) if "~" not in one[0]]
        if not found:
            raise NotPossible
        place = self.random.choice(found).start() + 1 + self.random.randrange(3)
        self._insert(place, self.random.choice(_BEYOND))

    def _line_ends(self) -> None:
        if "\r\n" in self.text:
            for match in reversed(list(re.finditer(r"\r(?=\n)", self.text))):
                self.tracked.replace(match.start(), match.end(), "")
        else:
            for match in reversed(list(re.finditer(r"\n", self.text))):
                self.tracked.replace(match.start(), match.start(), "\r")

    def _indent(self) -> None:
        form = self._form()
        strings = [
            match.span() for match in re.finditer(r'"(?:[^"\\]|\\.)*"', self.text[form.start : form.end])
        ]
        for match in reversed(list(_LINE_START.finditer(self.text, form.start, form.end))):
            at = match.start() - form.start
            if not any(low <= at < high for low, high in strings):
                self.tracked.replace(match.start(), match.end(), self.random.choice(["   ", "\t", "     "]))

    def _break_line(self) -> None:
        start, _ = self._subform()
        if self.text[start - 1] != " ":
            raise NotPossible
        self.tracked.replace(start - 1, start, self._lines(self.random.choice(["\n", "\n   ", "  "])))


def _joins(gone: str, around: list[str]) -> bool:
    """Whether the same text is gone if more or less is deleted there."""
    return bool(around) and (around[0] in gone.split() or gone.strip() == around[0])
