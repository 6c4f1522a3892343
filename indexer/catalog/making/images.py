"""The images that slices are made from: bases, surveys and releases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from oblist.lisp.images import Setup
from oblist.lisp.slices import SliceSurroundings, start_slice

from ...errors import ImageError
from ...image import Image, ImagePlan
from .sent import SentSources


class SliceImage(Image):
    """The layer saved as ``core``, which does a ``task`` (lisp/slices.py), and has a second chance.

    What ended the first may have come from outside. Nothing that a release depends on, or defines, may be
    missing because somebody was short of memory.
    """

    _had_its_chance = False

    def __init__(
        self,
        around: SliceSurroundings,
        core: Path,
        task: Mapping[str, str],
        definition: Path | None = None,
        sources: SentSources | None = None,
    ) -> None:
        """With ``sources``, the records have the paths of the machine that sent these."""
        self._sources = sources
        self._start(
            ImagePlan(around.sbcl, (), Setup(seconds=around.seconds)),
            lambda records, output, earlier: start_slice(
                around, core, task, definition, records, output, earlier
            ),
        )

    def _note_fatal(self, error: ImageError) -> bool:
        if self._had_its_chance:
            return super()._note_fatal(error)
        self._had_its_chance = True
        return True

    def _lines(self) -> Iterator[bytes]:
        lines = super()._lines()
        return map(self._sources.original_line, lines) if self._sources else lines
