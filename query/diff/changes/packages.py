"""Compares two packages themselves: names, nicknames and documentation."""

from __future__ import annotations

from collections.abc import Iterator

from ..api import Api, ApiPackage
from ..findings import MAJOR, MINOR, PATCH, Finding

_FACET = "package"


def counterpart(package: ApiPackage, new: Api) -> ApiPackage | None:
    """The package in ``new`` with the same name, or else with one of its nicknames."""
    for name in (package.name, *package.nicknames):
        if name in new.by_name:
            return new.by_name[name]
    return None


def package_removed(package: ApiPackage) -> Finding:
    """The finding that a package is gone, with all its exports."""
    number = len(package.exports)
    exports = f", with its {number} exported symbol{'s' * (number != 1)}" if number else ""
    message = f"the package is gone{exports}"
    return Finding("package-removed", MAJOR, _FACET, message, None, package.name)


def package_added(package: ApiPackage) -> Finding:
    """The finding that a package is new."""
    number = len(package.exports)
    message = f"a new package, which exports {number} symbol{'s' * (number != 1)}"
    return Finding("package-added", MINOR, _FACET, message, None, None, package.name)


def compare_packages(old: ApiPackage, now: ApiPackage, new: Api) -> Iterator[Finding]:
    """The changes in a package's name, nicknames and documentation."""
    kept = new.by_name.get(old.name)
    if now.name != old.name:
        if kept is now:
            message = f"it is now called {now.name}; {old.name} is a nickname"
            yield Finding("package-renamed", MINOR, _FACET, message, None, old.name, now.name)
        else:
            message = f"it is now called {now.name}, and {old.name} no longer names it"
            yield Finding("package-renamed", MAJOR, _FACET, message, None, old.name, now.name)
    for nickname in old.nicknames:
        owner = new.by_name.get(nickname)
        if owner is not now:
            message = f"its nickname {nickname} " + (f"now belongs to {owner.name}" if owner else "is gone")
            yield Finding("nickname-removed", MAJOR, _FACET, message, nickname, nickname)
    for nickname in now.nicknames:
        if nickname not in (*old.nicknames, old.name):
            message = f"it has a new nickname {nickname}"
            yield Finding("nickname-added", MINOR, _FACET, message, nickname, None, nickname)
    if (old.documentation or None) != (now.documentation or None):
        texts = old.documentation, now.documentation
        yield Finding("documentation", PATCH, _FACET, "its documentation changed", None, *texts)
