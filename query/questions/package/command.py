"""The command ``package``."""

from __future__ import annotations

from ...terminal.opening import opened
from ...terminal.printing import finish, lazily
from ...terminal.question_command import ask, asks
from .parameters import PackageParameters
from .text import package_text


@asks(PackageParameters)
def package(asked: PackageParameters, path: str | None, as_json: bool) -> None:
    """List the exports of the package NAME, with their lambda lists and a line of documentation each."""
    people = lazily(".questions.package.people:package_people", match=asked.match)
    with opened(path) as index:
        finish(ask(index, asked), as_json, package_text, people, asked=asked.name, upcase=index.upcase)
