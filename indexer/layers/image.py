"""An image that starts from a layer, loads more, and dumps what is newer."""

from __future__ import annotations

from pathlib import Path

from oblist.lisp.images import start_above

from ..image import Image, ImagePlan
from .core_and_index import Layer


class ImageAbove(Image):
    """An SBCL that starts from a layer and loads what its plan says; otherwise like any Image."""

    def __init__(
        self,
        base: Layer,
        plan: ImagePlan,
        snapshot: Path | None = None,
        *,
        asdf: bool = False,
        layer: bool = False,
    ) -> None:
        """``asdf`` says that ASDF is loaded in any case; ``snapshot`` and ``layer`` are as for Image."""
        self._start(
            plan,
            lambda records, output, earlier: start_above(
                base.sbcl,
                base.code,
                base.core,
                plan.systems,
                plan.setup,
                records,
                output,
                asdf=asdf,
                snapshot=snapshot,
                layer=layer,
                libraries=plan.libraries,
                settled=plan.settled,
                earlier=earlier,
            ),
        )
