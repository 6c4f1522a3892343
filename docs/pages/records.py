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
`oblist index` builds an index from a stream of *records* that describes the contents of a Lisp image. For
SBCL, oblist writes this stream itself, but other programs may also write such streams. To build an index from
a stream, run `oblist index --records FILE` (`-` stands for standard input). This command starts no Lisp, and
publishes an index only if the stream follows all the rules below. Otherwise, the command names the line and
the rule, ends with exit code 1, and does not change the index.

## The producer for ECL

`lisp/portable/` contains a producer in portable Common Lisp, which uses the metaobject protocol and ASDF.
The code for everything that no standard specifies is in the file `internals.lisp`, which supports ECL and
SBCL. To run the producer on ECL:

```sh
ecl --norc --load lisp/portable/producer.lisp \\
    --eval '(oblist-records:dump-systems "app.records" "alexandria" "cl-ppcre")' \\
    --eval '(ext:quit)' </dev/null
oblist index --records app.records --output app.db
```

In an installed copy of oblist, this folder is `oblist/lisp/portable` in the Python package. `dump-systems`
loads the systems through ASDF, which **runs their code**, and then writes records of everything in the image.
It finds systems as ASDF does, for example with `CL_SOURCE_REGISTRY`. `oblist info`, and answers from the
resulting index, say which parts the producer has left out.
"""
_VERSIONS = """
## Versions

A reader accepts only streams of its own version. If the version of a stream is older, the message says to
write the stream again with a newer producer; if it is newer, the message says to update oblist.
"""


def records_page(notice: str) -> str:
    """The page: rules, versions, parts, kinds and types of records, and an example."""
    parts = [
        f"{notice}\n# Records: the stream from which an index is built\n{_INTRODUCTION}",
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
        "The table lists the parts that `header.left_out` may name, the fields that are null or empty if a\n"
        "part is left out, and the effect on the index.\n"
    )
    yield "| part | fields | an index without it |\n|---|---|---|"
    for name, instead in PARTS.items():
        yield f"| `{name}` | {', '.join(fields[name])} | {instead} |"


def _kinds() -> Iterator[str]:
    """The names that readers know, from where the kinds of SBCL are declared."""
    text = (SOURCES / "dump" / "kinds.lisp").read_text(encoding="utf-8")
    yield "\n## Kinds\n"
    yield (
        "In the header, a producer lists the kinds in this table that it records. It may add other kinds;\n"
        "answers show these under their own names.\n"
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
    yield f"\nRecords of these types may come between the others (rule 5): {between}."
    for cls in _ordered():
        yield f"\n### {_name(cls)}\n\n{cleandoc(cls.__doc__ or '')}\n"
        yield "| field | type | |\n|---|---|---|"
        for one in field_types(cls):
            if not one.facts.inner:
                yield f"| `{one.name}` | {_type(one)} | {_meaning(one)} |"


def _example() -> Iterator[str]:
    yield "\n## An example\n"
    yield "This complete stream describes a package with a function and a class. The header is shortened.\n"
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
    said = [facts.doc, *_limits(facts.of, facts.words, several=one.type is list)]
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
    of_cell = None if cell.doc.startswith("Position ") else cell.of
    limits = "".join(f"; {one[0].lower()}{one[1:]}" for one in _limits(of_cell, cell.words))
    return f"`{cell.name}` ({shape}{null}): {cell.doc}{limits}"


def _limits(of: str | None, words: Iterable[str], *, several: bool = False) -> Iterator[str]:
    if of and several:
        yield f"Given as numbers of {of}s"
    elif of:
        article = "an" if of[0] in "aeio" else "a"
        yield f"Given as the {'name' if of == 'kind' else 'number'} of {article} {of}"
    if words:
        yield f"One of {', '.join(f'`{word}`' for word in words)}"


assert set(typing.get_args(Record)) >= set(_ordered())
