"""The modules that a command loads: they take most of the time of a cold look-up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"sqlalchemy", "rich", "datasette", "mcp", "pathspec", "watchfiles"}

STALE = "oblist.query.index.stale"
REGISTRY = "from oblist.query.tools.registry import registry\nassert len(registry)"


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh Python has loaded after ``code``."""
    program = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def command(name: str) -> str:
    """Code that loads a command as the command line does."""
    return f"import click\nfrom oblist.query.cli import cli\ncli.get_command(click.Context(cli), {name!r})"


@pytest.mark.parametrize(
    "name",
    ["describe", "apropos", "info", "definition", "xref", "class", "browse", "check", "diff", "query"],
)
def test_asking_imports_no_library_of_building_or_browsing(name: str) -> None:
    loaded = loaded_by(command(name))
    assert "oblist.query.terminal.exit_codes" in loaded
    assert not {module.partition(".")[0] for module in loaded} & HEAVY
    assert not [module for module in loaded if module.startswith("oblist.indexer.build")]


@pytest.mark.parametrize("name", ["lsp", "export", "catalog"])
def test_a_command_says_what_it_is_without_the_packages_of_its_extra(name: str) -> None:
    loaded = {module.partition(".")[0] for module in loaded_by(f"{command(name)}\nimport oblist.query.api")}
    assert not loaded & {"pygls", "lsprotocol", "google", "distributed", "dask", "fsspec"}


@pytest.mark.parametrize("name", ["describe", "apropos", "definition", "info"])
def test_a_question_loads_no_answers_but_its_own(name: str) -> None:
    """Making dataclasses takes time."""
    loaded = loaded_by(f"{command(name)}\nimport oblist.query.questions.{name}.ask")
    answers = {module for module in loaded if module.startswith("oblist.") and module.endswith(".answer")}
    assert answers == {f"oblist.query.questions.{name}.answer"}
    assert "oblist.query.answers" not in loaded


def test_describing_loads_nothing_that_few_answers_need() -> None:
    """The hash function is for touched sources, and loads OpenSSL; few indexes have facts in JSON."""
    loaded = loaded_by(f"{command('describe')}\nimport oblist.query.questions.describe.ask, {STALE}")
    assert STALE in loaded
    assert not loaded & {"hashlib", "difflib", "json", "shlex", "oblist.query.catalog", "oblist.query.values"}


def test_a_server_that_describes_loads_nothing_of_other_tools() -> None:
    """A client waits for it to start: the schemas of all tools are made when it lists them."""
    parts = ("mcp.server", "mcp.stdio", "tools.handlers.describe", "questions.describe.ask")
    imports = ", ".join(f"oblist.query.{part}" for part in parts)
    loaded = loaded_by(f"{command('mcp')}\nimport {imports}\n{REGISTRY}")
    own = {module.removeprefix("oblist.query.") for module in loaded if module.startswith("oblist.query.")}
    handlers = {module for module in own if module.startswith("tools.handlers.")}
    assert handlers == {"tools.handlers.aliases", "tools.handlers.describe"}
    assert {module for module in own if module.endswith(".answer")} == {
        "questions.describe.answer",
        "questions.definition.answer",  # a field of the tools' own answers
        "tools.answer",
    }
    assert not own & {"answers", "indexes", "syntax", "values", "tools.rules"}
    assert not [module for module in loaded if module.startswith("oblist.lisp")]


@pytest.mark.parametrize("name", ["describe", "apropos", "search", "xref", "provides"])
def test_one_index_loads_nothing_of_several(name: str) -> None:
    loaded = loaded_by(command(name))
    assert "oblist.query.terminal.opening" in loaded
    assert "oblist.query.indexes" not in loaded
    assert not [module for module in loaded if module.endswith(".several")]


@pytest.mark.parametrize("name", ["describe", "apropos", "definition", "xref", "class", "search", "package"])
def test_a_pipe_loads_nothing_for_people(name: str, bare_index: Path) -> None:
    """Only a terminal is worth the time."""
    asked = ["oblist", name, "cl" if name == "package" else "standard-object", "--index", str(bare_index)]
    listing = "import atexit\natexit.register(lambda: print('MODULES', *sys.modules))"
    program = f"import sys\n{listing}\nfrom oblist.query.cli import main\nsys.argv = {asked!r}\nmain()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("MODULES")[2].split())
    assert f"oblist.query.questions.{'classes' if name == 'class' else name}.text" in loaded
    assert not {module.partition(".")[0] for module in loaded} & HEAVY
    own = {module for module in loaded if module.startswith("oblist.")}
    assert not [one for one in own if one.endswith((".people", ".styled", ".view", ".display", ".pager"))]


def test_the_plugin_is_light_until_a_page_is_asked_for() -> None:
    """It is loaded into every Datasette of its environment."""
    loaded = {module.partition(".")[0] for module in loaded_by("import oblist.query.browse")}
    assert "pluggy" in loaded
    assert not loaded & {"datasette", "pygments", "sqlalchemy"}
