"""Errors of the indexer: one root, and a child for each cause that the user can act on."""

from __future__ import annotations

from pathlib import Path

from oblist.lisp.images import Libraries


class IndexerError(Exception):
    """A build failed; the message says why and what to do."""


class LockedError(IndexerError):
    """Another process is building the same index."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(
            f"{path} is being built by {holder}. Wait until it is done, or build elsewhere with --output."
        )
        self.path = path
        self.holder = holder


class WatchedError(IndexerError):
    """Another process is following the sources with the same index."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"{path} is already kept up to date by {holder}.")


class NotWatchableError(IndexerError):
    """The sources cannot be watched, or no longer can."""


class ImageError(IndexerError):
    """SBCL died, hung, or sent something other than a record; ``output`` is the end of what it printed."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class CoreNotSavedError(ImageError):
    """SBCL saved no core for others to start from; why is in the message."""


class CancelledError(IndexerError):
    """SBCL was ended because nobody wants its result any more."""

    def __init__(self) -> None:
        super().__init__("SBCL was stopped because its result is no longer needed.")


class RecordError(IndexerError):
    """A line from SBCL that is not a record of the expected shape."""


class OutputError(IndexerError):
    """The index could not be written: disk full, no permission, a folder in the way."""


class CacheError(IndexerError):
    """The user's cache cannot be written; ``reason`` is what the system says, with the folder."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The cache cannot be written to: {reason}. "
            "Make room (oblist cache shows what is there), or set XDG_CACHE_HOME to another folder."
        )


class ContradictionError(IndexerError):
    """The new index contradicts itself; it was not published."""

    def __init__(self, contradictions: list[str]) -> None:
        shown = "; ".join(contradictions[:3])
        more = f"; and {len(contradictions) - 3} more" if len(contradictions) > 3 else ""
        super().__init__(f"The new index is inconsistent and was not published: {shown}{more}")
        self.contradictions = contradictions


class UnfitLayerError(IndexerError):
    """A layer does not do for what is loaded above it: that changed what nothing above tells again."""


class OtherLibrariesError(UnfitLayerError):
    """What is to be loaded above a layer needs ``libraries``, and the layer has others."""

    def __init__(self, libraries: Libraries) -> None:
        super().__init__("The project needs libraries other than those in the layer.")
        self.libraries = libraries
