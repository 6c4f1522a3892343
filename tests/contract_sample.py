"""An index of an image with contract_sample.lisp loaded."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from live import LISP_SOURCES
from package_graph import build_with_system

from oblist.lisp.sbcl import Sbcl

SAMPLE = "CONTRACT-SAMPLE"


def build_sample(sbcl: Sbcl, folder: Path) -> tuple[Path, Path]:
    """The index, and the sample's source file where it was loaded from."""
    source, index = folder / "contract_sample.lisp", folder / "oblist.db"
    shutil.copy(LISP_SOURCES / source.name, source)
    (folder / "contract-sample.asd").write_text(
        '(asdf:defsystem "contract-sample" :components ((:file "contract_sample")))\n'
    )
    with pytest.MonkeyPatch.context() as environment:
        build_with_system(sbcl, "contract-sample", folder, environment, index)
    return index, source
