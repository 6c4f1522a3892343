"""The rooms of the house: who may import whom, and how big a file may grow."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONTRACT = {"indexer.format", "indexer.names"}
MAY_IMPORT = {"lisp": set(), "indexer": {"lisp"}, "query": {"lisp", *CONTRACT}}
MOST_LINES = 300


def imported_modules(path: Path) -> set[str]:
    """The absolute names of all modules that the file imports, relative imports resolved."""
    package = path.relative_to(ROOT).parent.as_posix().replace("/", ".")
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(f"{package}.{node.module}" if node.level else str(node.module))
    return found


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_what_the_table_allows(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    ours = 0
    for path in files:
        for module in imported_modules(path):
            top = module.split(".")[0]
            if top not in MAY_IMPORT or top == room:
                ours += top == room
                continue
            allowed = MAY_IMPORT[room]
            assert top in allowed or module in allowed, f"{path.name} imports {module}"
    assert ours or room == "lisp"


@pytest.mark.parametrize("module", sorted(CONTRACT))
def test_the_contract_imports_the_standard_library_only(module: str) -> None:
    names = imported_modules(ROOT / (module.replace(".", "/") + ".py"))
    assert names
    assert {name.split(".")[0] for name in names} <= {*sys.stdlib_module_names, "__future__"}


@pytest.mark.parametrize(
    "command",
    ["describe", "apropos", "info", "definition", "xref", "class", "browse", "check", "diff", "query"],
)
def test_asking_imports_no_library_of_building_or_browsing(command: str) -> None:
    code = (
        "import sys, click\n"
        "from query.cli import cli\n"
        f"cli.get_command(click.Context(cli), {command!r})\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert "query" in loaded
    assert not loaded & {"sqlalchemy", "sqlite_utils", "rich", "datasette", "mcp", "watchfiles"}


@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("describe", {"describe_answers"}),
        ("apropos", {"apropos_answers"}),
        ("definition", {"definition_answers", "describe_answers"}),
        ("info", set()),
    ],
)
def test_a_command_loads_no_answers_but_its_own(command: str, own: set[str]) -> None:
    """Making dataclasses takes time, and a cold lookup is mostly that."""
    code = (
        "import sys, click\n"
        "from query.cli import cli\n"
        f"cli.get_command(click.Context(cli), {command!r})\n"
        f"{'import query.' + command if command in own or command != 'info' else ''}\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("query.") for name in done.stdout.split() if name.startswith("query.")}
    assert "surface" in loaded
    assert {name for name in loaded if name.endswith("answers")} == own | {"base_answers"}
    assert "answers" not in loaded


def test_only_the_named_files_open_databases_and_processes() -> None:
    """What touches the outside world is few files, each known by name."""
    openers = {"sqlite3": set(), "subprocess": set(), "sqlalchemy": set()}
    for path in [*ROOT.glob("lisp/*.py"), *ROOT.glob("indexer/*.py"), *ROOT.glob("query/**/*.py")]:
        for module in imported_modules(path):
            top = module.split(".")[0]
            if top in openers:
                openers[top].add(path.relative_to(ROOT).as_posix())
    assert openers["subprocess"] == {
        "lisp/sbcl.py",
        "lisp/live_child.py",
        "indexer/image.py",
        "query/build_process.py",
        "query/watch_process.py",
    }
    assert openers["sqlite3"] == {
        *(
            f"indexer/{name}.py"
            for name in ("base", "base_numbers", "changes", "followed_index", "follower", "inputs")
        ),
        *(f"indexer/{name}.py" for name in ("refresh_rows", "refresh_writer")),
        "indexer/assemble.py",
        "indexer/build.py",
        "indexer/check.py",
        "indexer/cli.py",
        "indexer/fulltext.py",
        "indexer/views.py",
        "query/browse/database.py",
        "query/reading.py",
        "query/free_sql.py",
        "query/exporting/dash.py",  # which writes a database of its own
    }
    assert openers["sqlalchemy"] == {
        "indexer/assemble.py",
        *(f"indexer/{name}.py" for name in ("columns", "schema", "class_tables", "system_tables")),
        *(f"indexer/{name}.py" for name in ("write", "write_classes", "write_systems")),
        *(f"indexer/{name}.py" for name in ("refresh", "refresh_writer")),
    }


def test_only_the_pages_import_datasette_and_what_draws_them() -> None:
    importers = {name: set() for name in ("datasette", "pygments", "grandalf")}
    for room in MAY_IMPORT:
        for path in (ROOT / room).rglob("*.py"):
            for top in {module.split(".")[0] for module in imported_modules(path)} & set(importers):
                importers[top].add(path.relative_to(ROOT / "query").as_posix())
    assert importers["datasette"] == {
        f"browse/{name}.py" for name in ("database", "links", "routes", "serving")
    }
    assert importers["pygments"] == {"browse/source_text.py"}
    assert importers["grandalf"] == {"browse/graph_layout.py"}


def test_the_plugin_is_light_until_a_page_is_asked_for() -> None:
    """It is loaded into every Datasette of its environment."""
    code = "import sys, query.browse\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert "pluggy" in loaded
    assert not loaded & {"datasette", "pygments", "grandalf", "sqlalchemy"}


def test_unexported_symbols_of_sbcl_stand_in_the_internals_of_their_part() -> None:
    """Written with two colons, or looked up by name for the sake of versions that have none."""
    seen = set()
    for path in sorted((ROOT / "lisp").rglob("*.lisp")):
        code = "\n".join(line.split(";")[0] for line in path.read_text(encoding="utf-8").splitlines())
        internal = re.findall(r'sb-[a-z-]+::\S+|"[^"\s]+"\s+"SB-', code)
        assert not internal or path.name == "internals.lisp", f"{path}: {internal[0]}"
        if internal:
            seen.add(path.parent.name)
    assert seen == {"prepare", "dump", "serve"}


def test_files_stay_small_enough_for_one_idea() -> None:
    files = [
        path
        for folder in ("lisp", "indexer", "query", "docs")
        for pattern in ("*.py", "*.lisp")
        for path in (ROOT / folder).rglob(pattern)
    ]
    assert len(files) > 20
    for path in files:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES + 50, path.name
