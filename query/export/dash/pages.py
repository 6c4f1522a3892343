"""The pages of a docset: one for each package, with an anchor for each definition that it exports."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from ...index.kinds import KINDS
from ...index.reading import Reading
from ...index.written import own_name
from ...questions.describe.answer import DefinitionAnswer, DescribeAnswer
from ...syntax.printed import lower_symbols

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em;
       color: #1a1a1a; background: #fff; }
h1 { font-size: 1.5em; } h2 { font: bold 1em ui-monospace, monospace; margin: 2em 0 .3em; }
pre { white-space: pre-wrap; font: .9em/1.5 ui-monospace, monospace; margin: .3em 0; }
.kind { color: #555; font: normal .85em system-ui, sans-serif; }
.place { color: #555; font-size: .85em; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #1b1b1b; } .kind, .place { color: #aaa; } a { color: #8ab4f8; } }
"""


class DocsetEntry(NamedTuple):
    """A row of the docset's search index."""

    name: str
    type: str
    path: str


def page_name(package: str) -> str:
    """The file name of a package's page: ASCII letters and digits unchanged, the rest as code points."""
    return "".join(char if char.isascii() and char.isalnum() else f"_{ord(char):x}_" for char in package)


def anchor(kind: str, name: str) -> str:
    """The anchor from which Dash takes an entry of its table of contents."""
    return f"//apple_ref/cpp/{kind}/{quote(name, safe='')}"


def package_page(
    index: Reading, package: str, documentation: str | None, answers: list[DescribeAnswer]
) -> tuple[str, list[DocsetEntry]]:
    """The page of a package and its entries; ``answers`` are the answers of describe for its exports."""
    file = f"{page_name(package)}.html"
    entries = [DocsetEntry(package, "Package", f"{file}#{quote(anchor('Package', package))}")]
    title = f"Package {own_name(package, index.upcase)}"
    lines = [
        f'<a name="{escape(anchor("Package", package))}" class="dashAnchor"></a>',
        f"<h1>{escape(title)}</h1>",
    ]
    if documentation:
        lines.append(f"<pre>{escape(documentation)}</pre>")
    for answer in answers:
        for definition, kind in _shown(answer.definitions):
            name = _name(index, answer, definition)
            mark = anchor(kind, name)
            entry = DocsetEntry(name, kind, f"{file}#{quote(mark)}")
            if entry not in entries:
                entries.append(entry)
                lines.append(f'<a name="{escape(mark)}" class="dashAnchor"></a>')
            lines += _section(index, name, definition)
    return _document(title, lines), entries


def _shown(definitions: list[DefinitionAnswer]) -> Iterator[tuple[DefinitionAnswer, str]]:
    """The definitions that belong in a docset, each with its entry type."""
    for one in definitions:
        entry_type = KINDS[one.kind].dash if one.kind in KINDS else None
        if entry_type is not None:
            yield one, entry_type


def _name(index: Reading, answer: DescribeAnswer, definition: DefinitionAnswer) -> str:
    """The name as typed, without its package: ``flatten``, ``(setf page)``."""
    operator = None if definition.name == answer.name else definition.name[1:].partition(" ")[0]
    return own_name(answer.name, index.upcase, operator)


def _section(index: Reading, name: str, one: DefinitionAnswer) -> Iterator[str]:
    yield f'<h2>{escape(name)} <span class="kind">{escape(one.kind.replace("-", " "))}</span></h2>'
    if one.arglist is not None:
        yield f"<pre>{escape(lower_symbols(one.arglist, index.upcase))}</pre>"
    if one.value is not None:
        yield f"<pre>{escape(one.value)}</pre>"
    if one.deprecated:
        instead = f"; use {lower_symbols(one.replacement, index.upcase)}" if one.replacement else ""
        yield f"<p>Deprecated ({escape(one.deprecated)}){escape(instead)}.</p>"
    if one.documentation:
        yield f"<pre>{escape(one.documentation)}</pre>"
    if one.relative_path and one.line:
        yield f'<p class="place">{escape(one.root or "")}: {escape(one.relative_path)}, line {one.line}</p>'


def index_page(index: Reading, title: str, packages: list[str]) -> str:
    """The first page, a list of the packages."""
    rows = [
        f'<li><a href="{page_name(package)}.html">{escape(own_name(package, index.upcase))}</a></li>'
        for package in packages
    ]
    return _document(title, [f"<h1>{escape(title)}</h1>", "<ul>", *rows, "</ul>"])


def _document(title: str, lines: list[str]) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><link rel="stylesheet" href="style.css">'
    body = "\n".join(lines)
    return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{body}\n</body></html>\n"
