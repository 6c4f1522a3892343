"""Count by folder what the tests start, print it at the end of a run, and hold it to ceilings.

The same command line counts the same on any number of workers: what a fixture of a module or session starts
counts once, however many workers set it up, and what a run keeps for later ones has a row of its own.
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from support.starts.causes import Cause, started_for
from support.starts.programs import FILE, KINDS

CEILINGS = Path("tests") / "ceilings.toml"
# The folder of starts for which no test or fixture is known.
UNKNOWN = "unknown"

Counts = dict[str, Counter[str]]


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
    if session.exitstatus == pytest.ExitCode.OK and _excess(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    found = counts()
    if found:
        terminalreporter.section("what the tests started")
        for line in (*table(found), *(f"ERROR {line}" for line in _excess(config))):
            terminalreporter.write_line(line)


def _excess(config: pytest.Config) -> list[str]:
    """What is above a ceiling; `make verify` may start as much as it needs, and a worker sees only a part."""
    if os.environ.get("TESTS_IN_FULL") or "PYTEST_XDIST_WORKER" in os.environ:
        return []
    return above(counts(), ceilings(config.rootpath / CEILINGS))


def _folder(node: str) -> str:
    """The folder of a test or fixture, of which ``node`` is the id."""
    path = node.partition("::")[0]
    return str(Path(path).parent) if path.endswith(".py") else path or "tests"


def counts(file: Path | None = None) -> Counts:
    """What each folder started: for each cause, what the worker that started most did."""
    by_worker: dict[tuple[str, str], dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for line in (file or Path(os.environ[FILE])).read_text(errors="replace").splitlines():
        kinds, _, cause = line.partition("\t")
        folder, name, worker = cause.split("\t") if cause.count("\t") == 2 else (UNKNOWN, "", "")
        by_worker[folder, name][worker].update(kinds.split())
    found: Counts = defaultdict(Counter)
    for (folder, _), workers in by_worker.items():
        for kind in KINDS:
            if most := max(counter[kind] for counter in workers.values()):
                found[folder][kind] += most
    return dict(sorted(found.items()))


def ceilings(file: Path) -> Counts:
    """The most that each folder may start, of each kind, by default none."""
    read = tomllib.loads(file.read_text())
    return {folder: Counter({kind: row.get(kind, 0) for kind in KINDS}) for folder, row in read.items()}


def above(found: Counts, allowed: Counts) -> list[str]:
    """A sentence for each count above its ceiling."""
    return [
        f"{folder} started {found[folder][kind]} {kind}, and {CEILINGS.name} allows {most[kind]}"
        for folder in found
        for most in [allowed.get(folder, Counter())]
        for kind in KINDS
        if found[folder][kind] > most[kind]
    ]


def table(found: Counts) -> list[str]:
    """The counts as lines, with their sum."""
    total: Counter[str] = sum(found.values(), Counter())
    rows = [("", KINDS), *((folder, [str(row[kind]) for kind in KINDS]) for folder, row in found.items())]
    rows.append(("all", [str(total[kind]) for kind in KINDS]))
    width = max(len(folder) for folder, _ in rows)
    return [f"{folder:{width}}  " + "  ".join(f"{cell:>9}" for cell in cells) for folder, cells in rows]
