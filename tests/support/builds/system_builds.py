"""Index a system that tests wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.indexer.build.index import build_index
from oblist.indexer.image import ImagePlan
from oblist.lisp.sbcl import Sbcl
from support.builds.build_cache import tested_sbcl


def build_with_system(system: str, folder: Path, output: Path, sbcl: Sbcl | None = None) -> None:
    """Index an image with ``system``, whose definition and compiled files are in ``folder``."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CL_SOURCE_REGISTRY", f"{folder}:")
        environment.setenv("ASDF_OUTPUT_TRANSLATIONS", f"{folder}/:{folder / 'compiled'}/:")
        summary = build_index(output, ImagePlan(sbcl or tested_sbcl(), (system,)), command="tests")
    assert summary.not_loaded == []
