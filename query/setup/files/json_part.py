"""A member of an object in a file of JSON, with comments or without."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import BrokenFileError
from .jsonc import JsonMember, JsonNode, read_jsonc
from .part import State, found_in, line_end, place_of, set_in, without_in

_SPACE = " \t\r\n"
_BLANK = f"\ufeff{_SPACE}"
_INDENT = re.compile(r"\n([ \t]+)\S")


@dataclass(frozen=True, slots=True)
class JsonPart:
    """The member that ``path`` leads to, with ``content``; ``beginning`` are the members of a new file."""

    path: Sequence[str]
    content: Any
    beginning: Mapping[str, Any] = field(default_factory=dict)

    def value(self, text: str) -> Any:
        """What the file has there."""
        return found_in(_root(text).value, self.path) if text.strip(_BLANK) else None

    def state(self, text: str) -> State:
        """Whether the file has the member, and with this content."""
        found = self.value(text)
        if found is None:
            return State.ABSENT
        return State.SAME if found == self.content else State.OTHER

    def put(self, text: str) -> str:
        """The text with the member. Raises BrokenFileError if something on the way is not an object."""
        if not text.strip(_BLANK):
            new = _written(set_in(dict(self.beginning), self.path, self.content), "  ", "", "\n")
            return f"{text.strip(_SPACE)}{new}\n"
        root = _root(text)
        if found_in(root.value, self.path) == self.content:
            return text
        node = root
        for depth, name in enumerate(self.path):
            member = _member(node, name)
            rest = self.path[depth + 1 :]
            if member is None or member.node.value is None:
                content = set_in(None, rest, self.content)
                new = _added(text, node, name, content) if member is None else _changed(text, member, content)
                break
            if rest and not isinstance(member.node.value, dict):
                raise BrokenFileError(f'"{name}" is not an object', *place_of(text, member.node.start))
            if not rest:
                new = _changed(text, member, self.content)
            node = member.node
        if read_jsonc(new).value != set_in(root.value, self.path, self.content):
            raise BrokenFileError("oblist cannot be added without changing something else")
        return new

    def take(self, text: str) -> str:
        """The text without the member, and without the objects around it that are then empty."""
        root = _root(text)
        node, way = root, list[tuple[JsonNode, JsonMember]]()
        for name in self.path:
            member = _member(node, name)
            if member is None:
                return text
            way.append((node, member))
            node = member.node
        cut = way.pop()
        while way and len(cut[0].members) == 1 and not _has_comment(text, way[-1][1], cut[1]):
            cut = way.pop()
        new = _without(text, *cut)
        if not _same_but_empty(read_jsonc(new).value, without_in(root.value, self.path)):
            raise BrokenFileError("oblist cannot be removed without changing something else")
        return new


def _has_comment(text: str, around: JsonMember, member: JsonMember) -> bool:
    """Whether there is a comment in a member beside the only member of its object."""
    beside = text[around.start : member.start] + text[member.node.end : around.node.end]
    return bool(re.search(r"//|/\*", beside.removeprefix(json.dumps(around.name))))


def _same_but_empty(one: Any, other: Any) -> bool:
    """Whether two values are the same, but for members that are empty objects."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return bool(one == other)
    first, second = ({name: value for name, value in each.items() if value != {}} for each in (one, other))
    return first.keys() == second.keys() and all(_same_but_empty(first[name], second[name]) for name in first)


def _root(text: str) -> JsonNode:
    root = read_jsonc(text)
    if not isinstance(root.value, dict):
        raise BrokenFileError("the file must contain a JSON object", *place_of(text, root.start))
    return root


def _member(node: JsonNode, name: str) -> JsonMember | None:
    """The member of that name; of several, clients read the last."""
    return next((one for one in reversed(node.members) if one.name == name), None)


def _changed(text: str, member: JsonMember, content: Any) -> str:
    is_flat = "\n" not in text
    new = (
        json.dumps(content, ensure_ascii=False)
        if is_flat
        else _written(content, _unit(text), _indent_at(text, member.start), line_end(text))
    )
    return text[: member.node.start] + new + text[member.node.end :]


def _added(text: str, node: JsonNode, name: str, content: Any) -> str:
    """The text with a new last member, laid out as the others are."""
    unit, newline = _unit(text), line_end(text)
    closing = node.end - 1
    is_flat = node.members and "\n" not in text[node.start : node.end]
    if is_flat:
        last = node.members[-1].node.end
        member = f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(content, ensure_ascii=False)}"
        if node.trailing_comma:
            kept = text[:closing].rstrip()
            return f"{kept} {member}{text[len(kept) :]}"
        return f"{text[:last]}, {member}{text[last:]}"
    base = _indent_at(text, node.start)
    indent = _indent_at(text, node.members[-1].start) if node.members else base + unit
    written = _written(content, unit, indent, newline)
    member = f"{newline}{indent}{json.dumps(name, ensure_ascii=False)}: {written}"
    kept = text[: node.start + 1] + text[node.start + 1 : closing].rstrip()
    blank = text[len(kept) : closing]
    if "\n" not in blank:  # the closing brace gets a line of its own
        blank = f"{newline}{base}{blank}"
    if node.members and not node.trailing_comma:
        last = node.members[-1].node.end
        kept = f"{kept[:last]},{kept[last:]}"
    comma = "," if node.trailing_comma else ""
    return f"{kept}{member}{comma}{blank}{text[closing:]}"


def _without(text: str, node: JsonNode, member: JsonMember) -> str:
    """The text without a member, its comma, and the line that it leaves; comments stay."""
    place = node.members.index(member)
    end = _end_with_comma(text, member.node.end, node.end - 1)
    if len(node.members) == 1:
        before, after = text[node.start + 1 : member.start], text[end : node.end - 1]
        if not (before + after + _comment_before_comma(text, member, end)).strip():
            return text[: node.start + 1] + text[node.end - 1 :]
        return text[: member.start] + _comment_before_comma(text, member, end) + text[end:]
    if place == len(node.members) - 1 and not node.trailing_comma:
        previous = node.members[place - 1].node.end
        comma = previous + _comma_in(text[previous : member.start])
        between, rest = text[comma + 1 : member.start], text[member.node.end :]
        kept = between.rstrip()
        # A comment may go on to the end of its line.
        if "\n" in between[len(kept) :] and not rest.lstrip(" \t").startswith(("\n", "\r")):
            kept += line_end(text)
        return text[:comma] + kept + rest
    start = member.start
    line = text.rfind("\n", 0, start) + 1
    if comment := _comment_before_comma(text, member, end):
        return text[:start] + comment + text[end:]
    if not text[line:start].strip() and text[end : end + 2].startswith(("\n", "\r\n")):
        return text[:line] + text[text.index("\n", end) + 1 :]
    return text[:start] + text[end:].lstrip(" ")


def _comment_before_comma(text: str, member: JsonMember, end: int) -> str:
    """What stands between a member and the comma that ends there, if it is more than blanks."""
    between = text[member.node.end : max(end - 1, member.node.end)]
    return between if between.strip() else ""


def _end_with_comma(text: str, end: int, limit: int) -> int:
    found = _comma_in(text[end:limit])
    return end + found + 1 if found >= 0 else end


def _comma_in(text: str) -> int:
    """The position of the first comma that is in no comment, or -1."""
    for matched in re.finditer(r"//[^\n]*|/\*.*?\*/|(,)", text, re.DOTALL):
        if matched[1]:
            return matched.start()
    return -1


def _unit(text: str) -> str:
    """What a level of the file is indented by."""
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _indent_at(text: str, position: int) -> str:
    """The blanks that the line of a position begins with."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip())].lstrip("\ufeff")


def _written(content: Any, unit: str, indent: str, newline: str) -> str:
    """Content as JSON whose lines, but for the first, begin with ``indent``."""
    if not isinstance(content, dict) or not content:
        return json.dumps(content, ensure_ascii=False)
    inner = indent + unit
    members = (
        f"{json.dumps(name)}: {_written(value, unit, inner, newline)}" for name, value in content.items()
    )
    return "{" + f",{newline}{inner}".join(["", *members])[1:] + f"{newline}{indent}}}"
