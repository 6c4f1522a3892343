"""Running tasks on Dask: what becomes of those that fail, and of those that depend on them."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from distributed import LocalCluster
from distributed.scheduler import KilledWorker

from oblist.indexer.catalog.making.orders import (
    LoadReport,
    Order,
    Site,
    SliceOrder,
    SliceOutcome,
    Survey,
    Terms,
)
from oblist.indexer.catalog.making.plans import slice_plan
from oblist.indexer.catalog.making.scratch import Scratch
from oblist.indexer.catalog.making.tasks import MOST_ATTEMPTS, make_slice
from oblist.indexer.catalog.running.admission import refusal
from oblist.indexer.catalog.running.cluster import ClusterError, Demands, OnCluster
from oblist.indexer.catalog.store.results import Store
from oblist.lisp.sbcl import Sbcl
from support.catalogs.held import until

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


def outcome(wanted: SliceOrder, *before: SliceOutcome) -> SliceOutcome:
    names = ",".join(one.report.loaded[0] if one.report.loaded else "-" for one in before)
    name = f"{wanted.order.name}({names})"
    return SliceOutcome(str(wanted.order.definition), "key", "key", LoadReport("loaded", [name], {}, 1.0))


def failing(wanted: SliceOrder | Order, *before: SliceOutcome) -> SliceOutcome:
    raise OSError("The disk is full.")


def results(runner: OnCluster, number: int) -> dict[str, Survey | SliceOutcome]:
    found = [runner.next_result() for _ in range(number)]
    assert len(dict(found)) == number, "each task has one result"
    return dict(found)


def test_results_of_earlier_tasks_are_passed_on(runner: OnCluster) -> None:
    runner.submit("slice a", outcome, order("a"), ())
    runner.submit("slice b", outcome, order("b"), ["slice a"])
    first = results(runner, 2)
    known = first["slice a"]
    assert isinstance(known, SliceOutcome)
    # In another graph, by a key of the first and by value.
    runner.submit("slice c", outcome, order("c"), ["slice b", known])
    (last,) = results(runner, 1).values()
    assert isinstance(last, SliceOutcome) and last.report.loaded == ["c(b(a()),a())"]


def noting(wanted: SliceOrder) -> SliceOutcome:
    time.sleep(0.02)
    report = LoadReport("loaded", [], {}, time.monotonic())
    return SliceOutcome(str(wanted.order.definition), "key", "key", report)


def test_what_is_urgent_comes_first(runner: OnCluster) -> None:
    urgencies = {f"slice {number:02}": number * 17 % 40 for number in range(40)}
    for name, urgency in urgencies.items():
        runner.submit(name, noting, order(name), (), urgency=float(urgency))
    ends = {
        name: one.report.seconds for name, one in results(runner, 40).items() if isinstance(one, SliceOutcome)
    }
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
    assert isinstance(lost, SliceOutcome) and isinstance(after, SliceOutcome)
    assert lost.report.state == "failed" and lost.report.transient and not lost.key
    assert lost.report.failures == {"a": "A worker failed: OSError: The disk is full."}
    assert after.report.state == "loaded", "it was made without what failed"


def losing(wanted: SliceOrder) -> SliceOutcome:
    """Go with its worker, as Dask says it, until it has begun three times."""
    begun = Store.at(wanted.order.places).place
    begun.write(uuid.uuid4().hex, b"")
    if len(begun.names("")) < 3:
        raise KilledWorker("slice a", SimpleNamespace(address="nowhere"), 3)
    return outcome(wanted)


def test_what_was_lost_with_its_worker_is_handed_out_again(
    runner: OnCluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("begun")
    lost = replace(order("a"), order=replace(order("a").order, places=str(folder)))
    runner.submit("slice a", losing, lost, ())
    runner.submit("slice b", outcome, order("b"), ["slice a"])
    found = results(runner, 2)
    assert [one.report.loaded for _, one in sorted(found.items()) if isinstance(one, SliceOutcome)] == [
        *(["a()"], ["b(a())"]),
    ]
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize("lost", [MOST_ATTEMPTS - 1, MOST_ATTEMPTS])
def test_what_is_lost_again_and_again_is_given_up(tmp_path: Path, sbcl: Sbcl, lost: int) -> None:
    """Whatever each worker notes when it begins, and a lost one leaves."""
    scratch, store = Scratch(tmp_path / "scratch"), Store.at(tmp_path / "store")
    scratch.prepare()
    wanted = order("a")
    terms = Terms(store, (), "tests", Site(sbcl, scratch), guarded=True)
    wanted = replace(wanted, order=replace(wanted.order, terms=terms))
    key = slice_plan(wanted, ()).key
    for number in range(lost):
        store.place.write(f"attempts/{key}-tests-{number}", b"")
        store.place.write(f"attempts/{key}-another-{number}", b"")
    # The list of places is missing too, so a task that begins fails for that.
    why = "It was given up: 4 workers were lost while indexing it."
    said = why if lost == MOST_ATTEMPTS else f"places/x is no longer in the store {store.location}."
    found = make_slice(wanted)
    assert (found.report.state, found.report.failures) == ("failed", {"a": said})
    assert found.report.transient, "the next build tries again"
    assert len(store.place.names("attempts")) == 2 * lost


def test_a_worker_that_makes_something_else_is_refused(tmp_path: Path, sbcl: Sbcl) -> None:
    store = Store.at(tmp_path / "store")
    demands = Demands(store, sbcl.version, "tests", (str(tmp_path),))
    assert "cannot see the store" in (refusal(demands.values()) or "")
    store.place.write(demands.mark, b"")
    assert refusal(demands.values()) is None
    for changed, said in (
        ({"oblist": "9.9.9"}, "(this machine has oblist 9.9.9"),
        ({"sources": "0"}, "its sources differ from those here"),
        ({"sbcl": "9.9.9"}, f"has SBCL {sbcl.version} (this machine has SBCL 9.9.9"),
        ({"folders": ["/no/such/folder"]}, "cannot see the sources in /no/such/folder"),
        ({"store": None}, "could not be checked: "),
    ):
        assert said in (refusal(demands.values() | changed) or "")


def test_a_survey_that_fails_says_why(runner: OnCluster) -> None:
    runner.submit("survey 0 a", failing, order("a").order, ())
    (found,) = results(runner, 1).values()
    assert isinstance(found, Survey) and found.problem == "A worker failed: OSError: The disk is full."


@pytest.mark.parametrize(
    ("workers", "said"), [(0, "none has joined"), (1, r".* has SBCL .* \(this machine has SBCL 9.9.9")]
)
def test_a_scheduler_without_workers_that_may_take_part_is_not_waited_for_without_end(
    tmp_path: Path, workers: int, said: str
) -> None:
    demands = Demands(Store.at(tmp_path), "9.9.9", "tests", ())
    refused: list[str] = []
    with (
        LocalCluster(
            n_workers=workers,
            processes=False,
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        OnCluster(
            demands, jobs=1, scheduler=cluster.scheduler_address, patience=2.0, refused=refused.append
        ).running() as runner,
    ):
        runner.submit("slice a", outcome, order("a"), ())
        with pytest.raises(ClusterError, match=rf"No worker of .* could be admitted within .* s: {said}"):
            runner.next_result()
    assert len(refused) == workers


def slowly(wanted: SliceOrder) -> SliceOutcome:
    time.sleep(0.7)
    return outcome(wanted)


def test_a_result_that_is_lost_before_it_is_taken_is_made_again(tmp_path: Path, sbcl: Sbcl) -> None:
    """Its worker goes when it is done, and is not yet made again by another when it is asked for."""
    demands = Demands(Store.at(tmp_path), sbcl.version, "tests", (str(tmp_path),))
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        OnCluster(
            demands, jobs=1, scheduler=cluster.scheduler_address, patience=30.0, refused=print
        ).running() as runner,
    ):
        runner.submit("slice a", slowly, order("a"), ())
        runner._hand_out()
        future = runner._futures["slice a"]
        until(lambda: future.status == "finished")
        (holder,) = cluster.scheduler.tasks[future.key].who_has

        async def lose() -> None:
            await cluster.scheduler.remove_worker(holder.address, stimulus_id="tests", close=False)

        cluster.sync(lose)
        until(lambda: future.status == "lost")
        found = results(runner, 1)["slice a"]
        assert isinstance(found, SliceOutcome) and found.report.loaded == ["a()"]
