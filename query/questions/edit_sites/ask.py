"""xref --edit-sites: every place to touch when the lambda list of a function or macro changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from oblist.indexer.names import words

from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.shown import shown_name
from ..xref.answer import ReferenceAnswer
from ..xref.ask import Question, all_uses, ask, uses_of_other_names, why_none, written_form
from ..xref.caller_names import CallerNames
from ..xref.parameters import XrefParameters
from ..xref.references import References
from ..xref.sql import UseRow
from . import sql
from .answer import EditSite, EditSitesAnswer
from .context import Contexts
from .parameters import EditSitesParameters
from .sql import DocumentedRow, SiteDefinitionRow

SORTS = (
    *("definition", "method", "declaration", "call", "next-method", "apply", "function", "template"),
    *("expansion", "documentation", "export", "mention"),
)
"""The sorts of places, in the order in which they are shown."""
_BY_RELATION = {
    "calls": "call",
    "macroexpands": "call",
    "declares": "declaration",
    "exports": "export",
    "imports": "export",
    "mentions": "mention",
    "names": "function",
    "references": "function",
}
_MOST_DOCUMENTED = 1_000
_IN_PACKAGE_FORM = re.compile(r'#?:|"')  # how a form about packages names a symbol
_SPELLED = re.compile(r"[^A-Z]")


def edit_sites(index: Reading, asked: EditSitesParameters) -> EditSitesAnswer | NotFound:
    """Answer xref --edit-sites from ``index``."""
    question = ask(index, XrefParameters(asked.name, asked.package))
    if isinstance(question, NotFound):
        return question
    values = {"symbol": question.found.symbol, "operator": question.operator}
    definitions = [SiteDefinitionRow(*row) for row in index.rows(sql.DEFINITIONS, **values)]
    if not definitions:
        form = shown_name(written_form(index, question))
        reason = "No function or macro of that name is defined; `oblist xref` lists its uses."
        return NotFound("symbol-not-found", f"{form} is neither a function nor a macro", reason, [])
    index.take_time()
    sites = [*_Sites(index, question, definitions).all()]
    sites.sort(key=lambda one: (SORTS.index(one.sort), one.path or "", one.line or 0, one.column or 0))
    counts = Counter(one.sort for one in sites)
    own = next((one for one in definitions if one.kind != "method"), definitions[0])
    return EditSitesAnswer(
        name=question.name,
        package=question.found.home,
        written=written_form(index, question),
        kinds=list(dict.fromkeys(one.kind for one in definitions)),
        arglist=own.arglist,
        total=len(sites),
        sorts={one: counts[one] for one in SORTS if counts[one]},
        other_names=uses_of_other_names(index, question),
        offset=asked.offset,
        sites=sites[asked.offset : asked.offset + asked.limit if asked.limit else None],
        note=question.found.note,
        reason=None if sites else why_none(index, question),
    )


class _Sites:
    """The places to touch."""

    def __init__(self, index: Reading, question: Question, definitions: list[SiteDefinitionRow]) -> None:
        self._index, self._question, self._definitions = index, question, definitions
        self._names = CallerNames(index)
        self._contexts = Contexts(index)

    def all(self) -> Iterator[EditSite]:
        """Each of them once."""
        self._names.read_callers(one.number for one in self._definitions)
        for one in self._definitions:
            sort = "method" if one.kind == "method" else "definition"
            yield self._at_definition(one, sort)
            if sort == "method":
                yield from self._next_methods(one)
        rows = all_uses(self._index, self._question)
        placed = set()
        for row, use in zip(rows, References(self._index).answers(rows), strict=True):
            if use.relation == "defines":
                continue
            site = self._at_use(row, use)
            key = (site.path, site.line, site.column)
            if use.column is None or key not in placed:
                placed.add(key)
                yield site
        yield from self._documentation()

    def _at_definition(self, one: SiteDefinitionRow, sort: str) -> EditSite:
        named = self._names.caller(one.number, None)
        path = self._index.local_path(one.path)
        return EditSite(sort, named.name, one.kind, None, path, one.line, one.column, None)

    def _next_methods(self, one: SiteDefinitionRow) -> Iterator[EditSite]:
        """The calls of the next method with arguments, which are calls of the generic function."""
        if one.file is None or one.path is None or one.start is None or one.end is None:
            return
        named = self._names.caller(one.number, None)
        path = self._index.local_path(one.path)
        for line, column, text in self._contexts.next_methods(one.file, one.path, one.start, one.end):
            yield EditSite("next-method", named.name, one.kind, None, path, line, column, text)

    def _at_use(self, row: UseRow, use: ReferenceAnswer) -> EditSite:
        sort, how = _BY_RELATION.get(use.relation, "mention"), use.in_expansion_of
        if use.in_template:
            sort = "template"
        elif use.column is None and use.in_expansion_of is not None and sort == "call":
            sort = "expansion"
        elif use.column is not None and sort in ("call", "function"):
            before = (use.text or "")[: use.column - 1].rstrip()
            if use.relation == "names" and _IN_PACKAGE_FORM.match((use.text or "")[use.column - 1 :]):
                sort = "export"
            elif sort == "function" or not before.endswith("("):
                known = self._contexts.sort_and_operator(row)
                # A name that is neither quoted nor called is one of macros, or of a slot.
                sort, how = known or ("mention" if use.relation == "names" else sort, how)
        return EditSite(sort, use.caller, use.caller_kind, how, use.path, use.line, use.column, use.text)

    def _documentation(self) -> Iterator[EditSite]:
        """The definitions whose documentation names it."""
        name = self._question.found.name
        phrase = " ".join(words(self._index.fold(name)).split()).replace('"', "")
        if not phrase:
            return
        asked = {"phrase": f'documentation : "{phrase}"', "most": _MOST_DOCUMENTED}
        own = {one.number for one in self._definitions}
        # A name that is a word may be one: then documentation has it in capitals.
        flags = re.IGNORECASE if _SPELLED.search(name) else 0
        keyword = r"""(?<!\A:)(?<![\s("'`,]:)"""
        named = re.compile(rf"(?<![\w*+%-]){keyword}{re.escape(name)}(?![\w*+%-])", flags)
        rows = [DocumentedRow(*row) for row in self._index.rows(sql.DOCUMENTED, **asked)]
        rows = [one for one in rows if named.search(one.documentation)]
        self._names.read_callers(one.number for one in rows)
        for one in rows:
            if one.number not in own and one.name != name:
                by = self._names.caller(one.number, None)
                path = self._index.local_path(one.path)
                text = next(line.strip() for line in _around(named, one.documentation))
                yield EditSite("documentation", by.name, by.kind, None, path, one.line, one.column, text)


def _around(named: re.Pattern[str], text: str) -> Iterator[str]:
    """The line of a text that has a name, or the whole if the name goes over the end of one."""
    yield from (line for line in text.split("\n") if named.search(line))
    yield text
