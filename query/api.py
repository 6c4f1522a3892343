"""The Python API: open an index, and ask it questions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from oblist.indexer.format import index_to_read

from .index.reading import Reading

if TYPE_CHECKING:
    from .index.not_found import NotFound
    from .index.standpoint.package import SeenPackage
    from .index.value_source import ValueSource
    from .questions.apropos.answer import AproposAnswer
    from .questions.classes.answer import ClassAnswer
    from .questions.definition.answer import DefinitionTextAnswer
    from .questions.describe.answer import DescribeAnswer
    from .questions.examples.answer import ExamplesAnswer
    from .questions.info.answer import IndexInformation
    from .questions.methods.answer import MethodsAnswer
    from .questions.package.answer import PackageAnswer
    from .questions.problems.answer import ProblemsAnswer
    from .questions.search.answer import SearchAnswer
    from .questions.xref.answer import XrefAnswer, XrefTreeAnswer


_Answer = TypeVar("_Answer")


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
    index = Index(index_to_read(os.fspath(path) if path is not None else None), moved, values)
    index.guesses = guess
    return index


class Index(Reading):
    """An index that answers questions. Only one thread at a time may use it.

    When a new build has replaced the file, the next question opens the new file; every answer comes from a
    single build.
    """

    _seen: SeenPackage | None = None

    def apropos(
        self,
        pattern: str,
        package: str | None = None,
        type: str | None = None,  # noqa: A002 - the contract's word
        *,
        scope: str = "accessible",
        limit: int = 0,
        offset: int = 0,
    ) -> AproposAnswer | NotFound:
        """The symbols whose names contain ``pattern``, compared by CHAR-EQUAL.

        With a ``package``, only the symbols accessible in it are searched (``scope``: accessible, present or
        external); without one, the external symbols of all packages. ``type`` is one of function, macro,
        variable, class, generic-function. ``limit`` 0 means all.
        """
        from .questions.apropos.ask import apropos

        self.reopen_if_replaced()
        return self._told(apropos(self, pattern, package, type, scope=scope, limit=limit, offset=offset))

    def describe(
        self, name: str, package: str = "CL-USER", *, limit: int = 0, offset: int = 0
    ) -> DescribeAnswer | NotFound:
        """Describe ``name``, looked up in ``package`` as ``find-symbol`` would.

        ``limit`` and ``offset`` bound the list of definitions only; ``limit`` 0 means all.
        """
        from .questions.describe.ask import describe

        self.reopen_if_replaced()
        return self._told(describe(self, name, package, limit, offset))

    def search(
        self,
        query: str,
        *,
        type: str = "",  # noqa: A002 - the contract's word
        package: str = "",
        system: str = "",
        exported: bool = False,
        own: bool = False,
        limit: int = 20,
        offset: int = 0,
    ) -> SearchAnswer | NotFound:
        """The symbols that match the words of ``query``, best match first; ``limit`` 0 means all.

        After ``::`` comes a signature, as in ``:: string -> pathname``: then the functions that fit it.
        ``type`` is as for apropos, ``package`` the home package, ``system`` that of the package; with
        ``exported``, only symbols that a package exports, with ``own``, only those of the project and of the
        systems that were asked for.
        """
        from .questions.search.ask import search
        from .questions.search.choice import Choice

        self.reopen_if_replaced()
        choice = Choice(type, package, system, exported, own)
        return self._told(search(self, query, limit=limit, offset=offset, choice=choice))

    def package(
        self, name: str, *, limit: int = 0, offset: int = 0, match: str = "", kind: str | None = None
    ) -> PackageAnswer | NotFound:
        """The exports of the package ``name``, and the packages it uses.

        ``limit`` and ``offset`` bound the list of exports; ``limit`` 0 means all. With ``match``, these are
        the exports with that text in their names, with ``kind`` those of that type, such as macro.
        """
        from .questions.package.ask import describe_package

        self.reopen_if_replaced()
        return self._told(describe_package(self, name, limit, offset, match=match, kind=kind))

    def definition(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        max_length: int = 10_000,
        package_details: bool = False,
        specializers: str | None = None,
        offset: int = 0,
    ) -> DefinitionTextAnswer | NotFound:
        """The text of all definitions of ``name``, cut off at ``max_length`` characters (0: no limit).

        ``package_details`` adds the symbols that the text names, grouped by package. ``specializers`` chooses
        methods, such as ``(circle t)``, ``:around circle`` or ``((eql 'car) t)``; ``offset`` definitions are
        skipped.
        """
        from .questions.definition.ask import definition

        self.reopen_if_replaced()
        answer = definition(
            self,
            name,
            package,
            max_length=max_length,
            package_details=package_details,
            specializers=specializers,
            offset=offset,
        )
        return self._told(answer)

    def xref(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        relation: str | None = None,
        callees: bool = False,
        companions: bool = False,
        limit: int = 200,
        offset: int = 0,
    ) -> XrefAnswer | NotFound:
        """The uses of ``name``; with ``callees``, the names that its own code uses.

        With ``companions`` they are also those that its compiler macros, transforms and the like use.

        ``relation`` is one of those in query/index/relations.py; None means all of them but ``defines``.
        ``limit`` 0 means all.
        """
        from .questions.xref.ask import xref

        self.reopen_if_replaced()
        answer = xref(
            *(self, name, package),
            relation=relation,
            callees=callees,
            companions=companions,
            limit=limit,
            offset=offset,
        )
        return self._told(answer)

    def xref_by_package(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        relation: str | None = None,
        callees: bool = False,
        companions: bool = False,
    ) -> Counter[str | None]:
        """The numbers of the uses that ``xref`` lists, by the package of the caller, or of the callee."""
        from .questions.xref.by_package import xref_by_package

        self.reopen_if_replaced()
        return xref_by_package(self, name, package, relation=relation, callees=callees, companions=companions)

    def xref_tree(
        self,
        name: str,
        package: str = "CL-USER",
        *,
        relation: str | None = None,
        callees: bool = False,
        companions: bool = False,
        beyond: bool = False,
        depth: int = 2,
        limit: int = 20,
    ) -> XrefTreeAnswer | NotFound:
        """The tree of the callers of ``name``, ``depth`` steps deep; with ``callees``, of the names it uses.

        Callees are followed within the project's systems, or those of ``name``, unless ``beyond`` says to go
        on; ``companions`` is as for xref.
        ``limit`` bounds the children of each node (0: all); the size of the whole tree is bounded too.
        """
        from .questions.xref.tree import xref_tree

        self.reopen_if_replaced()
        answer = xref_tree(
            *(self, name, package),
            relation=relation,
            callees=callees,
            companions=companions,
            beyond=beyond,
            depth=depth,
            limit=limit,
        )
        return self._told(answer)

    def examples(
        self, name: str, package: str = "CL-USER", *, limit: int = 5, context: int = 0
    ) -> ExamplesAnswer | NotFound:
        """The most instructive uses of ``name``, as whole forms; ``limit`` 0 means all that were looked at.

        ``context`` is the number of lines to show before and after each.
        """
        from .questions.examples.ask import examples

        self.reopen_if_replaced()
        return self._told(examples(self, name, package, limit=limit, context=context))

    def class_(
        self, name: str, package: str = "CL-USER", *, limit: int = 0, offset: int = 0
    ) -> ClassAnswer | NotFound:
        """The parts of the class, structure or condition ``name``, and what one needs to use or to extend it.

        ``limit`` and ``offset`` bound the lists that have a total, such as methods; ``limit`` 0 means all.
        """
        from .questions.classes.ask import describe_class

        self.reopen_if_replaced()
        return self._told(describe_class(self, name, package, limit, offset))

    def methods(
        self, name: str, on: Sequence[str], package: str = "CL-USER", *, limit: int = 0, offset: int = 0
    ) -> MethodsAnswer | NotFound:
        """The methods that a call of the generic function ``name`` reaches, in their order.

        ``on`` has the classes of the required arguments, ``_`` or T for any; those left out are T. ``limit``
        0 means all.
        """
        from .questions.methods.ask import methods

        self.reopen_if_replaced()
        return self._told(methods(self, name, on, package, limit, offset))

    def see_from(self, package: str | None) -> NotFound | None:
        """Write the names of later answers as code in ``package`` does; in full again if it is None.

        Return the negative answer for a package that the index does not have: then names are in full, too.
        """
        from .index.finding.resolve import package_argument
        from .index.not_found import NotFound
        from .index.standpoint.package import SeenPackage

        self.standpoint = self._seen = None
        if package is None:
            return None
        self.reopen_if_replaced()
        found = package_argument(self, package)
        if isinstance(found, NotFound):
            return found
        self.standpoint = self._seen = SeenPackage(self, found.name)
        return None

    def _told(self, answer: _Answer) -> _Answer:
        """The answer, which says what did not load if it may lack something because of it.

        If names are written for a package, it also says what would make them shorter there.
        """
        if self.guessed:
            from .index.finding.guessed import with_guesses

            answer = with_guesses(answer, self.guessed)
        if self._seen is not None:
            from .index.standpoint.advice import advised

            answer = advised(self._seen, answer)
        from .index.stale import with_outdated

        answer = with_outdated(answer, self.source_states, self.present_file)
        if not self.has_load_failures:  # nearly always
            return answer
        from .index.incomplete import told

        return told(self, answer)

    def problems(self, *, everything: bool = True, limit: int = 0, offset: int = 0) -> ProblemsAnswer:
        """What could not be loaded, read or placed: the project's problems first, SBCL's own last.

        Without ``everything``, SBCL's own are counted but not listed; ``limit`` 0 means all.
        """
        from .questions.problems.ask import problems

        self.reopen_if_replaced()
        return problems(self, everything=everything, limit=limit, offset=offset)

    def information(self) -> IndexInformation:
        """The contents of the index, and when and from what it was built."""
        from .questions.info.ask import information

        self.reopen_if_replaced()
        return information(self)
