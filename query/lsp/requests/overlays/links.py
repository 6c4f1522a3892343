"""Document links: systems to their definitions, and sections of the standard to the HyperSpec."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lsprotocol.types import DocumentLink
from pygls.uris import from_fs_path

from ....standard.hyperspec import pages
from ....standard.places import hyperspec_link
from ....syntax.names.designators import designated
from ....syntax.nodes import Atom, Form, Node, forms_in
from ....syntax.tokens import Tokens
from ...indexed import sql
from ..asked import Asked

# A reference to the standard in a comment or a documentation string.
_SECTION = re.compile(r"\bCLHS[ \n]+(?:section[ \n]+)?(\d+(?:\.\d+)*)")
_DEPENDING = (":depends-on", ":defsystem-depends-on", ":weakly-depends-on")


def links(asked: Asked) -> Iterator[DocumentLink]:
    """Yield the links of a document."""
    document = asked.document
    for match in _SECTION.finditer(document.text):
        page = pages().sections.get(match[1])
        if page is not None:
            yield DocumentLink(document.lines.range(*match.span()), target=hyperspec_link(page, None))
    if document.path.lower().endswith(".asd"):
        yield from _systems(asked)


def _systems(asked: Asked) -> Iterator[DocumentLink]:
    """Yield the systems that a definition file depends on and the index has."""
    document, index = asked.document, asked.project.index
    files = {name: path for name, path in index.rows(sql.SYSTEM_FILES) if path is not None}
    for chunk in document.chunks(asked.reader):
        tokens = document.tokens_of(asked.reader, chunk)
        for node in _named_systems(chunk.toplevel.node, tokens):
            name = (designated(node, tokens) or "").lower()
            path = asked.project.path_of(files[name]) if name in files else None
            if path is not None and path != document.path and (uri := from_fs_path(path)):
                start, end = chunk.start + node.start, chunk.start + node.end
                yield DocumentLink(document.lines.range(start, end), target=uri, tooltip=path)


def _named_systems(root: Node, tokens: Tokens) -> Iterator[Atom]:
    for form in forms_in(root):
        for key, value in pairwise(form.items):
            if isinstance(key, Atom) and key.text.lower() in _DEPENDING and isinstance(value, Form):
                yield from (one for one in value.items if isinstance(one, Atom) and designated(one, tokens))
