"""The resources of the MCP server: packages and symbols by address, and completion of their names."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

from mcp_types import (
    Completion,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from oblist.indexer.names import piped

from ..api import Index
from ..index.not_found import NotFound
from ..index.shown import shown_name
from ..questions.describe.text import describe_text
from ..tools.budget import DEFAULT_BUDGET, LEAST_BUDGET, not_found, whole_lines
from ..tools.results import storable

_SCHEME = "lisp://"
_PACKAGE, _SYMBOL = "package", "symbol"
PACKAGE_TEMPLATE = f"{_SCHEME}{_PACKAGE}/{{name}}"
SYMBOL_TEMPLATE = f"{_SCHEME}{_SYMBOL}/{{package}}/{{name}}"
_PAGE = 200
_MOST_COMPLETIONS = 100  # the limit of MCP
_TEXT = "text/plain"

TEMPLATES = (
    ResourceTemplate(
        uri_template=PACKAGE_TEMPLATE,
        name="package",
        title="Package",
        description="The exports of a package, and the packages it uses. The name is percent-encoded.",
        mime_type=_TEXT,
    ),
    ResourceTemplate(
        uri_template=SYMBOL_TEMPLATE,
        name="symbol",
        title="Symbol",
        description="A symbol: its type, arglist, documentation and source. Names are percent-encoded.",
        mime_type=_TEXT,
    ),
)


class NoResourceError(LookupError):
    """There is no resource at that address; the text says why."""


def package_address(name: str) -> str:
    """The address of the package with this exact name."""
    return f"{_SCHEME}{_PACKAGE}/{quote(name, safe='')}"


def symbol_address(package: str, name: str) -> str:
    """The address of the symbol with this exact name in that package."""
    return f"{_SCHEME}{_SYMBOL}/{quote(package, safe='')}/{quote(name, safe='')}"


def listed(index: Index, cursor: str | None) -> tuple[list[Resource], str | None]:
    """A page of the resources (the packages of the index, by name), and the cursor of the next page.

    Raises NoResourceError for a ``cursor`` that was never issued.
    """
    index.reopen_if_replaced()
    names = sorted(index.package_names.values())
    start = int(cursor) if cursor and cursor.isdecimal() and len(cursor) < 10 else 0
    if cursor is not None and not 0 < start < len(names):
        raise NoResourceError("there is no such page of resources; list them from the beginning")
    page = [
        Resource(
            uri=storable(package_address(name)),
            name=storable(shown_name(name)),
            title=f"Package {storable(shown_name(name))}",
            mime_type=_TEXT,
        )
        for name in names[start : start + _PAGE]
    ]
    return page, str(start + _PAGE) if start + _PAGE < len(names) else None


def read(index: Index, address: str) -> TextResourceContents:
    """The resource at ``address``. Raises NoResourceError."""
    if not address.startswith(_SCHEME):
        raise NoResourceError(f"addresses begin with {_SCHEME}: {PACKAGE_TEMPLATE} or {SYMBOL_TEMPLATE}")
    # An address is not a path: .. and an encoded / are names, and nothing is normalized.
    kind, *names = (unquote(part) for part in address.removeprefix(_SCHEME).split("/"))
    if kind == _PACKAGE and len(names) == 1:
        text = _package(index, names[0])
    elif kind == _SYMBOL and len(names) == 2:
        text = _symbol(index, *names)
    else:
        raise NoResourceError(f"addresses are {PACKAGE_TEMPLATE} or {SYMBOL_TEMPLATE}, percent-encoded")
    return TextResourceContents(
        uri=address, mime_type=_TEXT, text=storable(whole_lines(text, DEFAULT_BUDGET))
    )


def _package(index: Index, name: str) -> str:
    from ..questions.package.text import package_text

    answer = index.package(piped(name))
    if isinstance(answer, NotFound):
        answer = index.package(name)  # a nickname, or a name in lower case
    if isinstance(answer, NotFound):
        raise NoResourceError(not_found(answer, LEAST_BUDGET, name).text)
    return package_text(answer, "the tool for packages lists the rest")


def _symbol(index: Index, package: str, name: str) -> str:
    where = piped(package)
    if isinstance(index.package(where, limit=1), NotFound):
        where = package
    answer = index.describe(piped(name), where)
    if isinstance(answer, NotFound):
        answer = index.describe(name, where)
    if isinstance(answer, NotFound):
        raise NoResourceError(not_found(answer, LEAST_BUDGET, name).text)
    return describe_text(answer)


def completion(index: Index, template: str, argument: str, text: str, package: str | None) -> Completion:
    """The names that begin with ``text``, in any case; only those in ``package``, if one is chosen."""
    names: list[str] = []
    if argument == "package" or (template == PACKAGE_TEMPLATE and argument == "name"):
        index.reopen_if_replaced()
        names = sorted(index.package_names.values())
    elif template == SYMBOL_TEMPLATE and argument == "name":
        answer: Any = index.apropos(text, piped(package) if package else None)
        if isinstance(answer, NotFound):
            answer = index.apropos(text, package)
        if not isinstance(answer, NotFound):
            names = sorted({match.name for match in answer.matches})
    begin = index.fold(text)
    found = [storable(name) for name in names if index.fold(name).startswith(begin)]
    return Completion(
        values=found[:_MOST_COMPLETIONS], total=len(found), has_more=len(found) > _MOST_COMPLETIONS
    )
