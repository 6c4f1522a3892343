"""The images that slices are made from: bases, surveys and releases."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from oblist.lisp.images import Setup
from oblist.lisp.slices import Surroundings, start_slice, start_slice_base

from ...errors import ImageError
from ...image import Image, ImagePlan
from .sent import SentSources

_SAVING_SECONDS = 120.0
_NOTHING: Mapping[str, str] = {}


class _PatientImage(Image):
    """An SBCL that has a second chance: what ended the first may have come from outside.

    Nothing that a release depends on, or defines, may be missing because somebody was short of memory.
    """

    _had_its_chance = False

    def _note_fatal(self, error: ImageError) -> bool:
        if self._had_its_chance:
            return super()._note_fatal(error)
        self._had_its_chance = True
        return True


class _BaseImage(_PatientImage):
    """An SBCL that loads ``systems`` and saves itself as ``core``."""

    def __init__(self, around: Surroundings, core: Path, systems: Sequence[str]) -> None:
        self._core = core
        self._start(
            ImagePlan(around.sbcl, systems, Setup(seconds=around.seconds)),
            lambda records, output, earlier: start_slice_base(
                around, core, systems, records, output, earlier=earlier
            ),
        )

    def wait_until_saved(self) -> None:
        """Wait until the core is saved; raises ImageError."""
        for _ in self._lines():
            pass
        if not self._core.exists():
            raise ImageError("SBCL saved no image of what the release depends on.", self.printed_last())

    def _ends_well(self) -> bool:
        # The stream ends before the core is written.
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SAVING_SECONDS)
        return self._process.returncode == 0 and self._core.exists()


def save_base(around: Surroundings, core: Path, systems: Sequence[str]) -> None:
    """Have an SBCL load ``systems`` and save itself as ``core``; raises ImageError."""
    image = _BaseImage(around, core, systems)
    with image:
        image.wait_until_saved()


class SliceImage(_PatientImage):
    """The base saved as ``core``, which dumps what the systems of ``definition`` bring, or surveys them."""

    def __init__(
        self,
        around: Surroundings,
        core: Path,
        definition: Path,
        *,
        survey: bool = False,
        omitted: Mapping[str, str] = _NOTHING,
        sources: SentSources | None = None,
    ) -> None:
        """With ``sources``, the records have the paths of the machine that sent these."""
        self._sources = sources
        self._start(
            ImagePlan(around.sbcl, (), Setup(seconds=around.seconds)),
            lambda records, output, earlier: start_slice(
                around,
                core,
                definition,
                records,
                output,
                survey=survey,
                omitted=omitted,
                earlier=earlier,
            ),
        )

    def _lines(self) -> Iterator[bytes]:
        lines = super()._lines()
        return map(self._sources.original_line, lines) if self._sources else lines
