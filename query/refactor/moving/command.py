"""The command ``refactor move``."""

from __future__ import annotations

from typing import Unpack

import click

from ...index.parameters import PACKAGE
from ..options import ChangeOptions, change_options, change_project
from .moved import moved_definition


@click.command("move")
@click.argument("name", metavar="NAME")
@click.argument("file", metavar="FILE")
@click.option(
    "-p", "--package", default=PACKAGE, show_default=True, help="The package in which NAME is looked up."
)
@change_options
def move(name: str, file: str, package: str, **options: Unpack[ChangeOptions]) -> None:
    """Move a definition, with the comment lines right above it, to another FILE of the same system.

    NAME is a name as typed in Lisp, or FILE:LINE if several forms define it. The definition goes after
    the last form in its package, or to the end of the file, between in-package forms. The move is
    refused if something needs the definition earlier, or if it needs something that is defined later.
    Exit code 1: refused.
    """
    change_project(lambda texts: moved_definition(texts, name, package, file), options)
