"""From 0.1 to 1.0: what each command says of an index that 0.1 wrote, and how a build replaces it.

The files in data/upgrade/ are an index of format 3 and a catalog of format 1 as 0.1.0 wrote them, but for the
rows of all tables except ``meta``.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from oblist.indexer.format import CATALOG_FORMAT, FORMAT, read_file_header
from oblist.query import open_index
from oblist.query.cli import COMMANDS
from support.agents.mcp_wire import Wire
from support.checkout import ROOT
from support.command import OBLIST
from support.command_line import oblist
from support.editors.language_client import LanguageClient, ResponseFailedError

WRITTEN_BY_0_1 = ROOT / "tests" / "data" / "upgrade"

# A call of each command that reads an index.
ON_AN_INDEX = {
    "describe": ["odd"],
    "apropos": ["odd"],
    "complete": ["od"],
    "definition": ["odd"],
    "xref": ["odd"],
    "at": ["odd.lisp:2"],
    "uses": ["odd", "cl"],
    "outline": ["odd"],
    "search": ["odd", "thing"],
    "package": ["odd"],
    "class": ["t"],
    "slot": ["t", "x"],
    "methods": ["print-object", "--on", "t"],
    "browse": ["--no-open"],
    "tools": ["call", "describe_symbol", "--args", '{"name": "odd"}'],
    "examples": ["odd"],
    "check": ["odd.lisp"],
    "rename": ["odd:odd", "odder"],
    "refactor": ["import", "odd:odd", "--in", "odd"],
    "affected": [],
    "audit": [],
    "forecast": ["."],
    "diff": [".oblist/oblist.db", ".oblist/oblist.db"],
    "export": ["ctags"],
    "query": ["SELECT 1"],
    "info": [],
    "problems": [],
    "check-index": [],
}
ON_A_CATALOG = {"provides": ["odd"], "catalog": ["releases"]}
# Servers answer each question with the sentence, and start all the same: the index may be built meanwhile.
SERVERS = {"mcp", "lsp"}
READ_NO_INDEX = {"setup", "index", "watch", "clhs", "cache"}
COMPLETES_NOTHING = {"completion"}


def written_by_0_1(kind: str, path: Path) -> Path:
    """Put a file of that kind that 0.1 wrote at ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.decompress((WRITTEN_BY_0_1 / f"{kind}-of-0.1.db.gz").read_bytes()))
    return path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project whose index is one of 0.1, as is the user's catalog."""
    folder = tmp_path / "odd"
    index = written_by_0_1("index", folder / ".oblist" / "oblist.db")
    (folder / "odd.asd").write_text('(asdf:defsystem "odd" :components ((:file "odd")))\n')
    (folder / "odd.lisp").write_text("(defpackage :odd (:use :cl))\n(in-package :odd)\n(defun odd () 1)\n")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("OBLIST_INDEX", raising=False)
    monkeypatch.setenv("OBLIST_CATALOG", str(written_by_0_1("catalog", tmp_path / "catalog.db")))
    header = read_file_header(index)
    assert header is not None and header.user_version < FORMAT
    return folder


def test_the_version_says_the_formats_as_the_key_of_a_cache_can_have_them() -> None:
    said = oblist("--version").stdout
    assert f"(index format {FORMAT}; feature " in said and f"; catalog format {CATALOG_FORMAT})\n" in said
    assert "," not in said and said.count("\n") == 1


def test_every_command_is_one_of_these() -> None:
    assert {*ON_AN_INDEX, *ON_A_CATALOG, *SERVERS, *READ_NO_INDEX, *COMPLETES_NOTHING} == set(COMMANDS)


@pytest.mark.parametrize("command", ON_AN_INDEX)
def test_a_command_says_how_to_rebuild_an_index_of_0_1(project: Path, command: str) -> None:
    done = oblist(command, *ON_AN_INDEX[command])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert "format 3" in done.stderr and f"format {FORMAT}" in done.stderr
    assert done.stderr.endswith(f"Rebuild it with: oblist index --project {project}\n")


@pytest.mark.parametrize("command", ON_A_CATALOG)
@pytest.mark.usefixtures("project")
def test_a_command_says_how_to_rebuild_a_catalog_of_0_1(command: str) -> None:
    done = oblist(command, *ON_A_CATALOG[command])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert "format 1" in done.stderr and f"format {CATALOG_FORMAT}" in done.stderr
    assert done.stderr.endswith("Rebuild it with: oblist catalog build --all\n")


def test_the_server_for_agents_answers_with_the_sentence(project: Path) -> None:
    with Wire([OBLIST, "mcp", "--no-live"], cwd=project) as wire:
        wire.initialize()
        answer = wire.call("describe_symbol", name="odd")
    assert answer["isError"]
    assert answer["content"][0]["text"].endswith(f"Rebuild it with: oblist index --project {project}")


def test_the_server_for_editors_answers_with_the_sentence(project: Path) -> None:
    with LanguageClient([OBLIST, "lsp"], os.environ, project) as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(project / "odd.lisp")
        with pytest.raises(ResponseFailedError, match=f"Rebuild it with: oblist index --project {project}$"):
            talk.at("textDocument/hover", uri, 2, 8)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("command", [["index", "--project"], ["watch", "--once"]])
def test_a_build_replaces_an_index_of_0_1(project: Path, command: list[str]) -> None:
    done = oblist(*command, project)
    assert done.returncode == 0, done.stderr
    assert "note" not in done.stderr and "damaged" not in done.stderr
    with open_index(project / ".oblist" / "oblist.db") as index:
        assert index.describe("odd:odd", package="ODD")
