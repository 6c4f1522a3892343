"""Code lenses: how many callers the functions and macros of a document have."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import CodeLens, Command

from oblist.indexer.left_out import REFERENCES

from ....index.shown import counted
from ....syntax.names.naming import named
from ...indexed import sql
from ..asked import Asked
from ..outline import outlined_forms

_COUNTED = frozenset(("defun", "defmacro", "defgeneric"))


def lenses(asked: Asked) -> Iterator[CodeLens]:
    """Yield a lens for each function and macro that a document defines and the index has."""
    document, reader = asked.document, asked.reader
    for chunk in document.chunks(reader):
        package = document.package_of(reader, chunk)
        for form in outlined_forms(chunk, reader, package):
            token = document.tokens_of(reader, chunk).symbol(form.name.text)
            symbol = named(token, package, reader.meanings) if token is not None else None
            if form.operator in _COUNTED and symbol is not None and symbol.number is not None:
                start = chunk.start + form.name.start
                data = {"uri": document.uri, "symbol": symbol.number, "setf": form.setf}
                yield CodeLens(document.lines.range(start, start + len(form.name.text)), data=data)


def with_callers(asked: Asked, lens: CodeLens) -> CodeLens:
    """A lens with its title. It does nothing when it is clicked: references list the callers."""
    data = lens.data if isinstance(lens.data, dict) else {}
    operator = "SETF" if data.get("setf") else None
    rows = asked.project.index.rows(sql.CALLERS_COUNT, symbol=data.get("symbol"), operator=operator)
    count = rows[0][0] if rows else 0
    if REFERENCES in asked.project.index.left_out:
        lens.command = Command("callers not recorded", "")
        return lens
    told = counted(count, "caller") if count else "no callers"
    lens.command = Command(told, "")
    return lens
