"""The first index of a project, without which a setup is of no use."""

from __future__ import annotations

from collections.abc import Callable

from ..processes.build import BuildOutcome, BuildProcess
from .place import SetupPlace

_SECONDS = 3_600.0


def build_first_index(place: SetupPlace, stage: Callable[[str], None]) -> BuildOutcome:
    """Build the index of the project, which runs its code; ``stage`` is called with what is being done."""
    arguments = [f"--project={place.project}", f"--output={place.index}"]
    return BuildProcess(arguments).run(stage, _SECONDS)
