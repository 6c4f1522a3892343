"""The newest releases that a catalog has of the libraries in an index."""

from __future__ import annotations

from ..catalog.release_names import label, releases_called
from ..diff.scope import primary_name
from ..diff.versions import parse_version
from ..index.not_found import NotFound
from ..index.reading import Reading
from . import sql
from .sql import ForecastSystemRow


def newest_releases(index: Reading, catalog: Reading) -> list[str]:
    """The releases, as one types them, of libraries that the index has in another version.

    A library whose version is unknown in either is included; one that is older in the catalog is not.
    """
    found = []
    for row in map(ForecastSystemRow._make, index.rows(sql.SYSTEMS)):
        if row.asked or primary_name(row.name) != row.name:
            continue
        releases = releases_called(catalog, row.name)
        if isinstance(releases, NotFound) or not releases[0].slice:
            continue
        newest = releases[0]
        if newest.name != row.name:  # the release has it in it, such as SBCL has ASDF
            continue
        have, there = parse_version(row.version), parse_version(newest.version)
        if have is None or there is None or there > have:
            found.append(label(newest.name, newest.version))
    return [*dict.fromkeys(found)]
