"""JSON with comments and trailing commas, as editors read it, with the place of everything.

No library that needs Python alone both keeps the text and says where in it a value stands; this reader does,
and takes what Visual Studio Code's and Zed's do (RFC 8259, with ``//`` and ``/* */`` comments, and a comma
after the last member).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from ..errors import BrokenFileError
from .part import place_of

_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)'
)
_MOST_DEEP = 200


@dataclass(slots=True)
class JsonNode:
    """A value in a text, from ``start`` to ``end``; ``members`` are those of an object."""

    start: int
    end: int
    value: Any
    members: list[JsonMember] = field(default_factory=list)
    trailing_comma: bool = False


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object, whose name begins at ``start``."""

    name: str
    start: int
    node: JsonNode


def read_jsonc(text: str) -> JsonNode:
    """The value of a whole text. Raises BrokenFileError."""
    reader = _Reader(text)
    node = reader.value(reader.blank(0), 0)
    end = reader.blank(node.end)
    if end < len(text):
        raise reader.broken("there is more text after the end of the value", end)
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def broken(self, why: str, position: int) -> BrokenFileError:
        return BrokenFileError(f"this is not JSON: {why}", *place_of(self.text, position))

    def blank(self, position: int) -> int:
        """The position after blanks and comments."""
        matched = _BLANK.match(self.text, position)
        assert matched is not None
        return matched.end()

    def value(self, start: int, depth: int) -> JsonNode:
        if depth > _MOST_DEEP:
            raise self.broken(f"it is nested more than {_MOST_DEEP} levels deep", start)
        opening = self.text[start : start + 1]
        if opening == "{":
            return self._object(start, depth)
        if opening == "[":
            return self._array(start, depth)
        return self._scalar(start)

    def _scalar(self, start: int) -> JsonNode:
        matched = _SCALAR.match(self.text, start)
        if matched is None:
            raise self.broken(self._unexpected(start, "a value"), start)
        try:
            return JsonNode(start, matched.end(), json.loads(matched[0]))
        except ValueError as error:
            raise self.broken(f"{matched[0][:40]} is not a valid string", start) from error

    def _unexpected(self, position: int, wanted: str) -> str:
        rest = self.text[position : position + 20].split("\n")[0].strip()
        return f"there is {rest} where {wanted} should be" if rest else f"{wanted} is missing at the end"

    def _object(self, start: int, depth: int) -> JsonNode:
        node = JsonNode(start, start, {})
        position = self.blank(start + 1)
        while self.text[position : position + 1] != "}":
            name = self._scalar(position) if self.text[position : position + 1] == '"' else None
            if name is None:
                raise self.broken(self._unexpected(position, 'a name in quotes or "}"'), position)
            colon = self.blank(name.end)
            if self.text[colon : colon + 1] != ":":
                raise self.broken(self._unexpected(colon, '":"'), colon)
            value = self.value(self.blank(colon + 1), depth + 1)
            node.members.append(JsonMember(name.value, position, value))
            node.value[name.value] = value.value
            position, node.trailing_comma = self._after(value.end, "}")
        node.end = position + 1
        return node

    def _array(self, start: int, depth: int) -> JsonNode:
        node = JsonNode(start, start, [])
        position = self.blank(start + 1)
        while self.text[position : position + 1] != "]":
            item = self.value(position, depth + 1)
            node.value.append(item.value)
            position, node.trailing_comma = self._after(item.end, "]")
        node.end = position + 1
        return node

    def _after(self, end: int, closing: str) -> tuple[int, bool]:
        """The position of what follows an element, and whether a comma does."""
        position = self.blank(end)
        found = self.text[position : position + 1]
        if found == ",":
            return self.blank(position + 1), True
        if found != closing:
            raise self.broken(self._unexpected(position, f'"," or "{closing}"'), position)
        return position, False
