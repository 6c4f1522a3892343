"""Count by folder what the tests start, print it at the end of a run, and hold it to ceilings.

The same command line counts the same on any number of workers: what a fixture of a module or session starts
counts once, however many workers set it up, and what a run keeps for later ones has a row of its own.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import pytest

from support.starts.causes import Cause, started_for
from support.starts.programs import FILE, KINDS

CEILINGS = Path("tests") / "ceilings.toml"
# The folder of starts for which no test or fixture is known.
UNKNOWN = "unknown"
_MOST_NAMED = 5

Counts = dict[str, Counter[str]]
_EXCESS = pytest.StashKey[list[str]]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    with started_for(Cause.of(_folder(item.nodeid), item.nodeid)):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    if fixturedef.scope == "function":
        return (yield)
    name = f"{fixturedef.baseid}::{fixturedef.argname}[{getattr(request, 'param_index', 0)}]"
    with started_for(Cause.of(_folder(fixturedef.baseid), name)):
        return (yield)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run of the usual tests that started more than the ceilings allow."""
    session.config.stash[_EXCESS] = found = _excess(session.config)
    if session.exitstatus == pytest.ExitCode.OK and found:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    found = counts(starts())
    if found:
        terminalreporter.section("what the tests started")
        for line in table(found):
            terminalreporter.write_line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say last of all which ceilings were broken: the line that counts the tests does not tell of it."""
    for line in config.stash.get(_EXCESS, []):
        print(f"ERROR {line}")


def _excess(config: pytest.Config) -> list[str]:
    """What is above a ceiling. `make verify` may start what it needs, and a worker sees only a part."""
    if os.environ.get("TESTS_IN_FULL") or "PYTEST_XDIST_WORKER" in os.environ:
        return []
    return above(starts(), ceilings(config.rootpath / CEILINGS))


def _folder(node: str) -> str:
    """The folder of a test or fixture, of which ``node`` is the id."""
    path = node.partition("::")[0]
    return str(Path(path).parent) if path.endswith(".py") else path or "tests"


def starts(file: Path | None = None) -> dict[tuple[str, str], Counter[str]]:
    """What each test or fixture of a folder started: the most of what any worker did for it."""
    by_worker: dict[tuple[str, str], dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for line in (file or Path(os.environ[FILE])).read_text(errors="replace").splitlines():
        kinds, _, cause = line.partition("\t")
        folder, name, worker = cause.split("\t") if cause.count("\t") == 2 else (UNKNOWN, "", "")
        by_worker[folder, name][worker].update(kinds.split())
    return {cause: reduce(or_, workers.values()) for cause, workers in sorted(by_worker.items())}


def counts(found: Mapping[tuple[str, str], Counter[str]]) -> Counts:
    """What each folder started."""
    folders: Counts = defaultdict(Counter)
    for (folder, _), counter in found.items():
        folders[folder] += counter
    return dict(folders)


def ceilings(file: Path) -> Counts:
    """The most that each folder may start, of each kind, by default none."""
    read = tomllib.loads(file.read_text())
    return {folder: Counter({kind: row.get(kind, 0) for kind in KINDS}) for folder, row in read.items()}


def above(found: Mapping[tuple[str, str], Counter[str]], allowed: Counts) -> list[str]:
    """A sentence for each count above its ceiling, with what started most."""
    return [
        f"{folder} started {counted[kind]} {kind}, and {CEILINGS.name} allows {most[kind]}; "
        f"most of them: {_most(found, folder, kind)}"
        for folder, counted in counts(found).items()
        for most in [allowed.get(folder, Counter())]
        for kind in KINDS
        if counted[kind] > most[kind]
    ]


def _most(found: Mapping[tuple[str, str], Counter[str]], folder: str, kind: str) -> str:
    """The tests and fixtures of a folder that started most of a kind, each with its number."""
    of_folder = Counter({name: counter[kind] for (where, name), counter in found.items() if where == folder})
    return ", ".join(
        f"{name or '?'} {number}" for name, number in of_folder.most_common(_MOST_NAMED) if number
    )


def table(found: Counts) -> list[str]:
    """The counts as lines, with their sum."""
    total: Counter[str] = sum(found.values(), Counter())
    rows = [("", KINDS), *((folder, [str(row[kind]) for kind in KINDS]) for folder, row in found.items())]
    rows.append(("all", [str(total[kind]) for kind in KINDS]))
    width = max(len(folder) for folder, _ in rows)
    return [f"{folder:{width}}  " + "  ".join(f"{cell:>9}" for cell in cells) for folder, cells in rows]
