"""The candidates for what has been typed: commands and options as click knows them, names from the index.

Names are those that begin with what has been typed, at most MOST of them, found within SECONDS. Without an
index that can be read, there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import click

# What tells which parameter is being typed: click has no public name for it.
from click.shell_completion import _resolve_context, _resolve_incomplete

from ..api import Index, open_index
from ..errors import QueryError
from ..index import sql
from ..index.not_found import NotFound
from ..index.parameters import PACKAGE
from ..index.written import own_name
from ..terminal.options import ROOTS
from .typed import TypedLine

MOST = 200
_LOOKED_AT = 2_000  # of which those by words and initials are left out
SECONDS = 1.0
_FILE, _FOLDER = "file", "dir"
_SYMBOLS, _CLASSES, _PACKAGES, _SYSTEMS, _PARTS = "symbols", "classes", "packages", "systems", "parts"
_OTHER = "other"
# What completes a parameter: by its own name, else by what stands for it in the usage of its command.
_BY_NAME = {"package": _PACKAGES, "system": _SYSTEMS, "systems": _SYSTEMS}
_BY_METAVAR = {
    **dict.fromkeys(("FILE", "PATH"), _FILE),
    **dict.fromkeys(("DIR", "FOLDER"), _FOLDER),
    **dict.fromkeys(("NAME", "OLD", "TEXT"), _SYMBOLS),
    **dict.fromkeys(("FROM", "TO", "PART"), _PARTS),
    "PACKAGE": _PACKAGES,
    "SYSTEM": _SYSTEMS,
    "CLASS": _CLASSES,
}
# The arguments of these commands are called like others, and are something else.
_BY_COMMAND = {
    **{"package": _PACKAGES, "class": _CLASSES, "slot": _CLASSES, "diff": _FILE},
    **dict.fromkeys(("setup", "call"), _OTHER),
}
_WORD = re.compile("[A-Z]+")


class Candidates(NamedTuple):
    """Texts, each with a word of help; or, by ``kind``, that the shell is to complete a "file" or a "dir"."""

    kind: str
    texts: list[tuple[str, str]]


def candidates(root: click.Command, typed: TypedLine) -> Candidates:
    """Return the candidates for a command line of the group ``root``; none if it is wrong so far."""
    arguments = typed.words[1:]
    try:
        context = _resolve_context(root, {}, "oblist", [*arguments])
        completed, beginning = _resolve_incomplete(context, arguments, typed.beginning)
        items = completed.shell_complete(context, beginning)
        if not items and isinstance(completed, click.Parameter):
            return _candidates(_taken(completed, context), context, beginning)
    except (click.ClickException, QueryError, OSError):
        return Candidates("plain", [])
    kind = next((item.type for item in items if item.type in (_FILE, _FOLDER)), "plain")
    return Candidates(kind, [(item.value, item.help or "") for item in items if item.type == "plain"])


def _taken(parameter: click.Parameter, context: click.Context) -> str:
    """What a parameter takes."""
    command = context.command.name or ""
    if isinstance(parameter, click.Argument) and command in _BY_COMMAND:
        return _BY_COMMAND[command]
    shown = _WORD.search((parameter.metavar or parameter.name or "").upper())
    return _BY_NAME.get(parameter.name or "") or _BY_METAVAR.get(shown[0] if shown else "", _OTHER)


def _candidates(taken: str, context: click.Context, beginning: str) -> Candidates:
    if taken in (_FILE, _FOLDER, _OTHER):
        return Candidates(taken, [])
    named = context.params.get("path") or next(iter(context.params.get("paths") or ()), None)
    with open_index(named, roots=context.meta.get(ROOTS)) as index:
        index.limit(SECONDS)
        found = _names(index, taken, beginning, context.params.get("package") or PACKAGE)
        return Candidates("plain", [*islice(dict(found).items(), MOST)])


def _names(index: Index, taken: str, beginning: str, package: str) -> Iterator[tuple[str, str]]:
    """The names of what is ``taken`` that begin so, each with a word of help."""
    if taken in (_SYMBOLS, _CLASSES):
        at = "class" if taken == _CLASSES else "any"
        answer = index.complete(beginning, package, at=at, limit=_LOOKED_AT)
        names = [] if isinstance(answer, NotFound) else answer.completions
        found: Iterable[tuple[str, str]] = ((one.written, one.type) for one in names)
    else:
        packages = [(own_name(name, index.upcase), "package") for name in index.package_numbers]
        systems = [(name, "system") for _, name in index.fixed_rows(sql.SYSTEMS)]
        found = sorted({_PACKAGES: packages, _SYSTEMS: systems}.get(taken, [*packages, *systems]))
    return ((name, told) for name, told in found if name.lower().startswith(beginning.lower()))
