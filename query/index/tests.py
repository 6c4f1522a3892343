"""Which code belongs to tests: to systems whose names say so, such as ``shop/tests``, ``cl-shop-test``."""

from __future__ import annotations

from collections.abc import Iterable

from . import sql
from .reading import Reading

_WORDS = frozenset(("test", "tests"))


def is_test_system(name: str) -> bool:
    """Whether the name of a system says that it is a test system."""
    for separator in "/._":
        name = name.replace(separator, "-")
    return not _WORDS.isdisjoint(name.lower().split("-"))


def uses_in_tests(index: Reading, runs: Iterable[tuple[int | None, int | None]]) -> int:
    """Return how many uses are by code of test systems; ``runs`` are pairs of first and last numbers."""
    files = files_of_tests(index)
    if not files:
        return 0
    import json

    return index.count(sql.USES_BY_FILES, runs=json.dumps([*runs]), files=json.dumps(sorted(files)))


def files_of_tests(index: Reading) -> frozenset[int]:
    """Return the numbers of the source files of test systems; a catalog has none."""
    if index.is_catalog:
        return frozenset()
    systems = [number for number, name in index.fixed_rows(sql.SYSTEMS) if is_test_system(name)]
    if not systems:  # nearly always
        return frozenset()
    import json  # which takes two milliseconds

    rows = index.remembered(sql.FILES_OF_SYSTEMS, systems=json.dumps(systems))
    return frozenset(number for (number,) in rows)
