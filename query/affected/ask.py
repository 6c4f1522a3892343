"""affected: what a change to the texts of a project affects."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ..index.reading import Reading
from ..syntax.current_package import first_package
from ..syntax.walk.files import read_forms
from .answer import AffectedAnswer, ChangedForm, ReachedForm
from .changed import FormChange, TextForm, form_changes
from .graph import CodeForm
from .project import project_code
from .ways import Step, Ways

_EVERYTHING = {
    "defpackage": "a package is defined in another way",
    "define-package": "a package is defined in another way",
    "in-package": "text is read in another package",
    "defsystem": "a system is defined in another way",
    "set-macro-character": "text may be read in another way",
    "set-dispatch-macro-character": "text may be read in another way",
    "defreadtable": "text may be read in another way",
    "in-readtable": "text may be read in another way",
}
_PROCLAMATIONS = ("declaim", "proclaim")


@dataclass(frozen=True, slots=True)
class TextPair:
    """A file of the project before and after the change; None where it does not exist."""

    old: str | None
    new: str | None


def affected(
    index: Reading,
    folder: str,
    pairs: Mapping[str, TextPair],
    limit: int | None = None,
    test_macros: Collection[int] = (),
) -> AffectedAnswer:
    """What a change to files below a folder affects; ``pairs`` has the files by path.

    ``test_macros`` are the symbols of macros of the project that define tests by themselves.
    """
    return _Affected(index, folder, pairs, test_macros).answer(limit)


class _Affected:
    def __init__(
        self, index: Reading, folder: str, pairs: Mapping[str, TextPair], test_macros: Collection[int] = ()
    ) -> None:
        self.index, self.folder = index, folder.rstrip(os.sep)
        self.code = project_code(index, self.folder, test_macros)
        self.graph, self.tests = self.code.graph, self.code.tests
        self.pairs = pairs
        self.changes: list[tuple[str, FormChange]] = []
        self.everything: list[str] = []
        for path, pair in sorted(pairs.items()):
            self._compare(path, pair)

    def _compare(self, path: str, pair: TextPair) -> None:
        changes = form_changes(self.code.forms_of(path, pair.old), self.code.forms_of(path, pair.new))
        self.changes += [(path, one) for one in changes]
        is_whole = pair.old is None or pair.new is None  # nothing that stays is read in another package
        reasons = []
        for one in changes:
            form = one.forms[-1]
            why = _EVERYTHING.get(form.name.operator)
            if form.name.operator in _PROCLAMATIONS and "optimize" in form.words:
                why = "code may be compiled differently"
            if why is not None and not (is_whole and form.name.operator == "in-package"):
                reasons.append(f"{self.code.shown(path)}:{form.line}: {why}")
        if changes and path.endswith(".asd") and not reasons:
            reasons.append(f"{self.code.shown(path)}: a system may be defined in another way")
        self.everything += reasons

    def answer(self, limit: int | None) -> AffectedAnswer:
        seeds, symbols = self._seeds()
        reached = self._ways(seeds, symbols)
        for form in sorted(self.graph.changing_reading & set(reached)):
            self.everything.append(f"{self.code.place(form)}: text may be read in another way")
        tests = self.tests.forms
        if self.everything:  # all tests, near or not
            reached = {form: Step(None, 1, None, False) for form in tests} | reached
        nearest = sorted(reached, key=lambda form: self._nearness(form, reached[form]))
        others = [form for form in nearest if form not in seeds and form not in tests]
        looked_up = [form for form in self.graph.looking_up if form in reached] if seeds or symbols else []
        systems = {self.graph.files[form.file].system for form in reached}
        return AffectedAnswer(
            changed=[self._changed(path, one) for path, one in self.changes],
            everything=self.everything,
            looked_up=sorted(f"{self.code.place(form)}: {self.code.name(form)}" for form in looked_up),
            tests_total=len(tests),
            tests=[self._reached(form, reached) for form in nearest if form in tests],
            reached_total=len(others),
            reached=[self._reached(form, reached) for form in others[:limit]],
            systems=sorted(one for one in systems if one is not None),
        )

    def _nearness(self, form: CodeForm, step: Step) -> tuple[int, str, int]:
        return step.distance, self.graph.files[form.file].path, form.number

    def _ways(self, seeds: set[CodeForm], symbols: set[int]) -> dict[CodeForm, Step]:
        """The forms that a change of some forms, and of the meaning of some symbols, can reach."""
        if not seeds and not symbols:
            return {}
        reach, looking_up = self.code.reach, self.graph.looking_up
        ways = Ways(self.graph, reach.tests, reach.bits)
        ways.go_from_forms(seeds, Step(None, 0, None, True))
        ways.go_from_symbols(symbols)
        sure = reach.of_forms(seeds) | reach.of_users(symbols)
        self._take_tests(ways, sure, is_sure=True)
        ways.go_from_forms(looking_up, Step(None, 1, None, False))
        self._take_tests(ways, sure | reach.of_forms(looking_up), is_sure=False)
        return ways.found

    def _take_tests(self, ways: Ways, tests: int, *, is_sure: bool) -> None:
        """Let no tests be found but some, as bits, and all of these."""
        for form, bit in self.code.reach.tests.items():
            if bit & tests:
                ways.found.setdefault(form, Step(None, 1, None, is_sure))
            else:
                ways.found.pop(form, None)

    def _seeds(self) -> tuple[set[CodeForm], set[int]]:
        """The forms of the index that differ, and the symbols that forms which it does not have define."""
        seeds: set[CodeForm] = set()
        symbols: set[int] = set()
        for path, change in self.changes:
            if change.is_silent:
                continue
            file = self.code.numbers.get(path)
            known = self._in_index(file, change) if file is not None else []
            seeds.update(CodeForm(file, number) for number in known if file is not None)
            if change.new is not None and (not known or self._is_called_otherwise(change)):
                symbols |= self._symbols(path, change.new)
        return seeds, symbols

    def _is_called_otherwise(self, change: FormChange) -> bool:
        """Whether a method is one for other objects now, which those that made it run say nothing of."""
        return change.old is not None and change.new is not None and change.old.head != change.new.head

    def _in_index(self, file: int, change: FormChange) -> list[int]:
        """The numbers of the forms in the index's text that are those of a change, or of the same name."""
        there = self.code.forms(file)
        same = {one.same for one in change.forms}
        found = [number for number, one in there.items() if one.same in same]
        if not found:
            names = {one.name for one in change.forms}
            found = [number for number, one in there.items() if one.name in names]
        return found

    def _symbols(self, path: str, form: TextForm) -> set[int]:
        """The symbols of the index that a form which is not in it defines."""
        package = self._packages(path).get(form.placed.start, first_package(path))
        found = set()
        for atom in form.defined():
            token = self.code.tokens.symbol(atom.text)
            symbol = self.code.meanings.symbol(token, package) if token is not None else None
            if symbol is not None and symbol.number is not None:
                found.add(symbol.number)
        return found

    def _packages(self, path: str) -> dict[int, str]:
        """The packages that the toplevel forms of the new text of a file are read in, by where they begin."""
        text = self.pairs[path].new or ""
        forms = read_forms(
            text, first_package(path), self.code.features, self.code.meanings, self.code.tokens
        )
        return {one.node.start: names.package for one, names in forms}

    def _changed(self, path: str, change: FormChange) -> ChangedForm:
        form = change.forms[-1]
        names = [atom.text for atom in form.defined()] or [form.shown]
        return ChangedForm(change.what, names, self.code.shown(path), form.line)

    def _reached(self, form: CodeForm, reached: Mapping[CodeForm, Step]) -> ReachedForm:
        step, code = reached[form], self.code
        why, before = [], step.before
        while before is not None:
            why.append(f"{code.name(before)} ({code.place(before)})")
            before = reached[before].before
        test = self.tests.forms.get(form)
        return ReachedForm(
            name=code.name(form),
            path=code.path(form),
            line=code.line(form),
            distance=step.distance,
            why=why,
            test=test.name if test is not None else None,
            runs=code.test_names(form) if test is not None else [],
            sure=step.sure,
        )
