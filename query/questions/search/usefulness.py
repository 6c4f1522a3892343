"""How useful a symbol is to people, whatever they look for: what ranks matches that are equal otherwise.

Exported names count above all, then those of the standard, of the project, and of systems that many need.
Names that are used often come before names that are not.
"""

from __future__ import annotations

import math

from oblist.indexer.search_rank import callers_of

from .sql import UsefulRow

_EXPORTED, _STANDARD, _ASKED, _DEPENDENCY, _USED, _MOST_USED = 0.3, 0.15, 0.05, 0.02, 0.025, 0.08
# What the project's own symbols gain, and what its internal ones gain in addition.
_OWN, _OWN_INTERNAL = 0.15, 0.2
_DEPENDED_ON, _MOST_DEPENDED_ON = 0.03, 0.12
_USED_BY_RELEASES, _MOST_USED_BY_RELEASES = 0.06, 0.24
# The packages of SBCL that are for everybody (SBCL manual); what other packages export is SBCL's own.
_PUBLIC = frozenset(
    """
    COMMON-LISP SB-EXT SB-THREAD SB-MOP SB-GRAY SB-ALIEN SB-DEBUG SB-UNICODE SB-SEQUENCE SB-PROFILE SB-SYS
    SB-BSD-SOCKETS SB-POSIX SB-CLTL2 SB-CONCURRENCY SB-INTROSPECT SB-COVER SB-SPROF SB-ROTATE-BYTE
    """.split()  # noqa: SIM905
)
_WITH_SBCL = ("COMMON-LISP", "SB-", "ASDF/", "UIOP/")


def usefulness(row: UsefulRow, *, own_first: bool) -> float:
    """How useful the symbol of ``row`` is to people, from 0 to about 0.8.

    ``own_first`` is whether the project's own are preferred (Reading.preferred_packages).
    """
    score = _EXPORTED * (bool(row.exported) and not _is_of_sbcl_alone(row))
    if own_first and row.asked == 1:
        score += _OWN if row.exported else _OWN + _OWN_INTERNAL
    score += _STANDARD * (row.package == "COMMON-LISP")
    score += _MOST_DEPENDED_ON * (row.package or "").startswith("UIOP/")  # with every SBCL
    score += {1: _ASKED, 0: _DEPENDENCY}.get(row.asked if row.asked is not None else -1, 0.0)
    score += min(_MOST_DEPENDED_ON, _DEPENDED_ON * math.log2(1 + row.dependents))
    return score + min(_MOST_USED, _USED * math.log10(1 + callers_of(row.rank)))


def usefulness_in_catalog(row: UsefulRow, users: int) -> float:
    """How useful the symbol of ``row`` is to people who look for a library; ``users`` is how many releases
    use it.

    Such people know what comes with SBCL, which everything uses.
    """
    score = _EXPORTED * (not _is_of_sbcl_alone(row))
    if not (row.package or "").startswith(_WITH_SBCL):
        score += min(_MOST_USED_BY_RELEASES, _USED_BY_RELEASES * math.log2(1 + users))
        score += min(_MOST_DEPENDED_ON, _DEPENDED_ON * math.log2(1 + row.dependents))
    return score + min(_MOST_USED, _USED * math.log10(1 + callers_of(row.rank)))


def _is_of_sbcl_alone(row: UsefulRow) -> bool:
    return (row.package or "").startswith("SB-") and row.package not in _PUBLIC
