"""Editors, started with the files that `oblist setup` writes for them, and asked something."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.command import OBLIST, oblist
from support.editors.emporium import emporium
from support.editors.sessions import HERE

pytestmark = pytest.mark.full
_SECONDS = 120
_STARTED = HERE / "started"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of a user, in which nothing is set up yet."""
    folder = tmp_path / "home"
    for variable, name in (("HOME", ""), ("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share")):
        monkeypatch.setenv(variable, str(folder / name))
    folder.mkdir()
    return folder


def set_up(editor: str) -> None:
    done = oblist("setup", editor, "--write", "--no-index", "--project", emporium())
    assert done.returncode == 0, done.stdout + done.stderr


def seen_by(command: list[str], folder: Path) -> list[str]:
    """The lines that an editor's script writes about what it has seen."""
    asked = folder / "asked"
    done = subprocess.run(
        command,
        env={**os.environ, "ASKED": str(asked)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        cwd=folder,
        check=False,
    )
    assert asked.exists(), done.stdout + done.stderr
    return asked.read_text(encoding="utf-8").splitlines()


def installed(program: str, package: str) -> str:
    found = shutil.which(program)
    assert found is not None, f"{package} is not installed: make setup-corpus"
    return found


def test_neovim(home: Path, tmp_path: Path) -> None:
    set_up("neovim")
    shop = str(emporium() / "shop.lisp")
    command = [installed("nvim", "neovim"), "--headless", "-i", "NONE", "-n", shop]
    root, hover, line = seen_by([*command, "-S", str(_STARTED / "neovim.lua"), "-c", "cquit"], tmp_path)
    assert root == str(emporium())
    assert "The prices of WARES together, with TAX." in hover
    assert line == "(defun total (wares &key (tax 0))"


def test_vim_with_ale(home: Path, tmp_path: Path) -> None:
    assert Path("/usr/share/vim-ale").exists(), "vim-ale is not installed: make setup-corpus"
    set_up("vim")
    (home / ".vimrc").write_text("packadd! ale\nfiletype plugin on\n")
    command = [installed("vim", "vim"), "-es", "-N", "-i", "NONE", "-n", "-u", str(home / ".vimrc")]
    script = str(_STARTED / "ale.vim")
    hover, line = seen_by([*command, str(emporium() / "shop.lisp"), "-S", script], tmp_path)
    assert "The prices of WARES together, with TAX." in hover
    assert line == "(defun total (wares &key (tax 0))"


def test_emacs(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".emacs").write_text("(setq inhibit-startup-screen t)\n(package-initialize)\n")
    set_up("emacs")
    monkeypatch.setenv("SHOP", str(emporium() / "shop.lisp"))
    script = str(_STARTED / "emacs.el")
    command = [installed("emacs", "emacs-nox"), "--batch", "-l", str(home / ".emacs"), "-l", script]
    definition, starts_eglot, with_slime, program = seen_by(command, tmp_path)
    assert definition == "generic-function emporium:price"
    assert (starts_eglot, with_slime, program) == ("t", "t", OBLIST)


def test_kate(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kate asks for an outline of a file that it shows; what it is answered is recorded on the way."""
    set_up("kate")
    settings = home / ".config" / "kate" / "lspclient" / "settings.json"
    told = json.loads(settings.read_text(encoding="utf-8"))
    server = told["servers"]["commonlisp"]["command"]
    assert server == [OBLIST, "lsp"]
    record, program = tmp_path / "record", tmp_path / "recorded"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "recorded.py"} {record} {OBLIST} "$@"\n')
    program.chmod(0o700)
    told["servers"]["commonlisp"]["command"][0] = str(program)
    settings.write_text(json.dumps(told))
    # The user is asked once whether this may be started, and has said yes.
    (home / ".config" / "katerc").write_text(f"[lspclient]\nAllowedServerCommandLines={program} lsp\n")
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    kate = installed("kate", "kate")
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(
            [installed("dbus-run-session", "dbus"), kate, "--new", str(emporium() / "shop.lisp")],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        names = _outline(record, time.monotonic() + _SECONDS)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(_SECONDS)
    assert names == ["total", "receipt", "sale"]


def _outline(record: Path, deadline: float) -> list[str]:
    """The names in the outline of the file, once Kate has asked for it and the server has answered."""
    while time.monotonic() < deadline:
        lines = record.read_text(encoding="utf-8").split("\n")[:-1] if record.exists() else []
        entries = [json.loads(line) for line in lines]
        messages = {
            who: [one["message"] for one in entries if one["who"] == who] for who in ("client", "server")
        }
        asked = [
            one["id"] for one in messages["client"] if one.get("method") == "textDocument/documentSymbol"
        ]
        for answer in messages["server"]:
            if "method" not in answer and answer["id"] in asked:
                return [one["name"].rpartition(":")[2] for one in answer["result"]]
        time.sleep(0.05)
    raise AssertionError("Kate has asked for no outline, or has no answer")
