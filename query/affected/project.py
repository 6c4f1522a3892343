"""The code of a project as an index has it: its forms, which of them are tests, and which tests run which."""

from __future__ import annotations

import os
from collections.abc import Collection

from oblist.indexer.left_out import REFERENCES

from ..index.meanings import IndexMeanings
from ..index.reading import Reading
from ..syntax.current_package import first_package
from ..syntax.features import Features
from ..syntax.tokens import Tokens
from .changed import TextForm, forms_of, numbered
from .graph import CodeForm, CodeGraph
from .test_forms import ProjectTests
from .test_names import TestNames
from .test_reach import TestReach


class ProjectCode:
    """The code of the files below a folder."""

    def __init__(self, index: Reading, folder: str, test_macros: Collection[int]) -> None:
        """``test_macros`` are symbols whose forms define tests by themselves."""
        self._index, self._folder = index, folder
        self.graph = CodeGraph(index, folder)
        self.tests = ProjectTests(self.graph, test_macros)
        self.reach = TestReach(self.graph, self.tests.forms)
        self.tokens = Tokens(index.upcase)
        self.features = Features(index.facts.get("features", ""), self.tokens)
        self.meanings = IndexMeanings(index)
        self.numbers = {row.path: row.number for row in self.graph.files.values()}
        """The numbers of the files, by their paths."""
        self._names = TestNames(self.tests, self.meanings, self.tokens)
        self._texts: dict[int, tuple[str, list[TextForm]]] = {}
        self._forms: dict[int, dict[int, TextForm]] = {}
        self._packages: dict[int, dict[int, str]] = {}
        self._names_of_tests: dict[CodeForm, list[str]] = {}

    def shown(self, path: str) -> str:
        """A path from the folder of the project on."""
        return path.removeprefix(f"{self._folder}{os.sep}")

    def forms_of(self, path: str, text: str | None) -> list[TextForm]:
        """The forms of a state of a file; None has none."""
        file = self.numbers.get(path)
        if file is not None and self._text(file)[0] == text:
            return self._text(file)[1]
        return forms_of(text or "", self.features)

    def _text(self, file: int) -> tuple[str, list[TextForm]]:
        if file not in self._texts:
            text = self._index.indexed_text(file) or ""
            self._texts[file] = text, forms_of(text, self.features)
        return self._texts[file]

    def forms(self, file: int) -> dict[int, TextForm]:
        """The forms of a file by their numbers."""
        if file not in self._forms:
            self._forms[file] = numbered(self._text(file)[1], self.graph.lines(file))
        return self._forms[file]

    def at(self, form: CodeForm) -> TextForm | None:
        """The text of a form; None if it is not there."""
        return self.forms(form.file).get(form.number)

    def name(self, form: CodeForm) -> str:
        """What a form begins with."""
        found = self.at(form)
        return " ".join(found.name) if found is not None else "a form"

    def path(self, form: CodeForm) -> str:
        """The file of a form, from the folder of the project on."""
        return self.shown(self.graph.files[form.file].path)

    def line(self, form: CodeForm) -> int:
        """The line that a form begins on."""
        found = self.at(form)
        return found.line if found is not None else 1

    def place(self, form: CodeForm) -> str:
        """The file and the line of a form."""
        return f"{self.path(form)}:{self.line(form)}"

    def test_names(self, form: CodeForm) -> list[str]:
        """The names of the tests that a form defines, as one types them for the runner."""
        if form not in self._names_of_tests:
            found = self.at(form)
            names = [self.name(form)] if found is None else self._names.of(form, found, self._package(form))
            self._names_of_tests[form] = names
        return self._names_of_tests[form]

    def _package(self, form: CodeForm) -> str:
        """The package that a form is read in."""
        if form.file not in self._packages:
            package, packages = first_package(self.graph.files[form.file].path), {}
            for number, one in sorted(self.forms(form.file).items()):
                packages[number] = package
                if one.name.operator == "in-package":
                    package = self._index.upcase(one.name.name.lstrip("#:").strip('"'))
            self._packages[form.file] = packages
        return self._packages[form.file][form.number]


def project_code(index: Reading, folder: str, test_macros: Collection[int]) -> ProjectCode:
    """The code of a project, which the index keeps from one change to the next."""
    index.require(REFERENCES)
    asked = (folder, tuple(sorted(test_macros)))
    kept = index.kept.get("affected")
    if kept is None or kept[0] != asked:
        kept = index.kept["affected"] = (asked, ProjectCode(index, folder, test_macros))
    code: ProjectCode = kept[1]
    return code
