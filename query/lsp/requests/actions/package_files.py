"""The form that defines a package, in documents whose forms are kept from one request to the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....edit.forms.packages import PackageForm, package_forms_in
from ....index.written import own_name
from ....refactor.packages.sql import PACKAGE_FILES
from ...documents.edited import Document
from ..asked import Asked


class PackageDocument(NamedTuple):
    """A package, and the form that defines it in a document as it is now."""

    name: str
    document: Document
    form: PackageForm


def package_document(asked: Asked, package: str) -> PackageDocument | None:
    """The package of that exact name with its form, if it stands in the project; None if it does not."""
    documents = [asked.document, *(one for one in asked.documents if asked.project.holds(one.path))]
    rows = asked.project.index.rows(PACKAGE_FILES, package=package)
    for path in (asked.project.path_of(row[0]) for row in rows):
        if (document := asked.documents.at(path)) is not None:
            documents.append(document)
    for document in dict.fromkeys(documents):
        for form in forms_of_packages(asked, document):
            if form.name == package:
                return PackageDocument(package, document, form)
    return None


def forms_of_packages(asked: Asked, document: Document) -> Iterator[PackageForm]:
    """Yield the forms that define packages in a document."""
    upcase = asked.project.index.upcase
    for chunk in document.chunks(asked.reader):
        tokens = document.tokens_of(asked.reader, chunk)
        yield from package_forms_in(
            document.text, chunk.start, chunk.toplevel, tokens, lambda name: own_name(name, upcase)
        )
