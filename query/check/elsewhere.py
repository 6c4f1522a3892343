"""What the catalog has on packages that a check found missing."""

from __future__ import annotations

from dataclasses import replace

from ..catalog.elsewhere import packages_elsewhere
from .findings import SourceFinding


def with_elsewhere(findings: list[SourceFinding], catalog: str | None) -> list[SourceFinding]:
    """``findings``, each with the release that defines its package, if there is a catalog that has one.

    ``catalog`` is the path that was given for it, if any.
    """
    missing = {one.package for one in findings if one.package}
    found = packages_elsewhere(missing, catalog) if missing else {}
    return [replace(one, elsewhere=found[one.package]) if one.package in found else one for one in findings]
