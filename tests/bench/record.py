"""Record the answers to thousands of questions, to compare two states of the code.

    python tests/bench/record.py --bare BARE.db --project SAMPLE.db --output FILE [--oblist COMMAND]

BARE.db is an index of SBCL alone, SAMPLE.db one of data/sample. The questions are commands, tool calls over
MCP, pages and exports, drawn from the indexes by a fixed seed, wrong ones among them. The file has one JSON
line for each question; two recordings on the same indexes are compared with ``diff``, or with
``--compare OTHER``, which lists the questions that are answered differently and ends with 1 when there are
any.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import http.client
import json
import os
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
_SECONDS = 120
_SEED = 17
# How long Datasette says that a query took.
_TIME_TAKEN = re.compile(rb"\d+\.\d+ ?ms|(?<=\"query_ms\": )[\d.]+")
_FORMATS = ("text", "json", "github", "sarif", "junit")

Answer = dict[str, object]


class Names:
    """Names drawn from one index, as one types them."""

    def __init__(self, index: Path) -> None:
        self.index = index
        self._chance = random.Random(_SEED)

    def _rows(self, statement: str) -> list[Any]:
        with contextlib.closing(
            sqlite3.connect(f"file:{self.index}?mode=ro&immutable=1", uri=True)
        ) as connection:
            return connection.execute(statement).fetchall()

    def symbols(self, count: int, *, condition: str = "1") -> list[tuple[str, str]]:
        """Package and name of ``count`` symbols that meet a condition in SQL."""
        rows = self._rows(
            "SELECT packages.name, symbols.name FROM symbols "
            "JOIN packages ON packages.id = symbols.package_id "
            f"WHERE {condition} ORDER BY symbols.id"
        )
        return self._chance.sample(rows, min(count, len(rows)))

    def typed(self, count: int, *, condition: str = "1") -> list[str]:
        """Names of ``count`` symbols, between pipes."""
        return [
            f"|{_barred(one)}|::|{_barred(two)}|" for one, two in self.symbols(count, condition=condition)
        ]

    def packages(self) -> list[str]:
        """The names of all packages."""
        return [name for (name,) in self._rows("SELECT name FROM packages ORDER BY name")]

    def parts(self, count: int) -> list[str]:
        """Stretches of names, of one to eight characters."""
        found = []
        for _, name in self.symbols(count):
            start = self._chance.randrange(max(1, len(name) - 3))
            found.append(name[start : start + self._chance.randint(1, 8)])
        return found

    def files(self) -> list[tuple[str, str]]:
        """Root and path of the source files."""
        return self._rows(
            "SELECT roots.name, relative_path FROM source_files JOIN roots ON roots.id = root_id "
            "WHERE relative_path IS NOT NULL ORDER BY 1, 2"
        )

    def systems(self) -> list[str]:
        """The names of the systems."""
        return [name for (name,) in self._rows("SELECT name FROM systems ORDER BY name")]


def _barred(name: str) -> str:
    return name.replace("\\", "\\\\").replace("|", "\\|")


_USED = "symbols.id IN (SELECT callee_id FROM symbol_references)"
_CLASSES = (
    "symbols.id IN (SELECT symbol_id FROM definitions WHERE kind IN ('class', 'structure', 'condition'))"
)
_DEFINED = "symbols.id IN (SELECT symbol_id FROM definitions)"
_EXPORTED = "exported = 1"


def commands(names: Names) -> Iterator[list[str]]:
    """Command lines about one index."""
    for name in [
        *names.typed(40),
        *names.typed(40, condition=_DEFINED),
        *names.typed(20, condition=_EXPORTED),
    ]:
        yield ["describe", name]
        yield ["describe", "--json", "--no-live", name]
    for name in names.typed(30, condition=_DEFINED):
        yield ["definition", name]
        yield ["definition", "--json", "--package-details", "--max-length", "500", name]
    for name in names.typed(40, condition=_USED):
        yield ["xref", "--limit", "30", name]
        yield ["xref", "--json", "--callees", name]
        yield ["xref", "--depth", "2", "--limit", "3", name]
    for name in names.typed(25, condition=_CLASSES):
        yield ["class", name]
        yield ["class", "--json", "--limit", "5", "--offset", "1", name]
    for part in names.parts(40):
        yield ["apropos", "--limit", "20", "--", part]
        yield ["apropos", "--json", "-p", "CL", "-t", "function", "--", part]
        yield ["search", "--", part]
    for package in names.packages():
        yield ["package", "--limit", "20", f"|{_barred(package)}|"]
    for relation in ("calls", "macroexpands", "references", "sets", "binds", "specializes"):
        yield ["xref", "--relation", relation, "--limit", "10", "car"]
        yield ["xref", "--relation", relation, "--json", "--limit", "10", "stream"]
    yield from (
        ["info"],
        ["info", "--json"],
        ["query", "SELECT kind, count(*) FROM definitions GROUP BY 1"],
        ["query", "--json", "SELECT * FROM packages LIMIT 5"],
        ["query", "--csv", "-P", "p=CL", "SELECT :p AS p"],
        ["query", "SELEC 1"],
        ["query", "DELETE FROM symbols"],
        ["search", "hash", "table", "keys"],
        ["search", "--json", "remove duplicates"],
        ["search", "%"],
        ["describe", "mapcaar"],
        ["describe", "no-such::thing"],
        ["describe", "|"],
        ["describe", "(setf gethash)"],
        ["describe", "(setf car"],
        ["describe"],
        ["describe", "car", "--batch", "-"],
        ["apropos", "x", "-t", "verb"],
        ["apropos", ""],
        ["apropos", "x", "-p", "no-such-package"],
        ["xref", "car", "--depth", "1", "--offset", "1"],
        ["xref", "if"],
        ["xref", "pi", "--relation", "calls"],
        ["definition", "car,cdr", "mapcar"],
        ["class", "car"],
        ["package", "no-such-package"],
        ["describe", "car", "--root", "nowhere"],
        ["describe", "car", "--root", "nowhere=/x"],
        ["export", "ctags", "-o", "-"],
        ["export", "etags", "-o", "-"],
        ["export", "scip", "-o", "-"],
        ["check-index"],
    )


def _about(index: Path, line: list[str]) -> list[str]:
    words = 2 if line[0] == "export" else 1
    return [*line[:words], "--index", str(index), *line[words:]]


def commands_of_files(bare: Path, project: Path) -> Iterator[list[str]]:
    """Command lines about files, about two indexes, and about none."""
    sources = sorted(SAMPLE.rglob("*.lisp"))
    for form in _FORMATS:
        yield ["check", "--format", form, "--index", str(project), str(SAMPLE)]
        yield ["check", "--format", form, "--index", str(bare), "--severity", "info", str(SAMPLE)]
    for source in sources:
        yield ["check", "--json", "--index", str(bare), str(source)]
        yield ["check", "--index", str(project), "--severity", "info", str(source)]
    yield [
        "check",
        "--index",
        str(bare),
        str(SAMPLE.parents[1] / "README.md"),
        str(SAMPLE.parents[1] / "docs"),
    ]
    for form in ("text", "markdown", "json"):
        yield ["diff", "--format", form, "--limit", "50", str(bare), str(project)]
        yield ["diff", "--format", form, str(project), str(bare)]
    yield ["diff", str(bare), str(project), "-p", "no-such"]
    yield ["diff", str(bare), "/no/such/index.db"]
    yield ["check-index", "--index", str(bare), "--same-as", str(project)]
    yield ["describe", "car", "--index", "/no/such/index.db"]
    yield ["describe", "car", "--index", "/etc/passwd"]
    yield ["describe", "car", "--index", "/"]
    yield from (["tools"], ["tools", "--json"], ["tools", "--format", "mcp"], ["tools", "--format", "openai"])
    yield from (["tools", "--names", "kebab"], ["tools", "call", "nothing"], ["tools", "call"], ["nothing"])
    yield from (
        ["--help"],
        ["--version"],
        ["mcp", "--http", "8000", "--names", "x"],
        ["index", "--project", "/no"],
    )
    for command in (
        *(
            "index",
            "watch",
            "describe",
            "apropos",
            "definition",
            "xref",
            "search",
            "package",
            "class",
            "browse",
        ),
        *("mcp", "tools", "check", "diff", "export", "query", "info", "check-index"),
    ):
        yield [command, "--help"]
        yield [command, "--no-such-option"]
    for form in ("ctags", "etags", "dash", "scip"):
        yield ["export", form, "--help"]


def calls(names: Names) -> Iterator[tuple[str, dict[str, object]]]:
    """Tool calls about one index, under the names of other servers as well."""
    for name in [*names.typed(40), *names.typed(50, condition=_DEFINED)]:
        yield "describe_symbol", {"name": name}
        yield "code-describe", {"symbol": name}
    for name in names.typed(60, condition=_DEFINED):
        yield "symbol_definition", {"symbols": name, "max_length": 800, "include_package_details": True}
    for name in names.typed(60, condition=_USED):
        yield "find_references", {"name": name, "limit": 20}
        yield "find_references", {"name": name, "callees": True, "max_chars": 1500}
        yield "find_references", {"name": name, "depth": 2}
    for name in names.typed(40, condition=_CLASSES):
        yield "describe_class", {"name": name, "max_chars": 4000}
    for part in names.parts(50):
        yield "apropos_search", {"pattern": part, "max_chars": 3000}
        yield "search_documentation", {"query": part}
    for package in names.packages():
        yield "describe_package", {"name": f"|{_barred(package)}|", "limit": 20}
    yield "index_status", {}
    yield "eval_form", {"form": "1"}
    yield "no_such_tool", {}
    yield "describe_symbol", {}
    yield "describe_symbol", {"name": 1, "more": 2}
    yield "apropos_search", {"pattern": "x", "type": "verb"}


def pages(names: Names) -> Iterator[str]:
    """Paths of pages of one index."""
    base = "/oblist/-"
    yield from (f"{base}/{page}" for page in ("home", "packages", "graph", "systems", "problems", "search"))
    yield from (
        "/",
        "/oblist",
        f"{base}/nothing",
        f"{base}/symbol/no/such",
        f"{base}/package/no.json",
    )
    for package, name in [*names.symbols(70), *names.symbols(70, condition=_DEFINED)]:
        yield f"{base}/symbol/{_segment(package)}/{_segment(name)}"
        yield f"{base}/symbol/{_segment(package)}/{_segment(name)}.json"
    for package, name in names.symbols(30, condition=_CLASSES):
        yield f"{base}/class/{_segment(package)}/{_segment(name)}"
    yield from (f"{base}/package/{_segment(package)}" for package in names.packages())
    yield from (f"{base}/system/{_segment(system)}" for system in names.systems())
    for root, path in names.files()[::12]:
        yield f"{base}/source/{_segment(root)}/{_segment(path)}"
    for part in names.parts(40):
        yield f"{base}/search?q={quote(part, safe='')}"
    for table in ("symbols", "definitions", "packages", "most_called", "undocumented_exports"):
        yield f"/oblist/{table}.json?_size=5"
    yield "/oblist/callers_of?package=CL&name=CAR"


def _segment(text: str) -> str:
    """A part of a path in Datasette's tilde encoding."""
    return "".join(
        char
        if char.isascii() and (char.isalnum() or char in "-_")
        else "".join(f"~{one:02X}" for one in char.encode())
        for char in text
    ).replace("~20", "+")


def _run(oblist: list[str], arguments: list[str], environment: dict[str, str]) -> Answer:
    done = subprocess.run(
        [*oblist, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
        env=environment,
    )
    return {
        "question": shlex.join(arguments),
        "code": done.returncode,
        "output": _shown(done.stdout),
        "errors": _shown(done.stderr),
    }


def _shown(output: bytes) -> str:
    """A short output unchanged; the beginning and a hash of a long one."""
    text = output.decode("utf-8", "backslashreplace")
    if len(text) <= 4000:
        return text
    return f"{text[:2000]}... {len(text)} characters, sha256 {hashlib.sha256(output).hexdigest()}"


async def _called(oblist: list[str], index: Path, environment: dict[str, str]) -> list[Answer]:
    """The answers to tool calls, from a server on stdio asked by the SDK's own client."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    parameters = StdioServerParameters(
        command=oblist[0], args=[*oblist[1:], "mcp", "--index", str(index), "--no-live"], env=environment
    )
    answers: list[Answer] = []
    async with Client(parameters, read_timeout_seconds=_SECONDS) as client:
        listed = await client.list_tools()
        answers.append(
            {"question": f"{index.stem}: list tools", "output": _shown(listed.model_dump_json().encode())}
        )
        for name, arguments in calls(Names(index)):
            result = await client.call_tool(name, arguments)
            question = f"{index.stem}: {name} {json.dumps(arguments)}"
            answers.append({"question": question, "output": _shown(result.model_dump_json().encode())})
    return answers


def _pages_shown(oblist: list[str], index: Path, environment: dict[str, str]) -> list[Answer]:
    command = [*oblist, "browse", "--index", str(index), "--no-open"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as run:
        assert run.stdout is not None
        address = urlsplit(run.stdout.readline().split()[-1])
        try:
            return [_page(address.netloc, index.stem, path) for path in pages(Names(index))]
        finally:
            run.send_signal(signal.SIGTERM)


def _page(netloc: str, index: str, path: str) -> Answer:
    connection = http.client.HTTPConnection(netloc, timeout=_SECONDS)
    with contextlib.closing(connection):
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read()
    body = _TIME_TAKEN.sub(b"TIME", body.replace(netloc.encode(), b"HOST"))
    shown = _shown(body)
    return {
        "question": f"{index}: {path}",
        "code": response.status,
        "output": shown,
        "type": response.getheader("Content-Type"),
    }


def record(oblist: list[str], bare: Path, project: Path) -> list[Answer]:
    """The answers to all questions, in their order."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}
    with tempfile.TemporaryDirectory() as folder:
        environment |= {"XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder, "OBLIST_INDEX": str(bare)}
        lines = [_about(index, line) for index in (bare, project) for line in commands(Names(index))]
        lines += commands_of_files(bare, project)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(lambda line: _run(oblist, line, environment), lines))
        for index in (bare, project):
            answers += asyncio.run(_called(oblist, index, environment))
            answers += _pages_shown(oblist, index, environment)
    return answers


def compare(path: Path, other: Path) -> int:
    """List the questions that are answered differently, and return their number."""
    first, second = (
        {answer["question"]: answer for answer in map(json.loads, one.read_text().splitlines())}
        for one in (path, other)
    )
    different = [question for question in first | second if first.get(question) != second.get(question)]
    for question in different:
        print(f"{question}\n  - {first.get(question)}\n  + {second.get(question)}")
    print(f"{len(first | second)} questions, {len(different)} answered differently")
    return len(different)


def main() -> None:
    """Record the answers, and compare them if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--oblist", default=f"{Path(sys.executable).parent / 'oblist'}", help="the command")
    parser.add_argument("--bare", type=Path)
    parser.add_argument("--project", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--compare", type=Path, metavar="OTHER")
    options = parser.parse_args()
    if options.bare:
        answers = record(shlex.split(options.oblist), options.bare.absolute(), options.project.absolute())
        options.output.write_text("".join(f"{json.dumps(answer)}\n" for answer in answers))
        print(f"{len(answers)} answers in {options.output}")
    if options.compare:
        sys.exit(bool(compare(options.compare, options.output)))


if __name__ == "__main__":
    main()
