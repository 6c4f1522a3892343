"""The local names that the dumper leaves out of an index: variables, functions, blocks and tags."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from oblist.indexer.format import user_cache_folder
from oblist.lisp.sbcl import DUMPER, PREPARE, Sbcl, compiled_code, load_form, sbcl_arguments
from support.image import run_image

_SCRIPT = Path(__file__).parent / "lisp" / "local_names.lisp"


def local_names(sbcl: Sbcl, systems: Sequence[str], output: Path) -> set[tuple[str, int, int]]:
    """File, offset and length of each name that a dump of an image with ``systems`` takes to be local."""
    code = compiled_code(sbcl, user_cache_folder())
    loaded = [f'(asdf:load-system "{system}")' for system in systems]
    forms = ['(require "ASDF")', *loaded] if systems else []
    forms += [load_form(code / PREPARE), '(require "SB-INTROSPECT")', "(oblist::take-baseline)"]
    asked = " ".join(f'"{system}"' for system in systems)
    forms += [load_form(code / DUMPER), f"(setf oblist::*asked-systems* '({asked}))", load_form(_SCRIPT)]
    run_image(sbcl_arguments(sbcl, forms), {"LOCAL_NAMES": str(output)})
    lines = output.read_text(encoding="utf-8").splitlines()
    found = [line.rsplit("\t", 2) for line in lines]
    return {(path, int(start), int(length)) for path, start, length in found}
