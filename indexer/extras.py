"""The extras of oblist, as in ``pip install 'oblist[lsp]'``: how to say that one is missing."""

from __future__ import annotations


class MissingExtraError(Exception):
    """Packages that an extra installs are missing; the message says how to install them."""


def require(what: str, extra: str, *modules: str) -> None:
    """Raise MissingExtraError unless the modules that ``what`` needs from an extra are installed."""
    from importlib.util import find_spec

    missing = []
    for module in modules:
        try:
            found = find_spec(module) is not None
        except ModuleNotFoundError:  # the package that it is in
            found = False
        if not found:
            missing.append(module.rpartition(".")[2])
    if missing:
        needed = " and ".join(missing)
        raise MissingExtraError(f"{what} needs {needed}. Install with: pip install 'oblist[{extra}]'")
