"""The handler of describe_package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...index.not_found import NotFound
from ...questions.package.answer import PackageAnswer
from ...questions.package.parameters import PackageParameters
from ...questions.package.text import package_text
from ..answer import CountsAnswer
from ..listing import MORE, Listing
from ..vocabulary import Reply

ANSWERS = (PackageAnswer, CountsAnswer, NotFound)


class _Exports(Listing[PackageAnswer]):
    question = PackageParameters
    noun = "exports"
    hint = "give match or kind, take a lower limit or a higher max_chars"

    def text(self, answer: PackageAnswer) -> str:
        return package_text(answer, MORE)

    def heading(self, answer: PackageAnswer) -> str:
        return f"Package {answer.name}: {answer.exports_total} exported symbols"

    def subject(self, answer: PackageAnswer) -> str:
        return answer.name

    def names(self, answer: PackageAnswer) -> list[str]:
        return [export.package for export in answer.exports]

    def shorter(self, answer: PackageAnswer, most: int) -> PackageAnswer:
        exports = [replace(export, summary=None) for export in answer.exports[:most]]
        return replace(answer, documentation=None, exports=exports)


def describe_package(arguments: Mapping[str, Any]) -> Reply:
    """Answer describe_package."""
    return _Exports(arguments).reply()
