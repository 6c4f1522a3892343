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
    "--in",
    "within",
    required=True,
    metavar="PACKAGE",
    help="The package whose definition and code are edited.",
)
_name_arguments = click.argument("names", metavar="NAME...", nargs=-1, required=True)


@click.command("import")
@_name_arguments
@_in_package
@change_options
def import_names(names: tuple[str, ...], within: str, **options: Unpack[ChangeOptions]) -> None:
    """Import symbols into a package, and remove their prefixes in all code of the package.

    Write each NAME with its package, as in alexandria:flatten. The change is refused if the name means
    something else in the package, or if the symbol may not exist yet when the package definition is
    loaded. Exit code 1: refused.
    """
    change_project(
        lambda texts: imported(texts, package_to_edit(texts, package_named(texts, within)), names), options
    )


@click.command("qualify")
@_name_arguments
@_in_package
@change_options
def qualify(names: tuple[str, ...], within: str, **options: Unpack[ChangeOptions]) -> None:
    """Stop importing symbols into a package, and write them with a package prefix: the local nickname,
    if there is one.

    Each NAME must be in an :import-from clause of the package. The change is refused if the package
    exports the symbol, or if other packages get it from there. Exit code 1: refused.
    """
    change_project(
        lambda texts: qualified(texts, package_to_edit(texts, package_named(texts, within)), names), options
    )


@click.command("expand-use")
@click.argument("used", metavar="PACKAGE")
@_in_package
@change_options
def expand_use(used: str, within: str, **options: Unpack[ChangeOptions]) -> None:
    """Make a package import the names that it needs from PACKAGE, instead of using PACKAGE.

    The names that it needs are all those in its text, including conditionals and templates, those that
    it exports, and those that other packages get from it. Exit code 1: refused.
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
    """Give PACKAGE a local nickname in another package, and use it as the prefix of PACKAGE's symbols
    there.

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
    """Remove a local nickname from a package, and write the name of the nicknamed package instead.

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
    """Drop a package's unused imports, or each NAME that it imports or exports.

    A name that also occurs as a string may be in use, so it is kept. Other projects may need an
    export, so exports are dropped only by NAME or with --exports. Exit code 1: refused, or nothing is
    unused.
    """
    change_project(
        lambda texts: without_unused(
            texts, package_to_edit(texts, package_named(texts, within)), names, exports=exports
        ),
        options,
    )
