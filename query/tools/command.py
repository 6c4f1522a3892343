"""The command ``tools``: the tools for agents, their schemas, and calling one by hand."""

from __future__ import annotations

import json
import logging
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ..index.shown import for_terminal
from ..questions.statement.tables import tables_text
from ..terminal.exit_codes import EXIT_NO_INDEX, EXIT_NOT_FOUND, EXIT_USAGE
from ..terminal.opening import opened
from ..terminal.options import tool_names_option
from ..terminal.printing import json_text, say, say_note
from .aliases import kebab
from .registry import registry
from .results import BAD_ARGUMENTS, NO_INDEX, NOT_ALLOWED, UNKNOWN_TOOL, ToolResult, json_bytes
from .schemas import mcp_tool, openai_function
from .vocabulary import CAUTIOUS, DANGEROUS, SAFE, Proposal, Tool

_FORMATS = ("mcp", "openai")
_EXIT_CODES = {
    BAD_ARGUMENTS: EXIT_USAGE,
    UNKNOWN_TOOL: EXIT_USAGE,
    NOT_ALLOWED: EXIT_USAGE,
    NO_INDEX: EXIT_NO_INDEX,
}


@click.group(invoke_without_command=True)
@click.option("--format", "form", type=click.Choice(_FORMATS), help="Print the schemas as JSON.")
@click.option(
    "--structured", is_flag=True, help="With --format mcp: include the schemas of structured answers."
)
@tool_names_option
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
@click.pass_context
def tools(ctx: click.Context, form: str | None, structured: bool, names: str, as_json: bool) -> None:
    """List the tools for agents, including those of other packages, with their safety levels.

    safe: reads only. cautious: changes the index or an image; needs --allow cautious. dangerous: needs
    --allow dangerous, and a person must approve each call.
    """
    for problem in _problems():
        click.echo(f"oblist: {for_terminal(problem)}", err=True)
    if ctx.invoked_subcommand is not None:
        return
    if structured and form != "mcp":
        raise click.UsageError(
            f"--structured needs --format mcp{f', not {form}' if form else ''}: "
            "other lists have no schemas of answers."
        )
    shown = kebab if names == "kebab" else str
    if form == "mcp":
        offered = [tool.offered(dangerous=True) for tool in registry]
        say(json_text([mcp_tool(tool, shown(tool.name), structured=structured) for tool in offered]))
    elif form is not None:
        say(json_text([openai_function(tool, shown(tool.name)) for tool in registry]))
    elif as_json:
        say(json_text([_facts(tool, shown(tool.name)) for tool in registry]))
    else:
        width = max(len(tool.name) for tool in registry)
        for tool in registry:
            say(f"{shown(tool.name):<{width}}  {tool.safety_level:<9}  {_first_sentence(tool)}")


def _first_sentence(tool: Tool) -> str:
    return " ".join(tool.description.split()).split(". ")[0].removesuffix(".")


def _problems() -> list[str]:
    len(registry)  # loads the tools
    return registry.problems


def _facts(tool: Tool, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "title": tool.title,
        "description": tool.description,
        "safety_level": tool.safety_level,
        "categories": list(tool.categories),
        "parameters": [parameter.name for parameter in tool.parameters],
        "required": list(tool.required),
    }


@tools.command()
@click.option("--index", "path", metavar="FILE", help="The index to query (default: see `oblist info`).")
def tables(path: str | None) -> None:
    """List the tables of an index, with their main columns."""
    with opened(path) as index:
        say(tables_text(index))


@tools.command()
@click.argument("name")
@click.option("--args", "text", default="{}", metavar="JSON", help="The arguments, as a JSON object.")
@click.option("--index", "path", metavar="FILE", help="The index to query (default: see `oblist info`).")
@click.option(
    "--allow", type=click.Choice([CAUTIOUS, DANGEROUS]), help="Also run tools of this safety level."
)
@click.option("--no-live", is_flag=True, help="Do not start an SBCL to read the values of variables.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print success, content, error and structured content as JSON."
)
def call(name: str, text: str, path: str | None, allow: str | None, no_live: bool, as_json: bool) -> None:
    """Call the tool NAME as an agent would, and print its answer.

    "Not found" counts as an answer (exit code 0). Calls of cautious and dangerous tools are logged to
    stderr.

    Exit codes: 0 answered; 1 the tool failed; 2 no such tool, wrong arguments, or not allowed; 3 no
    usable index.
    """
    arguments = _arguments(text)
    logging.getLogger("oblist").addHandler(
        logging.NullHandler()
    )  # no tracebacks: the message says what went wrong
    import anyio

    from .running.server import executor_for

    executor = executor_for(
        registry,
        Path(path) if path else None,
        allowed=allow or SAFE,
        live=not no_live,
        structured=as_json,
    )

    async def called() -> ToolResult:
        return await executor.call(name, arguments, approve=_approved, progress=_told)

    try:
        result = anyio.run(called)
    finally:
        executor.close()
    if as_json:
        say(json_text(asdict(result)))
    else:
        if result.success:
            say(result.content)
        else:
            click.echo(f"oblist: {for_terminal(result.error or '')}", err=True)
        for note in result.notes:
            say_note(for_terminal(note))
    if not result.success:
        sys.exit(_EXIT_CODES.get(result.failure or "", EXIT_NOT_FOUND))


def _arguments(text: str) -> dict[str, Any]:
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"--args is not JSON: {error}.") from error
    if not isinstance(arguments, dict):
        raise click.UsageError('--args must be a JSON object, such as {"name": "mapcar"}.')
    return arguments


async def _approved(tool: Tool, arguments: Mapping[str, Any], proposal: Proposal | None = None) -> str | None:
    """Ask the user at the terminal; the reason for refusing, or None."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return "a person must approve it, and there is no terminal for asking one"
    question = f"Run {tool.name} with {for_terminal(json_bytes(arguments).decode())}?"
    if proposal is not None:
        click.echo(for_terminal(proposal.shown), err=True)
        question = f"{tool.title}: make this change?"
    # The event loop's own handler would only cancel this task, which would still wait for the user.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        approved = click.confirm(question, err=True)
    finally:
        signal.signal(signal.SIGINT, handler)
    return None if approved else "the person declined"


async def _told(message: str) -> None:
    if sys.stderr.isatty():
        click.echo(message, err=True)
