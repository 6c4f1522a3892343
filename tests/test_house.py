"""The house: which module may import which, what a question's folder holds, and how things are named."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support.checkout import ROOT
from support.product import MODULES, nodes

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def section(heading: str) -> str:
    """A section of CONTRIBUTING.md, which has the map of the product and the order of its layers."""
    return CONTRIBUTING.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(heading: str) -> list[list[str]]:
    """The cells of a section's table, but for its head."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def code_in(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


# From the ground up. A module belongs to the storey of its longest prefix here; a star stands for one name.
STOREYS = tuple(tuple(code_in(prefixes)) for prefixes, _ in rows("Who may import whom"))
CONTRACT = STOREYS[1]
ROOMS = ("lisp", "indexer", "query")
QUESTION_FILES = {"__init__", "answer", "sql", "ask", "text"}
MOST_FILES = {"tests": 30, "docs": 30}
GENERATED = ROOT / "docs" / "man"  # a page for each command, which nobody edits


def imports_of(module: str) -> set[str]:
    """All that a module imports, for types and inside functions too; what is ours below ``oblist``."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])]).removeprefix("oblist.")
            names = [f"{base}.{alias.name}" for alias in node.names]
            found.update(name if name in MODULES else base for name in names)
    return {name.removeprefix("oblist.") for name in found} - {module}


@cache
def all_imports() -> dict[str, set[str]]:
    """The imports of each module; not read while the tests are collected, as each worker does that."""
    return {module: imports_of(module) for module in MODULES}


def storey(module: str) -> int:
    """The storey of a module, counted from the ground."""
    parts = module.split(".")
    best, found = 0, None
    for number, prefixes in enumerate(STOREYS):
        for prefix in (prefix.split(".") for prefix in prefixes):
            fits = len(prefix) <= len(parts) and all(
                want in ("*", have) for want, have in zip(prefix, parts, strict=False)
            )
            if fits and len(prefix) > best:
                best, found = len(prefix), number
    assert found is not None, f"{module} belongs to no storey"
    return found


def our_imports() -> Iterator[tuple[str, str]]:
    for module, imported in all_imports().items():
        for other in sorted(imported & set(MODULES)):
            yield module, other


def test_no_import_goes_upwards() -> None:
    arrows = list(our_imports())
    assert len(arrows) > 500
    upwards = [f"{one} -> {other}" for one, other in arrows if storey(other) > storey(one)]
    assert upwards == []


def test_every_storey_has_a_module() -> None:
    used = {storey(module) for module in MODULES}
    assert used == set(range(len(STOREYS)))
    assert len(STOREYS) > 15


def test_the_map_has_every_folder_of_the_product_and_no_other() -> None:
    """A folder has a row, or is named in that of a folder around it, as a path from there."""
    mapped = []
    for path, contents in rows("The folders"):
        (folder,) = code_in(path)
        mapped += [folder, *(folder + name for name in code_in(contents) if name.endswith("/"))]
    assert [name for name in mapped if not (ROOT / name).is_dir()] == []
    there = {f"{folder.relative_to(ROOT)}/" for folder in folders(*ROOMS)}
    assert len(there) > 60
    assert sorted(name for name in mapped if name.partition("/")[0] in ROOMS) == sorted(there)


def test_the_map_names_the_contract() -> None:
    (contents,) = (contents for path, contents in rows("The folders") if path == "`indexer/`")
    assert {f"indexer.{Path(name).stem}" for name in code_in(contents)} == set(CONTRACT)


def test_rooms_meet_in_the_contract_only() -> None:
    met = {(one, other) for one, other in our_imports() if one.partition(".")[0] != other.partition(".")[0]}
    assert met
    wrong = [
        f"{one} -> {other}"
        for one, other in sorted(met)
        if not other.startswith("lisp") and not (one.startswith("query") and other in CONTRACT)
    ]
    assert wrong == []


def test_no_module_imports_in_a_circle() -> None:
    """Imports for types and those inside functions count: what two modules need goes one storey down."""
    below = {module: imported & set(MODULES) for module, imported in all_imports().items()}
    while free := [module for module, others in below.items() if not others]:
        for module in free:
            del below[module]
        for others in below.values():
            others -= set(free)
    assert below == {}, "these import each other, or what does"


@pytest.mark.parametrize("module", CONTRACT)
def test_the_contract_imports_the_standard_library_only(module: str) -> None:
    assert all_imports()[module]
    others = {name.partition(".")[0] for name in all_imports()[module] - {*CONTRACT}}
    assert others <= {*sys.stdlib_module_names, "__future__"}


def test_imports_within_a_package_are_relative() -> None:
    for module, path in MODULES.items():
        own = f"oblist.{module.partition('.')[0]}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert not f"{node.module}.".startswith(f"{own}."), f"{path}: from {node.module}"


def importers(library: str) -> set[str]:
    return {
        module
        for module, imported in all_imports().items()
        if any(name.partition(".")[0] == library for name in imported)
    }


def test_only_the_named_modules_start_processes_and_open_databases() -> None:
    """Few modules touch the outside world, each known by name."""
    assert importers("subprocess") == {
        *(
            "lisp.descendants",
            "lisp.sbcl",
            "lisp.images",
            "lisp.live_child",
            "lisp.places",
            "lisp.slices",
            "indexer.image",
        ),
        *("query.processes.build", "query.processes.git", "query.processes.watch", "query.terminal.pager"),
    }
    assert {module for module in importers("sqlite3") if module.startswith("query")} == {
        "query.index.reading",
        "query.index.damage",  # which examines a whole file
        "query.questions.statement.ask",
        "query.browse.database",
        "query.export.dash.docset",  # which writes a database of its own
        "query.forecast.replacing.copy",  # which changes a copy of an index
    }
    assert {module.rpartition(".")[0] for module in importers("sqlalchemy")} == {
        *("indexer.schema", "indexer.write", "indexer.layers", "indexer.catalog.file"),
    }


def test_only_the_pages_import_datasette_and_what_draws_them() -> None:
    assert importers("datasette") == {
        f"query.browse.{name}" for name in ("database", "links", "routes", "serving")
    }
    assert importers("pygments") == {"query.browse.pages.highlighting"}


def types_in(module: str) -> Iterator[str]:
    """The public classes of a module, and its public names of types; type variables are none."""
    for node in ast.parse(MODULES[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not isinstance(node.value, ast.Call):
            name = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
        else:
            continue
        if re.fullmatch("[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*", name):
            yield name


def test_every_public_type_has_a_name_of_its_own() -> None:
    """Names that several fields of the product need say their field: ``SwankAddress``, ``FormPlace``."""
    having: defaultdict[str, list[str]] = defaultdict(list)
    for module in MODULES:
        for name in types_in(module):
            having[name].append(module)
    assert len(having) > 500
    assert {name: modules for name, modules in having.items() if len(modules) > 1} == {}


def test_only_what_an_extra_is_for_imports_its_packages() -> None:
    """All other modules work without extras."""
    language_server = importers("pygls") | importers("lsprotocol")
    assert language_server and all(module.startswith("query.lsp.") for module in language_server)
    pages = importers("datasette") | importers("markupsafe")
    assert pages and all(module.startswith("query.browse.") for module in pages)
    assert importers("google") == {"query.export.scip.schema"}
    assert importers("distributed") == {
        f"indexer.catalog.running.{name}" for name in ("admission", "cluster")
    }
    assert importers("dask") == {"indexer.catalog.running.cluster"}
    assert importers("fsspec") == {"indexer.catalog.store.backends", "query.catalog.fetched"}


def folders(*rooms: str) -> Iterator[Path]:
    for room in rooms:
        for folder in [ROOT / room, *(path for path in (ROOT / room).rglob("*") if path.is_dir())]:
            if not {"__pycache__", "fasl"} & set(folder.parts) and any(folder.iterdir()):
                yield folder


def files_of(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if path.is_file() and path.suffix != ".pyc"]


def test_a_folder_is_taken_in_at_a_glance() -> None:
    seen = 0
    for folder in folders(*MOST_FILES):
        if folder == GENERATED:
            continue
        seen += 1
        most = MOST_FILES[folder.relative_to(ROOT).parts[0]]
        assert len(files_of(folder)) <= most, f"{folder} has {len(files_of(folder))} files"
    assert seen > 40


def test_no_file_repeats_the_name_of_its_folder() -> None:
    """``export/export_command.py`` says nothing that ``export/command.py`` does not."""
    seen = 0
    for folder in folders(*ROOMS):
        for path in files_of(folder):
            seen += 1
            words = path.stem.replace("-", "_").split("_")
            assert folder.name not in words and folder.name.removesuffix("s") not in words, path
    assert seen > 200


def test_the_files_of_a_question_have_the_names_that_all_know() -> None:
    folders = [*(ROOT / "query" / "questions").iterdir(), *(ROOT / "query" / "catalog").iterdir()]
    questions = [path for path in folders if (path / "ask.py").exists()]
    assert len(questions) >= 13
    for folder in questions:
        names = {path.stem for path in files_of(folder)}
        assert names >= QUESTION_FILES, folder
        assert names & {"command", "parameters"}, folder  # from which its command follows
