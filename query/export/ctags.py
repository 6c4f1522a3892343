"""A tags file for vim and other editors, in the format of Universal Ctags (docs.ctags.io, tags(5)).

Lines are sorted by their bytes. Each name has a tag as sources write it, and another with its package,
because editors take ``alexandria:flatten`` at the cursor for one word. Places are line numbers: they are
exact, while a pattern may match another line first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from ..index.kinds import KINDS
from ..index.reading import Reading
from ..index.written import own_name, written
from . import sql
from .output import Destination, new_file, shown_path
from .sources import SourceFile, qualified, shown
from .sql import PlacedRow

LANGUAGE = "CommonLisp"
_OTHER = ("d", "other")  # declarations, alien types, and kinds internal to SBCL's compiler
_FIELDS = {
    "line": "line number of the definition",
    "end": "end line of the definition",
    "package": "home package of the name",
    "access": "public if a package exports the name",
    "signature": "lambda list",
    "specializers": "specializers of a method",
    "qualifiers": "qualifiers of a method",
    "extras": "qualified: the name with its package; reference: a use of the name",
    "roles": "how a use uses the name: calls, instantiates, ...",
}
# tags(5), "Exceptions in Universal Ctags": the characters that a field must not contain.
_ESCAPED = re.compile(r"[\x00-\x1f\x7f\\]")
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"}


def write_ctags(
    index: Reading, files: Iterable[SourceFile], destination: Destination, *, references: bool = False
) -> tuple[int, int]:
    """Write the tags file, with ``references`` the uses too; return the numbers of files and definitions.

    Raises ExportError.
    """
    lines: list[bytes] = []
    folder = destination.path.parent.absolute()
    number = definitions = 0
    uses = _uses(index) if references else {}
    for file in files:
        number += 1
        name = _field(shown_path(file.path, folder))
        for one in file.definitions:
            definitions += 1
            lines += [line.encode("utf-8", "backslashreplace") for line in _tags(index, one, name)]
        for use in uses.get(file.id, ()):
            lines += [line.encode("utf-8", "backslashreplace") for line in _reference_tags(index, use, name)]
    with new_file(destination, "a tags file of oblist", _is_export) as output:
        for line in sorted(set(_pseudo_tags(folder))):
            output.write(line.encode("utf-8", "backslashreplace") + b"\n")
        output.writelines(line + b"\n" for line in sorted(set(lines)))
    return number, definitions


def _is_export(head: bytes) -> bool:
    """Whether a file begins as ours do: other programs call the language Lisp."""
    return head.startswith(b"!_TAG_") and f"!{LANGUAGE}\t".encode() in head


def _tags(index: Reading, one: PlacedRow, file: str) -> Iterator[str]:
    fields = [f"kind:{_kind(one.kind)[0]}", f"line:{one.line}", f"language:{LANGUAGE}"]
    if one.end_line is not None:
        fields.append(f"end:{one.end_line}")
    if one.package is not None and one.symbol is not None:
        fields.append(f"package:{_field(index.package_names[one.package])}")
        fields.append(f"access:{'public' if one.exported else 'private'}")
    if one.arglist is not None:
        fields.append(f"signature:{_field(one.arglist)}")
    for name in ("specializers", "qualifiers"):
        value = getattr(one, name)
        if value is not None:
            fields.append(f"{name}:{_field(value)}")
    place = f'{file}\t{one.line};"\t' + "\t".join(fields)
    yield f"{_name(shown(index, one))}\t{place}"
    longer = qualified(index, one)
    if longer is not None:
        yield f"{_name(longer)}\t{place}\textras:qualified"


def _uses(index: Reading) -> dict[int, list[sql.NamedUseRow]]:
    rows = map(sql.NamedUseRow._make, index.rows(sql.NAMED_USES))
    return {number: list(group) for number, group in groupby(rows, key=lambda row: row.file)}


def _reference_tags(index: Reading, use: sql.NamedUseRow, file: str) -> Iterator[str]:
    """The tags of a use, with the kind of what is used (ctags(1), "reference tags")."""
    kind = _kind(use.kind)[0] if use.kind else _OTHER[0]
    place = f'{file}\t{use.line};"\tkind:{kind}\tline:{use.line}\tlanguage:{LANGUAGE}'
    roles = f"roles:{use.relation}"
    yield f"{_name(own_name(use.name, index.upcase, use.operator))}\t{place}\t{roles}\textras:reference"
    if use.package is not None:
        package = index.package_names[use.package]
        longer = written(index, use.name, package, "external" if use.exported else "internal", use.operator)
        yield f"{_name(longer)}\t{place}\t{roles}\textras:reference,qualified"


def _kind(kind: str) -> tuple[str, str]:
    letter = KINDS[kind].ctags if kind in KINDS else None
    return (letter, kind) if letter is not None else _OTHER


def _field(text: str) -> str:
    return _ESCAPED.sub(lambda match: _SHORT.get(match[0]) or f"\\x{ord(match[0]):02X}", text)


def _name(text: str) -> str:
    """The name of a tag: escaped like a field, and never beginning like a pseudo-tag or with a space."""
    text = _field(text)
    return f"\\x{ord(text[0]):02X}{text[1:]}" if text[:1] in ("!", " ") else text


def _pseudo_tags(folder: Path) -> Iterator[str]:
    facts = {
        "FILE_FORMAT": "2\t/extended format/",
        "FILE_SORTED": "1\t/0=unsorted, 1=sorted, 2=foldcase/",
        "FILE_ENCODING": "utf-8\t//",
        "OUTPUT_MODE": "u-ctags\t/u-ctags or e-ctags/",
        "OUTPUT_EXCMD": "number\t/number, pattern, mixed, or combineV2/",
        "OUTPUT_FILESEP": "slash\t/slash or backslash/",
        "PROC_CWD": f"{_field(folder.as_posix())}/\t//",
        "PROGRAM_NAME": "oblist\t//",
        "PROGRAM_VERSION": f"{version('oblist')}\t//",
    }
    yield from (f"!_TAG_{name}\t{value}" for name, value in facts.items())
    kinds = [(kind.ctags, name) for name, kind in KINDS.items() if kind.ctags is not None]
    for letter, kind in (*kinds, _OTHER):
        yield f"!_TAG_KIND_DESCRIPTION!{LANGUAGE}\t{letter},{kind}\t/{kind.replace('-', ' ')}/"
    for name, description in _FIELDS.items():
        yield f"!_TAG_FIELD_DESCRIPTION!{LANGUAGE}\t{name}\t/{description}/"
