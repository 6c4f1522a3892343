"""audit: what the code of a project has and nothing needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from oblist.indexer.left_out import REFERENCES

from ...index.not_found import NotFound
from ...index.parameters import ParameterError
from ...index.reading import Reading
from ...questions.between.part import part_named
from .answer import AuditAnswer, AuditFinding
from .code import AuditedCode
from .lists import classes, dependencies, exports, named, unused
from .lists.table import LISTS, OF_USES
from .parameters import AuditParameters

_FIND: dict[str, Callable[[AuditedCode], Iterator[AuditFinding]]] = {
    "unused": unused.unused,
    "never-named": named.never_named,
    "no-methods": unused.no_methods,
    "never-made": classes.never_made,
    "never-signalled": classes.never_signalled,
    "initarg": classes.initargs,
    "used-once": unused.used_once,
    "empty-export": exports.empty_exports,
    "undocumented": exports.undocumented,
    "import": dependencies.imports,
    "dependency": dependencies.dependencies,
    "duplicate": dependencies.duplicates,
}


def audited_code(
    index: Reading, asked: AuditParameters, catalog: Reading | None = None
) -> AuditedCode | NotFound:
    """The code that is to be audited."""
    part = part_named(index, asked.part)
    if isinstance(part, NotFound):
        return part
    index.take_time()
    return AuditedCode(index, part, exported=asked.exported, catalog=catalog)


def audit(index: Reading, asked: AuditParameters, catalog: Reading | None = None) -> AuditAnswer | NotFound:
    """Answer audit from ``index``; a ``catalog`` tells which of its exported names others use."""
    code = audited_code(index, asked, catalog)
    if isinstance(code, NotFound):
        return code
    part = code.part
    order = list(LISTS)
    wanted = [asked.only] if asked.only is not None else order
    unrecorded = index.unrecorded(REFERENCES)
    if unrecorded:
        unrecorded = f"{unrecorded} These lists, which rest on uses, are empty: {', '.join(OF_USES)}."
        wanted = [one for one in wanted if one not in OF_USES]
    found = [one for name in wanted for one in _FIND[name](code)]
    found.sort(
        key=lambda one: (order.index(one.sort), one.path or "", one.line or 0, one.column or 0, one.written)
    )
    counts = Counter(one.sort for one in found)
    note = f"{part.name} means the system; for the {part.also}, give {part.also}:{part.name}"
    return AuditAnswer(
        part=part.called,
        definitions=len(code.definitions),
        total=len(found),
        lists={one: counts[one] for one in order if counts[one]},
        catalog=str(catalog.path) if catalog is not None else None,
        releases=len(set().union(*code.needed.values())) if catalog is not None else None,
        offset=asked.offset,
        findings=found[asked.offset : asked.offset + asked.limit if asked.limit else None],
        note=note if part.also else None,
        incomplete=unrecorded,
    )


def audit_with_catalog(readings: Sequence[Reading], asked: AuditParameters) -> AuditAnswer | NotFound:
    """Answer audit from one index, and from a catalog what its releases use."""
    return audit(one_index(readings), asked, readings[-1])


def one_index(readings: Sequence[Reading]) -> Reading:
    """The only index among what is asked. Raises ParameterError if there are several."""
    indexes = [one for one in readings if not one.is_catalog]
    if len(indexes) > 1:
        raise ParameterError("audit takes one index and, optionally, a catalog.")
    return indexes[0]
