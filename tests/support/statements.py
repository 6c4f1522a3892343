"""The SELECTs of the product, as its modules of SQL have them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, get_type_hints

from support.product import MODULES

# The module of SQL that writes a database of another program.
_NOT_OF_AN_INDEX = {"query.export.dash.sql"}


def sql_modules() -> dict[str, ModuleType]:
    """The modules of SQL by their names."""
    names = [name for name in MODULES if name.endswith(".sql") and name not in _NOT_OF_AN_INDEX]
    assert len(names) > 12
    return {name: import_module(f"oblist.{name}") for name in names}


def statements() -> dict[str, str]:
    """Every SELECT by the name of its module and its own; the parts of apropos put together."""
    found = {}
    for module_name, module in sql_modules().items():
        for name, value in vars(module).items():
            if name.isupper() and not name.startswith("_"):
                for key, text in _texts(value):
                    if text.lstrip().startswith(("SELECT", "WITH")):
                        found[f"{module_name}.{name}{key}"] = text
    apropos = sql_modules()["query.questions.apropos.sql"]
    for way in apropos.APROPOS_EXPORTED_CANDIDATES:
        for scope in ("present", "external", "accessible"):
            statement = apropos.in_package(way, scope, apropos.APROPOS_TYPE)
            found[f"apropos.{way}.{scope}"] = statement
            found[f"apropos.{way}.{scope}.page"] = apropos.paged(statement, counting=True)
            found[f"apropos.{way}.{scope}.count"] = apropos.counted(statement)
    return found


def _texts(value: Any) -> Iterator[tuple[str, str]]:
    """A statement, those of a table of statements, or those of named queries."""
    if isinstance(value, str):
        yield "", value
    elif isinstance(value, dict):
        yield from ((f"[{key}]", text) for key, text in value.items() if isinstance(text, str))
    elif isinstance(value, tuple):
        yield from ((f"[{one.name}]", one.statement) for one in value if hasattr(one, "statement"))


def row_classes() -> Iterator[tuple[str, type[Any]]]:
    """The row classes by the names of their modules."""
    for name, module in sql_modules().items():
        for value in vars(module).values():
            if isinstance(value, type) and (value.__doc__ or "").startswith("One row of "):
                yield name, value


def columns_of(row: type[Any]) -> int:
    """How many columns a row class takes; a field that is a row itself takes several."""
    hints = get_type_hints(row)
    return sum(columns_of(hints[name]) if hasattr(hints[name], "_fields") else 1 for name in row._fields)
