"""The command ``clhs``."""

from __future__ import annotations

import click

from ..terminal.printing import finish
from .find import find_term
from .places import HYPERSPEC_VARIABLE, MANUAL_VARIABLE
from .text import standard_text


@click.command()
@click.argument("term", nargs=-1, required=True)
@click.option(
    "--hyperspec",
    metavar="FOLDER|URL",
    help=f"Link to this copy of the HyperSpec (default: ${HYPERSPEC_VARIABLE}, else the public one).",
)
@click.option(
    "--manual",
    metavar="FILE|URL",
    help=f"Link to this copy of SBCL's manual (default: ${MANUAL_VARIABLE}, Debian's, or the public one).",
)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def clhs(term: tuple[str, ...], hyperspec: str | None, manual: str | None, as_json: bool) -> None:
    """Print the link to the HyperSpec's page about TERM, or to SBCL's manual.

    TERM is a symbol, a format directive ('~A', 'format ~{'), a reader macro ("#'", '#+'), a glossary term
    (association list) or the number of a section (3.1.2). No index is needed. Exit code 1: TERM was
    not found.
    """
    answer = find_term(" ".join(term), hyperspec=hyperspec, manual=manual)
    finish(answer, as_json, standard_text)
