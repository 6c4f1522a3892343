"""The code of a project as an index has it: its forms, which of them are tests, and which tests run which."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from ..index.reading import Reading
from ..index.sql import SOURCE_TEXT
from ..syntax.features import Features
from ..syntax.tokens import Tokens
from .changed import TextForm, forms_of, numbered
from .graph import CodeGraph
from .test_forms import ProjectTests
from .test_reach import TestReach


class ProjectCode:
    """The code of the files below a folder."""

    def __init__(self, index: Reading, folder: str, test_macros: Collection[int]) -> None:
        """``test_macros`` are symbols whose forms define tests by themselves."""
        self._index = index
        self.graph = CodeGraph(index, folder)
        self.tests = ProjectTests(self.graph, test_macros)
        self.reach = TestReach(self.graph, self.tests.forms)
        self.tokens = Tokens(index.upcase)
        self.features = Features(index.facts.get("features", ""), self.tokens)
        self._texts: dict[int, dict[int, TextForm]] = {}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of the files, by their paths."""
        return {row.path: row.number for row in self.graph.files.values()}

    def forms(self, file: int) -> dict[int, TextForm]:
        """The forms of a file by their numbers."""
        if file not in self._texts:
            rows = self._index.rows(SOURCE_TEXT, file=file)
            forms = forms_of("\n".join(text for (text,) in rows), self.features)
            self._texts[file] = numbered(forms, self.graph.lines(file))
        return self._texts[file]


def project_code(index: Reading, folder: str, test_macros: Collection[int]) -> ProjectCode:
    """The code of a project, which the index keeps from one change to the next."""
    asked = (folder, tuple(sorted(test_macros)))
    kept = index.kept.get("affected")
    if kept is None or kept[0] != asked:
        kept = index.kept["affected"] = (asked, ProjectCode(index, folder, test_macros))
    code: ProjectCode = kept[1]
    return code
