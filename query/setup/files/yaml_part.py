"""An item of a list in a file of YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from ..errors import BrokenFileError
from .part import State, line_end


@dataclass(frozen=True, slots=True)
class YamlPart:
    """An item of the list ``key`` of a file, which is known by ``marker``, the ``id`` of its hook."""

    key: str
    content: Mapping[str, Any]
    marker: str

    def value(self, text: str) -> Any:
        """The item as the file has it."""
        items = self._items(text) or []
        return next((item for item in items if _has(item, self.marker)), None)

    def state(self, text: str) -> State:
        """Whether the list has the item, and with this content."""
        found = self.value(text)
        if found is None:
            return State.ABSENT
        return State.SAME if found == self.content else State.OTHER

    def put(self, text: str) -> str:
        """The text with the item at the end of the list."""
        if self.value(text) is not None:
            text = self.take(text)
        data, items = _read(text), self._items(text)
        new = self._added(text, items)
        if _read(new) != {**data, self.key: [*(items or []), self.content]}:
            raise BrokenFileError("oblist cannot be added without changing something else")
        return new

    def _added(self, text: str, items: Any) -> str:
        newline = line_end(text)
        node = _node(text, self.key)
        if node is None:
            gap = "" if not text or text.endswith("\n") else newline
            return text + gap + f"{self.key}:{newline}" + _dashed(self.content, "  ", newline)
        if not isinstance(node, yaml.SequenceNode):  # the key has no value
            end = _line_after(text, node.start_mark.index)
            return text[:end] + _dashed(self.content, "  ", newline) + text[end:]
        if node.flow_style:
            last = node.end_mark.index - 1
            flow = yaml.safe_dump(
                self.content, default_flow_style=True, sort_keys=False, width=10_000
            ).strip()
            if not node.value:
                return f"{text[:last]}{flow}{text[last:]}"
            end = _last_mark(node.value[-1]).index
            return f"{text[:end]}, {flow}{text[end:]}"
        end = _line_after(text, _last_mark(node.value[-1]).index)
        gap = "" if text[:end].endswith("\n") else newline
        return text[:end] + gap + _dashed(self.content, " " * node.start_mark.column, newline) + text[end:]

    def _items(self, text: str) -> list[Any] | None:
        """The items of the list, None if it has no value. Raises BrokenFileError if it is no list."""
        items, node = _read(text).get(self.key), _node(text, self.key)
        if items is not None and not isinstance(items, list):
            assert node is not None
            place = node.start_mark
            raise BrokenFileError(f"{self.key} is not a list", place.line + 1, place.column + 1)
        return items

    def take(self, text: str) -> str:
        """The text without the item; without the list, if it has no other."""
        items, node = self._items(text) or [], _node(text, self.key)
        place = next((number for number, item in enumerate(items) if _has(item, self.marker)), None)
        if place is None or not isinstance(node, yaml.SequenceNode):
            return text
        item = node.value[place]
        if node.flow_style:
            first = item.start_mark.index if place == 0 else node.value[place - 1].end_mark.index
            last = item.end_mark.index
            if place == 0 and len(items) > 1:
                last = node.value[1].start_mark.index
            return text[:first] + text[last:]
        start = text.rfind("\n", 0, item.start_mark.index) + 1
        end = _line_after(text, _last_mark(item).index)
        if len(items) == 1:
            start = text.rfind("\n", 0, text.rfind(f"{self.key}:", 0, start) + 1) + 1
        return text[:start] + text[end:]


def _has(item: Any, marker: str) -> bool:
    hooks = item.get("hooks") if isinstance(item, dict) else None
    return any(isinstance(hook, dict) and hook.get("id") == marker for hook in hooks or [])


def _read(text: str) -> dict[str, Any]:
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or str(error).splitlines()[0]
        place = (mark.line + 1, mark.column + 1) if mark is not None else (None, None)
        raise BrokenFileError(f"this is not YAML: {why}", *place) from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise BrokenFileError("the file must contain a mapping", 1, 1)
    return data


def _node(text: str, key: str) -> yaml.Node | None:
    """The node of the value of ``key``."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    return next((value for name, value in pairs if name.value == key), None)


def _last_mark(node: yaml.Node) -> Any:
    """Where the last scalar of a node ends; that of a block is only known where the next token begins."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return node.end_mark


def _line_after(text: str, position: int) -> int:
    """Where the line after that of a position begins; the position itself at the beginning of a line."""
    if position and text[position - 1] == "\n":
        return position
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


def _dashed(content: Mapping[str, Any], indent: str, newline: str) -> str:
    """An item as lines, the first with the dash of a list."""
    lines = yaml.dump(dict(content), Dumper=_Dumper, sort_keys=False, width=10_000).strip("\n").split("\n")
    return "".join(
        f"{indent}{'- ' if number == 0 else '  '}{line}{newline}" for number, line in enumerate(lines)
    )


class _Dumper(yaml.SafeDumper):
    """Writes the items of a list further in than its key, as most files have them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent, also where YAML does not ask for it."""
        super().increase_indent(flow, False)
