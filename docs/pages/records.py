"""docs/formats/records.md: the records that an index is made of, from their declarations."""

from __future__ import annotations

import re
import textwrap
import typing
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc
from pathlib import Path

from oblist.indexer import records
from oblist.indexer.left_out import PARTS
from oblist.indexer.record_fields import Cell
from oblist.indexer.records import Record
from oblist.indexer.stream.conformance import ANYWHERE, ORDERED
from oblist.indexer.stream.rules import RULES
from oblist.indexer.stream.values import FieldType, field_types
from oblist.lisp.sources import SOURCES

EXAMPLE = Path(__file__).with_name("example.records")
"""A stream that keeps the rules."""
FROM_ECL = EXAMPLE.with_name("ecl.records")
"""Single records of a stream."""
_KIND = re.compile(r'\(define-kind "([^"]+)" "([^"]+)"(.*?)\n\n', re.DOTALL)
_DOCUMENTED = re.compile(r':documentation-type "([^"]+)"')
_TYPES = {str: "text", int: "number", bool: "boolean"}
_WIDTH = 110
_INTRODUCTION = """
A Lisp describes itself in a stream of *records*, from which `oblist index` builds an index. For SBCL, oblist
writes the records itself. Any other program may write them, too: `oblist index --records FILE` reads them
(`-` stands for standard input), starts no Lisp, and publishes an index only if the stream follows all the
rules below. Otherwise, it names the line and the rule, ends with exit code 1, and does not change the index.

## The producer for ECL

`lisp/portable/` contains a producer in portable Common Lisp, which uses the metaobject protocol and ASDF.
Everything that no standard specifies is in its file `internals.lisp`, which supports ECL and SBCL. To run the
producer on ECL:

```sh
ecl --norc --load lisp/portable/producer.lisp \\
    --eval '(oblist-records:dump-systems "app.records" "alexandria" "cl-ppcre")' \\
    --eval '(ext:quit)' </dev/null
oblist index --records app.records --output app.db
```

In an installed oblist, the folder is `oblist/lisp/portable` in the Python package. `dump-systems` loads the
systems through ASDF, which **runs their code**, and writes what the image then contains. It finds systems as
ASDF does, for example with `CL_SOURCE_REGISTRY`. Answers from such an index, and `oblist info`, say which
parts its producer has left out.
"""
_VERSIONS = """
## Versions

A reader reads only streams of its own version. It refuses a stream of an older version with the advice to
write it again with a newer producer, and a stream of a newer version with the advice to update oblist.
"""


def records_page(notice: str) -> str:
    """The page: rules, versions, parts, kinds and types of records, and an example."""
    parts = [
        f"{notice}\n# Records: the stream that an index is made of\n{_INTRODUCTION}",
        *_rules(),
        _VERSIONS,
        _history(),
        *_parts(),
        *_kinds(),
        *_types(),
        *_example(),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _rules() -> Iterator[str]:
    yield "\n## Rules for producers\n"
    for rule in RULES:
        number = f"{rule.number}. "
        yield textwrap.fill(rule.text, _WIDTH, initial_indent=number, subsequent_indent=" " * len(number))


def _history() -> str:
    said = (records.__doc__ or "").partition("VERSION history\n")[2]
    return "\n" + "\n".join(f"- version {line.strip()}" for line in said.strip().split("\n"))


def _parts() -> Iterator[str]:
    """What may be left out, with the fields of each part."""
    fields: defaultdict[str, list[str]] = defaultdict(list)
    for cls in _ordered():
        for one in field_types(cls):
            if one.facts.part:
                fields[one.facts.part].append(f"`{_name(cls)}.{one.name}`")
    yield "\n## What may be left out\n"
    yield (
        "The table lists the names that `header.left_out` may contain, the fields that are then null or\n"
        "empty, and what this means for the index.\n"
    )
    yield "| part | fields | an index without it |\n|---|---|---|"
    for name, instead in PARTS.items():
        yield f"| `{name}` | {', '.join(fields[name])} | {instead} |"


def _kinds() -> Iterator[str]:
    """The names that readers know, from where the kinds of SBCL are declared."""
    text = (SOURCES / "dump" / "kinds.lisp").read_text(encoding="utf-8")
    yield "\n## Kinds\n"
    yield (
        "A producer lists those of these kinds that it records. It may also list other kinds; answers show\n"
        "these under their own names.\n"
    )
    yield "| kind | documentation type | |\n|---|---|---|"
    for name, description, more in _KIND.findall(text):
        documented = _DOCUMENTED.search(more)
        yield f"| `{name}` | {documented[1] if documented else ''} | {description} |"
    yield "| `package` | | Package (DEFPACKAGE) |"


def _types() -> Iterator[str]:
    yield "\n## Types of records\n"
    for number, group in enumerate(ORDERED, 1):
        yield f"{number}. {', '.join(f'[`{_name(cls)}`](#{_name(cls)})' for cls in group)}"
    between = ", ".join(f"[`{_name(cls)}`](#{_name(cls)})" for cls in ANYWHERE)
    yield f"\nThese may come between the others (rule 5): {between}."
    for cls in _ordered():
        yield f"\n### {_name(cls)}\n\n{cleandoc(cls.__doc__ or '')}\n"
        yield "| field | type | |\n|---|---|---|"
        for one in field_types(cls):
            if not one.facts.inner:
                yield f"| `{one.name}` | {_type(one)} | {_meaning(one)} |"


def _example() -> Iterator[str]:
    yield "\n## An example\n"
    yield "This is a complete stream, for a package with two definitions. The header is shortened here.\n"
    yield "```text"
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        yield line if len(line) < 500 else f"{line[:300]} ..."
    yield "```"
    yield "\nThese are some of the records that ECL wrote about CL-PPCRE:\n"
    yield f"```text\n{FROM_ECL.read_text(encoding='utf-8')}```"


def _ordered() -> Iterator[type[Record]]:
    for group in ORDERED:
        yield from group
    yield from ANYWHERE


def _name(cls: type[Record]) -> str:
    return cls.__name__.lower()


def _type(one: FieldType) -> str:
    if one.facts.rows:
        shape = "values of rows" if one.facts.flat else "rows"
    elif one.type is list:
        assert one.element is not None
        shape = f"list of {_TYPES[one.element.type]}s"
    else:
        shape = _TYPES[one.type]
    return f"{shape}, or null" if one.optional else shape


def _meaning(one: FieldType) -> str:
    facts = one.facts
    said = [facts.doc, *_limits(facts.of, facts.words)]
    if facts.rows:
        said.append(_columns(facts.rows))
    return ". ".join(said)


def _columns(cells: Sequence[Cell]) -> str:
    return f"Columns: {'; '.join(_column(cell) for cell in cells)}"


def _column(cell: Cell) -> str:
    if cell.type is list:
        of = _columns(cell.cells) if len(cell.cells) > 1 else f"numbers of {cell.cells[0].of}s"
        shape = f"list ({of})"
    else:
        shape = _TYPES[cell.type]
    null = ", or null" if cell.optional else ""
    limits = "".join(f"; {one}" for one in _limits(cell.of, cell.words))
    return f"`{cell.name}` ({shape}{null}): {cell.doc}{limits}"


def _limits(of: str | None, words: Iterable[str]) -> Iterator[str]:
    if of:
        yield f"The {'name' if of == 'kind' else 'number'} of a {of}"
    if words:
        yield f"One of {', '.join(f'`{word}`' for word in words)}"


assert set(typing.get_args(Record)) >= set(_ordered())
