"""Random edits of a Lisp project's files, as people make them: seeded, in words, without a Lisp.

About one in eight breaks the project on purpose, and the next ones repair it. Some break it by
accident: its compiler reports that (``Editor.tell``), and it is repaired as well.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from support.projects.edits_of_forms import FORM_EDITS, FormEdit
from support.projects.lisp_forms import Form, UnbalancedError, elements, renamed, toplevel_forms

# How often an edit that breaks the project, or one that repairs it, is chosen.
_BREAKING, _REPAIRING = 0.125, 0.6
_COMPONENT = re.compile(r"\(:file\s+\"(?P<name>[^\"]+)\"", re.IGNORECASE)


@dataclass(frozen=True)
class Edit:
    """One edit: what kind, what it did in words, and the files that it wrote."""

    kind: str
    words: str
    files: tuple[str, ...]
    breaks: bool = False

    def __str__(self) -> str:
        return f"{self.kind}: {self.words}{' (breaks it)' if self.breaks else ''}"


class NotPossible(Exception):  # noqa: N818 - not an error: another edit is tried
    """There is nothing in the project that this edit could change."""


class Editor:
    """Edits the project in a folder, and remembers the states in which it was sound."""

    def __init__(self, project: Path, seed: int) -> None:
        self.project = project
        self.random = random.Random(seed)
        self._count = 0
        self._broken = False
        self._good = [self.read_all()]
        self._assumed = False  # that the last of them is sound: nobody compiled it yet
        self._of_files: dict[str, Callable[[], tuple[str, tuple[str, ...]]]] = {
            "rename": self._rename,
            "move": self._move,
            "delete a file": self._delete_file,
            "add a file": self._add_file,
            "restore": self._restore,
            "touch": self._touch,
            "shift": self._shift,
        }
        self.kinds = [*self._of_files, *FORM_EDITS]

    # Files

    def paths(self, suffix: str = ".lisp") -> list[str]:
        """The project's files, relative to its folder."""
        return sorted(str(path.relative_to(self.project)) for path in self.project.rglob(f"*{suffix}"))

    def read(self, path: str) -> str:
        with (self.project / path).open(encoding="utf-8", errors="surrogateescape", newline="") as stream:
            return stream.read()

    def write(self, path: str, text: str) -> None:
        (self.project / path).parent.mkdir(parents=True, exist_ok=True)
        with (self.project / path).open(
            "w", encoding="utf-8", errors="surrogateescape", newline=""
        ) as stream:
            stream.write(text)

    def read_all(self) -> dict[str, str]:
        """The text of all files of the project."""
        return {path: self.read(path) for path in (*self.paths(), *self.paths(".asd"))}

    def write_all(self, state: dict[str, str]) -> tuple[str, ...]:
        """Restore the project to ``state``; return the files that had to be written or deleted."""
        now = self.read_all()
        changed = [path for path in sorted(now.keys() | state.keys()) if now.get(path) != state.get(path)]
        for path in changed:
            if path in state:
                self.write(path, state[path])
            else:
                (self.project / path).unlink()
        return tuple(changed)

    def forms(self, path: str) -> list[Form]:
        """The toplevel forms of a file; none of one that is broken."""
        try:
            return list(toplevel_forms(self.read(path)))
        except UnbalancedError:
            return []

    def new_name(self, stem: str = "extra") -> str:
        self._count += 1
        return f"{stem}-{self._count}"

    # One edit

    def edit(self, kind: str | None = None) -> Edit:
        """Make one edit, of ``kind`` if that is given."""
        if kind is not None:
            return self._make(kind)
        if self._broken and self.random.random() < _REPAIRING:
            return self._repair()
        if not self._broken and self.random.random() < _BREAKING:
            return self._break()
        while True:
            try:
                edit = self._make(self.random.choice(self.kinds))
            except NotPossible:
                continue
            if not self._broken:
                self._assumed = self._remember()
            return edit

    def tell(self, compiles: bool) -> None:
        """Say whether the project compiles as it is now."""
        if compiles:
            self._broken = False
            self._remember()
        else:
            if self._assumed:
                self._good.pop()
            self._broken = True
        self._assumed = False

    def _remember(self) -> bool:
        state = self.read_all()
        if self._good[-1] == state:
            return False
        self._good.append(state)
        return True

    def _make(self, kind: str) -> Edit:
        if kind in self._of_files:
            words, files = self._of_files[kind]()
        else:
            words, files = self._edit_form(FORM_EDITS[kind])
        return Edit(kind, words, files)

    def _edit_form(self, form_edit: FormEdit) -> tuple[str, tuple[str, ...]]:
        """Change one form by ``form_edit``, the first of a random order that it can change."""
        candidates = [
            (path, form)
            for path in self.paths()
            for form in self.forms(path)
            if not form.conditional and form.package is not None and form_edit.fits(form)
        ]
        self.random.shuffle(candidates)
        for path, form in candidates[:50]:
            changed = form_edit.change(form, self.new_name(), self.random)
            if changed is not None:
                text, words = changed
                whole = self.read(path)
                self.write(path, whole[: form.start] + text + whole[form.end :])
                return f"{words} in {path}", (path,)
        raise NotPossible

    # Breaking and repairing

    def _break(self) -> Edit:
        path = self.random.choice([path for path in self.paths() if self.forms(path)])
        text, form = self.read(path), self.random.choice(self.forms(path))
        kind = self.random.choice(["an open parenthesis", "an unread token", "a call that fails"])
        if kind == "an open parenthesis":
            changed = text[: form.end - 1] + text[form.end :]
        elif kind == "an unread token":
            changed = text[: form.end] + "\n(nowhere::to be)\n" + text[form.end :]
        else:
            changed = text[: form.end] + '\n(error "On purpose.")\n' + text[form.end :]
        self.write(path, changed)
        self._broken = True
        return Edit("break", f"{kind} at the form {form.text[:30]!r} of {path}", (path,), breaks=True)

    def _repair(self) -> Edit:
        files = self.write_all(self._good[-1])
        self._broken = False
        return Edit("repair", f"all as it was before, {len(files)} files", files)

    # Edits of files

    def _definitions(self, *operators: str) -> list[tuple[str, Form]]:
        return [
            (path, form)
            for path in self.paths()
            for form in self.forms(path)
            if form.operator in operators and form.name and form.name[0] != "(" and not form.conditional
        ]

    def _chosen(self, found: list[tuple[str, Form]]) -> tuple[str, Form]:
        if not found:
            raise NotPossible
        return self.random.choice(found)

    def _rename(self) -> tuple[str, tuple[str, ...]]:
        """One definition, with its uses; a function also without."""
        operators = [
            "defun",
            "defun",
            "defvar",
            "defparameter",
            "defmacro",
            "defclass",
            "defgeneric",
            "deftype",
        ]
        path, form = self._chosen(self._definitions(self.random.choice(operators)))
        assert form.name
        new = self.new_name(re.sub(r"-\d+$|[*+]$", "", form.name)) + ("*" if form.name[0] == "*" else "")
        text = self.read(path)
        if form.operator == "defun" and self.random.random() < 0.5:
            head = form.text.replace(form.name, new, 1)
            self.write(path, text[: form.start] + head + text[form.end :])
            return f"{form.name} to {new} in {path}, but not its uses", (path,)
        changed = []
        for other in self.paths():
            before = self.read(other)
            after = renamed(before, form.name, new)
            # A package's exports are strings.
            after = after.replace(f'"{form.name.upper()}"', f'"{new.upper()}"')
            if after != before:
                self.write(other, after)
                changed.append(other)
        return f"{form.name} to {new} everywhere", tuple(changed)

    def _move(self) -> tuple[str, tuple[str, ...]]:
        """A function to the end of another file, when that ends in the same package."""
        path, form = self._chosen(self._definitions("defun"))
        others = [
            other
            for other in self.paths()
            if other != path and (forms := self.forms(other)) and forms[-1].package == form.package
        ]
        if not others:
            raise NotPossible
        other = self.random.choice(others)
        text = self.read(path)
        self.write(path, text[: form.start] + text[form.end :].lstrip("\n"))
        self.write(other, f"{self.read(other)}\n{form.text}\n")
        return f"{form.name} from {path} to {other}", (path, other)

    def _shift(self) -> tuple[str, tuple[str, ...]]:
        """Everything by a few lines."""
        path = self.random.choice(self.paths())
        self.write(path, ";;; A remark that moves the rest.\n\n" + self.read(path))
        return f"a remark before all of {path}", (path,)

    def _touch(self) -> tuple[str, tuple[str, ...]]:
        path = self.random.choice(self.paths())
        os.utime(self.project / path)
        return f"{path}, unchanged", (path,)

    def _restore(self) -> tuple[str, tuple[str, ...]]:
        """An earlier state of all files, as git checkout does."""
        place = self.random.randrange(len(self._good))
        files = self.write_all(self._good[place])
        if not files:
            raise NotPossible
        return f"state {place} of {len(self._good)}, {len(files)} files", files

    # Edits of the definition of a system

    def _components(self) -> list[tuple[str, str, int, int]]:
        """The components (:file ..): the .asd, the name, and the extent in it."""
        found = []
        for asd in self.paths(".asd"):
            text = self.read(asd)
            for match in _COMPONENT.finditer(text):
                try:
                    end = elements(text, match.start())[-1][1]
                except (UnbalancedError, IndexError):
                    continue
                found.append((asd, match["name"], match.start(), text.index(")", end) + 1))
        return found

    def _file_of(self, name: str) -> str:
        paths = [path for path in self.paths() if Path(path).stem == Path(name).name]
        if len(paths) != 1:
            raise NotPossible
        return paths[0]

    def _delete_file(self) -> tuple[str, tuple[str, ...]]:
        """A file that no other component depends on."""
        leaves = [
            component
            for component in self._components()
            if self.read(component[0]).count(f'"{component[1]}"') == 1
        ]
        if not leaves:
            raise NotPossible
        asd, name, start, end = self.random.choice(leaves)
        path = self._file_of(name)
        text = self.read(asd)
        # A comment before the component must not swallow what follows it.
        self.write(asd, f"{text[:start]}\n{text[end:]}")
        (self.project / path).unlink()
        return f"{path} and its component in {asd}", (asd, path)

    def _add_file(self) -> tuple[str, tuple[str, ...]]:
        """A file beside another, which it depends on."""
        components = self._components()
        if not components:
            raise NotPossible
        asd, name, _, end = self.random.choice(components)
        beside = self._file_of(name)
        forms = self.forms(beside)
        if not forms or forms[-1].package is None:
            raise NotPossible
        new = self.new_name("file")
        text = self.read(asd)
        self.write(asd, f'{text[:end]}\n(:file "{new}" :depends-on ("{name}"))\n{text[end:]}')
        path = str(Path(beside).with_name(f"{new}.lisp"))
        self.write(path, f"(in-package {forms[-1].package})\n\n(defun in-{new} () '{new})\n")
        return f"{path} and its component in {asd}", (asd, path)
