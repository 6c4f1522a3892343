"""The command ``rename``."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Unpack

import click

from oblist.indexer.letter_case import ListedPaths

from ...index.parameters import PACKAGE
from ..errors import RefactorError
from ..options import ChangeOptions, change_options, change_project
from ..plan import EditPlan
from ..project.texts import ProjectTexts
from .members.planned import renamed_member
from .package_names import renamed_package
from .placed import renamable_at
from .symbols import renamed_symbol
from .systems import renamed_system

SYMBOL, PACKAGE_KIND, SYSTEM = KINDS = "symbol", "package", "system"
_PLACE = re.compile(r"(.+):(\d+):(\d+)")


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "-p", "--package", default=PACKAGE, show_default=True, help="The package in which OLD is looked up."
)
@click.option("--kind", type=click.Choice(KINDS), default=SYMBOL, show_default=True, help="What OLD names.")
@click.option(
    "--of",
    metavar="OWNER",
    help="The function that takes the keyword argument OLD, or the class that has the slot OLD.",
)
@click.option("--docs", is_flag=True, help="Also change comments, documentation strings and documents.")
@change_options
def rename(
    old: str,
    new: str,
    package: str,
    kind: str,
    of: str | None,
    docs: bool,
    **options: Unpack[ChangeOptions],
) -> None:
    """Rename a symbol of a project, or a local name: show the changes as a diff; --write makes them.

    OLD is a name as typed in Lisp, or the FILE:LINE:COLUMN of one; NEW is a name without a package.
    Everything that reads as OLD is renamed: definitions, uses, symbols that are quoted or in templates, names
    in package definitions, and the names that a structure derives from its own. Local names, keywords and
    initargs that are spelled alike keep their names. --of renames a keyword argument of a function, or a slot
    or initarg of a class; --kind package renames a package; --kind system renames a system and its file. The
    rename is refused if NEW is already in use, or if code may refer to OLD without writing its name. Exit
    code 1: refused.
    """
    change_project(lambda texts: _plan(texts, old, new, package, kind, of, docs=docs), options)


def _plan(
    texts: ProjectTexts, old: str, new: str, package: str, kind: str, of: str | None, *, docs: bool
) -> EditPlan:
    if kind == PACKAGE_KIND:
        return renamed_package(texts, old, new, docs=docs)
    if kind == SYSTEM:
        return renamed_system(texts, old, new)
    if of is not None:
        return renamed_member(texts, old, new, of, package)
    place = _PLACE.fullmatch(old)
    if place is None:
        return renamed_symbol(texts, old, new, package, docs=docs)
    if not Path(place[1]).is_file():
        raise RefactorError(f"{place[1]}: there is no such file")
    one = texts.file(ListedPaths().path(os.path.realpath(place[1])))
    if not Path(one.path).is_relative_to(texts.folder):
        raise RefactorError(f"{one.path} is outside {texts.folder}")
    line, column = int(place[2]), int(place[3])
    if not 1 <= line <= len(one.lines):
        raise RefactorError(f"{one.path} has no line {line}")
    return renamable_at(texts, one, one.lines.start(line) + column - 1, docs=docs).plan(new)
