"""Texts of files that an index names. An index may come from anybody, and may name any file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from oblist.indexer.format import user_cache_folder
from oblist.indexer.source_text import LISP_ENDINGS, MOST_BYTES, decoded, octets_below

from .own_folder import own_folder
from .reading import Reading


def named_text(index: Reading, path: str) -> str:
    """The present text of a Lisp file that the index names, at its path on this machine.

    Once all links are followed, it must be below the folder of the index, or below a root that the user gave;
    or the index must have been built here. Raises OSError, a PermissionError if it is none of these.
    """
    real = Path(os.path.realpath(path))
    if not real.name.lower().endswith(LISP_ENDINGS):
        raise PermissionError(None, "its name is not that of a Lisp file")
    folder = next((one for one in _folders(index) if real.is_relative_to(one)), None)
    if folder is None and not _is_built_here(index):
        raise PermissionError(None, "it is outside the folder of the index, which was not built here")
    return decoded(octets_below(folder or Path(real.anchor), real, MOST_BYTES))


def _folders(index: Reading) -> Iterator[Path]:
    yield from (Path(root).expanduser().resolve() for root in index.given_roots)
    beside = own_folder(index) or Path(os.path.realpath(index.path)).parent
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - Path.home raises without one
    # An index that was put into the home folder is not one of all that is below.
    if not home.is_relative_to(beside):
        yield beside


def _is_built_here(index: Reading) -> bool:
    """Whether the user's own records say that this build is of this file: a copy has the same number."""
    from oblist.lisp.build_records import BuildRecords

    try:
        record = BuildRecords(user_cache_folder()).find(index.facts.get("build_id", ""))
    except RuntimeError:  # a user without a home folder has no cache either
        return False
    return record is not None and os.path.realpath(record.index) == os.path.realpath(index.path)
