"""The licences of all packages that oblist and its extras install, from the packages themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = ("browse", "lsp", "scip", "cluster")
# As packages write the names of licences, and as SPDX does.
_SHORT = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
}


class Licensed(NamedTuple):
    """A package, with its licence and what it says it is for."""

    name: str
    licence: str
    summary: str


def packages(extra: str = "") -> dict[str, Licensed]:
    """The packages that `oblist` installs, or with an extra, `oblist[extra]`, by their names."""
    found: dict[str, Licensed] = {}
    waiting = [Requirement(f"oblist[{extra}]" if extra else "oblist")]
    asked = set()
    while waiting:
        one = waiting.pop()
        key = (canonicalize_name(one.name), *sorted(one.extras))
        if key in asked:
            continue
        asked.add(key)
        installed = distribution(one.name)
        found[key[0]] = Licensed(key[0], _licence(installed), installed.metadata.get("Summary") or "")
        waiting += _requirements(installed, one.extras)
    del found["oblist"]
    return found


def _requirements(installed: Distribution, extras: Iterable[str]) -> Iterator[Requirement]:
    for line in installed.requires or ():
        required = Requirement(line)
        marker = required.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield required


def _licence(installed: Distribution) -> str:
    """What a package says of its licence: an expression, else classifiers, else the name that it gives."""
    metadata = installed.metadata
    # Without a key, some versions of this mapping return None, and others raise KeyError.
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classifiers = [one.split(" :: ") for one in metadata.get_all("Classifier") or ()]
    # "License :: Public Domain", or "License :: OSI Approved :: MIT License"; not the latter's middle alone.
    named = [one[-1] for one in classifiers if one[0] == "License" and one[1:] != ["OSI Approved"]]
    told = named or (metadata.get("License") or "unknown").splitlines()[:1]
    return " AND ".join(_SHORT.get(one, one) for one in told)


def is_copyleft_only(licence: str) -> bool:
    """Whether a licence is of the GPL's family, with no other to choose."""
    choices = re.split(r"\s+OR\s+", licence)
    return all(re.search(r"GPL|General Public", choice) for choice in choices)


def licences_page(notice: str) -> str:
    """The page, with a table of the base install and one of each extra."""
    base = packages()
    lines = [
        notice,
        "# Licences",
        "",
        "oblist is licensed under the MIT licence. The tables list the packages that are installed with",
        "oblist on Linux, and the licences that these packages declare. Other systems may need other",
        "packages.",
        "",
        *_table("The base install", base),
    ]
    for extra in EXTRAS:
        more = {name: one for name, one in packages(extra).items() if name not in base}
        lines += _table(f"The extra `{extra}`", more)
    return "\n".join(lines).rstrip() + "\n"


def _table(title: str, listed: dict[str, Licensed]) -> Iterator[str]:
    yield from [f"## {title}", "", "| package | licence | what it is |", "|---|---|---|"]
    for name in sorted(listed):
        one = listed[name]
        summary = one.summary.replace("|", "/").strip()
        yield f"| {one.name} | {one.licence} | {summary} |"
    yield ""
