"""An index of an image with contract_sample.lisp loaded."""

from __future__ import annotations

import shutil
from pathlib import Path

from support.builds.build_cache import kept
from support.builds.system_builds import build_with_system
from support.live import LISP_SOURCES

SAMPLE = "CONTRACT-SAMPLE"
_SOURCE = LISP_SOURCES / "contract_sample.lisp"


def contract_sample() -> tuple[Path, Path]:
    """The index, and the sample's source file where it was loaded from."""
    folder = kept("contract-sample", _build, [_SOURCE])
    return folder / "oblist.db", folder / _SOURCE.name


def _build(folder: Path) -> None:
    shutil.copy(_SOURCE, folder)
    (folder / "contract-sample.asd").write_text(
        '(asdf:defsystem "contract-sample" :components ((:file "contract_sample")))\n'
    )
    build_with_system("contract-sample", folder, folder / "oblist.db")
