"""The rule missing-system."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..described import Rule

RULE = Rule("missing-system", "warning", __file__, remark_in_prose=True)
_FIRST_PART = re.compile(r"[^./]+")


def message(no_package: str, why: str) -> str:
    """The message about a package that is missing, with what is known of its system."""
    return f"{no_package}: {why}"


def counted(first: str, count: int) -> str:
    """The message for ``count`` findings about one package in a file, made from the first one's."""
    return f"{first} ({count} names in this file)" if count > 1 else first


class MissingSystems:
    """The systems that are not in the index, by the packages that may be theirs."""

    def __init__(self, missing: Mapping[str, str]) -> None:
        """``missing`` are the names of systems, each with what is known of it."""
        self._known = {_bare(name): said for name, said in missing.items()}

    def why(self, package: str) -> str | None:
        """What is known of the system that would define a package; None if none is missing that might."""
        return self._known.get(_bare(package)) or self._known.get(_bare(_first(package)))


def _first(name: str) -> str:
    """The part of a package's name that may be its system's: ``LACK`` of ``LACK.UTIL``."""
    match = _FIRST_PART.match(name)
    return match[0] if match is not None else name


def _bare(name: str) -> str:
    """The name of a package or system in a form in which the two are often equal."""
    return name.upper().removeprefix("CL-").removesuffix("/TESTS").removesuffix("/TEST")
