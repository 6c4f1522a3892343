"""Faults planted by seed into toplevel forms of real libraries, one a form, of every kind that is looked for.

Neither the checker nor its reader takes part. Calls are places where SBCL's compiler recorded one, so also
those within forms of macros; strings, comments and parentheses are found by a scanner of a few lines.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from support.forms.drawn import Drawn, drawn_forms

_CALLS = """
SELECT callers.file_id, line, symbol_references.start_column, symbols.name, definitions.arglist
FROM symbol_references
JOIN relations ON relations.id = symbol_references.relation_id
JOIN callers ON callers.id = symbol_references.caller_id
JOIN symbols ON symbols.id = symbol_references.callee_id
JOIN definitions ON definitions.symbol_id = symbols.id AND definitions.operator IS NULL
WHERE symbol_references.start_column IS NOT NULL AND callee_operator IS NULL
  AND symbol_references.form_number IS NOT NULL
  AND relations.relation = 'calls' AND definitions.kind IN ('function', 'generic-function')
GROUP BY callers.file_id, line, symbol_references.start_column
"""
# Classes whose instances SBCL makes with any initarg: a method that initializes them takes other keys.
_TAKING_ANYTHING = """
SELECT DISTINCT made.name FROM class_precedence
JOIN definitions AS class ON class.id = class_precedence.class_id
JOIN symbols AS made ON made.id = class.symbol_id
JOIN method_specializers
  ON method_specializers.symbol_id = class_precedence.symbol_id AND method_specializers.position = 0
JOIN definitions AS method ON method.id = method_specializers.definition_id
JOIN symbols AS generic ON generic.id = method.symbol_id
WHERE method.arglist LIKE '%&ALLOW-OTHER-KEYS%'
  AND generic.name IN ('INITIALIZE-INSTANCE', 'SHARED-INITIALIZE', 'MAKE-INSTANCE', 'ALLOCATE-INSTANCE')
UNION SELECT made.name FROM method_specializers
JOIN definitions AS method ON method.id = method_specializers.definition_id
JOIN symbols AS generic ON generic.id = method.symbol_id
JOIN symbols AS made ON made.id = method_specializers.symbol_id
WHERE method.arglist LIKE '%&ALLOW-OTHER-KEYS%' AND generic.name = 'INITIALIZE-INSTANCE'
"""
_NAME = r"[\w*+/<>=!?%$&^~.-]+"
_QUALIFIED = re.compile(rf"(?<![\w:'#|\\\"*+/<>=!?%$&^~.-])({_NAME})(::?)({_NAME})(?=[\s()]|$)")
_PLACE = re.compile(rf"\(setf\s+\(({_NAME})\s")
_MADE = re.compile(rf"\((?:make-instance|make-condition|error)\s+'({_NAME})\s+(:{_NAME})\s")
_FORMAT = re.compile(r"\(format\s+(?:nil|t|stream|s)\s+(\"[^\"\\]*~[^\"\\]*\")")
_LITERAL = re.compile(r"\"(?:[^\"\\]|\\.)*\"|;[^\n]*|#\|.*?\|#|#\\(?:\w+|.)|\|[^|]*\|", re.DOTALL)
_PATIENCE = 60
# The kinds whose places are found in the text alone.
_BY_TEXT = (
    *("misspelt symbol", "unknown package", "not exported"),
    *("initarg", "place", "format arguments", "format directive"),
)


@dataclass(frozen=True)
class Fault:
    """A form with one fault: line and column, from 1, are where it is; None if that may be anywhere."""

    kind: str
    drawn: Drawn
    text: str
    line: int | None
    column: int | None
    rules: tuple[str, ...]
    planted: str


Plant = tuple[str, int | None, tuple[str, ...], str]  # the new text, the offset of the fault, rules, what


class FormFaults:
    """Plants faults in the forms of an index."""

    def __init__(self, index: Path, seed: int, below: str = "") -> None:
        self._random = random.Random(seed)
        self._forms = list(drawn_forms(index, below))
        self._random.shuffle(self._forms)
        self._calls: dict[int, list[tuple[int, int, str, str]]] = defaultdict(list)
        with closing(sqlite3.connect(index)) as connection:
            for file, line, column, name, arglist in connection.execute(_CALLS):
                self._calls[file].append((line, column, name, arglist or ""))
            self._names = {name for (name,) in connection.execute("SELECT name FROM symbols")}
            self._packages = {name for (name,) in connection.execute("SELECT name FROM packages")}
            self._packages |= {
                name for (name,) in connection.execute("SELECT nickname FROM package_nicknames")
            }
            self._anything = {name for (name,) in connection.execute(_TAKING_ANYTHING)}
            self._internal = defaultdict(list)
            for package, name in connection.execute(
                "SELECT packages.name, symbols.name FROM presences JOIN symbols ON symbols.id = symbol_id"
                " JOIN packages ON packages.id = presences.package_id WHERE status = 'internal'"
            ):
                self._internal[package].append(name)
        self._kinds: dict[str, Callable[[Drawn], Plant | None]] = {
            "misspelt function": self._misspelt_function,
            "misspelt symbol": self._misspelt_symbol,
            "unknown package": self._unknown_package,
            "not exported": self._not_exported,
            "too few arguments": self._too_few,
            "too many arguments": self._too_many,
            "keyword": self._keyword,
            "initarg": self._initarg,
            "place": self._place,
            "format arguments": self._format_arguments,
            "format directive": self._format_directive,
            "parenthesis": self._parenthesis,
            "string": self._string,
            "comment": self._comment,
        }

    def plant(self, number: int) -> list[Fault]:
        """``number`` faults, each in a form of its own, of all kinds in turn."""
        found: list[Fault] = []
        used: set[int] = set()
        waiting = dict.fromkeys(self._kinds, 0)
        while len(found) < number:
            before = len(found)
            for kind, make in self._kinds.items():
                if len(found) == number:
                    break
                fault = self._next(kind, make, waiting, used)
                if fault is not None:
                    found.append(fault)
            assert len(found) > before, "the forms are used up"
        return found

    def _next(
        self, kind: str, make: Callable[[Drawn], Plant | None], waiting: dict[str, int], used: set[int]
    ) -> Fault | None:
        """The next fault of a kind, in the first form after the last one of that kind that may have it."""
        while waiting[kind] < len(self._forms):
            at = waiting[kind]
            waiting[kind] += 1
            if at in used:
                continue
            drawn = self._forms[at]
            # What a conditional hides is no fault.
            hidden = kind in _BY_TEXT and re.search(r"#[+-]", drawn.text)
            made = None if hidden else make(drawn)
            if made is None:
                continue
            used.add(at)
            text, offset, rules, planted = made
            before = text[:offset].split("\n") if offset is not None else None
            return Fault(
                kind,
                self._forms[at],
                text,
                len(before) if before else None,
                len(before[-1]) + 1 if before else None,
                rules,
                planted,
            )
        return None

    # What is in a form

    def _called(self, drawn: Drawn) -> Iterator[tuple[int, str, str]]:
        """The recorded calls in a form, shuffled: the offset of the operator, its name and lambda list."""
        lines = drawn.text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        calls = [one for one in self._calls[drawn.file] if 0 <= one[0] - drawn.line < len(lines)]
        self._random.shuffle(calls)
        for line, column, name, arglist in calls:
            offset = starts[line - drawn.line] + column - 1
            written = re.match(rf"(?:{_NAME}::?)?({_NAME})", drawn.text[offset:])
            if written and written[1].upper() == name and drawn.text[offset - 1 : offset] == "(":
                yield offset, name, arglist

    def _slip(self, name: str) -> str | None:
        """``name`` with two letters exchanged, or one dropped or doubled; None if that is a name too."""
        if len(name) < 5:
            return None
        for _ in range(_PATIENCE):
            at = self._random.randrange(1, len(name) - 2)
            made = self._random.choice(
                (
                    name[:at] + name[at + 1 :],
                    name[:at] + name[at] + name[at:],
                    name[:at] + name[at + 1] + name[at] + name[at + 2 :],
                )
            )
            if made.upper() not in self._names and made.upper() not in self._packages and made != name:
                return made
        return None

    # Kinds

    def _misspelt_function(self, drawn: Drawn) -> Plant | None:
        for offset, name, _ in self._called(drawn):
            written = drawn.text[offset : offset + len(name)]
            slip = self._slip(written) if written.upper() == name else None
            if slip is not None:
                text = drawn.text[:offset] + slip + drawn.text[offset + len(name) :]
                return text, offset, ("undefined-function", "unknown-symbol"), slip
        return None

    def _qualified(self, drawn: Drawn) -> re.Match[str] | None:
        hidden = [match.span() for match in _LITERAL.finditer(drawn.text)]
        found = [
            match
            for match in _QUALIFIED.finditer(drawn.text)
            if not any(start <= match.start() < end for start, end in hidden)
            and match[1].upper() in self._packages
            and match[3].upper() in self._names
        ]
        return self._random.choice(found) if found else None

    def _misspelt_symbol(self, drawn: Drawn) -> Plant | None:
        match = self._qualified(drawn)
        slip = self._slip(match[3]) if match else None
        if match is None or slip is None:
            return None
        new = f"{match[1]}{match[2]}{slip}"
        return _put(drawn.text, match, new), match.start(), ("unknown-symbol",), new

    def _unknown_package(self, drawn: Drawn) -> Plant | None:
        match = self._qualified(drawn)
        slip = self._slip(match[1]) if match else None
        if match is None or slip is None:
            return None
        new = f"{slip}{match[2]}{match[3]}"
        return _put(drawn.text, match, new), match.start(), ("unknown-package",), new

    def _not_exported(self, drawn: Drawn) -> Plant | None:
        match = self._qualified(drawn)
        inside = (
            [one for one in self._internal[match[1].upper()] if re.fullmatch(_NAME, one)] if match else []
        )
        if match is None or not inside:
            return None
        new = f"{match[1]}:{self._random.choice(inside).lower()}"
        return _put(drawn.text, match, new), match.start(), ("not-external",), new

    def _too_few(self, drawn: Drawn) -> Plant | None:
        for offset, name, arglist in self._called(drawn):
            required = _required(arglist)
            parts = _parts(drawn.text, offset - 1)
            if not required or parts is None or len(parts) != required + 1:
                continue
            if any(drawn.text[start] in "#,.;" for start, _ in parts):
                continue
            start, end = parts[-1]
            text = drawn.text[: parts[-2][1]] + drawn.text[end:]
            return (
                text,
                offset,
                ("wrong-number-of-arguments",),
                f"{name} without {drawn.text[start:end][:20]}",
            )
        return None

    def _too_many(self, drawn: Drawn) -> Plant | None:
        for offset, name, arglist in self._called(drawn):
            parts = _parts(drawn.text, offset - 1)
            if "&" in arglist or "." in arglist or not arglist or parts is None:
                continue
            if any(drawn.text[start] in "#,.;" for start, _ in parts):
                continue
            at = parts[-1][1]
            return (
                f"{drawn.text[:at]} nil{drawn.text[at:]}",
                offset,
                ("wrong-number-of-arguments",),
                f"{name} with nil",
            )
        return None

    def _keyword(self, drawn: Drawn) -> Plant | None:
        for offset, name, arglist in self._called(drawn):
            parts = _parts(drawn.text, offset - 1)
            if "&KEY" not in arglist or "&ALLOW" in arglist or parts is None:
                continue
            for start, end in parts[1:]:
                word = drawn.text[start:end]
                slip = self._slip(word[1:]) if re.fullmatch(rf":{_NAME}", word) else None
                if slip is not None and f" {word[1:].upper()} " in re.sub(r"[()]", " ", arglist):
                    text = f"{drawn.text[: start + 1]}{slip}{drawn.text[end:]}"
                    return text, start, ("unknown-keyword",), f"{name} :{slip}"
        return None

    def _initarg(self, drawn: Drawn) -> Plant | None:
        for match in _MADE.finditer(drawn.text):
            slip = self._slip(match[2][1:])
            if slip is not None and match[1].upper() not in self._anything:
                text = f"{drawn.text[: match.start(2) + 1]}{slip}{drawn.text[match.end(2) :]}"
                return text, match.start(2), ("unknown-initarg",), f"{match[1]} :{slip}"
        return None

    def _place(self, drawn: Drawn) -> Plant | None:
        for match in _PLACE.finditer(drawn.text):
            new = self._slip(match[1]) if self._random.random() < 0.5 else "list-length"
            if new is not None and match[1].upper() not in ("VALUES", "THE", "APPLY"):
                text = f"{drawn.text[: match.start(1)]}{new}{drawn.text[match.end(1) :]}"
                return text, match.start(1), ("unknown-place", "undefined-function"), new
        return None

    def _format(self, drawn: Drawn) -> re.Match[str] | None:
        found = [match for match in _FORMAT.finditer(drawn.text) if "~{" not in match[1]]
        return self._random.choice(found) if found else None

    def _format_arguments(self, drawn: Drawn) -> Plant | None:
        match = self._format(drawn)
        # Arguments are counted where the form is; those of ~@{ and the like are not.
        if match is None or re.search(r"~[^a-z]*[*@?^\[<]", match[1]):
            return None
        new = f'{match[1][:-1]} ~a"'
        if self._random.random() < 0.5 and (directives := list(re.finditer(r"~[as]", match[1]))):
            one = self._random.choice(directives)
            new = match[1][: one.start()] + match[1][one.end() :]
        text = f"{drawn.text[: match.start(1)]}{new}{drawn.text[match.end(1) :]}"
        return text, match.start(1), ("format-arguments",), new

    def _format_directive(self, drawn: Drawn) -> Plant | None:
        match = self._format(drawn)
        if match is None:
            return None
        added = self._random.choice(("~q", "~{", "~(", "~}", "~"))
        new = f'{match[1][:-1]}{added}"'
        text = f"{drawn.text[: match.start(1)]}{new}{drawn.text[match.end(1) :]}"
        return text, match.end(1) - 1, ("format-directive",), new

    def _parenthesis(self, drawn: Drawn) -> Plant | None:
        code = _LITERAL.sub(lambda one: " " * len(one[0]), drawn.text)
        if self._random.random() < 0.5:
            at = self._random.choice([match.start() for match in re.finditer(r"\)", code)])
            return drawn.text[:at] + drawn.text[at + 1 :], None, ("unclosed",), "one ) fewer"
        return f"{drawn.text})", len(drawn.text), ("unmatched-parenthesis",), "one ) more"

    def _string(self, drawn: Drawn) -> Plant | None:
        strings = [match for match in _LITERAL.finditer(drawn.text) if match[0][0] == '"']
        if not strings:
            return None
        at = strings[-1].end() - 1
        return drawn.text[:at] + drawn.text[at + 1 :], None, ("unclosed",), "a string without its end"

    def _comment(self, drawn: Drawn) -> Plant | None:
        if self._random.random() < 0.9:  # they are rare in real code
            return None
        return f"#| {drawn.package}\n{drawn.text}", 0, ("unclosed",), "a block comment without its end"


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _required(arglist: str) -> int | None:
    """The number of required parameters, if there are no others; None if that is not plain."""
    words = re.fullmatch(r"\(([^()&.]*)\)", arglist)
    return len(words[1].split()) if words else None


def _parts(text: str, start: int) -> list[tuple[int, int]] | None:
    """The extents of the elements of the list that begins at ``start``; None if that is not plain."""
    token = re.compile(
        r"\s+|;[^\n]*\n|(\"(?:[^\"\\]|\\.)*\"|#\\(?:[\w-]+|.)|[#'`,@]+|[()]|[^\s()\";]+)", re.DOTALL
    )
    found: list[tuple[int, int]] = []
    depth, at, begun = 0, start, -1
    while match := token.match(text, at):
        at = match.end()
        if match[1] is None:
            continue
        if depth == 1 and match[1] != ")" and begun < 0:
            begun = match.start()
        depth += {"(": 1, ")": -1}.get(match[1], 0)
        if depth == 0:
            return found
        if depth == 1 and not re.fullmatch(r"[#'`,@]+", match[1]) and match.start() != start:
            found.append((begun, at))
            begun = -1
    return None
