"""Completions that import what they name: the edit comes with them, or a command makes it."""

from __future__ import annotations

from lsprotocol.types import Command, CompletionItem, TextEdit, WorkspaceEdit

from ....index.written import own_name
from ....questions.complete.answer import Completion
from ....syntax.tokens import SymbolToken
from ..actions.changed import workspace_edit
from ..actions.package_files import PackageDocument, package_document
from ..asked import Asked

COMMAND = "oblist.import"


class Importing:
    """Imports names into one package."""

    def __init__(self, asked: Asked, here: PackageDocument) -> None:
        self._asked = asked
        self._here = here

    @classmethod
    def into(cls, asked: Asked, package: str) -> Importing | None:
        """An importer of names into a package; None if its form is not in the project."""
        here = package_document(asked, asked.reader.meanings.package(package, package) or package)
        return cls(asked, here) if here is not None else None

    def bring(self, item: CompletionItem, one: Completion) -> None:
        """Let an item name a symbol without its package, and import it, unless the name is taken here.

        The item itself can change only the document being edited; a command changes others.
        """
        name = one.written.rpartition(":")[2]
        exact = self._asked.reader.tokens.symbol(name) if name else None
        if exact is None or one.package is None:
            return
        if self._asked.reader.meanings.symbol(SymbolToken(None, 0, exact.name), self._here.name) is not None:
            return
        edit = self._here.form.importing(exact.name, one.package)
        if edit is None:
            return
        item.label = name
        document = self._here.document
        if document is self._asked.document:
            range_ = document.lines.range(edit.start, edit.end)
            item.additional_text_edits = [TextEdit(range_, edit.new)]
            return
        shown = own_name(one.package, self._asked.project.index.upcase)
        arguments = [self._asked.document.uri, self._here.name, exact.name, one.package]
        item.command = Command(f"Import {name} from {shown}", COMMAND, arguments=arguments)


def import_edit(asked: Asked, package: str, name: str, source: str) -> WorkspaceEdit | None:
    """The edit that imports a name into a package from another; None if it is imported already."""
    here = package_document(asked, package)
    edit = here.form.importing(name, source) if here is not None else None
    return workspace_edit({here.document: [edit]}) if here is not None and edit is not None else None
