"""Format control strings: directives, faults, and the arguments that they take (CLHS 22.3).

Only what holds whatever the arguments are is a fault; how many arguments a string takes is a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A directive: parameters, colons and at signs, the character; a newline ignores the space after it.
_PARAMETER = r"(?:[+-]?\d+|'.|[vV#])?"
_DIRECTIVE = re.compile(
    rf"~({_PARAMETER}(?:,{_PARAMETER})*)([:@]*)(?:/([^/]*)/|([^/]))",
    re.DOTALL,
)
_CALLING = re.compile(rf"~{_PARAMETER}(?:,{_PARAMETER})*[:@]*/([^/\s]+)/")
_ONE = frozenset("asdboxrcfegw$")
_NONE = frozenset("%&|~\nti_")
_OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSING = {closing: opening for opening, closing in _OPENING.items()}
_MOST_NESTED = 40


# A directive that is being typed, up to where its character comes.
_BEGUN = re.compile(rf"~(?:{_PARAMETER}(?:,{_PARAMETER})*)?[:@]*\Z")
DIRECTIVES = {
    "a": "an object as princ prints it",
    "s": "an object as prin1 prints it",
    "w": "an object as write prints it",
    "d": "an integer in decimal",
    "b": "an integer in binary",
    "o": "an integer in octal",
    "x": "an integer in hexadecimal",
    "r": "an integer in a radix, in words, or in Roman numerals",
    "c": "a character",
    "f": "a number in fixed format",
    "e": "a number in exponential format",
    "g": "a number in general format",
    "$": "an amount of money",
    "p": "plural: s unless the argument is 1",
    "%": "a new line",
    "&": "a new line unless at the beginning of one",
    "|": "a new page",
    "~": "a tilde",
    "t": "blanks up to a column",
    "*": "skip an argument, or go back",
    "?": "an argument is the control string",
    "_": "a conditional line break",
    "i": "indentation of the logical block",
    "^": "end here if there are no more arguments",
    "(": "change the case of what follows, up to ~)",
    ")": "end of ~(",
    "[": "choose a clause, up to ~]",
    "]": "end of ~[",
    ";": "between clauses",
    "{": "for each element of a list, up to ~}",
    "}": "end of ~{",
    "<": "justify, or a logical block, up to ~> or ~:>",
    ">": "end of ~<",
    "/": "call a function: ~/name/",
}
"""What each directive stands for (CLHS 22.3)."""


def begun_directive(text: str) -> str | None:
    """The beginning of a directive that a control string ends with, without its character; None without one.

    The tildes before it are paired off first: in ``~~`` the second one begins nothing.
    """
    found = _BEGUN.search(text)
    if found is None:
        return None
    before = [one for one in _DIRECTIVE.finditer(text) if one.start() < found.start()]
    return found[0] if not before or before[-1].end() <= found.start() else None


def taken_in_order(control: str) -> list[str]:
    """The directives of a control string that take one argument each, in the order of their arguments.

    It ends before a directive whose arguments depend on others. Raises FormatFaultError.
    """
    found: list[str] = []
    depth = 0
    for one in _directives(control):
        if depth:
            depth += (one.character == "{") - (one.character == "}")
            if not depth:
                found[-1] += f"...{one.text}"
            continue
        found += ["v"] * sum(parameter in ("v", "V") for parameter in one.parameters)
        if one.character in _ONE or (one.character == "p" and not one.colon):
            found.append(one.text)
        elif one.character == "{" and not one.at:
            found.append(one.text)
            depth = 1
        elif one.character not in _NONE and one.character not in "^()p":
            return found
    return found


def functions_in_directives(text: str) -> list[str]:
    """Return the names, without packages, of the functions that directives in a text call (CLHS 22.3.5.4)."""
    return [name.rpartition(":")[2] for name in _CALLING.findall(text)]


class FormatFaultError(ValueError):
    """A control string that no arguments fit: what is wrong, and the text at fault with its offset."""

    def __init__(self, message: str, start: int, text: str) -> None:
        super().__init__(message)
        self.start = start
        self.text = text


class _TooDeepError(Exception):
    """Directives are nested so deeply that nothing is said of the string."""


@dataclass(frozen=True, slots=True)
class ArgumentsTaken:
    """The number of arguments that a control string takes: ``most`` is None if there is no limit."""

    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class _Directive:
    """One directive; ``start`` counts the characters of the value of the string."""

    start: int
    text: str
    parameters: tuple[str, ...]
    colon: bool
    at: bool
    character: str
    end: int


class _Count:
    """How far the arguments are used up: at least and at most, now and at the farthest."""

    def __init__(self) -> None:
        self.low, self.high = 0, 0
        self.least, self.most = 0, 0
        self.unlimited = False
        self.ended = False
        """Whether the string may have ended before, so that no more arguments are needed."""

    def take(self, low: int, high: int | None = None) -> None:
        """Go on by ``low`` to ``high`` arguments."""
        self.low += low
        self.high += low if high is None else high
        if not self.ended:
            self.least = max(self.least, self.low)
        self.most = max(self.most, self.high)

    def back(self, number: int) -> None:
        """Go back."""
        self.low, self.high = max(0, self.low - number), max(0, self.high - number)

    def go_to(self, number: int) -> None:
        """Go to an argument, counted from 0."""
        self.low = self.high = 0
        self.take(number)

    @property
    def taken(self) -> ArgumentsTaken:
        return ArgumentsTaken(self.least, None if self.unlimited else self.most)


def arguments_of(control: str) -> ArgumentsTaken:
    """The number of arguments that the value of a control string takes. Raises FormatFaultError."""
    reader = _Reader(control)
    count = _Count()
    try:
        reader.segments(count, None)
    except _TooDeepError:
        return ArgumentsTaken(0, None)
    return count.taken


class _Reader:
    """Goes through the directives of one control string."""

    def __init__(self, control: str) -> None:
        self._control = control
        self._directives = list(_directives(control))
        self._at = 0

    def segments(self, count: _Count, opened: _Directive | None, depth: int = 0) -> tuple[list[_Count], bool]:
        """Count the directives up to what closes ``opened``; for each clause of a conditional, on its own.

        The last directive read is the closing one. Returns the counts of the clauses, and whether the last
        one is for whatever the others are not for.
        """
        clauses, default = [count], False
        choosing = opened is not None and opened.character == "["
        while self._at < len(self._directives):
            one = self._directives[self._at]
            self._at += 1
            if one.character in _CLOSING:
                self._closes(one, opened)
                return clauses, default
            if one.character == ";":
                if opened is None or opened.character not in "[<":
                    raise _fault("~; is not in ~[ ~] or ~< ~>", one)
                default |= one.colon
                if choosing:
                    clauses.append(_Count())
            else:
                self._count(one, clauses[-1], depth)
        if opened is not None:
            raise _fault(f"nothing closes {opened.text}", opened)
        return clauses, default

    @property
    def _last(self) -> _Directive:
        return self._directives[self._at - 1]

    @staticmethod
    def _closes(one: _Directive, opened: _Directive | None) -> None:
        if opened is None:
            raise _fault(f"{one.text} closes nothing", one)
        if _OPENING[opened.character] != one.character:
            raise _fault(f"{one.text} does not close {opened.text}", one)

    def _count(self, one: _Directive, count: _Count, depth: int) -> None:
        count.take(sum(parameter in "vV" for parameter in one.parameters if parameter))
        character = one.character
        if character in _OPENING:
            if depth >= _MOST_NESTED:
                raise _TooDeepError
            self._nested(one, count, depth + 1)
        elif character in _ONE:
            count.take(1)
        elif character == "p":
            if one.colon:
                count.back(1)
            count.take(1)
        elif character == "?":
            count.take(1 if one.at else 2)
            count.unlimited |= one.at
        elif character == "^":
            count.ended = True
        elif character == "*":
            _skip(one, count)
        elif character not in _NONE:
            raise _fault(f"there is no directive {one.text}", one)

    def _nested(self, one: _Directive, count: _Count, depth: int) -> None:
        if one.character == "(":
            self.segments(count, one, depth)
        elif one.character == "[":
            self._conditional(one, count, depth)
        elif one.character == "{":
            self._iteration(one, count, depth)
        else:
            self._justification(one, count, depth)

    def _conditional(self, one: _Directive, count: _Count, depth: int) -> None:
        """``~[``: one of its clauses, chosen by a parameter or an argument."""
        clauses, default = self.segments(_Count(), one, depth)
        if one.colon and len(clauses) != 2:
            raise _fault(f"{one.text} needs 2 clauses, but has {len(clauses)}", one)
        if one.at and len(clauses) != 1:
            raise _fault(f"{one.text} needs 1 clause, but has {len(clauses)}", one)
        low, high = min(each.low for each in clauses), max(each.high for each in clauses)
        if one.at:
            count.take(min(1, low), max(1, high))
        else:
            if not one.parameters:
                count.take(1)
            count.take(low if default or one.colon else 0, high)
        count.unlimited |= any(each.unlimited for each in clauses)
        # ~^ in a clause ends the whole string.
        count.ended |= any(each.ended for each in clauses)

    def _iteration(self, one: _Directive, count: _Count, depth: int) -> None:
        """``~{``: over a list, or over the other arguments."""
        start = self._at
        self.segments(_Count(), one, depth)
        if self._at == start + 1 and self._last.start == one.end:  # ~{~}: an argument is the body
            count.take(1)
        if one.at:
            count.unlimited = True
        else:
            count.take(1)

    def _justification(self, one: _Directive, count: _Count, depth: int) -> None:
        """``~<``: text to be justified, or a logical block, whose arguments are those of a list."""
        inner = _Count()
        self.segments(inner, one, depth)
        if not self._last.colon:
            count.take(inner.low, inner.high)
            count.unlimited |= inner.unlimited
            count.ended |= inner.ended
        elif one.at:
            count.unlimited = True
        else:
            count.take(1)


def _skip(one: _Directive, count: _Count) -> None:
    """``~*``: arguments that are ignored, or come again."""
    given = one.parameters[0] if one.parameters else ""
    if given in ("v", "V", "#"):
        count.unlimited = count.ended = True
        return
    number = abs(int(given)) if given.lstrip("+-").isdigit() else (0 if one.at else 1)
    if one.at:
        count.go_to(number)
    elif one.colon:
        count.back(number)
    else:
        count.take(number)


def literal_pieces(control: str) -> list[str]:
    """The pieces without blanks between the directives of a control string, or of any other text."""
    pieces, at = [], 0
    while (start := control.find("~", at)) >= 0:
        match = _DIRECTIVE.match(control, start)
        pieces += control[at:start].split()
        at = match.end() if match is not None else start + 1
    return [*pieces, *control[at:].split()]


def _directives(control: str) -> Iterator[_Directive]:
    at = 0
    while (start := control.find("~", at)) >= 0:
        match = _DIRECTIVE.match(control, start)
        if match is None:
            raise FormatFaultError("the format string ends within a directive", start, control[start:])
        parameters, modifiers, called, character = match.groups()
        at = match.end()
        yield _Directive(
            start,
            match[0],
            tuple(parameters.split(",")) if parameters else (),
            ":" in modifiers,
            "@" in modifiers,
            "a" if called is not None else character.lower(),
            at,
        )


def _fault(message: str, one: _Directive) -> FormatFaultError:
    return FormatFaultError(message, one.start, one.text)
