"""Complete names: as typed, and as SBCL prints them.

``oblist.indexer.names`` joins a symbol's name to its package and to the operator of a setf function, the
reverse of ``split_name``; this module asks the index for what that needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oblist.indexer.names import joined_name, operator_name, typed_name, written_name

from .reading import Reading

__all__ = ["COLUMNS", "SymbolRow", "own_name", "printed", "printed_name", "typed_name", "written"]
_Case = Callable[[str], str]

COLUMNS = """symbols.id, symbols.name, symbols.package_id,
       (SELECT status FROM presences WHERE presences.symbol_id = symbols.id
                                       AND presences.package_id = symbols.package_id)"""


class SymbolRow(NamedTuple):
    """The columns ``COLUMNS`` of one row: a symbol's number, and the parts of its written name.

    ``package`` is the number of its home package, ``status`` its status there; both are None for a symbol
    without a home package.
    """

    number: int
    name: str
    package: int | None
    status: str | None

    def written(self, index: Reading, operator: str | None = None) -> str:
        """Return the name as one types it."""
        package = None if self.package is None else index.package_names[self.package]
        return written(index, self.name, package, self.status, operator, number=self.number)


def written(
    index: Reading,
    name: str,
    package: str | None,
    status: str | None,
    operator: str | None = None,
    *,
    number: int | None = None,
) -> str:
    """Return the name as one types it: ``alexandria:flatten``, ``foo::|odd Name|``, ``(setf foo:bar)``.

    ``package`` is the symbol's home package, None for a symbol without one: ``#:name``. ``status`` is its
    status there. If the index has a standpoint, the name is as code there writes it; the symbol's ``number``
    then saves a look-up.
    """
    if index.standpoint is not None:
        return index.standpoint.written(name, package, status == "external", operator, number)
    return typed_name(name, package, index.upcase, external=status == "external", operator=operator)


def own_name(name: str, upcase: _Case, operator: str | None = None) -> str:
    """Return the name without its package, as in source: ``flatten``, ``(setf page)``, ``|odd Name|``."""
    return operator_name(operator and operator.lower(), written_name(name, upcase))


def printed(
    index: Reading, name: str, package: str | None, status: str | None, operator: str | None = None
) -> str:
    """Return the name as SBCL prints it: ``ALEXANDRIA:FLATTEN``, ``(SETF FOO::|odd Name|)``, ``#:GONE``."""
    external = status == "external"
    return operator_name(
        operator, joined_name(name, package, external, lambda token: printed_name(token, index.upcase))
    )


def printed_name(name: str, upcase: _Case) -> str:
    """Return a symbol's name without its package, as ``prin1`` prints it: ``FLATTEN``, ``|odd Name|``."""
    form = written_name(name, upcase)
    return form if form.startswith("|") else name
