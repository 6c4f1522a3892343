"""A name in a list of one of the tables of an array, in a file of TOML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tomlkit

from .part import State
from .toml_part import appended, cut_off, first_that_reads, in_its_lines, read_toml


@dataclass(frozen=True, slots=True)
class TomlItemPart:
    """``item`` in the list ``key`` of the table of ``array`` whose ``name`` is given."""

    array: str
    name: str
    key: str
    item: str

    def value(self, text: str) -> list[Any] | None:
        """The list, if the item is in it."""
        found = self._table(read_toml(text)) or {}
        names = found.get(self.key) or []
        return names if self.item in _names(names) else None

    def state(self, text: str) -> State:
        """Whether the item is in the list."""
        return State.ABSENT if self.value(text) is None else State.SAME

    def put(self, text: str) -> str:
        """The text with the item first in the list, in a new table if there is none of that name."""
        if self.value(text) is not None:
            return text
        data = read_toml(text)
        table = self._table(data)
        if table is None:
            wanted = {**data, self.array: [*data.get(self.array, []), self._new]}
            return first_that_reads(wanted, (lambda: appended(text, self._header()),))
        table[self.key] = [self.item, *(table.get(self.key) or [])]
        return first_that_reads(data, (lambda: self._inserted(text),))

    @property
    def _new(self) -> dict[str, Any]:
        return {"name": self.name, self.key: [self.item]}

    def _header(self) -> str:
        """A table with the item alone as a text of its own."""
        document, tables, table = tomlkit.document(), tomlkit.aot(), tomlkit.table()
        table.update(self._new)
        tables.append(table)
        document[self.array] = tables
        return tomlkit.dumps(document)

    def _inserted(self, text: str) -> str:
        document: Any = tomlkit.parse(text)
        table = self._table(document)
        if self.key in table:
            table[self.key].insert(0, self.item)
        else:
            table[self.key] = [self.item]
        return in_its_lines(text, tomlkit.dumps(document))

    def take(self, text: str) -> str:
        """The text without the item; without the list, and the table, if they have nothing else."""
        if self.value(text) is None:
            return text
        removed = self._removed(text)
        # A comment after the table belongs to it for the library.
        cut = in_its_lines(text, self._header())
        return first_that_reads(read_toml(removed), (lambda: cut_off(text, cut), lambda: removed))

    def _removed(self, text: str) -> str:
        document: Any = tomlkit.parse(text)
        table = self._table(document)
        if len(table[self.key]) > 1:
            table[self.key].remove(self.item)
        else:
            table.remove(self.key)
            if len(table) == 1:
                document[self.array].remove(table)
                if not document[self.array]:
                    document.remove(self.array)
        return in_its_lines(text, tomlkit.dumps(document))

    def _table(self, data: Any) -> Any:
        tables = data.get(self.array)
        return next((one for one in tables if one.get("name") == self.name), None) if tables else None


def _names(names: list[Any]) -> list[Any]:
    """The names of servers, which Helix also takes as tables with a name."""
    return [one.get("name") if isinstance(one, dict) else one for one in names]
