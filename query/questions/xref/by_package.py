"""How many uses xref has by the package of the other side."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from ...index.not_found import NotFound
from ...index.reading import Reading
from . import sql
from .ask import ask, runs_of
from .parameters import UsesParameters
from .references import relation_names


def xref_by_package(index: Reading, asked: UsesParameters[Any]) -> Counter[str | None]:
    """Count the uses that xref would list, by the package of the other side."""
    question = ask(index, asked, both=True)
    counts: Counter[str | None] = Counter()
    if isinstance(question, NotFound):
        return counts
    for run in runs_of(index, question, relation_names(index)):
        if run.relation is None:
            continue
        if run.first is not None and run.last is not None:
            counts += _of_callers(index, run.first, run.last)
        else:
            counts.update(dict(index.rows(sql.CALLEES_BY_PACKAGE, uses=run.uses)))
    return counts


def _of_callers(index: Reading, first: int, last: int) -> Counter[str | None]:
    """Count the uses of a run by package.

    A run is in the order of its callers' packages: where one ends and the next begins is found by halving.
    """
    packages = dict(index.rows(sql.PACKAGES_OF_USES, uses=json.dumps([first, last])))
    counts = Counter([packages[last]])
    parts = [(first, last)]  # each without its end
    while parts:
        halves = []
        for start, end in parts:
            if packages[start] == packages[end] or end - start == 1:
                counts[packages[start]] += end - start
            else:
                halves.append((start, (start + end) // 2, end))
        if halves:
            middles = json.dumps([middle for _, middle, _ in halves])
            packages.update(dict(index.rows(sql.PACKAGES_OF_USES, uses=middles)))
        parts = [part for start, middle, end in halves for part in ((start, middle), (middle, end))]
    return counts
