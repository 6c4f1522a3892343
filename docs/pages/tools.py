"""docs/tools.md: the tools for agents, from the registry."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from oblist.query.questions.definition.digest import form_digest
from oblist.query.tools.aliases import OTHER_NAMES, find_tool
from oblist.query.tools.registry import registry
from oblist.query.tools.schemas import input_schema, output_schema
from oblist.query.tools.table import TOOLS
from oblist.query.tools.vocabulary import CAUTIOUS, DANGEROUS, SAFE, Parameter, Tool

from .examples import Answerer

_EXAMPLES = {
    "apropos_search": {"pattern": "hash-table-", "type": "function", "limit": 3},
    "describe_symbol": {"name": "mapcar"},
    "symbol_definition": {"symbols": "constantly", "max_length": 700},
    "find_references": {"name": "package-used-by-list"},
    "at": {"place": "src/code/list.lisp:185"},
    "uses": {"users": "package:sb-gray", "used": "package:sb-kernel", "limit": 3},
    "usage_examples": {"name": "package-used-by-list"},
    "describe_class": {"name": "random-state", "limit": 3},
    "describe_package": {"name": "sb-gray", "limit": 3},
    "search_documentation": {"query": "hash table keys", "limit": 3},
    "what_changes": {"since": "sbcl@", "limit": 3},
    "find_library": {"query": "process id", "limit": 3},
    "check_form": {
        "text": "(defun total (prices)\n  (reduce #'+ (mapcra #'car prices) :initial-valu 0))",
        "package": "cl-user",
    },
    "edit_form": {
        "name": "shop:price",
        "digest": form_digest("shop.lisp", "(defun price (box)\n  (* 2 (length box)))"),
        "text": "(defun price (box)\n  (* 3 (length box)))",
    },
    "rename_symbol": {"old": "shop:price", "new": "cost"},
    "clhs": {"term": "format ~{"},
    "index_status": {},
}
_OF_A_PROJECT = ("edit_form", "rename_symbol")
_CLAUSES = Path(__file__).parent.parent / "contracts" / "clauses.toml"
_EXAMPLE = re.compile(r"^(`{3,})console\n\$ (oblist .*?)\n(.*?)^\1\n", re.DOTALL | re.MULTILINE)
# What a help text calls a parameter of a command: ``--package``, ``NAME``.
_OPTION = re.compile(r"--([a-z]+)|\bNAME\b")
# The parts of the output that differ between indexes or machines.
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")
_SIZE = re.compile(r"(?<=size {9})\d+\.\d MB")
_SNAPSHOT = re.compile(r"(snapshot {5}|snapshots: )\d+\.\d MB")

_HEAD = """\
# Tools

These are the tools of oblist for coding agents. `oblist mcp` serves them ([mcp.md](mcp.md)), `oblist tools
--format mcp` and `--format openai` print their schemas, and `oblist tools call` calls them. All three
commands use the same definitions of the tools.

| level | what it does | what it needs |
|---|---|---|
| safe | answers from the index; values of variables come from a running SBCL | nothing |
| cautious | rebuilds the index, or evaluates any code, with your rights | `--allow cautious` |
| dangerous | loads code or writes sources | `--allow dangerous`, and a person's approval of each call |

A tool that is not allowed is not listed and does not run. Tools are listed under the names on this page or,
with `--names kebab`, in kebab-case. Calls may use either form, or the names [below](#other-names).

Parameters marked "Not listed" are not in the schemas, but calls may still use them. If an answer is
shortened, or a call is refused, the answer names the parameters that would help.

An answer is a string of at most `max_chars` characters. If it would be longer, documentation strings are left
out; if it is still too long, it is reduced to counts. For programs, `oblist mcp --structured` also sends the
answer as structured content, and lists the schemas of this content. Structured content may have twice as many
characters; if only the structured content is too long, it contains fewer items. It is not an error if nothing
is found. The errors are: wrong arguments, an unknown tool, a tool that is not allowed, a missing index, a
time limit that was reached, and a tool that failed.
"""


def tools_page(answered: Answerer | None, path: Path) -> str:
    """The page; without ``answered``, it keeps the examples of the page at ``path``."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    known = {match[2]: match[3] for match in _EXAMPLE.finditer(old)}

    def output(line: str) -> str:
        if answered is None:
            return known.get(line, "")
        text = _SIZE.sub("49.0 MB", _TIME.sub("2026-01-01T00:00:00+00:00", answered(line)))
        return _SNAPSHOT.sub(r"\g<1>43.0 MB", text)

    lines = [_HEAD, *_sizes(), "", "| tool | level | for |", "|---|---|---|"]
    lines += [f"| [{tool.name}](#{tool.name}) | {tool.safety_level} | {tool.title} |" for tool in TOOLS]
    lines.append("")
    for tool in TOOLS:
        lines += [*_tool(tool), ""]
        if tool.name in _EXAMPLES:
            index = " --index shop/.oblist/oblist.db" if tool.name in _OF_A_PROJECT else ""
            line = f"oblist tools call {tool.name}{index}"
            if arguments := _EXAMPLES[tool.name]:
                line += f" --args {shlex.quote(json.dumps(arguments))}"
            text = output(line)
            fence = "````" if "```" in text else "```"  # a text may have Markdown in it
            lines += [f"{fence}console\n$ {line}\n{text}{fence}", ""]
    lines += [*_other_names(), "", *_contracts()]
    return "\n".join(lines).rstrip() + "\n"


def _sizes() -> Iterator[str]:
    safe = [tool.offered(dangerous=False) for tool in TOOLS if tool.safety_level == SAFE]
    yield (
        "A model reads the names, descriptions and input schemas of the tools. Together, these have "
        f"{_given(safe):,} characters for\nthe {len(safe)} safe tools, and "
        f"{_given(TOOLS):,} for all {len(TOOLS)}. "
        "The output schemas, with which clients check answers, add "
        f"{_checked(safe):,} characters\nfor the safe tools and {_checked(TOOLS):,} for all."
    )


def _given(tools: Iterable[Tool]) -> int:
    return sum(len(tool.name) + len(tool.description) + len(_compact(input_schema(tool))) for tool in tools)


def _checked(tools: Iterable[Tool]) -> int:
    return sum(len(_compact(output_schema(tool))) for tool in tools)


def _compact(schema: object) -> str:
    return json.dumps(schema, separators=(",", ":"))


def _tool(tool: Tool) -> Iterator[str]:
    yield f"## {tool.name}\n\n{tool.title}. Level: {tool.safety_level}.{_needed(tool)}\n"
    yield f"{tool.description}\n"
    if tool.parameters:
        yield "| parameter | type | required | default | meaning |\n|---|---|---|---|---|"
        for parameter in tool.parameters:
            required = "yes" if parameter.name in tool.required else ""
            default = "" if parameter.default is None else f"`{json.dumps(parameter.default)}`"
            yield (
                f"| `{parameter.name}` | {_type(parameter)} | {required} | {default} | "
                f"{_meaning(parameter)} |"
            )
        yield ""
    else:
        yield "It takes no parameters.\n"
    answers = ", ".join(
        f"[{one.__name__}](formats/answers.md#{one.__name__.lower()})" for one in tool.answers
    )
    structured = f"Structured answer: {answers}." if answers else "The answer is text only."
    yield f"{structured} Time limit: {tool.seconds:g} s."


def _needed(tool: Tool) -> str:
    if tool.dangerous_with:
        return (
            f" With `{tool.dangerous_with}`, it is dangerous: it needs `--allow dangerous`, and a person's "
            "approval of the diff."
        )
    return {
        SAFE: "",
        CAUTIOUS: " It needs `--allow cautious`.",
        DANGEROUS: " It needs `--allow dangerous`, and a person's approval of each call.",
    }[tool.safety_level]


def _type(parameter: Parameter) -> str:
    kind = "whole number" if parameter.whole else parameter.type
    return f"{kind}, or array of strings" if parameter.or_array else kind


def _meaning(parameter: Parameter) -> str:
    meaning = _OPTION.sub(
        lambda match: f"`{match[0].lstrip('-').lower()}`", parameter.documentation or parameter.description
    ).replace("|", "\\|")
    if parameter.choices:
        meaning += f" One of {', '.join(f'`{choice}`' for choice in parameter.choices)}."
    if parameter.minimum is not None and parameter.minimum > 0:
        meaning += f" At least {parameter.minimum:g}."
    if parameter.longest is not None:
        meaning += f" At most {parameter.longest:,} characters."
    if not parameter.listed:
        meaning += " Not listed."
    return meaning


def _contracts() -> Iterator[str]:
    """The clauses of other systems' contracts, with the tests that hold them and what deviates."""
    yield (
        "## Contracts\n\nDocuments of other systems specify the answers of tools like these. The tables list "
        "each clause, the tests\nthat check it (below `tests/`), and the reason for any deviation.\n"
    )
    for contract in tomllib.loads(_CLAUSES.read_text(encoding="utf-8")).values():
        yield f"### {contract['title']}\n"
        yield "| clause | tests | deviation |\n|---|---|---|"
        for clause in contract["clauses"]:
            tests = "<br>".join(f"`{test}`" for test in clause["tests"])
            yield f"| {clause['clause']} | {tests} | {clause.get('deviates', '')} |"
        yield ""


def _other_names() -> Iterator[str]:
    yield (
        "## Other names\n\nOther Lisp servers use these names for similar tools. Calls may use the names, "
        "with the\narguments of those servers, but the list of tools does not contain them.\n"
    )
    yield "| name | tool | other argument names | differences |\n|---|---|---|---|"
    for name in OTHER_NAMES:
        called = find_tool(registry, name, {})
        assert called is not None
        renamed = ", ".join(f"`{theirs}` for `{ours}`" for theirs, ours in called.renamed.items())
        fixed = [f"`{parameter}` is {json.dumps(value)}" for parameter, value in called.fixed.items()]
        besides = called.difference or ", ".join(fixed)
        yield f"| `{name}` | {called.tool.name} | {renamed} | {besides} |"
    yield "\nWith the argument `class`, `find-methods` calls describe_class."
