"""edit_form and rename_symbol: a person approves a difference, and exactly that is written."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult

from oblist.query.tools.registry import registry
from oblist.query.tools.results import FAILED, NOT_ALLOWED
from oblist.query.tools.running.execution import Executor
from oblist.query.tools.schemas import mcp_tool
from oblist.query.tools.vocabulary import Proposal, Tool
from support.agents.tool_calls import called, executing
from support.command import OBLIST
from support.command_line import run_main
from support.editors.atelier import FILES, copied_atelier, restored

Answer = Callable[..., Awaitable[tuple[bool, str]]]
ERAS = ["legacy", "auto"]
DIGESTS = re.compile(r"\w+\.lisp:\d+ ([0-9a-f]{10})")
SHOP = FILES["shop.lisp"]
ODD, NEW = "(defun odd () (|odd name| 1))", "(defun odd ()\n  (|odd name| 2))"
EDIT = {"name": "atelier::odd", "text": NEW}
RENAME = {"old": "atelier.cloth:cut", "new": "trim"}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_atelier(tmp_path_factory.mktemp("edited") / "atelier")


@pytest.fixture
def project(copy: Path) -> Path:
    return restored(copy)


def index_of(project: Path) -> Path:
    return project / ".oblist" / "oblist.db"


def texts(project: Path) -> dict[str, str]:
    return {name: (project / name).read_text() for name in FILES}


# Over MCP


class Person:
    """Answers the questions in order, each after something has happened."""

    def __init__(self, *actions: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.actions = list(actions)
        self.meanwhile = meanwhile
        self.questions: list[str] = []

    async def __call__(self, _: Any, params: Any) -> ElicitResult:
        self.questions.append(params.message)
        self.meanwhile()
        action: Any = self.actions.pop(0)
        return ElicitResult(action=action, content={} if action == "accept" else None)


@asynccontextmanager
async def served(project: Path, mode: str, person: Person | None, *options: str) -> AsyncIterator[Answer]:
    """A server on the project's index; what this yields calls a tool."""
    arguments = ["mcp", "--index", str(index_of(project)), "--no-live", "--allow", "dangerous", *options]
    server = StdioServerParameters(command=OBLIST, args=arguments, env=dict(os.environ))
    async with Client(server, mode=mode, elicitation_callback=person, read_timeout_seconds=60) as client:

        async def answer(tool: str, **named: Any) -> tuple[bool, str]:
            result = await client.call_tool(tool, named)
            return bool(result.is_error), "\n".join(one.text for one in result.content)

        yield answer


async def digest_from(answer: Answer, name: str) -> str:
    """The digest that symbol_definition gives for a name with one definition."""
    _, text = await answer("symbol_definition", symbols=name)
    (found,) = set(DIGESTS.findall(text.partition("Digests for edit_form:")[2]))
    return str(found)


@pytest.mark.parametrize("mode", ERAS)
def test_only_what_a_person_accepts_is_written_and_exactly_that(
    project: Path, mode: str, tmp_path: Path
) -> None:
    person, log = Person("decline", "cancel", "decline", "accept", "accept", "accept"), tmp_path / "log"

    async def drive() -> None:
        async with served(project, mode, person, "--log", str(log)) as answer:
            edit = {**EDIT, "digest": await digest_from(answer, "atelier::odd")}
            is_error, shown = await answer("edit_form", **edit)
            assert not is_error and "+  (|odd name| 2))" in shown and f"-{ODD}" in shown
            assert person.questions == []
            for tool, arguments in (("edit_form", edit), ("edit_form", edit), ("rename_symbol", RENAME)):
                is_error, said = await answer(tool, **arguments, write=True)
                assert is_error and said.startswith(f"{tool} was not run: the person ")
            assert texts(project) == FILES

            is_error, said = await answer("edit_form", **edit, write=True)
            assert not is_error and said.startswith("Written: 1 place in 1 file. The form has the digest ")
            assert "reindex" in said
            assert texts(project) == {**FILES, "shop.lisp": SHOP.replace(ODD, NEW)}
            question = person.questions[-1]
            assert question.startswith(
                "Edit a definition (edit_form): make this change?\n\n--- a/shop.lisp\n"
            )
            assert shown.strip() in question and question.endswith("it writes the files above.")

            # With the old digest, it cannot be edited again; with the new one, it can at once.
            is_error, stale = await answer("edit_form", **edit, write=True)
            now = said.partition("has the digest ")[2][:10]
            assert is_error and "has changed since it was read" in stale and NEW in stale and now in stale
            assert not (await answer("edit_form", **{**edit, "digest": now, "text": ODD}, write=True))[0]
            assert texts(project) == FILES

            is_error, said = await answer("rename_symbol", **RENAME, write=True)
            assert not is_error and said.startswith("Written: "), said
            assert "(defun trim (bolt" in texts(project)["cloth.lisp"]

    anyio.run(drive)
    assert person.actions == [] and len(person.questions) == 6
    outcomes = [json.loads(line)["outcome"] for line in log.read_text().splitlines()]
    ended = [one.partition(":")[0] for one in outcomes if one != "the person is asked"]
    assert ended == ["refused"] * 3 + ["answered", "failed", "answered", "answered"]


def test_a_client_that_cannot_ask_writes_nothing(project: Path) -> None:
    async def drive() -> None:
        async with served(project, "auto", None) as answer:
            is_error, said = await answer("rename_symbol", **RENAME, write=True)
            assert is_error and "this client cannot ask one" in said

    anyio.run(drive)
    assert texts(project) == FILES


@pytest.mark.parametrize("mode", ERAS)
def test_a_file_that_changes_while_the_person_is_asked_is_left_alone(project: Path, mode: str) -> None:
    shop = project / "shop.lisp"
    person = Person("accept", "accept", meanwhile=lambda: shop.write_text(f"{shop.read_text()};; changed\n"))

    async def drive() -> None:
        async with served(project, mode, person) as answer:
            edit = {**EDIT, "digest": await digest_from(answer, "atelier::odd")}
            for tool, arguments in (("edit_form", edit), ("rename_symbol", RENAME)):
                is_error, said = await answer(tool, **arguments, write=True)
                assert is_error and "changed" in said, said

    anyio.run(drive)
    assert texts(project) == {**FILES, "shop.lisp": f"{SHOP};; changed\n;; changed\n"}


# In this process


@pytest.fixture
def executor(project: Path) -> Iterator[Executor]:
    with executing(index_of(project), allowed="dangerous", structured=False) as made:
        yield made


async def accept(_: Tool, __: Mapping[str, Any], proposal: Proposal) -> None:
    assert proposal.shown.startswith("--- a/")


def digest_of(executor: Executor, name: str) -> str:
    notes = " ".join(called(executor, "symbol_definition", symbols=name).notes)
    (found,) = set(DIGESTS.findall(notes))
    return str(found)


def test_without_permission_the_tools_only_show(project: Path) -> None:
    with executing(index_of(project)) as executor:
        tools = {tool.name: mcp_tool(tool) for tool in executor.tools()}
        for shown in (tools["edit_form"], tools["rename_symbol"]):
            assert shown["annotations"]["readOnlyHint"] is True
            assert "write" not in shown["inputSchema"]["properties"]
        refused = called(executor, "rename_symbol", **RENAME, write=True, approve=accept)
        assert (refused.failure, refused.error) == (
            NOT_ALLOWED,
            "rename_symbol was not run: write=true is dangerous; start the server with --allow dangerous to "
            "allow it.",
        )
        answer = called(executor, "rename_symbol", **RENAME, write=False)
        assert "+(defun trim (bolt" in answer.content
        assert answer.structured["written"] is False and len(answer.structured["files"]) == 3
    assert texts(project) == FILES


def test_with_permission_the_tools_are_listed_as_dangerous(executor: Executor) -> None:
    listed = {tool.name: mcp_tool(tool) for tool in executor.tools()}
    for name in ("edit_form", "rename_symbol"):
        assert listed[name]["annotations"]["destructiveHint"] is True
        assert "write" in listed[name]["inputSchema"]["properties"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(defun odd () (coatt))", "1:16: warning[undefined-function] there is no function"),
        ("(defun odd () (|odd name|))", "wrong-number-of-arguments"),
        ("(defun odd () (nowhere:thing))", "unknown-package"),
        ("(defun odd () 1", "is not closed"),
        ("(defun even () 1)", "rename_symbol"),
    ],
)
def test_a_wrong_text_is_answered_with_what_is_wrong(
    executor: Executor, project: Path, text: str, said: str
) -> None:
    digest = digest_of(executor, "atelier::odd")
    result = called(
        executor, "edit_form", name="atelier::odd", digest=digest, text=text, write=True, approve=accept
    )
    assert result.failure == FAILED
    assert (result.error or "").startswith("Nothing was changed") and said in (result.error or "")
    assert texts(project) == FILES


def test_uses_that_cannot_be_changed_are_told(executor: Executor, project: Path) -> None:
    shop = project / "shop.lisp"
    shop.write_text(f'{SHOP}(defun late () (funcall (intern "CUT" :atelier.cloth) 1))\n')
    refused = called(executor, "rename_symbol", **RENAME).error or ""
    assert "leave_unplaced=true" in refused and "shop.lisp:21:" in refused
    answer = called(executor, "rename_symbol", **RENAME, leave_unplaced=True)
    assert "+(defun trim" in answer.content and "docs=true" in " ".join(answer.notes)
    with_docs = called(executor, "rename_symbol", **RENAME, leave_unplaced=True, docs=True)
    assert "+Use `TRIM` first" in with_docs.content
    assert "is already in use" in (
        called(executor, "rename_symbol", old="atelier.cloth:sew", new="car").error or ""
    )


def test_only_files_of_the_project_that_are_writable_are_written(
    executor: Executor, project: Path, tmp_path: Path
) -> None:
    shop, outside = project / "shop.lisp", tmp_path / "shop.lisp"
    edit = {**EDIT, "digest": digest_of(executor, "atelier::odd"), "write": True, "approve": accept}
    shop.chmod(0o444)
    assert "is read-only; nothing was written" in (called(executor, "edit_form", **edit).error or "")
    shop.rename(outside)
    shop.symlink_to(outside)
    assert f"outside {project}" in (called(executor, "edit_form", **edit).error or "")
    assert outside.read_text() == SHOP and texts(project) == FILES


def test_what_another_edit_has_defined_is_known(executor: Executor, project: Path) -> None:
    cloth = {"name": "atelier.cloth:sew", "digest": digest_of(executor, "atelier.cloth:sew")}
    new = "(defun unpick (part &key slowly) (list part slowly))"
    added = called(executor, "edit_form", **cloth, operation="after", text=new, write=True, approve=accept)
    assert added.success
    odd = {"name": "atelier::odd", "digest": digest_of(executor, "atelier::odd")}
    used = called(executor, "edit_form", **odd, text="(defun odd () (atelier.cloth::unpick 1 :slowly t))")
    assert used.success, used.error
    wrong = called(executor, "edit_form", **odd, text="(defun odd () (atelier.cloth::unpick))")
    assert "wrong-number-of-arguments" in (wrong.error or "")
    none = called(executor, "edit_form", **odd, text="(defun odd () (atelier.cloth::unpik 1))")
    assert not none.success


def test_nobody_is_asked_about_a_text_that_is_there_already(executor: Executor) -> None:
    edit = {"name": "atelier::odd", "digest": digest_of(executor, "atelier::odd"), "text": ODD}
    assert called(executor, "edit_form", **edit, write=True).content.startswith("Nothing to change")


def test_an_index_of_no_project_changes_nothing(project: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.db"
    shutil.copy(index_of(project), index)
    with executing(index, allowed="dangerous") as executor:
        for tool, arguments in (("rename_symbol", RENAME), ("edit_form", {**EDIT, "digest": "x"})):
            result = called(executor, tool, **arguments, write=True, approve=accept)
            assert "is not the index of a single project" in (result.error or "")
        answer = called(executor, "symbol_definition", symbols="atelier::odd")
        assert answer.notes == () and answer.structured["definitions"][0]["definitions"][0]["digest"] is None
    assert texts(project) == FILES


def test_the_command_asks_as_well(project: Path) -> None:
    call = ["tools", "call", "rename_symbol", "--index", str(index_of(project)), "--no-live", "--args"]
    status, shown, _ = run_main(*call, json.dumps(RENAME))
    assert status == 0 and "+(defun trim (bolt" in shown
    written = json.dumps({**RENAME, "write": True})
    status, shown, said = run_main(*call, written)
    assert (status, shown) == (2, "") and "--allow dangerous" in said
    status, shown, said = run_main(*call, written, "--allow", "dangerous")
    assert (status, shown) == (2, "") and "there is no terminal for asking one" in said
    assert texts(project) == FILES


def test_a_definition_that_the_index_does_not_know_yet_can_be_edited(
    executor: Executor, project: Path
) -> None:
    edit = {"name": "atelier::odd", "digest": digest_of(executor, "atelier::odd"), "operation": "after"}
    added = called(executor, "edit_form", **edit, text="(defun even () 2)", write=True, approve=accept)
    assert added.success and texts(project)["shop.lisp"] == f"{SHOP}(defun even () 2)\n"
    found = called(executor, "read_file", path="shop.lisp", unfold="even").content
    digest = re.search(r"digest ([0-9a-f]{10})\n\(defun even", found)
    assert digest
    removed = called(
        executor,
        "edit_form",
        name="atelier::even",
        digest=digest[1],
        operation="delete",
        write=True,
        approve=accept,
    )
    assert removed.success and texts(project) == FILES


def test_a_file_is_outlined_and_a_form_unfolded_with_its_digest(executor: Executor, project: Path) -> None:
    outline = called(executor, "read_file", path=str(project / "shop.lisp"), outline=True).content
    assert outline.startswith("1  (in-package #:atelier)\n3-9  (defun coat (bolt &aux (cut-list '())) ...)\n")
    assert outline.endswith("\n20  (defun odd () (|odd name| 1))")
    unfolded = called(executor, "read_file", path="shop.lisp", unfold="coat").content
    assert "(mapcar #'cut (list bolt))" in unfolded and "finally (return deep)" not in unfolded
    found = re.search(r";;; line 3, digest ([0-9a-f]{10})\n", unfolded)
    assert found
    assert called(executor, "edit_form", name="atelier:coat", digest=found[1], operation="delete").success
    page = called(executor, "read_file", path="shop.lisp", outline=True, limit=2).content
    assert page.endswith("... and more lines: call again with offset=2")
    assert registry.get("read_file") is not None
