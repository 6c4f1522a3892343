"""What an extra brings is missing: a command says so in one line, and how to install it."""

from __future__ import annotations

import importlib.util
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from oblist.indexer.extras import MissingExtraError, require
from support.checkout import ROOT
from support.command_line import run_main

find_spec = importlib.util.find_spec


def hide(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """Packages as if they were not installed."""

    def found(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in packages else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", found)


@pytest.mark.parametrize(
    ("package", "arguments", "said"),
    [
        ("datasette", ("browse",), "browsing needs datasette. Install with: pip install 'oblist[browse]'"),
        ("pygls", ("lsp",), "the language server needs pygls. Install with: pip install 'oblist[lsp]'"),
        (
            "google.protobuf",
            ("export", "scip"),
            "a SCIP index needs protobuf. Install with: pip install 'oblist[scip]'",
        ),
        (
            "distributed",
            ("catalog", "build", "--below", ".", "--jobs", "2"),
            "--jobs above 1 needs distributed. Install with: pip install 'oblist[cluster]'",
        ),
        (
            "cryptography",
            ("catalog", "build", "--below", ".", "--scheduler", "tcp://127.0.0.1:1"),
            "--scheduler needs cryptography. Install with: pip install 'oblist[cluster]'",
        ),
        (
            "fsspec",
            ("catalog", "build", "--below", ".", "--store", "s3://bucket"),
            "the store s3://bucket needs fsspec. Install with: pip install 'oblist[cluster]'",
        ),
    ],
)
def test_a_command_names_the_extra_that_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, arguments: tuple[str, ...], said: str
) -> None:
    hide(monkeypatch, package)
    monkeypatch.chdir(tmp_path)
    done = run_main(*arguments)
    assert (done.code, done.output, done.errors) == (2, "", f"oblist: {said}\n")
    assert list(tmp_path.iterdir()) == []


def test_all_that_is_missing_is_named() -> None:
    with pytest.raises(MissingExtraError) as missing:
        require("a wish", "magic", "oblist", "nowhere.wand", "nowhere")
    assert str(missing.value) == "a wish needs wand and nowhere. Install with: pip install 'oblist[magic]'"
    require("a wish", "magic", "oblist")


def test_one_extra_has_all_that_a_user_can_use_and_developers_have_it() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert extras["all"] == ["oblist[browse,lsp,scip,cluster]"]
    assert extras.keys() == {"browse", "lsp", "scip", "cluster", "all", "dev"}
    assert "oblist[all]" in extras["dev"]
