"""The commands that edit the packages of a project."""

from __future__ import annotations

from typing import Unpack

import click

from ..options import ChangeOptions, change_options, change_project
from .defined import package_named, package_to_edit
from .imports import imported, qualified
from .nicknames import nicknamed, without_nickname
from .unused import without_unused
from .uses import expanded_use

_in_package = click.option(
    "--in", "within", required=True, metavar="PACKAGE", help="The package whose form and text are edited."
)
_name_arguments = click.argument("names", metavar="NAME...", nargs=-1, required=True)


@click.command("import")
@_name_arguments
@_in_package
@change_options
def import_names(names: tuple[str, ...], within: str, **options: Unpack[ChangeOptions]) -> None:
    """Import symbols into a package, and write them without their package in all of its text.

    Each NAME has its package before it, as in alexandria:flatten. It refuses if the name means something else
    in the package, or if the symbol may not be there when the form of the package is loaded.
    Exit code 1: refused.
    """
    change_project(
        lambda texts: imported(texts, package_to_edit(texts, package_named(texts, within)), names), options
    )


@click.command("qualify")
@_name_arguments
@_in_package
@change_options
def qualify(names: tuple[str, ...], within: str, **options: Unpack[ChangeOptions]) -> None:
    """Import symbols into a package no more, and write them with their package: with a local nickname of it
    if there is one.

    Each NAME is one of those in :import-from. It refuses if the package exports it, or others have it from
    there. Exit code 1: refused.
    """
    change_project(
        lambda texts: qualified(texts, package_to_edit(texts, package_named(texts, within)), names), options
    )


@click.command("expand-use")
@click.argument("used", metavar="PACKAGE")
@_in_package
@change_options
def expand_use(used: str, within: str, **options: Unpack[ChangeOptions]) -> None:
    """Let a package import the names that it uses of PACKAGE, instead of using PACKAGE.

    Those are all that its text names, in whatever conditional or template, that it exports, or that others
    have from it. Exit code 1: refused.
    """
    change_project(
        lambda texts: expanded_use(
            texts, package_to_edit(texts, package_named(texts, within)), package_named(texts, used)
        ),
        options,
    )


@click.command("nickname")
@click.argument("nick", metavar="NICKNAME")
@click.argument("package", metavar="PACKAGE")
@_in_package
@change_options
def nickname(nick: str, package: str, within: str, **options: Unpack[ChangeOptions]) -> None:
    """Give PACKAGE a local nickname in another package, and write it before its symbols there.

    Exit code 1: refused.
    """
    change_project(
        lambda texts: nicknamed(
            texts, package_to_edit(texts, package_named(texts, within)), nick, package_named(texts, package)
        ),
        options,
    )


@click.command("drop-nickname")
@click.argument("nick", metavar="NICKNAME")
@_in_package
@change_options
def drop_nickname(nick: str, within: str, **options: Unpack[ChangeOptions]) -> None:
    """Let a package have a local nickname no more, and write the name of its package instead.

    Exit code 1: refused.
    """
    change_project(
        lambda texts: without_nickname(texts, package_to_edit(texts, package_named(texts, within)), nick),
        options,
    )


@click.command("drop-unused")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@_in_package
@click.option("--exports", is_flag=True, help="Also drop exports that nothing in the project needs.")
@change_options
def drop_unused(names: tuple[str, ...], within: str, exports: bool, **options: Unpack[ChangeOptions]) -> None:
    """Drop the imports of a package that nothing names, or each NAME that it imports or exports.

    A name that a string has may be used, and stays. Other projects may need an export, which this one cannot
    tell: exports are only dropped by NAME or with --exports. Exit code 1: refused, or nothing is unused.
    """
    change_project(
        lambda texts: without_unused(
            texts, package_to_edit(texts, package_named(texts, within)), names, exports=exports
        ),
        options,
    )
