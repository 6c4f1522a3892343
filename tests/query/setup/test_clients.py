"""Each client's file: absent, present, customised and broken."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from oblist.query.setup.client import Client
from oblist.query.setup.clients.table import CLIENTS
from oblist.query.setup.errors import SetupError
from oblist.query.setup.files.jsonc import read_jsonc
from oblist.query.setup.files.part import State
from oblist.query.setup.place import SetupPlace
from oblist.query.setup.plan import looked_at, planned, taken_back
from oblist.query.setup.record import SetupRecord
from oblist.query.setup.writing import take_back, write
from support.checkout import ROOT

ALL = [*CLIENTS.values()]
_STDIO = {"type": "stdio", "command": "oblist", "args": ["mcp"]}
_MCP = {"command": "oblist", "args": ["mcp"]}


def expected(place: SetupPlace) -> dict[str, tuple[str, Callable[[str], Any], Any]]:
    """What the documentation of each client with tables wants: the file, its reader, the content."""
    index = str(place.project / ".oblist" / "oblist.db")
    hook = {
        "id": "oblist-check",
        "name": "oblist check",
        "entry": "oblist check",
        "language": "system",
        "files": r"\.(lisp|lsp|cl|asd|md|org)$",
        "require_serial": True,
    }
    kate = {
        "command": ["/opt/bin/oblist", "lsp"],
        "rootIndicationFileNames": [".oblist", "*.asd"],
        "highlightingModeRegex": "^Common Lisp$",
    }
    opencode = {
        "$schema": "https://opencode.ai/config.json",
        "mcp": {"oblist": {"type": "local", "command": ["oblist", "mcp"], "enabled": True}},
        "lsp": {"oblist": {"command": ["oblist", "lsp"], "extensions": [".lisp", ".asd", ".cl"]}},
    }
    return {
        "claude-code": ("project/.mcp.json", json.loads, {"mcpServers": {"oblist": _STDIO}}),
        "claude-desktop": (
            ".config/Claude/claude_desktop_config.json",
            json.loads,
            {"mcpServers": {"oblist": {"command": "/opt/bin/oblist", "args": ["mcp", "--index", index]}}},
        ),
        "codex": (
            ".codex/config.toml",
            tomllib.loads,
            {"mcp_servers": {"oblist": {**_MCP, "tool_timeout_sec": 600}}},
        ),
        "gemini": ("project/.gemini/settings.json", json.loads, {"mcpServers": {"oblist": _MCP}}),
        "vscode": ("project/.vscode/mcp.json", json.loads, {"servers": {"oblist": _STDIO}}),
        "cursor": ("project/.cursor/mcp.json", json.loads, {"mcpServers": {"oblist": _STDIO}}),
        "zed": (
            ".config/zed/settings.json",
            json.loads,
            {"context_servers": {"oblist": {"command": "/opt/bin/oblist", "args": ["mcp"], "env": {}}}},
        ),
        "opencode": ("project/opencode.json", json.loads, opencode),
        "helix": (
            ".config/helix/languages.toml",
            tomllib.loads,
            {
                "language-server": {"oblist": {"command": "oblist", "args": ["lsp"]}},
                "language": [{"name": "common-lisp", "language-servers": ["oblist"]}],
            },
        ),
        "kate": (".config/kate/lspclient/settings.json", json.loads, {"servers": {"commonlisp": kate}}),
        "pre-commit": (
            "project/.pre-commit-config.yaml",
            yaml.safe_load,
            {"repos": [{"repo": "local", "hooks": [hook]}]},
        ),
    }


CUSTOMISED = {
    ".json": '// mine\n{\n    "theme": "dark", // now\n    "mcpServers": {"a": {"command": "a"}},\n}\n',
    ".toml": '# mine\nm = "x"   # spaced\n\n[mcp_servers.a]\ncommand = "a"\n\n[[language]]\nname = "c"\n',
    ".yaml": "# mine\nrepos:\n- repo: local   # here\n  hooks: [{id: a, name: a, language: fail}]\n",
    ".md": "# Rules\n\nBe kind.",
    ".el": ";; mine\n(setq a ?\\()\r\n",
}
BROKEN = {
    ".json": ('{\n  "a": 1\n  "b": 2\n}\n', 3),
    ".toml": ("a = 1\nb = = 2\n", 2),
    ".yaml": ("repos:\n  - {\n", 3),
    ".md": ("# Rules\n<!-- oblist setup: begin -->\n", 2),
    ".el": ("(setq a 1)\n(setq b (list 1)\n", 2),
}
WHOLE = {"neovim", "vim", "github", "container"}


def set_up(client: Client, place: SetupPlace, record: SetupRecord, *, replace: bool = False) -> None:
    write(planned(client, place, record, replace=replace), record)


def state(client: Client, place: SetupPlace, record: SetupRecord) -> State:
    return looked_at(client.file(place), record).state


def files_below(folder: Path) -> dict[str, bytes]:
    """The files of a folder, but for the record, and its folders."""
    found = {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}
    return {path: content for path, content in found.items() if ".local" not in path}


@pytest.mark.parametrize("name", CLIENTS)
def test_a_new_file_is_as_the_client_wants_it_and_goes_again(
    name: str, place: SetupPlace, record: SetupRecord
) -> None:
    client, before = CLIENTS[name], files_below(place.home)
    assert state(client, place, record) is State.ABSENT
    set_up(client, place, record)
    path = client.file(place).path
    if name in expected(place):
        file, read, content = expected(place)[name]
        assert (str(path.relative_to(place.home)), read(path.read_text())) == (file, content)
    assert state(client, place, record) is State.SAME
    assert planned(client, place, record, replace=True).is_nothing
    take_back(taken_back(client, place, record), SetupRecord(record.path.parent))
    assert files_below(place.home) == before
    assert taken_back(client, place, SetupRecord(record.path.parent)).is_nothing


def test_every_client_has_been_compared_with_its_documentation(place: SetupPlace) -> None:
    assert set(expected(place)) | WHOLE | {"emacs", "agents-md"} == set(CLIENTS)


@pytest.mark.parametrize("client", [one for one in ALL if one.name not in WHOLE], ids=lambda one: one.name)
def test_a_customised_file_keeps_the_rest_and_is_restored(
    client: Client, place: SetupPlace, record: SetupRecord
) -> None:
    path = client.file(place).path
    path.parent.mkdir(parents=True, exist_ok=True)
    old = CUSTOMISED[path.suffix].encode()
    path.write_bytes(old)
    path.chmod(0o640)
    set_up(client, place, record)
    new = path.read_bytes()
    rest = iter(new)
    assert all(letter in rest for letter in old), "something else has changed"
    assert state(client, place, record) is State.SAME and new != old
    assert path.stat().st_mode & 0o777 == 0o640
    take_back(taken_back(client, place, record), record)
    assert path.read_bytes() == old and path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("client", [one for one in ALL if one.name not in WHOLE], ids=lambda one: one.name)
def test_from_a_file_that_has_changed_since_only_ours_is_taken(
    client: Client, place: SetupPlace, record: SetupRecord
) -> None:
    path = client.file(place).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CUSTOMISED[path.suffix])
    set_up(client, place, record)
    more = {
        ".json": "// more\n",
        ".toml": "# more\n",
        ".yaml": "# more\n",
        ".md": "\nmore\n",
        ".el": "(more)\n",
    }
    path.write_bytes(path.read_bytes() + more[path.suffix].encode())
    take_back(taken_back(client, place, record), record)
    left = path.read_text()
    assert state(client, place, record) is State.ABSENT
    assert "oblist" not in left and left.endswith(more[path.suffix])
    if path.suffix == ".json":
        assert read_jsonc(left).value == read_jsonc(CUSTOMISED[".json"]).value


@pytest.mark.parametrize("client", [one for one in ALL if one.name not in WHOLE], ids=lambda one: one.name)
def test_a_broken_file_is_refused_with_the_place(
    client: Client, place: SetupPlace, record: SetupRecord
) -> None:
    path = client.file(place).path
    path.parent.mkdir(parents=True, exist_ok=True)
    text, line = BROKEN[path.suffix]
    path.write_text(text)
    for ask in (
        lambda: planned(client, place, record, replace=True),
        lambda: taken_back(client, place, record),
    ):
        with pytest.raises(SetupError) as refused:
            ask()
        assert str(refused.value).startswith(f"{path}:{line}:") or str(refused.value).startswith(
            f"{path}:{line}"
        )
        assert "Correct the file" in str(refused.value)
    assert path.read_text() == text


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_file_that_somebody_else_wrote_stays(name: str, place: SetupPlace, record: SetupRecord) -> None:
    client = CLIENTS[name]
    path = client.file(place).path
    path.parent.mkdir(parents=True) if not path.parent.exists() else None
    path.write_text("theirs\n")
    change = planned(client, place, record, replace=False)
    assert change.is_nothing and change.left == "is there already; --replace replaces it"
    back = taken_back(client, place, record)
    assert back.is_nothing and back.left is not None
    set_up(client, place, record, replace=True)
    assert state(client, place, record) is State.SAME
    take_back(taken_back(client, place, record), record)
    assert path.read_text() == "theirs\n"


def test_what_the_user_has_set_up_is_not_undone(place: SetupPlace, record: SetupRecord) -> None:
    client, path = CLIENTS["claude-code"], place.project / ".mcp.json"
    old = json.dumps({"mcpServers": {"oblist": _STDIO}})
    path.write_text(old)
    set_up(client, place, record)
    take_back(taken_back(client, place, record), record)
    assert path.read_text() == old


def test_an_entry_of_the_users_own_stays_unless_it_is_to_be_replaced(
    place: SetupPlace, record: SetupRecord
) -> None:
    client, path = CLIENTS["claude-code"], place.project / ".mcp.json"
    old = '{"mcpServers": {"oblist": {"command": "oblist", "args": ["mcp", "--allow", "cautious"]}}}'
    path.write_text(old)
    change = planned(client, place, record, replace=False)
    assert change.is_nothing and change.left is not None
    set_up(client, place, record, replace=True)
    assert json.loads(path.read_text()) == {"mcpServers": {"oblist": _STDIO}}
    take_back(taken_back(client, place, record), record)
    assert path.read_text() == old


def test_a_set_up_for_another_program_is_renewed_and_undone_at_once(
    place: SetupPlace, record: SetupRecord
) -> None:
    """What was written here may be written again: the first content is what undoing restores."""
    client, path = CLIENTS["kate"], place.config / "kate" / "lspclient" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"servers": {}}')
    set_up(client, place, record)
    later = SetupPlace(place.home, place.config, place.project, "oblist", "/usr/bin/oblist", "linux")
    set_up(client, later, record)
    assert "/usr/bin/oblist" in path.read_text() and "/opt" not in path.read_text()
    take_back(taken_back(client, later, record), record)
    assert path.read_text() == '{"servers": {}}'


def test_folders_that_were_made_go_unless_something_else_is_in_them(
    place: SetupPlace, record: SetupRecord
) -> None:
    client = CLIENTS["kate"]
    set_up(client, place, record)
    (place.config / "kate" / "other").write_text("")
    take_back(taken_back(client, place, record), record)
    assert not (place.config / "kate" / "lspclient").exists() and (place.config / "kate").is_dir()


def test_a_link_is_followed_and_stays(place: SetupPlace, record: SetupRecord) -> None:
    kept = place.home / "dotfiles" / "languages.toml"
    kept.parent.mkdir()
    kept.write_text("# mine\n")
    path = place.config / "helix" / "languages.toml"
    path.parent.mkdir(parents=True)
    path.symlink_to(kept)
    set_up(CLIENTS["helix"], place, record)
    assert path.is_symlink() and "oblist" in kept.read_text()
    take_back(taken_back(CLIENTS["helix"], place, record), record)
    assert path.is_symlink() and kept.read_text() == "# mine\n"


def _folder(path: Path) -> None:
    path.mkdir()


def _latin(path: Path) -> None:
    path.write_bytes(b'{\n"a": "\xe9"}')


def _nowhere(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_folder, ".mcp.json is not a file. Move it away"),
        (_latin, ".mcp.json:2: this is not UTF-8. Correct the file"),
        (_nowhere, ".mcp.json is a link to a file that does not exist"),
        (_pipe, ".mcp.json is not a file"),
    ],
)
def test_what_is_no_text_is_refused(
    make: Callable[[Path], None], words: str, place: SetupPlace, record: SetupRecord
) -> None:
    make(place.project / ".mcp.json")
    with pytest.raises(SetupError, match=words):
        planned(CLIENTS["claude-code"], place, record, replace=True)


def test_a_file_that_changes_meanwhile_is_not_written(place: SetupPlace, record: SetupRecord) -> None:
    path = place.project / ".mcp.json"
    change = planned(CLIENTS["claude-code"], place, record, replace=False)
    path.write_text("{}")
    with pytest.raises(SetupError, match="has changed in the meantime"):
        write(change, record)
    assert path.read_text() == "{}"


def test_a_damaged_record_is_taken_for_none(place: SetupPlace, record: SetupRecord) -> None:
    client, path = CLIENTS["claude-code"], place.project / ".mcp.json"
    path.write_text('{"a": 1}\n')
    set_up(client, place, record)
    record.path.write_text('{"x": ')
    change = taken_back(client, place, SetupRecord(record.path.parent))
    assert change.is_nothing and change.left is not None
    take_back(taken_back(client, place, SetupRecord(record.path.parent), replace=True), record)
    assert json.loads(path.read_text()) == {"a": 1}
    assert record.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("there", "used"),
    [
        ((), ".emacs.d/init.el"),
        ((".emacs",), ".emacs"),
        ((".emacs", ".emacs.el"), ".emacs.el"),
        ((".emacs.d/init.el", ".emacs"), ".emacs"),
        ((".config/emacs/init.el",), ".config/emacs/init.el"),
        ((".config/emacs/early-init.el",), ".config/emacs/init.el"),
        ((".emacs.d/x", ".config/emacs/init.el"), ".config/emacs/init.el"),
    ],
)
def test_the_file_of_emacs_is_the_first_that_emacs_reads(
    there: tuple[str, ...], used: str, place: SetupPlace
) -> None:
    for name in there:
        (place.home / name).parent.mkdir(parents=True, exist_ok=True)
        (place.home / name).write_text("")
    assert CLIENTS["emacs"].file(place).path == place.home / used


def test_opencode_with_comments_is_used_if_it_is_there(place: SetupPlace, record: SetupRecord) -> None:
    (place.project / "opencode.jsonc").write_text('{ // mine\n  "theme": "x"\n}\n')
    set_up(CLIENTS["opencode"], place, record)
    text = (place.project / "opencode.jsonc").read_text()
    assert (
        text.startswith('{ // mine\n  "theme": "x",\n  "mcp": {')
        and not (place.project / "opencode.json").exists()
    )


def test_code_that_starts_the_program_has_its_path(place: SetupPlace, record: SetupRecord) -> None:
    odd = "/o'dd \\p/oblist"
    there = SetupPlace(place.home, place.config, place.project, odd, odd, "linux")
    lua = CLIENTS["neovim"].file(there).part.put("")
    assert "local program = '/o\\'dd \\\\p/oblist'" in lua
    vim = CLIENTS["vim"].file(there).part.put("")
    assert "'lisp_oblist_executable', '/o''dd \\p/oblist'" in vim
    assert json.dumps(odd) in CLIENTS["emacs"].file(there).part.put("")


def test_the_documentation_names_every_client_and_its_file(place: SetupPlace) -> None:
    rows = [
        line.split("|") for line in (ROOT / "docs" / "setup.md").read_text().splitlines() if line[:3] == "| `"
    ]
    told = {name.strip(" `"): file for _, name, file, *_ in rows}
    assert list(told) == list(CLIENTS)
    for name, client in CLIENTS.items():
        path = client.file(place).path
        inside = path.is_relative_to(place.project)
        shown = path.relative_to(place.project) if inside else f"~/{path.relative_to(place.home)}"
        assert f"`{shown}`" in told[name], name
