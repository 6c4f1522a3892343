"""A library that waits while it is loaded, so that a build can be killed in the midst of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from support.catalogs.comparing import arguments, seeded
from support.command_line import run_main

_SECONDS = 150.0
# `late` comes after it, in the order in which one process makes them.
_SYSTEMS = ("early", "held", "late")
_HELD = """(with-open-file (out "{here}/waiting" :direction :output
                     :if-exists :append :if-does-not-exist :create)
  (format out "~D~%" (sb-unix:unix-getpid)))
(loop until (probe-file "{here}/go") do (sleep 0.02))
"""


class Held:
    """Three libraries without dependencies, of which ``held`` loads once it is let go; and their catalog."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._go, self._waiting = folder / "go", folder / "waiting"
        for name in _SYSTEMS:
            place = folder / "sources" / name
            place.mkdir(parents=True)
            (place / f"{name}.asd").write_text(f'(defsystem "{name}" :components ((:file "{name}")))\n')
            waits = _HELD.format(here=folder) if name == "held" else ""
            (place / f"{name}.lisp").write_text(
                f'(defpackage "{name.upper()}" (:use "CL") (:export "FROM-{name.upper()}"))\n'
                f'(in-package "{name.upper()}")\n{waits}(defun from-{name} (x) (list x))\n'
            )
        self._go.touch()
        self.whole = folder / "whole.db"
        seeded(folder / "whole-store")
        assert run_main(*self.arguments(folder / "whole")).code == 0

    def arguments(self, target: Path, *options: str) -> list[str]:
        """The arguments of a build of them."""
        return arguments([self.folder / "sources"], target, *options)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Have builds wait in the library until ``let_go``, or the end."""
        self._go.unlink(missing_ok=True)
        self._waiting.unlink(missing_ok=True)
        try:
            yield
        finally:
            self.let_go()

    def let_go(self) -> None:
        """Let the library be loaded."""
        self._go.touch()

    def waiting(self) -> set[int]:
        """The processes that are, or were, held: SBCLs, some of which compile for another."""
        return set(map(int, self._waiting.read_text().split())) if self._waiting.exists() else set()


def until(found: Callable[[], object], running: Callable[[], bool] = lambda: True) -> None:
    """Wait until ``found`` returns something true, while ``running`` does."""
    deadline = time.monotonic() + _SECONDS
    while not found():
        assert running(), "it ended before"
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.02)
