"""Running tasks on Dask: what becomes of those that fail, and of those that depend on them."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from oblist.indexer.catalog.making.orders import Order, Outcome, Report, SliceOrder, Survey, Terms
from oblist.indexer.catalog.running.cluster import ClusterError, Demands, OnCluster
from oblist.indexer.catalog.store.results import Store
from oblist.lisp.sbcl import Sbcl

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler and two workers in this process."""
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def runner(address: str, tmp_path: Path, sbcl: Sbcl) -> Iterator[OnCluster]:
    refused: list[str] = []
    demands = Demands(Store.at(tmp_path), sbcl.version, "tests", (str(tmp_path),))
    with OnCluster(
        demands, jobs=1, scheduler=address, patience=30.0, refused=refused.append
    ).running() as made:
        yield made
    assert refused == []
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [], "the mark of the build is gone"


def order(name: str) -> SliceOrder:
    terms = Terms(Store("/none"), (), "tests", None)
    return SliceOrder(Order(terms, name, Path(f"/{name}.asd"), "contents", "places/x"), {}, (), {})


def outcome(wanted: SliceOrder, *before: Outcome) -> Outcome:
    names = ",".join(one.report.loaded[0] if one.report.loaded else "-" for one in before)
    name = f"{wanted.order.name}({names})"
    return Outcome(str(wanted.order.definition), "key", "key", Report("loaded", [name], {}, 1.0))


def failing(wanted: SliceOrder | Order, *before: Outcome) -> Outcome:
    raise OSError("The disk is full.")


def results(runner: OnCluster, number: int) -> dict[str, Survey | Outcome]:
    found = [runner.next_result() for _ in range(number)]
    assert len(dict(found)) == number, "each task has one result"
    return dict(found)


def test_results_of_earlier_tasks_are_passed_on(runner: OnCluster) -> None:
    runner.submit("slice a", outcome, order("a"), ())
    runner.submit("slice b", outcome, order("b"), ["slice a"])
    first = results(runner, 2)
    known = first["slice a"]
    assert isinstance(known, Outcome)
    # In another graph, by a key of the first and by value.
    runner.submit("slice c", outcome, order("c"), ["slice b", known])
    (last,) = results(runner, 1).values()
    assert isinstance(last, Outcome) and last.report.loaded == ["c(b(a()),a())"]


def noting(wanted: SliceOrder) -> Outcome:
    time.sleep(0.02)
    report = Report("loaded", [], {}, time.monotonic())
    return Outcome(str(wanted.order.definition), "key", "key", report)


def test_what_is_urgent_comes_first(runner: OnCluster) -> None:
    urgencies = {f"slice {number:02}": number * 17 % 40 for number in range(40)}
    for name, urgency in urgencies.items():
        runner.submit(name, noting, order(name), (), urgency=float(urgency))
    ends = {name: one.report.seconds for name, one in results(runner, 40).items() if isinstance(one, Outcome)}
    in_time = [urgencies[name] for name in sorted(urgencies, key=ends.__getitem__)]
    # The two workers take turns, so neighbours may change places, and each may have begun with any.
    assert sum(urgency >= 20 for urgency in in_time[:20]) >= 18, in_time


def test_a_failure_is_that_of_one_release(runner: OnCluster) -> None:
    runner.submit("slice a", failing, order("a"), ())
    runner.submit("slice b", outcome, order("b"), ["slice a"])
    runner.submit("slice c", outcome, order("c"), ["slice b"])
    runner.submit("slice d", outcome, order("d"), ())
    found = results(runner, 4)
    lost, after = found["slice a"], found["slice c"]
    assert isinstance(lost, Outcome) and isinstance(after, Outcome)
    assert lost.report.state == "failed" and lost.report.transient and not lost.key
    assert lost.report.failures == {"a": "A worker failed: OSError: The disk is full."}
    assert after.report.state == "loaded", "it was made without what failed"


def test_a_survey_that_fails_says_why(runner: OnCluster) -> None:
    runner.submit("survey 0 a", failing, order("a").order, ())
    (found,) = results(runner, 1).values()
    assert isinstance(found, Survey) and found.problem == "A worker failed: OSError: The disk is full."


def test_a_scheduler_without_workers_is_not_waited_for_without_end(tmp_path: Path, sbcl: Sbcl) -> None:
    demands = Demands(Store.at(tmp_path), sbcl.version, "tests", ())
    with (
        LocalCluster(
            n_workers=0,
            processes=False,
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        OnCluster(
            demands, jobs=1, scheduler=cluster.scheduler_address, patience=0.5, refused=print
        ).running() as runner,
    ):
        runner.submit("slice a", outcome, order("a"), ())
        with pytest.raises(ClusterError, match=r"no worker of .* could be admitted: none has joined"):
            runner.next_result()
