"""Running tasks on Dask: the workers of a scheduler, or processes of this machine.

All tasks that are handed out before a result is waited for go to Dask as one graph, and Dask decides in which
order and where they run. A worker that is lost costs its tasks again; Dask says which tasks it has given up,
and these are handed out again: the tasks themselves count how often they were begun (making/tasks.py).
"""

from __future__ import annotations

import logging
import operator
import queue
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import cloudpickle
import dask
from dask.base import annotate
from dask.task_spec import Task as DaskTask
from dask.task_spec import TaskRef
from distributed import Client, Future, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm.registry import backends
from distributed.scheduler import KilledWorker

from oblist.lisp.sbcl import sources_fingerprint

from ...errors import IndexerError
from ..making.orders import Order, SliceOrder, SliceOutcome, Terms
from ..making.tasks import given_up
from ..store.results import Store
from . import admission
from .runner import CatalogTask, Result

_LOOK_SECONDS = 0.5
_CONNECT_SECONDS = 10
_GATHER_SECONDS = 300
_CLOSE_SECONDS = 10
_MOST_AGAIN = 20
_MOST_AT_ONCE = 200
_MARKS = "marks"


class ClusterError(IndexerError):
    """The cluster cannot be reached, or has no worker that may take part."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a worker must have to take part: ``folders`` are those of the sources, unless these are sent."""

    store: Store
    sbcl: str
    build: str
    folders: tuple[str, ...]

    @classmethod
    def of(cls, terms: Terms, sbcl: str, folders: Sequence[Path]) -> Demands:
        """The demands of a build."""
        return cls(terms.store, sbcl, terms.build, tuple(map(str, folders)))

    @property
    def resource(self) -> str:
        """The name of the resource that workers have which may take part."""
        return f"oblist-{self.build}"

    @property
    def mark(self) -> str:
        """The file by which a worker knows that it sees the same store."""
        return f"{_MARKS}/{self.build}"

    def values(self) -> dict[str, Any]:
        """The demands as a worker without oblist can read them."""
        return {
            "oblist": version("oblist"),
            "sources": sources_fingerprint(),
            "sbcl": self.sbcl,
            "store": self.store.location,
            "mark": self.mark,
            "folders": list(self.folders),
        }


@dataclass(frozen=True, slots=True)
class _Handed:
    """A task as it was handed out."""

    task: CatalogTask
    argument: Order | SliceOrder
    results: Sequence[str | SliceOutcome]
    urgency: float


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait until the end of this, and never reach the threads and processes that begin in it.

    On a terminal it reaches all processes; this one alone decides what it means.
    """
    resource_tracker.ensure_running()  # it would unblock the signal when the first process begins
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _silence() -> None:
    """Keep Dask from logging what our messages say already; each logger has a level of its own."""
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class OnCluster:
    """A runner on Dask, which connects, or starts its processes, when it gets its first task."""

    def __init__(
        self,
        demands: Demands,
        *,
        jobs: int,
        scheduler: str | None,
        patience: float,
        refused: Callable[[str], None],
    ) -> None:
        self._demands = demands
        self._jobs = jobs
        self._scheduler = scheduler
        self._patience = patience
        self._refused = refused
        self._stack = ExitStack()
        self._client: Client | None = None
        self._admitted: dict[str, str | None] = {}
        self._handed: dict[str, _Handed] = {}
        self._new: list[str] = []
        self._futures: dict[str, Future[Any]] = {}
        self._waited_for: dict[str, dict[str, str]] = {}
        self._given_up: dict[str, Result] = {}
        self._again: Counter[str] = Counter()
        self._arrived: queue.SimpleQueue[tuple[str, Future[Any]]] = queue.SimpleQueue()
        self._results: deque[tuple[str, Result]] = deque()

    @contextmanager
    def running(self) -> Iterator[OnCluster]:
        """Leave the cluster at the end, and end what was started for it."""
        with self._stack:
            yield self

    # Handing out

    def submit(
        self,
        key: str,
        task: CatalogTask,
        argument: Any,
        results: Sequence[str | SliceOutcome],
        *,
        urgency: float = 0.0,
    ) -> None:
        """See Runner."""
        self._handed[key] = _Handed(task, argument, results, urgency)
        self._new.append(key)

    def _hand_out(self) -> None:
        """Give all new tasks to Dask, as one graph."""
        if not self._new:
            return
        client = self._connected()
        names = {key: self._name(key) for key in self._new}
        graph = {}
        for key in self._new:
            one = self._handed[key]
            before = [self._before(result, names) for result in one.results]
            self._waited_for[key] = {
                result: str(ref.key)
                for result, ref in zip(one.results, before, strict=True)
                if isinstance(result, str) and isinstance(ref, TaskRef)
            }
            graph[names[key]] = DaskTask(names[key], one.task, one.argument, *before)
        urgencies = {name: self._handed[key].urgency for key, name in names.items()}
        with annotate(priority=partial(operator.getitem, urgencies)):
            futures = client.get(graph, list(names.values()), sync=False, resources=self._resources)
        for key, future in zip(names, futures, strict=True):
            self._futures[key] = future
            self._listen(key, future)
        self._new.clear()

    def _listen(self, key: str, future: Future[Any]) -> None:
        """Tell when a task is done."""
        future.add_done_callback(lambda done: self._arrived.put((key, done)))

    def _before(self, result: str | SliceOutcome, names: dict[str, str]) -> Any:
        """What stands in the graph for the result of an earlier task."""
        if not isinstance(result, str):
            return result
        if result in self._given_up:
            return self._given_up[result]
        return TaskRef(names.get(result) or self._futures[result].key)

    def _name(self, key: str) -> str:
        # Dask learns how long tasks take by what comes before the first dash and hash.
        kind, _, rest = key.partition(" ")
        return f"oblist_{kind}-{self._demands.build}-{self._again[key]}-{rest}"

    # Taking results

    def next_result(self) -> tuple[str, Result]:
        """See Runner."""
        alone_since = time.monotonic()
        while not self._results:
            self._hand_out()
            try:
                self._take(self._arrived.get(timeout=_LOOK_SECONDS))
            except queue.Empty:
                if self._has_workers():
                    alone_since = time.monotonic()
                elif time.monotonic() - alone_since > self._patience:
                    raise ClusterError(
                        f"The scheduler {self._address} has had no usable worker for {self._patience:g} s."
                        " The finished indexes are in the store; run the command again later."
                    ) from None
        return self._results.popleft()

    def _take(self, first: tuple[str, Future[Any]]) -> None:
        """Take what has arrived: results, and tasks to be handed out again."""
        arrived = [first]
        while len(arrived) < _MOST_AT_ONCE:
            try:
                arrived.append(self._arrived.get_nowait())
            except queue.Empty:
                break
        current = [(key, future) for key, future in arrived if self._futures.get(key) is future]
        finished = [(key, future) for key, future in current if future.status == "finished"]
        self._gather(finished)
        for key, future in current:
            if future.status != "finished" and self._futures.get(key) is future:
                self._take_failure(key, future)

    def _gather(self, finished: Sequence[tuple[str, Future[Any]]]) -> None:
        if not finished:
            return
        try:
            results = self._connected().gather([future for _, future in finished], asynchronous=False)
        except (FutureCancelledError, OSError, TimeoutError) as error:
            raise self._gone() from error
        for (key, _), result in zip(finished, results, strict=True):
            self._results.append((key, result))

    def _take_failure(self, key: str, future: Future[Any]) -> None:
        """Hand out a task again that went with its worker; give up one that has failed by itself."""
        if future.status == "cancelled":
            raise self._gone()
        if future.status in ("lost", "pending"):
            # It was done, but went with its worker before it was taken: Dask runs it again by itself.
            self._listen(key, future)
            return
        error = future.exception(timeout=_GATHER_SECONDS)
        # Dask lets all fail that depend on what has failed.
        failed = [one for one, name in self._waited_for[key].items() if self._has_failed(one, name)]
        for one in failed:
            if one in self._futures and self._futures[one].status == "error":
                self._take_failure(one, self._futures[one])
        if failed or (isinstance(error, KilledWorker) and self._again[key] < _MOST_AGAIN):
            self._hand_out_again(key)
        else:
            why = f"{type(error).__name__}: {error}"
            del self._futures[key]
            self._given_up[key] = given_up(self._handed[key].argument, f"A worker failed: {why}")
            self._results.append((key, self._given_up[key]))

    def _has_failed(self, key: str, name: str) -> bool:
        """Whether Dask has failed at a task that it knew as ``name``; it may be handed out again since."""
        now = self._futures.get(key)
        return now is None or now.key != name or now.status == "error"

    def _hand_out_again(self, key: str) -> None:
        self._again[key] += 1
        del self._futures[key]
        self._new.append(key)

    # The cluster

    @property
    def admitted(self) -> int:
        """How many workers of the scheduler may take part, as far as is known."""
        return sum(reason is None for reason in self._admitted.values())

    @property
    def _resources(self) -> dict[str, float] | None:
        """What a worker must have to get a task. Workers of this machine need nothing, which is quicker."""
        return {self._demands.resource: 1} if self._scheduler else None

    @property
    def _address(self) -> str:
        return self._scheduler or "of this machine"

    def _gone(self) -> ClusterError:
        return ClusterError(
            f"The connection to the scheduler {self._address} was lost. The finished indexes are in the "
            "store; run the command again to continue."
        )

    def _connected(self) -> Client:
        if self._client is None:
            self._client = self._remote() if self._scheduler else self._local()
        elif self._client.status not in ("running", "connecting"):
            raise self._gone()
        return self._client

    def _has_workers(self) -> bool:
        """Whether there is a worker that may take part; raises ClusterError if there is no scheduler."""
        client = self._connected()
        if not self._scheduler:
            return True
        try:
            workers = client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError) as error:
            raise self._gone() from error
        return any(self._admitted.get(one, "") is None for one in workers)

    def _local(self) -> Client:
        """Processes of this machine: on the loopback interface, encrypted, without a dashboard."""
        # What is not there has nothing to say: no dashboard, and no pages of the workers' own.
        quiet: dict[str, list[str]] = {
            f"distributed.{one}.http.routes": [] for one in ("scheduler", "worker")
        }
        self._stack.enter_context(dask.config.set(quiet))
        with _no_interrupts():
            return self._started()

    def _started(self) -> Client:
        cluster = self._stack.enter_context(
            LocalCluster(
                n_workers=self._jobs,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                security=True,  # others on this machine may reach the loopback interface, too
                memory_limit=0,  # what needs memory is SBCL, which has a limit of its own
                silence_logs=logging.CRITICAL,
            )
        )
        client: Client = self._stack.enter_context(Client(cluster, set_as_default=False))
        return client

    def _remote(self) -> Client:
        scheme, _, rest = str(self._scheduler).partition("://")
        if not rest or scheme not in backends:
            raise ClusterError(
                f"{self._scheduler} is not the address of a Dask scheduler, such as tcp://HOST:8786."
            )
        _silence()
        try:
            client = Client(self._scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterError(
                f"No Dask scheduler answers at {self._scheduler}: {str(error) or 'it timed out'}. "
                "Start one with: dask scheduler"
            ) from error
        self._stack.enter_context(client)
        cloudpickle.register_pickle_by_value(admission)
        self._stack.callback(cloudpickle.unregister_pickle_by_value, admission)
        self._check_scheduler(client)
        self._admit(client)
        return client

    def _check_scheduler(self, client: Client) -> None:
        theirs, ours = client.run_on_scheduler(admission.oblist_here), version("oblist")
        if theirs != ours:
            has = f"has oblist {theirs}" if theirs else "has no oblist"
            raise ClusterError(
                f"The scheduler {self._scheduler} {has}; this machine has oblist {ours}. "
                "Install that version there."
            )

    def _admit(self, client: Client) -> None:
        """Admit the workers that are there, and those that join later; wait for the first."""
        store, demands = self._demands.store, self._demands
        store.place.write(demands.mark, b"")
        self._stack.callback(store.place.remove, demands.mark)
        client.subscribe_topic(demands.resource, self._note_admission)
        client.register_plugin(admission.Admission(demands.resource, demands.values()))
        for event in client.get_events(demands.resource):  # before the subscription began
            self._note_admission(event)
        self._stack.callback(self._leave, client)
        deadline = time.monotonic() + self._patience
        while not self.admitted:
            if time.monotonic() > deadline:
                said = (
                    "; ".join(f"{one} {reason}" for one, reason in self._admitted.items())
                    or "none has joined"
                )
                raise ClusterError(
                    f"No worker of {self._scheduler} could be admitted within {self._patience:g} s: {said}."
                )
            time.sleep(_LOOK_SECONDS / 10)

    def _note_admission(self, event: tuple[float, dict[str, Any]]) -> None:
        _, said = event
        worker, reason = said["worker"], said["reason"]
        if reason is not None and self._admitted.get(worker) != reason:
            self._refused(f"The worker {worker} {reason}. It builds nothing.")
        self._admitted[worker] = reason

    def _leave(self, client: Client) -> None:
        """Take back what the workers and the scheduler have of this build."""
        with suppress(Exception):
            client.cancel(list(self._futures.values()), force=True)
            client.unregister_worker_plugin(self._demands.resource)
