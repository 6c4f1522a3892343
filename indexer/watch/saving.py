"""Save the image of a project for the values of its variables, in a thread beside the refreshes."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from oblist.lisp.build_records import BuildRecord
from oblist.lisp.images import Setup

from ..build.snapshot import core_to_save, keep_core, keep_record
from ..errors import CancelledError, ImageError
from ..layers.core_and_index import Layer
from ..refresh.project import RefreshImage

_SECONDS = 120.0


class Saving:
    """An image that loads the project and is saved; it starts at once."""

    def __init__(
        self,
        base: Layer,
        index: Path,
        systems: Sequence[str],
        setup: Setup,
        loaded: Iterable[str],
        plan: Path | None,
    ) -> None:
        """Start saving; ``index`` is the index that the values belong to.

        ``loaded`` and ``plan`` are those of the last refresh (RefreshImage).
        """
        self._base = base
        self._systems = systems
        self._setup = setup
        self._loaded = loaded
        self._plan = plan
        self._build_id = secrets.token_hex(16)
        self._record = BuildRecord.of(self._build_id, index, base.sbcl, systems, setup)
        self._cancelled = threading.Event()
        self._kept = False
        self._thread = threading.Thread(target=self._save, name="oblist values", daemon=True)
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """Whether the saving has ended, with or without success."""
        return not self._thread.is_alive()

    def cancel(self, seconds: float | None = None) -> None:
        """Cancel the saving, and wait until it has ended, for ``seconds`` at most."""
        self._cancelled.set()
        self._thread.join(seconds)

    def result(self) -> str | None:
        """Wait until the saving has ended; return the build id of its record, or None if it was not kept.

        The record has the image, or the reason why it cannot be saved: the next watch need not try.
        """
        self._thread.join()
        return self._build_id if self._kept else None

    def _save(self) -> None:
        with core_to_save(True) as core:
            if core is None:
                return
            try:
                # The last refresh has deleted the fasls of earlier sources.
                with RefreshImage(
                    self._base,
                    self._systems,
                    self._setup,
                    changed=(),
                    loaded=self._loaded,
                    plan=self._plan,
                    core=core,
                    cancelled=self._cancelled,
                ) as image:
                    ended = image.wait(_SECONDS)
                    why_not = image.no_snapshot()
            except (ImageError, CancelledError):
                return
            if ended and not self._cancelled.is_set():
                reason = keep_record(self._record, True)
                if not reason:
                    keep_core(self._record, core, why_not)
                    self._kept = True
