"""Texts of files that an index names. It may come from anybody, and may name any file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from oblist.indexer.format import user_cache_folder
from oblist.indexer.source_text import LISP_ENDINGS, MOST_BYTES, decoded, octets_below

from .roots import folder_of


class NamedTexts:
    """The present texts of Lisp files that one index names.

    Once all links are followed, they are below the folder of the index, or below a root that the user gave;
    or the index was built here.
    """

    def __init__(self, index: Path, build_id: str, roots: Sequence[str]) -> None:
        """``index`` is its path, ``roots`` the present folders of the roots that were given."""
        self._index = os.path.realpath(index)
        self._build_id = build_id
        self._roots = roots

    def read(self, path: str) -> str:
        """The text at a path of this machine. Raises OSError, a PermissionError if it is not theirs."""
        real = Path(os.path.realpath(path))
        if not real.name.lower().endswith(LISP_ENDINGS):
            raise PermissionError(None, "it does not have the name of a Lisp file")
        folder = next((one for one in self._folders if real.is_relative_to(one)), None)
        if folder is None and not self._is_built_here():
            raise PermissionError(None, "it is outside of the folder of an index that was not built here")
        return decoded(octets_below(folder or Path(real.anchor), real, MOST_BYTES))

    @cached_property
    def _folders(self) -> list[Path]:
        beside = folder_of(self._index) or Path(self._index).parent
        home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - Path.home raises without one
        # An index that was put into the home folder is not one of all that is below.
        own = [] if home.is_relative_to(beside) else [beside]
        return [*(Path(root).expanduser().resolve() for root in self._roots), *own]

    def _is_built_here(self) -> bool:
        """Whether the user's own records say that this build is of this file: a copy has the same number."""
        from oblist.lisp.build_records import BuildRecords

        try:
            record = BuildRecords(user_cache_folder()).find(self._build_id)
        except RuntimeError:  # a user without a home folder has no cache either
            return False
        return record is not None and os.path.realpath(record.index) == self._index
