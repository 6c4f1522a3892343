"""The column of one line: by the specification of the nearest list around that has one."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..lambda_list import AUX, KEY, OPTIONAL
from .if_star import if_star_column
from .loops import loop_column
from .place import LinePlace
from .specs import (
    BODY,
    DEFMETHOD,
    DEFSETF,
    DEFUN,
    DO,
    IF_STAR,
    LAMBDA,
    LAMBDA_BODY,
    LOOP,
    REST,
    SPECS,
    TAGBODY,
    WHOLE,
    WITH,
    Spec,
)
from .tree import Piece

_MOST_LISTS = 6  # around a line that are looked at
_BODY_INDENT = 2
_LIST = 4
_BELOW_TAG = 3
_AFTER_END_TEST = 3  # the number of the first form in the body of DO
_DEFINES = re.compile(r"def(?!ault|inition|iner)")
_HAS_BODY = re.compile(r"(?:with|without|do)-")
_WORD = re.compile(r"\w")
_SYMBOL = re.compile(r"""[^\s()'"`,;#]""")
_BINDING = ("macrolet", "flet", "labels")
_SECTIONS = tuple(word.lower() for word in (KEY, OPTIONAL, AUX))


SpecOf = Callable[[str, str | None], Spec | None]
"""How the forms of a nonstandard operator are indented, by its name.

For a local macro, the text of its lambda list comes with it.
"""


class Methods:
    """The rules for one line."""

    def __init__(self, place: LinePlace, spec_of: SpecOf) -> None:
        self._place = place
        self._spec_of = spec_of

    def column(self) -> int:
        """The column where the line should begin."""
        place = self._place
        if not place.done:
            return place.base + 1
        tentative: int | None = None
        for depth in range(min(_MOST_LISTS, len(place.around))):
            found, perhaps = self._by(depth)
            if perhaps is not None:
                tentative = place.normal = perhaps
            if found is not None:
                return found
        return tentative if tentative is not None else self._otherwise()

    def _by(self, depth: int) -> tuple[int | None, int | None]:
        """The column by the list at a depth, or one that holds if no other list knows better."""
        place, one = self._place, self._place.around[depth]
        path = place.path(depth)
        head = one.items[0] if one.items and one.items[0].start < place.start else None
        function = head.text.lower() if head is not None and place.is_symbol(head) else ""
        spec = self._spec(function, head)
        is_defining = False
        if spec is None and function and len(path) == 1:
            name = function.rpartition(":")[2]
            is_defining = _DEFINES.match(name) is not None
            if not is_defining and _HAS_BODY.match(name):
                spec = WITH
        found = self._conditional()
        before = place.text[max(0, one.open - 2) : one.open]
        if before.endswith("'") and not before.startswith("#"):
            return place.base + 1, None
        if before.endswith("#"):
            return place.base + 1, None
        if spec is None:
            if is_defining:
                return found, self._call(DEFUN, depth, path)
            aligned = self._aligned_keyword()
            return aligned if aligned is not None else found, None
        if isinstance(spec, int):
            return self._numbered(spec, path), None
        return self._call(spec, depth, path), None

    def _spec(self, function: str, head: Piece | None) -> Spec | None:
        if not function or head is None:
            return None
        if (local := self._local(function)) is not None:
            is_macro, parameters = local
            text = self._place.text[parameters.start : parameters.end]
            return self._spec_of(function, text) if is_macro else None
        spec = SPECS.get(function)
        if spec is None and ":" in function[1:]:
            spec = SPECS.get(function.rpartition(":")[2])
        return spec if spec is not None else self._spec_of(head.text, None)

    def _local(self, function: str) -> tuple[bool, Piece] | None:
        """The lambda list of a local operator, and whether it is a macro; None if no form around binds it."""
        for one in self._place.around[1:]:
            operator = one.items[0].text.lower() if one.items else ""
            if operator not in _BINDING or len(one.items) < 2:
                continue
            for local in one.items[1].items:
                if len(local.items) > 1 and local.items[0].text.lower() == function:
                    return operator == "macrolet", local.items[1]
        return None

    def _conditional(self) -> int | None:
        """The column of what a conditional selects, or of the conditional before what it selects."""
        place, done = self._place, self._place.done
        if place.is_conditional(done[-1]):
            return place.column(done[-1].start)
        if len(done) > 1 and place.is_conditional(done[-2]):
            number = len(done) - 2
            while (
                number >= 2
                and place.is_conditional(done[number - 2])
                and place.same_line(done[number - 2].start, done[number].start)
            ):
                number -= 2
            return place.column(done[number].start)
        return None

    def _aligned_keyword(self) -> int | None:
        """The column of the first keyword argument, for a line that begins with another one."""
        place, done = self._place, self._place.done
        if not place.starts_with(":"):
            return None
        found = None
        for number in range(len(done) - 2, -1, -2):
            if place.is_keyword(done[number]):
                found = place.column(done[number].start)
        return found

    def _numbered(self, number: int, path: tuple[int, ...]) -> int:
        place = self._place
        if len(path) > 1:
            return place.normal
        if path[0] <= number:
            return place.base + _LIST
        return place.base + _BODY_INDENT if path[0] == number + 1 else place.normal

    def _call(self, spec: Spec, depth: int, path: tuple[int, ...]) -> int:
        """The column by a specification other than a number, for a place within the list at a depth."""
        if isinstance(spec, tuple):
            return self._listed(spec, depth, path)
        by = {
            DEFMETHOD: self._defmethod,
            DEFSETF: self._defsetf,
            DO: self._do,
            IF_STAR: self._if_star,
            LAMBDA_BODY: self._lambda_body,
            LOOP: self._loop,
            TAGBODY: self._tagbody,
        }
        return by[str(spec)](depth, path)

    def _defmethod(self, depth: int, path: tuple[int, ...]) -> int:
        qualified = self._qualified(self._place.around[depth])
        return self._listed((*[4] * qualified, LAMBDA, BODY), depth, path)

    def _do(self, depth: int, path: tuple[int, ...]) -> int:
        if path[0] >= _AFTER_END_TEST:
            return self._tagged(path, _BODY_INDENT)
        return self._listed(((WHOLE, None, REST), (WHOLE, None, REST, 1)), depth, path)

    def _loop(self, _: int, path: tuple[int, ...]) -> int:
        return self._place.normal if len(path) > 1 else loop_column(self._place)

    def _if_star(self, _: int, __: tuple[int, ...]) -> int:
        return if_star_column(self._place)

    def _tagbody(self, _: int, path: tuple[int, ...]) -> int:
        return self._tagged(path, _BELOW_TAG)

    def _listed(self, spec: tuple[Spec | None, ...], depth: int, path: tuple[int, ...]) -> int:  # noqa: C901, PLR0911 - one walk
        """The column by the elements of a specification, along the path into it."""
        place = self._place
        number, rest, is_rest = path[0] - 1, path[1:], False
        while True:
            element = spec[0] if spec else None
            if element == BODY:
                return place.base + _BODY_INDENT if not rest else place.normal
            if element == REST:
                is_rest, number, spec = number > 0, 0, spec[1:]
                continue
            if number > 0:
                number, spec = number - 1, spec[1:]
                continue
            if element is None or number < 0:
                return place.normal
            if element == LAMBDA:
                return self._lambda_list(depth, path, rest)
            if isinstance(element, int):
                return place.base + element if not rest else place.normal
            if isinstance(element, str):
                return self._call(element, depth, path)
            if rest:
                depth -= 1
                number, rest, spec, is_rest = rest[0], rest[1:], element[2:], False
                continue
            whole = element[1]
            if is_rest:
                is_word = isinstance(whole, int) and place.looks_at(_WORD)
                return place.base + whole if is_word and isinstance(whole, int) else place.normal
            return place.base + whole if isinstance(whole, int) else place.normal

    def _lambda_list(self, depth: int, path: tuple[int, ...], rest: tuple[int, ...]) -> int:
        """The column of a lambda list, which is the item of the list at a depth, or of what is in it."""
        place = self._place
        item = place.item(depth)
        if item is None or not item.is_list:
            return place.base + _BODY_INDENT if not rest else place.normal
        if not rest:
            return place.base + _LIST
        if len(rest) > 1 and rest[1] >= 1 and self._section(item, rest[0]) in _SECTIONS:
            return place.normal
        return self._in_lambda_list()

    def _section(self, lambda_list: Piece, number: int) -> str:
        """The lambda list keyword before an item."""
        found = ""
        for one in lambda_list.items[:number]:
            if self._place.is_lambda_keyword(one):
                found = one.text.lower()
        return found

    def _in_lambda_list(self) -> int:
        """The column of a parameter: that of the first one of its section."""
        place = self._place
        if place.starts_with("&"):
            return place.base + 1
        found = place.base + 1
        for one in reversed(place.done):
            found = place.column(one.start)
            if place.is_lambda_keyword(one):
                return found + _BODY_INDENT
        return found

    def _qualified(self, one: Piece) -> int:
        """The number of arguments of a method's form before its lambda list."""
        is_in_generic = one.items[0].text.lower() == ":method"
        number = 0 if is_in_generic else 1
        for item in one.items[1 + number :]:
            if not self._place.is_symbol(item):
                break
            number += 1
        return number

    def _tagged(self, path: tuple[int, ...], body: int) -> int:
        place = self._place
        if len(path) > 1:
            return place.normal
        return place.base + (1 if place.looks_at(_SYMBOL) else body)

    def _defsetf(self, depth: int, path: tuple[int, ...]) -> int:
        place = self._place
        one = place.around[depth]
        if path[0] == 2 and len(path) > 1:
            return self._in_lambda_list()
        third = one.items[2] if len(one.items) > 2 else None
        is_long = third is not None and (third.is_list or third.text.lower() == "nil")
        special = (1, 2, 3) if len(path) > 1 or is_long else (1, 2)
        return place.base + (_LIST if path[0] in special else _BODY_INDENT)

    def _lambda_body(self, depth: int, path: tuple[int, ...]) -> int:
        """The column of the body of LAMBDA: that of the form of FUNCTION around it, if there is one."""
        place = self._place
        if len(path) > 1 or path[0] > 3:
            return place.normal
        outer = place.around[depth + 1] if depth + 1 < len(place.around) else None
        if outer is not None and outer.items and outer.items[0].text.lower() == "function":
            return place.column(outer.open) + _BODY_INDENT
        return place.base + _BODY_INDENT

    def _otherwise(self) -> int:
        """The column of an argument of a function, and of an item of data."""
        place, inner = self._place, self._place.inner
        first = inner.items[0]
        after = place.text[inner.open + 1 : first.start]
        if "\n" in after or ";" in after:
            blank = len(after) - len(after.lstrip(" \t"))
            if after[blank : blank + 1] in ("\n", "\r", ";"):
                return place.base + 1
        if len(inner.items) > 1:
            second = inner.items[1]
            if second.start != place.at:
                return place.column(second.start)
            rest = place.text[first.end : place.start].split("\n")[0].lstrip(" \t")
            if rest.startswith(";"):
                return place.column(first.end) + 1
        return place.normal
