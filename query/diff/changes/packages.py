"""Two packages compared as such: their names, nicknames and documentation."""

from __future__ import annotations

from collections.abc import Iterator

from ..api import Api, ApiPackage
from ..findings import MAJOR, MINOR, PATCH, Finding

_FACET = "package"


def counterpart(package: ApiPackage, new: Api) -> ApiPackage | None:
    """What became of a package: the one that answers to its name, else to one of its nicknames."""
    for name in (package.name, *package.nicknames):
        if name in new.by_name:
            return new.by_name[name]
    return None


def package_removed(package: ApiPackage) -> Finding:
    """The package is gone, with all that it exported."""
    number = len(package.exports)
    message = f"the package is gone, with its {number} exported symbol{'s' * (number != 1)}"
    return Finding("package-removed", MAJOR, _FACET, message, None, package.name)


def package_added(package: ApiPackage) -> Finding:
    """There is a package that was not there."""
    number = len(package.exports)
    message = f"a new package, which exports {number} symbol{'s' * (number != 1)}"
    return Finding("package-added", MINOR, _FACET, message, None, None, package.name)


def compare_packages(old: ApiPackage, now: ApiPackage, new: Api) -> Iterator[Finding]:
    """The changes of the names that a package goes by, and of its documentation."""
    kept = new.by_name.get(old.name)
    if now.name != old.name:
        if kept is now:
            message = f"it is called {now.name}; {old.name} is a nickname"
            yield Finding("package-renamed", MINOR, _FACET, message, None, old.name, now.name)
        else:
            message = f"it is called {now.name}, and {old.name} names no package"
            yield Finding("package-renamed", MAJOR, _FACET, message, None, old.name, now.name)
    for nickname in old.nicknames:
        owner = new.by_name.get(nickname)
        if owner is not now:
            message = f"its nickname {nickname} " + (f"is {owner.name}'s" if owner else "is gone")
            yield Finding("nickname-removed", MAJOR, _FACET, message, nickname, nickname)
    for nickname in now.nicknames:
        if nickname not in (*old.nicknames, old.name):
            message = f"it has the nickname {nickname}"
            yield Finding("nickname-added", MINOR, _FACET, message, nickname, None, nickname)
    if (old.documentation or None) != (now.documentation or None):
        texts = old.documentation, now.documentation
        yield Finding("documentation", PATCH, _FACET, "its documentation changed", None, *texts)
