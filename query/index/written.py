"""Complete names: as typed, and as SBCL prints them.

Only here is a symbol's name joined to its package and to the operator of a setf function: the reverse of
``split_name`` in ``oblist.indexer.names``, whose ``written_name`` writes a single token.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from oblist.indexer.names import operator_name, written_name

from .reading import Reading

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


def typed_name(
    name: str, package: str | None, upcase: _Case, *, external: bool, operator: str | None = None
) -> str:
    """Do as ``written`` does for a name that is not from an index; ``upcase`` upcases as the reader does."""
    form = _joined(name, package, external, lambda token: written_name(token, upcase))
    return operator_name(operator and operator.lower(), form)


def own_name(name: str, upcase: _Case, operator: str | None = None) -> str:
    """Return the name without its package, as in source: ``flatten``, ``(setf page)``, ``|odd Name|``."""
    return operator_name(operator and operator.lower(), written_name(name, upcase))


def printed(
    index: Reading, name: str, package: str | None, status: str | None, operator: str | None = None
) -> str:
    """Return the name as SBCL prints it: ``ALEXANDRIA:FLATTEN``, ``(SETF FOO::|odd Name|)``, ``#:GONE``."""
    external = status == "external"
    return operator_name(
        operator, _joined(name, package, external, lambda token: printed_name(token, index.upcase))
    )


def _joined(name: str, package: str | None, external: bool, token: Callable[[str], str]) -> str:
    """A symbol's name with its package; ``token`` writes each of the two."""
    if package is None:
        return f"#:{token(name)}"
    if package == "KEYWORD":
        return f":{token(name)}"
    return f"{token(package)}{':' if external else '::'}{token(name)}"


def printed_name(name: str, upcase: _Case) -> str:
    """Return a symbol's name without its package, as ``prin1`` prints it: ``FLATTEN``, ``|odd Name|``."""
    form = written_name(name, upcase)
    return form if form.startswith("|") else name
