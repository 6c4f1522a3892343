"""The sample project, for tests that index it often."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.checkout import ROOT
from support.live import LISP_SOURCES

SAMPLE = ROOT / "data" / "sample"
_STAND_IN = LISP_SOURCES / "http"


def with_small_libraries(environment: pytest.MonkeyPatch) -> Path:
    """The folder of the sample; the libraries that it needs are small ones of the same names from now on.

    The real ones are six times as much as the sample and SBCL's own names: each layer, each build and each
    comparison would take three times as long.
    """
    environment.setenv("CL_SOURCE_REGISTRY", f"{_STAND_IN}:")
    return SAMPLE
