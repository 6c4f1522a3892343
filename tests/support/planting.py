"""Faults planted in copies of real sources, at places that SBCL itself reports as uses.

The places come from the index: the references that SBCL's compiler recorded, with the line and column
where the text names what is used. Neither the checker nor its reader takes part: calls are
taken apart by SBCL's reader (call_forms.py). A plant changes one line, and keeps all others where they
are.
"""

from __future__ import annotations

import random
import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from oblist.lisp.sbcl import Sbcl
from support.call_forms import Call, call_forms
from support.corpus import stored_text

_QUALIFIED_KINDS = ("misspelt", "unexported", "wrong package")
_USES = """
SELECT callers.file_id, line, start_column, packages.name, symbols.name, relations.relation
FROM symbol_references
JOIN relations ON relations.id = symbol_references.relation_id
JOIN callers ON callers.id = symbol_references.caller_id
JOIN symbols ON symbols.id = symbol_references.callee_id
JOIN packages ON packages.id = symbols.package_id
JOIN source_files ON source_files.id = callers.file_id
JOIN roots ON roots.id = source_files.root_id
WHERE start_column IS NOT NULL AND callee_operator IS NULL AND roots.name <> 'sbcl'
  AND (form_number IS NOT NULL
       OR (start_column = 2 AND relations.relation IN ('calls', 'macroexpands')))  -- a toplevel form
  AND source_files.recorded NOT LIKE '%grovel%'
GROUP BY callers.file_id, line, start_column
ORDER BY callers.file_id, line, start_column
"""
_NAME = r"[\w*+/<>=!?%$&^~.-]+"
_QUALIFIED = re.compile(rf"({_NAME})(::?)({_NAME})(?=[\s()\"';`,]|$)")
_PLAIN = re.compile(rf"({_NAME})(?=[\s()\"';`,]|$)")
_ROUNDS = 12
_PATIENCE = 500  # places tried before the next kind has its turn
_CALLS = 4000  # that are taken apart
_LINES = 60  # that a call may have
_CONDITIONALS = ("#+sbcl ", "#-(or allegro ccl) ", "#+(and sbcl (not clisp)) ")


# File, line and column of a use, home package and name of what is used, and the relation.
Use = tuple[int, int, int, str, str, str]


@dataclass(frozen=True)
class Plant:
    """A fault: what it is, where it shows, and which rules may report it."""

    kind: str
    where: str
    path: str
    line: int
    column: int
    rules: tuple[str, ...]
    text: str


class Planter:
    """Plants faults in the sources of an index."""

    def __init__(self, index: Path, seed: int, sbcl: Sbcl, systems: Sequence[str]) -> None:
        self._random = random.Random(seed)
        with closing(sqlite3.connect(index)) as connection:
            self._names = {name for (name,) in connection.execute("SELECT name FROM symbols")}
            self._packages = {name for (name,) in connection.execute("SELECT name FROM packages")}
            nicknames = dict(
                connection.execute(
                    "SELECT nickname, name FROM package_nicknames JOIN packages ON packages.id = package_id"
                )
            )
            self._real = {**{name: name for name in self._packages}, **nicknames}
            self._present: dict[str, dict[str, str]] = defaultdict(dict)
            for package, name, status in connection.execute(
                "SELECT packages.name, symbols.name, status FROM presences"
                " JOIN packages ON packages.id = presences.package_id JOIN symbols ON symbols.id = symbol_id"
            ):
                self._present[package][name] = status
            uses = connection.execute(_USES).fetchall()
            self._texts = {
                file: stored_text(connection, file).split("\n") for file in sorted({use[0] for use in uses})
            }
            self._paths = dict(connection.execute("SELECT id, path FROM source_files"))
        self._uses: list[Use] = uses
        self._sbcl, self._systems = sbcl, systems
        self._calls: dict[tuple[int, int, int], Call] = {}
        self._originals = {file: tuple(lines) for file, lines in self._texts.items()}
        self._used_lines: set[tuple[int, int]] = set()
        self._planted: dict[Plant, tuple[int, int, int]] = {}
        """The files of faults in code, and their first lines and those after their last, from 0."""
        self.plants: list[Plant] = []
        self._documents: list[str] = []

    def path(self, file: int) -> str:
        """The relative path of the copy of a source: what follows the root of the file system."""
        return str(Path(self._paths[file]).relative_to("/"))

    def plant(self, number: int, folder: Path) -> list[Plant]:
        """Plant ``number`` faults, of all kinds in turn, and write the copies to ``folder``."""
        kinds = (
            *(*_QUALIFIED_KINDS, "missing argument", "unknown keyword"),
            *("misspelt call", "missing argument"),
        )
        self._take_apart()
        places = self._random.sample(self._uses, len(self._uses))
        turn = fruitless = 0
        for use in places * _ROUNDS:
            if len(self.plants) == number:
                break
            kind = kinds[turn % len(kinds)]
            # Few uses are qualified, and only those can be in a guide.
            likely = "markdown" if kind in _QUALIFIED_KINDS else "code"
            where = self._random.choice(("code", likely, "conditional", "markdown", "docstring"))
            done = self._one(kind, where, use)
            fruitless = 0 if done else fruitless + 1
            if done or fruitless > _PATIENCE:
                turn, fruitless = turn + 1, 0
        for file, lines in self._texts.items():
            copy = folder / self.path(file)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text("\n".join(lines), encoding="utf-8")
        (folder / "guide.md").write_text("\n".join(self._documents), encoding="utf-8")
        return self.plants

    def plant_alone(self, plant: Plant, folder: Path) -> Path | None:
        """Write the copy that has no fault but one, and return its path; None if there is no such copy.

        A fault in the guide hides no other there, but one in code may hide it: the guide alone is enough.
        """
        if plant.where == "markdown":
            return folder / plant.path
        if plant not in self._planted:
            return None
        file, first, end = self._planted[plant]
        original = self._originals[file]
        lines = [*original[:first], *self._texts[file][first:end], *original[end:]]
        copy = folder / plant.path
        copy.write_text("\n".join(lines), encoding="utf-8")
        return copy

    def _take_apart(self) -> None:
        """Have SBCL read calls of functions, drawn by seed."""
        calls = [
            use
            for use in self._uses
            if use[5] == "calls" and self._text_from(use[0], use[1], use[2] - 2).startswith("(")
        ]
        calls = self._random.sample(calls, min(_CALLS, len(calls)))
        questions = [
            (self._text_from(file, line, column - 2), package, name)
            for file, line, column, package, name, _ in calls
        ]
        with tempfile.TemporaryDirectory() as work:
            found = call_forms(self._sbcl, self._systems, questions, Path(work))
        self._calls = {use[:3]: call for use, call in zip(calls, found, strict=True) if call is not None}
        assert len(self._calls) > len(calls) // 4, "SBCL reads hardly any call"

    def _text_from(self, file: int, line: int, start: int) -> str:
        return "\n".join(self._texts[file][line - 1 :][:_LINES])[max(start, 0) :]

    # One fault

    def _one(self, kind: str, where: str, use: Use) -> bool:
        """Plant a fault of ``kind`` at a use, if such a fault can be made there."""
        file, line, column, _, name, relation = use
        text = self._texts[file][line - 1]
        if kind in _QUALIFIED_KINDS:
            match = _QUALIFIED.match(text, column - 1)
            if match is None or match[3].upper() != name or match[1].upper() not in self._real:
                return False
            made = self._symbol(kind, match)
            if made is None:
                return False
            new, rules = made
            return self._put(kind, where, file, line, column, match.end() - match.start(), new, rules, 0)
        if (
            relation not in ("calls", "macroexpands")
            or text[column - 2 : column - 1] != "("
            or not (match := _PLAIN.match(text, column - 1))
        ):
            return False
        if kind == "misspelt call":
            new = self._slip(match[1])
            if where not in ("code", "conditional") or match[1].upper() != name or new is None:
                return False
            return self._put(kind, where, file, line, column, len(match[1]), new, ("undefined-function",), 0)
        return self._call(kind, where, file, line, column)

    def _symbol(self, kind: str, match: re.Match[str]) -> tuple[str, tuple[str, ...]] | None:
        """A symbol that is wrong in the way of ``kind``, and the rules that may report it."""
        package, colons, name = match[1], match[2], match[3]
        if kind == "misspelt":
            slip = self._slip(name)
            return (f"{package}{colons}{slip}", ("unknown-symbol",)) if slip else None
        if kind == "unexported":
            present = self._present[self._real[package.upper()]]
            internal = sorted(
                one for one, status in present.items() if status == "internal" and _PLAIN.fullmatch(one)
            )
            if not internal:
                return None
            return f"{package}:{self._random.choice(internal).lower()}", ("not-external",)
        if self._random.random() < 0.5:
            slip = self._slip(package)
            return (f"{slip}{colons}{name}", ("unknown-package",)) if slip else None
        other = self._random.choice(sorted(self._packages))
        if name.upper() in self._present[other] or not _PLAIN.fullmatch(other) or other == "KEYWORD":
            return None
        return f"{other.lower()}:{name}", ("unknown-symbol", "not-external")

    def _slip(self, name: str) -> str | None:
        """``name`` with a letter too few, too many, another, or two exchanged; None if that is a name too."""
        if len(name) < 5:
            return None
        at = self._random.randrange(1, len(name) - 1)
        letter = self._random.choice("aeinrst")
        made = self._random.choice(
            (
                name[:at] + name[at + 1 :],
                name[:at] + letter + name[at:],
                name[:at] + letter + name[at + 1 :],
                name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            )
        )
        taken = made.upper() in self._names or made.upper() in self._real or not re.search("[a-z]", made)
        return None if taken or made.upper() == name.upper() else made

    def _call(self, kind: str, where: str, file: int, line: int, column: int) -> bool:
        """Plant a fault in the arguments of a call."""
        call = self._calls.get((file, line, column))
        start = column - 2
        # A plant before may have changed what was read.
        if call is None or not self._text_from(file, line, start).startswith(call.text):
            return False
        form, parts, required = call.text, call.items, call.required
        if kind == "missing argument":
            if len(parts) - 1 != required or not required or ",@" in form or "#" in form or ";" in form:
                return False
            at, end = call.places[-1]
            new = form[:at] + re.sub(r"[^\n]", " ", parts[-1]) + form[end:]
            rules: tuple[str, ...] = ("wrong-number-of-arguments",)
            shift = 1
        else:
            given = [part for part in parts[required + 1 :] if part.startswith(":")]
            given = [part for part in given if part[1:].upper() in call.keywords and form.count(part) == 1]
            if not given:
                return False
            old = self._random.choice(given)
            new = form.replace(old, f"{old}x", 1)
            rules, shift = ("unknown-keyword",), new.index(f"{old}x")
        return self._put(kind, where, file, line, start + 1, len(form), new, rules, shift)

    # Where it goes

    def _put(
        self,
        kind: str,
        where: str,
        file: int,
        line: int,
        column: int,
        length: int,
        new: str,
        rules: tuple[str, ...],
        shift: int,
    ) -> bool:
        """Write ``new`` where it belongs; the fault shows ``shift`` characters after its beginning."""
        if where == "markdown":
            return self._in_markdown(kind, new, rules, shift)
        if where == "docstring":
            return self._in_docstring(kind, file, line, new, rules, shift)
        lines = self._texts[file]
        behind = "\n".join(lines[line - 1 :])[column - 1 + length :]
        height = new.count("\n") + 1
        touched = {(file, number) for number in range(line, line + height)}
        if touched & self._used_lines:
            return False
        before = lines[line - 1][: column - 1]
        condition = self._random.choice(_CONDITIONALS) if where == "conditional" else ""
        changed = (before + condition + new).split("\n")
        changed[-1] += behind.partition("\n")[0]
        lines[line - 1 : line - 1 + height] = changed
        self._used_lines |= touched
        prefix = (before + condition + new[:shift]).split("\n")
        place = line + len(prefix) - 1, len(prefix[-1]) + 1
        planted = Plant(kind, where, self.path(file), *place, rules, changed[0].strip())
        self.plants.append(planted)
        self._planted[planted] = file, line - 1, line - 1 + height
        return True

    def _in_markdown(self, kind: str, new: str, rules: tuple[str, ...], shift: int) -> bool:
        """Symbols in running text or fenced, calls fenced."""
        home = re.match(r"\(?[^\s():]+:", new)
        if home is None or "`" in new or "\n\n" in new:  # a guide has to name the package
            return False
        inline = not new.startswith("(") and self._random.random() < 0.6
        lines = self._documents
        lead = f"Number {len(self.plants)} is `" if inline else ""
        lines += [f"{lead}{new}` here."] if inline else ["```lisp", *new.split("\n"), "```"]
        first = len(lines) - (0 if inline else new.count("\n") + 1)
        prefix = (lead + new[:shift]).split("\n")
        self.plants.append(
            Plant(
                kind,
                "markdown",
                "guide.md",
                first + len(prefix) - 1,
                len(prefix[-1]) + 1,
                rules,
                new.partition("\n")[0],
            )
        )
        lines.append("")
        return True

    def _in_docstring(
        self, kind: str, file: int, line: int, new: str, rules: tuple[str, ...], shift: int
    ) -> bool:
        """A symbol into the string that documents a function of the same file."""
        if new.startswith("(") or "\n" in new:
            return False
        lines = self._texts[file]
        documented = [
            number
            for number in range(1, len(lines))
            if re.fullmatch(r'  "[A-Z][^"\\`~]*"?', lines[number])
            and lines[number - 1].startswith("(defun ")
            and lines[number - 1].endswith(")")
            and (file, number + 1) not in self._used_lines
        ]
        if not documented:
            return False
        at = self._random.choice(documented)
        lines[at] = f'  "See `{new}`. ' + lines[at][3:]
        self._used_lines.add((file, at + 1))
        self.plants.append(Plant(kind, "docstring", self.path(file), at + 1, 9 + shift, rules, lines[at]))
        return True
