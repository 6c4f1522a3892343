"""The project of a client comes from its roots: asked for at each revision, and followed when they change."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import (
    ElicitResult,
    ListRootsResult,
    ResourceListChangedNotification,
    ResourceTemplateReference,
    Root,
    RootsListChangedNotification,
)

from oblist.query.mcp.resources import PACKAGE_TEMPLATE, package_address
from oblist.query.mcp.roots import folder_of, folders_of
from oblist.query.tools.running.execution import Executor
from oblist.query.tools.running.executors import Executors
from support.agents.mcp_servers import HttpServer
from support.agents.mcp_wire import MODERN, Wire
from support.command import OBLIST
from support.editors.atelier import FILES, copied_atelier, restored

ERAS = ["legacy", "auto"]
BOOK = {"name": "shelf:book"}
CAPABLE = {"roots": {"listChanged": True}}
SECONDS = 60


@dataclass
class Projects:
    """Folders: one with an index of the shelf, one with SBCL's alone, one without."""

    shelf: Path
    bare: Path
    empty: Path


@pytest.fixture(scope="module")
def projects(
    shelf: tuple[Path, Path], bare_index: Path, tmp_path_factory: pytest.TempPathFactory
) -> Projects:
    folder = tmp_path_factory.mktemp("projects")
    made = Projects(folder / "shelf % of #1 bücher", folder / "bare", folder / "empty")
    for project, index in ((made.shelf, shelf[0]), (made.bare, bare_index)):
        (project / ".oblist").mkdir(parents=True)
        (project / ".oblist" / "oblist.db").symlink_to(index)
        (project / "src" / "deep").mkdir(parents=True)
    made.empty.mkdir()
    return made


@dataclass
class Workspace:
    """The folders that are open in a client, and how often a server has asked for them."""

    folders: list[Path]
    asked: int = 0
    told: list[Any] = field(default_factory=list)

    async def roots(self, _: Any) -> ListRootsResult:
        self.asked += 1
        return ListRootsResult(roots=[Root(uri=folder.as_uri()) for folder in self.folders])  # type: ignore[arg-type]

    async def take(self, message: Any) -> None:
        self.told.append(message)

    async def change(self, client: Client, *folders: Path) -> None:
        self.folders = list(folders)
        if client.protocol_version != MODERN:  # where clients no longer tell
            await client.session.send_notification(RootsListChangedNotification())


@asynccontextmanager
async def over_stdio(
    mode: str, folder: Path, workspace: Workspace | None, *arguments: str, **options: Any
) -> AsyncIterator[Client]:
    environment = {**os.environ, **options.pop("environment", {})}
    server = StdioServerParameters(
        command=OBLIST, args=["mcp", "--no-live", *arguments], cwd=folder, env=environment
    )
    if workspace is not None:
        options |= {"list_roots_callback": workspace.roots, "message_handler": workspace.take}
    async with Client(server, mode=mode, read_timeout_seconds=SECONDS, **options) as client:
        yield client


@asynccontextmanager
async def over_http(mode: str, url: str, workspace: Workspace) -> AsyncIterator[Client]:
    async with create_mcp_http_client() as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(
            transport, mode=mode, list_roots_callback=workspace.roots, read_timeout_seconds=SECONDS
        ) as client:
            yield client


async def knows_the_shelf(client: Client) -> bool:
    text = (await client.call_tool("describe_symbol", BOOK)).content[0].text
    return bool(text.startswith("SHELF::BOOK [CLASS]"))


async def lists_the_shelf(client: Client) -> bool:
    pages = await client.list_resources()
    reference = ResourceTemplateReference(uri=PACKAGE_TEMPLATE)
    completed = await client.complete(reference, {"name": "name", "value": "shel"})
    listed = package_address("SHELF") in [resource.uri for resource in pages.resources]
    assert ("SHELF" in completed.completion.values) == listed
    return listed


@pytest.mark.parametrize("mode", ERAS)
def test_the_index_is_that_of_the_first_root_that_has_one_and_follows(projects: Projects, mode: str) -> None:
    workspace = Workspace([projects.empty, projects.shelf / "src" / "deep", projects.bare])

    async def drive() -> None:
        async with over_stdio(mode, projects.bare, workspace) as client:
            assert (client.protocol_version == MODERN) == (mode == "auto")
            assert await knows_the_shelf(client)
            assert await lists_the_shelf(client)
            read = await client.read_resource(package_address("SHELF"))
            assert read.contents[0].text.startswith("Package SHELF\n")
            await workspace.change(client, projects.bare, projects.shelf)
            assert not await knows_the_shelf(client)
            assert not await lists_the_shelf(client)
            await workspace.change(client, projects.shelf)
            assert await knows_the_shelf(client)
            # None has an index: that of the folder in which the server runs.
            await workspace.change(client, projects.empty)
            assert not await knows_the_shelf(client)

    anyio.run(drive)
    told = [message for message in workspace.told if isinstance(message, ResourceListChangedNotification)]
    if mode == "legacy":
        assert workspace.asked == 4  # once for each set of roots
        assert len(told) == 3


@pytest.mark.parametrize("mode", ERAS)
def test_an_index_that_is_built_later_is_found(projects: Projects, mode: str, tmp_path: Path) -> None:
    async def drive() -> None:
        async with over_stdio(mode, projects.bare, Workspace([tmp_path])) as client:
            assert not await knows_the_shelf(client)
            (tmp_path / ".oblist").symlink_to(projects.shelf / ".oblist")
            assert await knows_the_shelf(client)

    anyio.run(drive)


@pytest.mark.parametrize("mode", ERAS)
def test_where_there_is_no_index_the_answer_says_how_to_build_the_clients(
    projects: Projects, mode: str, tmp_path: Path
) -> None:
    project = tmp_path / "party"
    project.mkdir()
    (project / "party.asd").touch()
    workspace = Workspace([projects.empty, project])

    async def drive() -> None:
        async with over_stdio(mode, projects.empty, workspace) as client:
            answer = await client.call_tool("describe_symbol", BOOK)
            assert answer.is_error
            assert f"oblist index --project {project}" in answer.content[0].text
            await workspace.change(client, projects.empty)
            answer = await client.call_tool("describe_symbol", BOOK)
            assert answer.content[0].text.endswith("there is no index. Build one with: oblist index")

    anyio.run(drive)


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("named", ["option", "variable"])
def test_whoever_names_an_index_means_it(projects: Projects, mode: str, named: str) -> None:
    index = str(projects.shelf / ".oblist" / "oblist.db")
    workspace = Workspace([projects.bare])

    async def drive() -> None:
        arguments = ["--index", index] if named == "option" else []
        environment = {"OBLIST_INDEX": index} if named == "variable" else {}
        async with over_stdio(mode, projects.bare, workspace, *arguments, environment=environment) as client:
            assert await knows_the_shelf(client)

    anyio.run(drive)
    assert workspace.asked == 0


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_without_roots_asks_where_the_server_runs(projects: Projects, mode: str) -> None:
    async def drive() -> None:
        async with over_stdio(mode, projects.shelf / "src", None) as client:
            assert await knows_the_shelf(client)

    anyio.run(drive)


@pytest.mark.parametrize("mode", ERAS)
def test_over_http_each_client_asks_its_own_project(projects: Projects, mode: str) -> None:
    async def drive(url: str) -> None:
        first, second, third = (Workspace([one]) for one in (projects.shelf, projects.bare, projects.empty))
        async with (
            over_http(mode, url, first) as one,
            over_http(mode, url, second) as other,
            over_http(mode, url, third) as none,
        ):
            for _ in range(2):
                assert await knows_the_shelf(one)
                assert not await knows_the_shelf(other)
                assert not await knows_the_shelf(none)
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(assert_that, one, True)
                    tasks.start_soon(assert_that, other, False)
            await first.change(one, projects.bare)
            await second.change(other, projects.shelf)
            assert not await knows_the_shelf(one)
            assert await knows_the_shelf(other)
            assert not await knows_the_shelf(none)
            read = await other.read_resource(package_address("SHELF"))
            assert read.contents[0].text.startswith("Package SHELF\n")
            if mode == "legacy":
                assert await lists_the_shelf(other)
                assert not await lists_the_shelf(one)

    async def assert_that(client: Client, knows: bool) -> None:
        assert await knows_the_shelf(client) == knows

    with HttpServer(None, "--no-live", cwd=projects.empty) as server:
        anyio.run(drive, server.url)
        assert server.end()[::2] == (0, "")


# What writes


class Person:
    """Approves every change."""

    def __init__(self) -> None:
        self.questions: list[str] = []

    async def __call__(self, _: Any, params: Any) -> ElicitResult:
        self.questions.append(params.message)
        return ElicitResult(action="accept", content={})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_atelier(tmp_path_factory.mktemp("edited") / "atelier")


@pytest.fixture
def atelier(copy: Path) -> Path:
    return restored(copy)


RENAME = {"old": "atelier.cloth:cut", "new": "trim", "write": True}


def texts(project: Path) -> dict[str, str]:
    return {name: (project / name).read_text() for name in FILES}


@pytest.mark.parametrize("mode", ERAS)
def test_a_change_is_written_to_the_clients_project(atelier: Path, projects: Projects, mode: str) -> None:
    workspace, person = Workspace([atelier]), Person()

    async def drive() -> None:
        async with over_stdio(
            mode, projects.shelf, workspace, "--allow", "dangerous", elicitation_callback=person
        ) as client:
            outline = await client.call_tool("read_file", {"path": "shop.lisp", "outline": True})
            assert not outline.is_error
            answer = await client.call_tool("rename_symbol", RENAME)
            assert not answer.is_error, answer.content[0].text
            await workspace.change(client, projects.bare)
            elsewhere = await client.call_tool("rename_symbol", {**RENAME, "old": "atelier.cloth:trim"})
            assert elsewhere.is_error

    anyio.run(drive)
    assert len(person.questions) == 1
    assert any("trim" in text for text in texts(atelier).values())


def test_an_approval_is_for_the_project_that_it_was_asked_for(projects: Projects) -> None:
    call = {"name": "load_system", "arguments": {"system": "shelf"}}
    with Wire([OBLIST, "mcp", "--no-live", "--allow", "dangerous"], cwd=projects.empty) as wire:
        wire.be_modern({**CAPABLE, "elicitation": {"form": {}}})
        first = {"inputResponses": {"roots": {"roots": [{"uri": projects.shelf.as_uri()}]}}}
        question = wire.request("tools/call", {**call, **first})["result"]
        assert set(question["inputRequests"]) == {"roots", "approval"}
        approved = {"action": "accept", "content": {}}
        moved = {"roots": {"roots": [{"uri": projects.bare.as_uri()}]}, "approval": approved}
        last = {"inputResponses": moved, "requestState": question["requestState"]}
        answer = wire.request("tools/call", {**call, **last})["result"]
        assert answer["isError"]
        assert "this approval is for another call" in answer["content"][0]["text"]


# What clients may answer


def asked(wire: Wire) -> dict[str, Any]:
    """Call a tool, and return the server's question."""
    wire.send(
        {
            "jsonrpc": "2.0",
            "id": "call",
            "method": "tools/call",
            "params": {"name": "describe_symbol", "arguments": BOOK},
        }
    )
    question = wire.receive()
    assert question["method"] == "roots/list"
    return question


@pytest.mark.parametrize(
    ("answer", "warned"),
    [
        ({"error": {"code": -32603, "message": "no"}}, True),
        ({"result": {"roots": "all"}}, True),
        ({"result": {}}, True),
        ({"result": {"roots": [{"uri": "vscode-remote://ssh/home"}, {"uri": "file://"}]}}, False),
        ({"result": {"roots": [{"uri": "file:///%00"}, {"uri": "file:///" + "a" * 20_000}]}}, False),
        ({"result": {"roots": [{"uri": f"file:///nowhere/{n}"} for n in range(5000)]}}, False),
    ],
)
def test_whatever_a_client_answers_a_call_is_answered(
    projects: Projects, answer: dict[str, Any], warned: bool
) -> None:
    with Wire([OBLIST, "mcp", "--no-live"], cwd=projects.shelf) as wire:
        wire.initialize(capabilities=CAPABLE)
        wire.send({"jsonrpc": "2.0", "id": asked(wire)["id"], **answer})
        assert wire.answer_to("call")["result"]["content"][0]["text"].startswith("SHELF::BOOK [CLASS]")
        assert wire.text("describe_symbol", **BOOK).startswith("SHELF::BOOK [CLASS]")  # not asked again
        assert ("the client did not report its roots" in wire.close()) == warned


def test_a_client_that_ends_its_input_when_it_is_asked_gets_its_answer(projects: Projects) -> None:
    with Wire([OBLIST, "mcp", "--no-live"], cwd=projects.shelf) as wire:
        wire.initialize(capabilities=CAPABLE)
        asked(wire)
        assert wire.process.stdin
        wire.process.stdin.close()
        assert wire.answer_to("call")["result"]["content"][0]["text"].startswith("SHELF::BOOK [CLASS]")


def test_a_modern_client_that_answers_something_else_is_not_asked_again(projects: Projects) -> None:
    with Wire([OBLIST, "mcp", "--no-live"], cwd=projects.shelf) as wire:
        wire.be_modern(CAPABLE)
        call = {"name": "describe_symbol", "arguments": BOOK}
        question = wire.request("tools/call", call)["result"]
        assert question["resultType"] == "input_required"
        assert question["inputRequests"] == {"roots": {"method": "roots/list"}}
        other = {**call, "inputResponses": {"roots": {"action": "accept"}}}
        text = wire.request("tools/call", other)["result"]["content"][0]["text"]
        assert text.startswith("SHELF::BOOK [CLASS]")


@pytest.mark.parametrize(
    ("uri", "folder"),
    [
        ("file:///home/me/project", "/home/me/project"),
        ("file://localhost/home/me", "/home/me"),
        ("file:///home/me/b%C3%BCcher%20%231", "/home/me/bücher #1"),
        ("file:///home/%ff", os.fsdecode(b"/home/\xff")),
        ("FILE:///a", "/a"),
        ("file://server/share", None),
        ("file:relative", None),
        ("file://", None),
        ("file:///a?query", None),
        ("file:///a#fragment", None),
        ("file:///a%00b", None),
        ("file:///" + "a" * 20_000, None),
        ("file://[", None),
        ("https://example.org/a", None),
        ("lisp://package/CL", None),
        ("/home/me", None),
        ("", None),
    ],
)
def test_a_root_is_a_file_uri_of_this_machine(uri: str, folder: str | None) -> None:
    assert folder_of(uri) == (None if folder is None else Path(folder))


def test_as_many_roots_count_as_people_have() -> None:
    assert len(folders_of(f"file:///{number}" for number in range(5000))) == 100


class _Closed:
    """Stands for what an executor holds, and notes that it was closed."""

    def __init__(self, name: Path, closed: list[Path]) -> None:
        self.surroundings = self
        self._name = name
        self._closed = closed

    def close(self) -> None:
        self._closed.append(self._name)


def test_executors_that_nobody_asks_are_closed_but_never_during_a_call() -> None:
    closed: list[Path] = []

    def on(index: Path) -> Executor:
        return _Closed(index, closed)  # type: ignore[return-value]

    executors = Executors(on(Path("common")), on)
    indexes = [Path(str(number)) for number in range(20)]
    with executors.lent(indexes[0]) as first:
        for index in indexes[1:]:
            with executors.lent(index):
                pass
        with executors.lent(indexes[0]) as again:
            assert again is first
        assert indexes[0] not in closed
    executors.close()
    assert sorted(closed) == sorted([*indexes, Path("common")])
