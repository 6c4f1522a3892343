"""The server starts no process and writes no file, and needs no SBCL."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from support.command import OBLIST
from support.editors.language_client import LanguageClient
from support.editors.texts import Texts
from support.namespace import namespace


def files_below(folder: Path) -> dict[str, int]:
    """The files in a folder, each with the time of its last change."""
    return {
        str(path): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file() or path.is_symlink()
    }


def test_a_session_without_sbcl_starts_nothing_and_writes_nothing(
    libraries_index: Path, tmp_path: Path
) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    (project / ".oblist").mkdir(parents=True)
    shutil.copy(libraries_index, project / ".oblist" / "oblist.db")
    source = project / "some.lisp"
    source.write_text("(in-package :cl-user)\n(alexandria:flatten (mapcar #'car '((1) (2))))\n")
    before = files_below(tmp_path)
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        environment.pop(variable, None)
    script = tmp_path / "script"
    script.mkdir()
    command = [*namespace(script), OBLIST, "lsp"]
    before |= files_below(script)
    with LanguageClient(command, environment, project) as client:
        talk = client.conversation
        talk.start([project])
        uri = talk.open(source)
        texts = Texts()
        for words in ("alexandria:flatten", "mapcar", "car '("):
            at = texts.position(uri, words, 1)
            assert talk.at("textDocument/hover", uri, at.line, at.character)
            assert talk.at("textDocument/definition", uri, at.line, at.character)
        context = {"includeDeclaration": True}
        assert talk.at("textDocument/references", uri, at.line, at.character, context=context)
        assert talk.request("workspace/symbol", {"query": "flatten"})
        assert talk.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) == []
        talk.wait_for("textDocument/publishDiagnostics")
        threads = list(Path(f"/proc/{client.process.pid}/task").iterdir())
        assert len(threads) > 1
        assert [one.joinpath("children").read_text() for one in threads] == [""] * len(threads)
        talk.request("shutdown", None)
        talk.notify("exit", None)
        assert client.process.wait(20) == 0
    assert files_below(tmp_path) == before
