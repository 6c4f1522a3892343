"""The Python API: open an index, and ask it questions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from oblist.indexer.format import index_to_read

from .asking import Asking, answered, with_methods
from .index.damage import blaming
from .index.reading import Reading

if TYPE_CHECKING:
    from .asking import Method
    from .check.audit.parameters import AuditParameters
    from .index.parameters import Parameters
    from .index.value_source import ValueSource
    from .questions.apropos.parameters import AproposParameters
    from .questions.at.parameters import AtParameters
    from .questions.between.parameters import BetweenParameters
    from .questions.classes.parameters import ClassParameters
    from .questions.complete.parameters import CompleteParameters
    from .questions.definition.parameters import DefinitionParameters
    from .questions.describe.parameters import DescribeParameters
    from .questions.edit_sites.parameters import EditSitesParameters
    from .questions.examples.parameters import ExamplesParameters
    from .questions.info.parameters import InfoParameters
    from .questions.methods.parameters import MethodsParameters
    from .questions.outline.parameters import OutlineParameters
    from .questions.package.parameters import PackageParameters
    from .questions.problems.parameters import ProblemsParameters
    from .questions.search.parameters import SearchParameters
    from .questions.slot.parameters import SlotParameters
    from .questions.xref.parameters import XrefCountsParameters, XrefParameters, XrefTreeParameters

_Answer = TypeVar("_Answer")

QUESTIONS = {
    "apropos": "questions.apropos.parameters:AproposParameters",
    "at": "questions.at.parameters:AtParameters",
    "audit": "check.audit.parameters:AuditParameters",
    "class_": "questions.classes.parameters:ClassParameters",
    "complete": "questions.complete.parameters:CompleteParameters",
    "definition": "questions.definition.parameters:DefinitionParameters",
    "describe": "questions.describe.parameters:DescribeParameters",
    "edit_sites": "questions.edit_sites.parameters:EditSitesParameters",
    "examples": "questions.examples.parameters:ExamplesParameters",
    "information": "questions.info.parameters:InfoParameters",
    "methods": "questions.methods.parameters:MethodsParameters",
    "outline": "questions.outline.parameters:OutlineParameters",
    "package": "questions.package.parameters:PackageParameters",
    "problems": "questions.problems.parameters:ProblemsParameters",
    "search": "questions.search.parameters:SearchParameters",
    "slot": "questions.slot.parameters:SlotParameters",
    "uses": "questions.between.parameters:BetweenParameters",
    "xref": "questions.xref.parameters:XrefParameters",
    "xref_by_package": "questions.xref.parameters:XrefCountsParameters",
    "xref_tree": "questions.xref.parameters:XrefTreeParameters",
}
"""The questions to an index, by the names of their methods: the class of the parameters of each."""


def open_index(
    path: str | os.PathLike[str] | None = None,
    *,
    roots: Mapping[str, str | os.PathLike[str]] | None = None,
    values: Callable[[str], ValueSource] | None = None,
    guess: bool = False,
) -> Index:
    """Open the index at ``path``, or the one that every command finds by default.

    ``roots`` maps the names of roots to folders on this machine, for roots that have moved since the index
    was built; OBLIST_ROOTS may name others. ``values`` says where the values of variables come from:
    ``live_values()`` or ``attached_values(..)``; without it, no process is started. With ``guess``, a name
    without a package that is not accessible in CL-USER is taken for the only symbol that it plausibly means,
    and the field ``guessed`` of the answer says so. Raises IndexMissingError, IndexDamagedError or
    IndexVersionError, each of which names the file, what is wrong with it and what to do; or RootsError.
    """
    moved = {name: os.fspath(folder) for name, folder in (roots or {}).items()}
    found = index_to_read(os.fspath(path) if path is not None else None)
    return Index(found, moved, values, guesses=guess)


@with_methods(QUESTIONS)
class IndexQuestions(Asking):
    """The questions to an index, as methods."""

    if TYPE_CHECKING:
        apropos = Method(AproposParameters)
        at = Method(AtParameters)
        audit = Method(AuditParameters)
        class_ = Method(ClassParameters)
        complete = Method(CompleteParameters)
        definition = Method(DefinitionParameters)
        describe = Method(DescribeParameters)
        edit_sites = Method(EditSitesParameters)
        examples = Method(ExamplesParameters)
        information = Method(InfoParameters)
        methods = Method(MethodsParameters)
        outline = Method(OutlineParameters)
        package = Method(PackageParameters)
        problems = Method(ProblemsParameters)
        search = Method(SearchParameters)
        slot = Method(SlotParameters)
        uses = Method(BetweenParameters)
        xref = Method(XrefParameters)
        xref_by_package = Method(XrefCountsParameters)
        xref_tree = Method(XrefTreeParameters)


class Index(Reading, IndexQuestions):
    """An index that answers questions. Only one thread at a time may use it.

    When a new build has replaced the file, the next question opens the new file; every answer comes from a
    single build.
    """

    @property
    def readings(self) -> list[Index]:
        """What is asked: the index alone."""
        return [self]

    def ask(self, parameters: Parameters[_Answer], *, seen_from: str | None = None) -> _Answer:
        """The answer to the question with these ``parameters``.

        With ``seen_from``, names are read and written as code in that package does; NotFound if there is no
        such package. Raises ParameterError for parameters that contradict each other or their choices.
        """
        self.reopen_if_replaced()
        with blaming([self]):
            return self._asked(parameters, seen_from)

    def _asked(self, parameters: Parameters[_Answer], seen_from: str | None) -> _Answer:
        if seen_from is None:
            return self._told(answered(parameters, [self]))
        from .index.finding.resolve import package_argument
        from .index.not_found import NotFound
        from .index.standpoint.advice import advised
        from .index.standpoint.package import SeenPackage

        found = package_argument(self, seen_from)
        if isinstance(found, NotFound):
            return cast(_Answer, found)
        self.standpoint = seen = SeenPackage(self, found.name)
        try:
            return advised(seen, self._told(answered(parameters, [self])))
        finally:
            self.standpoint = None

    def seen_from(self, package: str) -> SeenIndex:
        """The same index, with all names as code in ``package`` writes them."""
        return SeenIndex(self, package)

    def _told(self, answer: _Answer) -> _Answer:
        """The answer, with what it took a name for, which files have changed, and what did not load."""
        if self.guessed:
            from .index.finding.guessed import with_guesses

            answer = with_guesses(answer, self.guessed)
        from .index.present.outdated import with_outdated

        answer = with_outdated(answer, self)
        if not (self.has_load_failures or self.left_out):  # nearly always
            return answer
        from .index.incomplete import told

        return told(self, answer)


class SeenIndex(IndexQuestions):
    """An index that reads and writes names as the code of one package does."""

    def __init__(self, index: Index, package: str) -> None:
        self._index, self._package = index, package

    def limit(self, seconds: float) -> None:
        """As that of the index."""
        self._index.limit(seconds)

    def ask(self, parameters: Parameters[_Answer]) -> _Answer:
        """The answer to a question, as that of Index.ask; NotFound if there is no such package."""
        return self._index.ask(parameters, seen_from=self._package)
