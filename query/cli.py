"""The command ``oblist``: one group, whose subcommands are loaded when they are used.

Commands that query an index never import those that build one, nor the other way round: the table below names
each command's module as text.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING

import click

from oblist.indexer.extras import MissingExtraError

from .errors import replaced_meanwhile
from .terminal.display_options import display_options
from .terminal.exit_codes import EXIT_INTERRUPTED, EXIT_NOT_FOUND, EXIT_USAGE
from .terminal.lazy_group import LazyGroup

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Each command, with its module and a line of help.
COMMANDS = {
    "setup": (
        ".setup.command:setup",
        "Set up agents, editors and CI to use oblist, in their own settings files.",
    ),
    "index": (
        "..indexer.commands.index:index",
        "Index a live SBCL, with the named systems loaded, into one SQLite file.",
    ),
    "watch": (
        "..indexer.commands.watch:watch",
        "Keep the index of a project up to date while its sources change.",
    ),
    "describe": (
        ".questions.describe.command:describe",
        "Describe a symbol: type, lambda list, documentation, source.",
    ),
    "apropos": (
        ".questions.apropos.parameters:AproposParameters",
        "List the symbols whose names contain a pattern.",
    ),
    "complete": (
        ".questions.complete.parameters:CompleteParameters",
        "List the names that an abbreviation can stand for.",
    ),
    "definition": (
        ".questions.definition.command:definition",
        "Show the text of all definitions of a name, methods included.",
    ),
    "xref": (".questions.xref.command:xref", "List the uses of a name, or what it uses."),
    "at": (
        ".questions.at.parameters:AtParameters",
        "Show the names at FILE:LINE, and what the form there uses.",
    ),
    "uses": (
        ".questions.between.parameters:BetweenParameters",
        "List what one package, system or file uses from another.",
    ),
    "outline": (
        ".questions.outline.parameters:OutlineParameters",
        "List what a package, system or file defines.",
    ),
    "search": (
        ".questions.search.parameters:SearchParameters",
        "Find symbols by words in names, arglists and documentation.",
    ),
    "package": (
        ".questions.package.parameters:PackageParameters",
        "Show what a package exports, and which packages it uses.",
    ),
    "class": (
        ".questions.classes.command:describe_class",
        "Describe a class: superclasses, slots, subclasses, methods.",
    ),
    "slot": (
        ".questions.slot.parameters:SlotParameters",
        "List where a slot is read, written, bound or initialized.",
    ),
    "methods": (
        ".questions.methods.command:methods",
        "List the methods that apply to arguments of given classes.",
    ),
    "browse": (".browse.command:browse", "Show the index as pages in a web browser."),
    "mcp": (
        ".mcp.command:mcp",
        "Serve the index to coding agents over the Model Context Protocol.",
    ),
    "lsp": (
        ".lsp.command:lsp",
        "Serve the index to editors over the Language Server Protocol.",
    ),
    "tools": (
        ".tools.command:tools",
        "List the tools for agents, print their schemas, or call one.",
    ),
    "examples": (
        ".questions.examples.parameters:ExamplesParameters",
        "Show how a function, macro or class is used.",
    ),
    "check": (
        ".check.command:check",
        "Check sources and documentation against an index, without a Lisp.",
    ),
    "rename": (
        ".refactor.rename.command:rename",
        "Rename a symbol of a project, or a local name: show, prove and write the change.",
    ),
    "refactor": (
        ".refactor.command:refactor",
        "Edit package definitions, or move a definition to another file: show, prove and write the change.",
    ),
    "affected": (
        ".affected.command:affected",
        "List the tests to run after a change, and other code that it can affect.",
    ),
    "audit": (
        ".check.audit.command:audit",
        "List the code of a project that nothing needs.",
    ),
    "forecast": (
        ".forecast.command:forecast",
        "List the lines that break with another version of a library.",
    ),
    "diff": (
        ".diff.command:diff",
        "List what changed in the exported API between two indexes.",
    ),
    "export": (
        ".export.command:export",
        "Export an index in a format that other tools read.",
    ),
    "query": (
        ".questions.statement.command:ask",
        "Query the index with your own SQL.",
    ),
    "info": (
        ".questions.info.parameters:InfoParameters",
        "Show what an index contains and what it was built from.",
    ),
    "problems": (
        ".questions.problems.parameters:ProblemsParameters",
        "List what could not be loaded, read or found in the sources.",
    ),
    "catalog": (
        ".catalog.command:catalog",
        "Build a catalog of many releases, and ask about libraries that are not loaded.",
    ),
    "provides": (
        ".catalog.provides.command:provides",
        "List the releases in the catalog that export or define a name.",
    ),
    "clhs": (
        ".standard.command:clhs",
        "Print a link to the HyperSpec's page about a symbol, directive, section or term.",
    ),
    "cache": (
        "..indexer.commands.cache:cache",
        "List or remove the saved images from which values are read and indexes are built.",
    ),
    "completion": (
        ".completion.command:completion",
        "Print a script that adds completion of oblist's command lines to a shell.",
    ),
    "check-index": (
        "..indexer.commands.check_index:check_index",
        "Check a whole index, or compare it with another one.",
    ),
}


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:  # as while a shell completes the line
        from importlib.metadata import version

        from oblist.indexer.format import CATALOG_FORMAT, FEATURE, FORMAT

        formats = f"index format {FORMAT}; feature {FEATURE}; catalog format {CATALOG_FORMAT}"
        click.echo(f"oblist {version('oblist')} ({formats})")
        ctx.exit()


@click.group(cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the versions of oblist and of its formats.",
)
@display_options(hidden=False)
def cli() -> None:
    """oblist: the precomputed symbol index for Common Lisp (SBCL).

    Index a live SBCL once with `oblist index`, then ask about it without a Lisp.

    A question is stopped after 10 seconds; $OBLIST_TIMEOUT sets another limit.

    Exit codes: 0 found; 1 not found, or a check or build failed; 2 usage error; 3 no usable index.
    """


def _still_used(index: Path, folders: Sequence[Path]) -> list[str]:
    """For `oblist watch`, which does not know how to ask an index."""
    from .check.still_used import still_used
    from .errors import QueryError

    try:
        return still_used(index, folders)
    except (QueryError, OSError):
        return []


def main() -> None:
    """Run the command line; every error is one message on stderr and an exit code."""
    # The end frees all memory; looking for garbage first, among all imports, takes a tenth of a look-up.
    atexit.register(gc.freeze)
    for stream in (sys.stdout, sys.stderr):
        # Names may contain characters that the terminal's encoding lacks; show them escaped, never fail.
        if stream is not None:  # None if it was closed at startup
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        sys.exit(cli(standalone_mode=False, obj=_still_used))
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("oblist: interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()  # the reader is gone
        sys.exit(0)
    except MissingExtraError as error:
        click.echo(f"oblist: {error}", err=True)
        sys.exit(EXIT_USAGE)
    except (ImportError, OSError) as error:
        sys.exit(_failed(error))


def _failed(error: ImportError | OSError) -> int:
    """Say what failed, and return the exit code; an error of another program's files is raised again."""
    if isinstance(error, OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the rest of the output cannot be written either
        place = error.filename2 or error.filename or "the answer"  # of a copy, the second is the target
        said = f"{place}: {error.strerror or error}"
    elif (replaced := replaced_meanwhile(error)) is not None:
        said = replaced
    else:
        raise error
    click.echo(f"oblist: {said}", err=True)
    return EXIT_NOT_FOUND
