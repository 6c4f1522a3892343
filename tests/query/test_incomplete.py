"""What did not load is in every answer that may lack something because of it, on every surface."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oblist.query import open_index
from support.agents.mcp_wire import Wire
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.tested_version import since
from support.command import OBLIST
from support.command_line import oblist
from support.pages.browse_server import Server

SYSTEM = """(asdf:defsystem "pm" :components ((:file "package") (:file "pm" :depends-on ("package"))))
(asdf:defsystem "fine" :pathname "fine" :components ((:file "fine")))
"""
SOURCES = {
    "pm.asd": SYSTEM,
    "package.lisp": '(defpackage "PM" (:use "CL") (:export "F" "G"))\n',
    "pm.lisp": '(in-package "PM")\n(defun g () 1)\n(error "No ~A today." "luck")\n(defun f () (g))\n',
    "fine/fine.lisp": '(defpackage "FINE" (:use "CL") (:export "H"))\n(in-package "FINE")\n(defun h () 1)\n',
}


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two systems, one of which fails half-way, and its index."""
    folder = kept("incomplete", _build)
    monkeypatch.setenv("OBLIST_INDEX", str(folder / "oblist.db"))
    return folder


def _build(folder: Path) -> None:
    for name, text in SOURCES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    arguments = ["--project", folder, "--no-userinit", "--output", folder / "oblist.db"]
    environment = {"SBCL": str(small_sbcl().path), "ASDF_OUTPUT_TRANSLATIONS": f"/:{folder / 'fasl'}/"}
    assert oblist("index", *arguments, environment=environment).returncode == 1


# SBCL 2.0.11 calls functions of a fasl without telling from which form.
LINE = ":3" if since("2.2") else ""


def told(text: str, project: Path) -> bool:
    """Whether a text names what did not load, why, and where."""
    return f"system pm did not load ({project / 'pm.lisp'}{LINE}): SIMPLE-ERROR: No luck today." in text


def test_commands_say_so_for_what_it_touches(project: Path) -> None:
    touched = [
        ("describe", "pm::f"),
        ("describe", "pm:g"),
        ("describe", "pm::no-such"),
        ("describe", "no-such-package:x"),
        ("definition", "pm:f"),
        ("xref", "car"),
        ("xref", "fine:h", "--callees"),
        ("package", "pm"),
        ("search", "zzqqy"),
        ("apropos", "no-such-name"),
        ("check", project / "pm.lisp"),
    ]
    for command in touched:
        done = oblist(*command)
        assert told(done.stderr, project), (command, done.stderr)
        assert done.stderr.startswith("note: This index is incomplete: "), command
    for command in (("describe", "car"), ("describe", "fine:h"), ("package", "fine"), ("apropos", "mapcar")):
        done = oblist(*command)
        assert (done.returncode, done.stderr) == (0, ""), command
    assert told(oblist("info").stdout, project)
    listed = oblist("problems").stdout
    assert listed.startswith(f"system pm did not load: SIMPLE-ERROR ({project / 'pm.lisp'}{LINE})\n")
    index = project / "oblist.db"
    assert "these failed to load: pm" in oblist("diff", index, index).stderr


def test_structured_answers_say_so_too(project: Path) -> None:
    for command in (("describe", "pm::f"), ("xref", "car"), ("package", "pm")):
        assert told(json.loads(oblist(*command, "--json").stdout)["incomplete"], project), command
    assert json.loads(oblist("describe", "car", "--json").stdout)["incomplete"] is None
    with open_index(project / "oblist.db") as index:
        found = index.problems(everything=False)
        first = found.problems[0]
        assert (first.owner, first.stage, first.line) == ("project", "load", 3 if LINE else None)
        assert found.total == found.project + found.sbcl > 1


def test_tools_and_pages_say_so(project: Path) -> None:
    with Wire([OBLIST, "mcp"]) as wire:
        wire.initialize()
        for tool, arguments in (
            ("describe_symbol", {"name": "pm::f"}),
            ("find_references", {"name": "car"}),
            ("symbol_definition", {"symbols": "pm:f"}),
            ("describe_package", {"name": "pm"}),
            ("apropos_search", {"pattern": "no-such-name"}),
            ("describe_symbol", {"name": "pm::no-such"}),
        ):
            result = wire.call(tool, **arguments)
            assert any(told(block["text"], project) for block in result["content"]), (tool, result)
        assert told(wire.text("index_status"), project)
        result = wire.call("describe_symbol", name="car")
        assert not any("incomplete" in block["text"] for block in result["content"])
    server = Server()
    try:
        for page, yes in (
            ("home", True),
            ("symbol/pm/f", True),
            ("package/pm", True),
            ("symbol/common-lisp/car", False),
        ):
            status, _, body = server.ask(f"/oblist/-/{page}")
            assert status == 200, page
            assert told(body.replace("&#39;", "'"), project) == yes, page
        assert "simple-error" in server.ask("/oblist/-/problems")[2]
    finally:
        server.end()
