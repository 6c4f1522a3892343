"""The command ``package``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...terminal.opening import opened
from ...terminal.printing import finish
from ...terminal.question_command import ask, asks
from .parameters import PackageParameters
from .text import package_text

if TYPE_CHECKING:
    from ..styled import Line
    from ..view import View
    from .answer import PackageAnswer


@asks(PackageParameters)
def package(asked: PackageParameters, path: str | None, as_json: bool) -> None:
    """List the exports of the package NAME, with their lambda lists and a line of documentation each."""

    def people(answer: PackageAnswer, view: View) -> Iterable[Line]:
        from .people import package_people

        return package_people(answer, asked.match, view)

    with opened(path) as index:
        finish(ask(index, asked), as_json, package_text, people, asked=asked.name, upcase=index.upcase)
