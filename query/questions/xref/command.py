"""The command ``xref``."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, TypeAlias

import click

from ...api import Index
from ...index.not_found import NotFound
from ...index.relations import RELATIONS
from ...terminal.batch import answer_batch
from ...terminal.exit_codes import EXIT_NOT_FOUND
from ...terminal.opening import asks_several, opened_all
from ...terminal.options import (
    batch_option,
    package_option,
    refuse_unless_one,
    seen_from_option,
    several_options,
)
from ...terminal.printing import finish
from .answer import XrefAnswer, XrefTreeAnswer
from .text import xref_text, xref_tree_text

if TYPE_CHECKING:
    from ...several.xref.answer import SeveralXrefAnswer
    from ..styled import Line
    from ..view import View

_Answer: TypeAlias = "XrefAnswer | XrefTreeAnswer | SeveralXrefAnswer | NotFound"
_LIST_LIMIT = 200
_TREE_LIMIT = 20


@click.command()
@click.argument("name", required=False)
@package_option
@click.option("--relation", type=click.Choice([*RELATIONS]), help="Only uses of this kind (default: all).")
@click.option("--callees", is_flag=True, help="List the names that NAME's code uses, instead of its uses.")
@click.option(
    "--companions",
    is_flag=True,
    help="With --callees: also what compiler macros, transforms and setf expanders of NAME use.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show a tree: follow callers of callers (or callees of callees) for N steps.",
)
@click.option(
    "--beyond",
    is_flag=True,
    help="With --callees and --depth: follow what is outside the project's systems, too.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Show at most N uses (default: {_LIST_LIMIT}), with --depth N for each name "
    f"(default: {_TREE_LIMIT}); 0 shows all.",
)
@click.option("--offset", type=click.IntRange(min=0), help="Skip the first N uses.")
@batch_option
@seen_from_option
@several_options
def xref(
    name: str | None,
    package: str,
    relation: str | None,
    callees: bool,
    companions: bool,
    depth: int | None,
    beyond: bool,
    limit: int | None,
    offset: int | None,
    batch: IO[bytes] | None,
    paths: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the uses of NAME: all code that SBCL knows to use it, and all other places in the sources.

    The uses are listed by relation: code calls, macroexpands, references, sets or binds a name, or a method
    specializes on it; the text instantiates, handles, tests, declares, inherits, exports, imports, names or
    mentions it. The places that define it are listed for --relation defines only. '(setf name)' asks for the
    uses of the setf function. Exit code 1: there are no uses, or no such name; the answer says why.
    """
    refuse_unless_one(name, batch)
    if companions and not callees:
        raise click.UsageError("--companions is about what NAME uses: give --callees too.")
    if beyond and not (callees and depth):
        raise click.UsageError("--beyond is about a tree of callees: give --callees and --depth too.")
    if depth:
        _check_tree(paths, relation, offset)
    with opened_all(paths) as index:

        def answered(asked: str) -> _Answer:
            if depth:
                assert isinstance(index, Index), "checked above"
                most = _TREE_LIMIT if limit is None else limit
                return index.xref_tree(
                    *(asked, package),
                    relation=relation,
                    callees=callees,
                    companions=companions,
                    beyond=beyond,
                    depth=depth,
                    limit=most,
                )
            most = _LIST_LIMIT if limit is None else limit
            return index.xref(
                *(asked, package),
                relation=relation,
                callees=callees,
                companions=companions,
                limit=most,
                offset=offset or 0,
            )

        if batch is not None:
            sys.exit(answer_batch(batch, answered))
        answer = answered(name or "")
    finish(answer, as_json, lambda: _text(answer), lambda view: _people(answer, view), asked=name or "")
    if not isinstance(answer, NotFound) and _is_unused(answer):
        sys.exit(EXIT_NOT_FOUND)


def _check_tree(paths: tuple[str, ...], relation: str | None, offset: int | None) -> None:
    """Refuse what does not go with --depth."""
    if offset is not None:
        raise click.UsageError(f"A tree has no pages: leave out --offset {offset}, or --depth.")
    if relation == "specializes":
        raise click.UsageError(
            "Methods that specialize on a class make no tree: leave out --relation specializes, or --depth."
        )
    if asks_several(paths):
        raise click.UsageError("A tree (--depth) is of one index: give one --index, and no --with-catalog.")


def _is_unused(answer: XrefAnswer | XrefTreeAnswer | SeveralXrefAnswer) -> bool:
    """Whether there are no uses: not even by a release in the catalog, if that was asked."""
    return bool(answer.reason) and not getattr(answer, "releases", ())


def _people(answer: _Answer, view: View) -> list[Line]:
    assert not isinstance(answer, NotFound)
    from .people import xref_people, xref_tree_people

    if isinstance(answer, XrefAnswer):
        return [*xref_people(answer, view)]
    if isinstance(answer, XrefTreeAnswer):
        return [*xref_tree_people(answer, view)]
    from ...several.xref.people import several_xref_people

    return [*several_xref_people(answer, view)]


def _text(answer: _Answer) -> str:
    assert not isinstance(answer, NotFound)
    if isinstance(answer, XrefAnswer):
        return xref_text(answer)
    if isinstance(answer, XrefTreeAnswer):
        return xref_tree_text(answer)
    from ...several.xref.text import several_xref_text

    return several_xref_text(answer)
