"""Which workers of a cluster may take part: those that would make what this machine would.

A worker that may not is left as it is, for others to use: a build's tasks ask for a resource that only
admitted workers have. Dask sends this module to the workers as it is, since a worker may have no oblist, or
another one: nothing here may import oblist before that is known.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import Sequence
from typing import Any

from distributed import WorkerPlugin


class Admission(WorkerPlugin):
    """Admits a worker, or says why not; each worker runs this when it joins."""

    def __init__(self, resource: str, demands: dict[str, Any]) -> None:
        self.name = resource
        self._demands = demands

    async def setup(self, worker: Any) -> None:
        """Let the worker take tasks if it can do what they demand; the client hears the reason if not."""
        reason = await asyncio.to_thread(refusal, self._demands)
        if reason is None:
            await worker.set_resources(**{self.name: worker.state.nthreads})
        worker.log_event(self.name, {"worker": worker.address, "reason": reason})

    async def teardown(self, worker: Any) -> None:
        """Give the worker no more tasks of this build."""
        await worker.set_resources(**{self.name: 0})


def refusal(demands: dict[str, Any]) -> str | None:
    """Why this process may not take part, or None; ``demands`` are those of ``Demands.values``."""
    try:
        return _of_oblist(demands) or _of_sbcl(demands) or _of_files(demands)
    except Exception as error:  # noqa: BLE001 - a broken worker must not end the build
        return f"could not be checked: {str(error) or type(error).__name__}"


def _of_oblist(demands: dict[str, Any]) -> str | None:
    try:
        theirs = importlib.metadata.version("oblist")
    except importlib.metadata.PackageNotFoundError:
        return f"has no oblist (this machine has oblist {demands['oblist']})"
    if theirs != demands["oblist"]:
        return f"has oblist {theirs} (this machine has oblist {demands['oblist']})"
    from oblist.lisp.sbcl import sources_fingerprint

    if sources_fingerprint() != demands["sources"]:
        return f"has a different build of oblist {theirs}: its sources differ from those here"
    return None


def _of_sbcl(demands: dict[str, Any]) -> str | None:
    from oblist.lisp.sbcl import SbclError, find_sbcl

    try:
        theirs = find_sbcl().version
    except SbclError as error:
        return f"has no usable SBCL (this machine has SBCL {demands['sbcl']}): {str(error).removesuffix('.')}"
    if theirs != demands["sbcl"]:
        return f"has SBCL {theirs} (this machine has SBCL {demands['sbcl']})"
    return None


def _of_files(demands: dict[str, Any]) -> str | None:
    from pathlib import Path

    from ..store.results import Store

    store = Store(demands["store"])
    if not store.place.exists(demands["mark"]):
        return f"cannot see the store {store.location}: share that folder, or name a bucket with --store"
    missing = _missing(map(Path, demands["folders"]))
    if missing:
        return f"cannot see the sources in {missing[0]}: share that folder, or use --send-sources"
    return None


def _missing(folders: Any) -> Sequence[Any]:
    return [folder for folder in folders if not folder.is_dir()]


def oblist_here() -> str | None:
    """The version of oblist in this process; None if there is none."""
    try:
        return importlib.metadata.version("oblist")
    except importlib.metadata.PackageNotFoundError:
        return None
