"""Where the HyperSpec and SBCL's manual are: copies on this machine, or the public ones."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from .hyperspec import page_address, symbol_pages
from .manual import anchors_in, listed_anchors

HYPERSPEC_VARIABLE = "OBLIST_HYPERSPEC"
MANUAL_VARIABLE = "OBLIST_SBCL_MANUAL"
PUBLIC_HYPERSPEC = "https://www.lispworks.com/documentation/HyperSpec/"
PUBLIC_MANUAL = "https://www.sbcl.org/manual/"
DEBIAN_MANUAL = Path("/usr/share/doc/sbcl/sbcl.html")  # of the package sbcl-doc
_STANDARD = "COMMON-LISP"


def hyperspec_root(given: str | None = None) -> str:
    """Return the address of the HyperSpec, with a slash at its end: of the copy, or of the public one.

    ``given`` is the copy, by default OBLIST_HYPERSPEC: its address, or the folder that contains its folder
    Body. If the folder contains no Body, the public one is used.
    """
    text = given or os.environ.get(HYPERSPEC_VARIABLE, "")
    if "://" in text:
        return text.rstrip("/") + "/"
    folder = _copy(text) if text else None
    return folder or PUBLIC_HYPERSPEC


@lru_cache(maxsize=8)
def _copy(text: str) -> str | None:
    folder = Path(text).expanduser().absolute()
    if folder.name == "Body":
        folder = folder.parent
    return f"{folder.as_uri()}/" if (folder / "Body").is_dir() else None


def why_public(given: str | None = None) -> str | None:
    """Say why links lead to the public HyperSpec although a copy is named; None if they do not."""
    text = given or os.environ.get(HYPERSPEC_VARIABLE, "")
    if not text or hyperspec_root(given) != PUBLIC_HYPERSPEC or "://" in text:
        return None
    return f"{text} has no folder Body, so the links are to the public HyperSpec"


def hyperspec_link(page: str, given: str | None = None) -> str:
    """Return the link to a page of the HyperSpec; ``given`` is as for hyperspec_root."""
    return hyperspec_root(given) + page_address(page)


def symbol_link(name: str, package: str) -> str | None:
    """Return the link to the page of a symbol by its exact name and home package; None if it has none."""
    if package != _STANDARD or not (page := symbol_pages().get(name.lower())):
        return None
    return hyperspec_link(page)


def manual_link(name: str, package: str, given: str | None = None) -> str | None:
    """Return the link to a symbol's description in SBCL's manual, by its name and package; None without any.

    ``given`` is a copy of the manual, by default OBLIST_SBCL_MANUAL, else Debian's: its file or its address.
    """
    key = package.lower(), name.lower()
    text = given or os.environ.get(MANUAL_VARIABLE, "")
    if "://" not in text:
        path = Path(text).expanduser().absolute() if text else DEBIAN_MANUAL
        try:
            if (anchor := anchors_in(path).get(key)) is not None:
                return f"{path.as_uri()}#{anchor}"
        except OSError:
            pass  # there is none: the public one is as good
    if (anchor := listed_anchors().get(key)) is None:
        return None
    return f"{text if '://' in text else PUBLIC_MANUAL}#{anchor}"
