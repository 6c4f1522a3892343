"""The extension for Visual Studio Code: its manifest and the files that it names."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from support.checkout import ROOT
from support.editors.vscode.extension import FOLDER, manifest, packaged

SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("src/*.ts")))


def test_its_version_is_that_of_oblist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert manifest()["version"] == project["version"]
    assert manifest()["license"] == project["license"]


def test_the_files_that_it_names_are_there() -> None:
    told = manifest()["contributes"]
    paths = [told["languages"][0]["configuration"], told["grammars"][0]["path"]]
    assert all(json.loads((FOLDER / path).read_text(encoding="utf-8")) for path in paths)
    grammar = json.loads((FOLDER / told["grammars"][0]["path"]).read_text(encoding="utf-8"))
    assert grammar["scopeName"] == told["grammars"][0]["scopeName"]
    assert told["grammars"][0]["language"] == told["languages"][0]["id"]
    assert told["languages"][0]["extensions"] == [".lisp", ".lsp", ".cl", ".asd"]


def test_every_command_and_setting_is_there_used_and_documented() -> None:
    told = manifest()["contributes"]
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    commands = [one["command"] for one in told["commands"]]
    assert len(commands) == 4
    assert sorted(re.findall(r'registerCommand\("([^"]+)"', SOURCES)) == sorted(commands)
    assert all(one["title"] in " ".join(readme.split()) for one in told["commands"])
    properties = told["configuration"]["properties"]
    assert sorted(properties) == ["oblist.args", "oblist.codeLens", "oblist.inlayHints", "oblist.path"]
    for name, one in properties.items():
        assert f"`{name}`" in readme
        assert f'("{name.removeprefix("oblist.")}"' in SOURCES
        assert one["markdownDescription"]


def test_words_are_symbols_of_lisp() -> None:
    configuration = json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))
    word = re.compile(configuration["wordPattern"])
    text = '(let* ((x #\'cl-user::foo-bar) (|a b| "str")) `(,*db* +c+ a|B c|d \\(x)) ; note'
    assert word.findall(text) == [
        *("let*", "x", "cl-user::foo-bar", "|a b|", "str", "*db*", "+c+", "a|B c|d", "\\(x", "note"),
    ]


@pytest.mark.full
def test_it_is_packaged_with_what_it_needs_and_no_more(tmp_path: Path) -> None:
    files = zipfile.ZipFile(packaged(tmp_path)).namelist()
    assert sorted(name.removeprefix("extension/") for name in files if name.startswith("extension/")) == [
        *("LICENSE.txt", "README.md", "dist/extension.js", "language-configuration.json", "package.json"),
        "syntaxes/commonlisp.tmLanguage.json",
    ]
