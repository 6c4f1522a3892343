"""outline: what a package, system or file defines."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence

from ...index.kinds import CLASSES
from ...index.not_found import NotFound
from ...index.reading import Reading
from ...index.written import own_name
from ..between.part import PACKAGE, NamedPart, PartCode, part_named
from ..xref.caller_names import CallerNames
from . import sql
from .answer import OutlineAnswer, OutlinedDefinition
from .kinds import ALL, SORTS
from .parameters import OutlineParameters
from .sql import OutlinedRow, SuperclassRow


def outline(index: Reading, asked: OutlineParameters) -> OutlineAnswer | NotFound:
    """Answer outline from ``index``."""
    part = part_named(index, asked.part)
    if isinstance(part, NotFound):
        return part
    index.take_time()
    rows = _definitions(index, part)
    made_by_classes = set() if asked.accessors else _made_by_classes(rows)
    if asked.kind != ALL:
        rows = [row for row in rows if row.kind in SORTS[asked.kind]]
    listed = [row for row in rows if row.number not in made_by_classes]
    counts = Counter(row.kind for row in listed)
    page = listed[asked.offset : asked.offset + asked.limit if asked.limit else None]
    of_kind = f" of the kind {asked.kind}" if asked.kind != ALL else ""
    return OutlineAnswer(
        part=part.called,
        total=len(listed),
        kinds=dict(counts.most_common()),
        accessors=len(rows) - len(listed),
        offset=asked.offset,
        definitions=_outlined(index, page),
        note=f"{part.name} means the system; for the {part.also}, give {part.also}:{part.name}"
        if part.also
        else None,
        reason=None if listed else f"The text of the {part.called} contains no definition{of_kind}.",
    )


def _definitions(index: Reading, part: NamedPart) -> list[OutlinedRow]:
    files = json.dumps(sorted(PartCode(index, part).files))
    rows = map(OutlinedRow._make, index.rows(sql.DEFINITIONS, files=files))
    if part.kind == PACKAGE:
        return [row for row in rows if row.package == part.name or row.defines == part.number]
    return list(rows)


def _made_by_classes(rows: Sequence[OutlinedRow]) -> set[int]:
    """Those of ``rows`` that define functions within the form of a class."""
    forms: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        if row.kind in CLASSES and row.start is not None and row.end is not None:
            forms[row.file].append((row.start, row.end))
    return {
        row.number
        for row in rows
        if row.kind not in CLASSES
        and row.start is not None
        and any(start <= row.start < end for start, end in forms.get(row.file, ()))
    }


def _outlined(index: Reading, rows: Sequence[OutlinedRow]) -> list[OutlinedDefinition]:
    classes = json.dumps([row.number for row in rows if row.kind in CLASSES])
    above = [SuperclassRow._make(row) for row in index.rows(sql.SUPERCLASSES, classes=classes)]
    names = CallerNames(index)
    names.read_callees((row.symbol, row.operator) for row in rows if row.symbol is not None)
    names.read_callees((one.symbol, None) for one in above)
    superclasses: defaultdict[int, list[str]] = defaultdict(list)
    for one in above:
        superclasses[one.of].append(names.callee(one.symbol, None).written)
    return [
        OutlinedDefinition(
            written=_written(index, names, row),
            package=row.package,
            kind=row.kind,
            exported=bool(row.exported),
            arglist=row.arglist if row.kind != "method" and row.documentation_type == "FUNCTION" else None,
            qualifiers=row.qualifiers,
            specializers=row.specializers,
            superclasses=superclasses[row.number],
            defined_by=row.defined_by,
            path=index.local_path(row.path),
            line=row.line,
        )
        for row in rows
    ]


def _written(index: Reading, names: CallerNames, row: OutlinedRow) -> str:
    if row.symbol is not None:
        return names.callee(row.symbol, row.operator).written
    return own_name(index.package_names[row.defines], index.upcase) if row.defines is not None else ""
