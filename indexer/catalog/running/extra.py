"""The packages for building on several workers, which an extra installs."""

from __future__ import annotations

from importlib.util import find_spec

from ...errors import IndexerError

_NEEDED = ("distributed", "cryptography")


class MissingClusterError(IndexerError):
    """The packages for building on several workers are not installed."""


def require_cluster(option: str) -> None:
    """Raise MissingClusterError unless what ``option`` needs is installed."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise MissingClusterError(
            f"{option} needs {' and '.join(missing)}. Install it with: pip install 'oblist[cluster]'"
        )
