"""Servers that watch the sources: a saved change is in the next answer, or on the next page."""

from __future__ import annotations

import pytest

from support.agents.mcp_wire import Wire
from support.command import OBLIST, oblist, processes_with
from support.pages.browse_server import Server
from support.projects.watching import SOURCE, Project, shared_project, until


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return shared_project(tmp_path_factory)


def text_of(wire: Wire, name: str) -> str:
    result = wire.call("describe_symbol", name=name)
    return "\n".join(block["text"] for block in result["content"])


def test_the_server_follows_the_sources_from_no_index_on(project: Project) -> None:
    project.reset()
    project.index.unlink(missing_ok=True)
    arguments = [OBLIST, "mcp", "--watch", "--project", str(project.folder), "--no-live"]
    with Wire(arguments, environment=project.environment) as wire:
        wire.initialize()
        assert "Arglist: (X)" in text_of(wire, "watched:first-one"), "the first call waits for the index"
        project.source.write_text(SOURCE.replace("first-one (x)", "first-one (x y)"))
        until(lambda: "Arglist: (X Y)" in text_of(wire, "watched:first-one"), "the new arglist")
        project.source.write_text(SOURCE + "(car")
        until(lambda: "did not load" in text_of(wire, "watched:first-one"), "the note that it is behind")
        assert "Arglist: (X Y)" in text_of(wire, "watched:first-one")
    until(lambda: not processes_with(str(project.folder)), "the end of the watcher")


def test_the_pages_follow_the_sources_and_say_when_they_are_behind(project: Project) -> None:
    project.reset()
    project.index.unlink(missing_ok=True)
    server = Server("--watch", "--project", project.folder, environment=project.environment)

    def page(name: str) -> str:
        return server.ask(f"/oblist/-/{name}")[2]

    try:
        assert "(x)" in page("symbol/watched/first-one"), "it waits for the index"
        project.source.write_text(SOURCE.replace("first-one (x)", "first-one (x y)"))
        until(lambda: "(x y)" in page("symbol/watched/first-one"), "the new arglist")
        project.source.write_text(SOURCE + "(car")
        until(lambda: "no longer loads" in page("home"), "the note that it is behind")
        assert "(x y)" in page("symbol/watched/first-one")
    except BaseException as failure:  # also the time limit: the server must not outlive the test
        failure.add_note(f"The server says: {server.end()[1]}")
        raise
    assert server.end()[0] == 0
    until(lambda: not processes_with(str(project.folder)), "the end of the watcher")


def test_a_project_without_watching_is_refused(project: Project) -> None:
    done = oblist("browse", "--no-open", "--project", project.folder)
    assert done.returncode == 2 and "--project needs --watch" in done.stderr


def test_options_that_do_not_go_together_are_refused() -> None:
    wire = Wire([OBLIST, "mcp", "--watch", "--build"])
    assert "--watch also builds the index" in wire.close()
    assert wire.process.returncode == 2
