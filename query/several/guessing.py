"""A bare name that no index finds, taken for the only symbol that it plausibly means in all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from oblist.indexer.names import split_name, split_package

from ..index.finding.guess import guess
from ..index.finding.guessed import with_guesses
from ..index.finding.resolve import is_bare
from ..index.not_found import NotFound
from ..index.reading import Reading
from ..index.written import written

_Answer = TypeVar("_Answer")


def answered(
    indexes: Sequence[Reading], name: str, package: str, ask: Callable[[str], _Answer | NotFound]
) -> _Answer | NotFound:
    """What ``ask`` answers for ``name``; if none has it, for the symbol that it is taken for.

    The field ``guessed`` of the answer says so.
    """
    answer = ask(name)
    if not isinstance(answer, NotFound) or answer.error != "symbol-not-found":
        return answer
    typed, where = split_name(name, indexes[0].upcase), split_package(package, indexes[0].upcase)
    found = guess(indexes, typed.symbol.spellings) if is_bare(typed, where) else None
    if found is None:
        return answer
    row = found.row
    instead = ask(written(found.reading, row.name, row.home, row.status, typed.operator))
    told = f"{answer.message}: {found.phrase}"
    return instead if isinstance(instead, NotFound) else with_guesses(instead, [told])
