"""Editors, which start the language server. Each file is as the editor's documentation has it."""

from __future__ import annotations

import json
from pathlib import Path

from ..client import EDITOR, LSP, Client, ClientFile
from ..files.block_part import BlockPart
from ..files.elisp import refuse_unfinished
from ..files.json_part import JsonPart
from ..files.parts import FileParts
from ..files.toml_item import TomlItemPart
from ..files.toml_part import TomlPart
from ..files.whole_part import WholePart
from ..place import SetupPlace
from ..shipped import shipped_path, shipped_text
from .starts import language_server, one_list, program_and_arguments

_NAME = "oblist"


def _emacs(place: SetupPlace) -> ClientFile:
    # Strings of Emacs Lisp escape what those of JSON do.
    loaded, program = (
        json.dumps(str(one), ensure_ascii=False) for one in (shipped_path("emacs"), place.own_program)
    )
    body = f"""\
(add-to-list 'load-path {loaded})
(when (require 'oblist nil t)
  (setq oblist-program {program})
  (oblist-setup)
  (when (locate-library "eglot")
    (add-hook 'lisp-mode-hook #'eglot-ensure))
  (with-eval-after-load 'slime
    (require 'slime-oblist)
    (slime-oblist-init))
  (with-eval-after-load 'sly
    (require 'sly-oblist)
    (sly-oblist-init)))"""
    part = BlockPart(body, ";; {}", refuse_unfinished)
    return ClientFile(_emacs_file(place), part, language_server(place, place.own_program))


def _emacs_file(place: SetupPlace) -> Path:
    """The file that Emacs reads when it starts (its manual, "Find Init"): the first that is there."""
    old = [place.home / ".emacs.el", place.home / ".emacs"]
    folders = [place.home / ".emacs.d", place.config / "emacs"]
    candidates = [*old, *(folder / "init.el" for folder in folders)]
    there = [path for path in candidates if path.exists()]
    there += [folder / "init.el" for folder in folders if folder.is_dir()]
    return there[0] if there else folders[0] / "init.el"


def _neovim(place: SetupPlace) -> ClientFile:
    part = WholePart(shipped_text("neovim/oblist.lua", place.program))
    path = place.config / "nvim" / "plugin" / "oblist.lua"
    return ClientFile(path, part, language_server(place, place.program))


def _vim(place: SetupPlace) -> ClientFile:
    part = WholePart(shipped_text("vim/oblist.vim", place.program))
    path = place.home / ".vim" / "ale_linters" / "lisp" / "oblist.vim"
    return ClientFile(path, part, language_server(place, place.program))


def _helix(place: SetupPlace) -> ClientFile:
    server = TomlPart(("language-server", _NAME), {"command": place.program, "args": ["lsp"]})
    part = FileParts((server, TomlItemPart("language", "common-lisp", "language-servers", _NAME)))
    path = place.config / "helix" / "languages.toml"
    return ClientFile(path, part, lambda value: program_and_arguments(place, LSP)(value[0]))


def _kate(place: SetupPlace) -> ClientFile:
    server = {
        "command": [place.own_program, "lsp"],
        "rootIndicationFileNames": [".oblist", "*.asd"],
        "highlightingModeRegex": "^Common Lisp$",
    }
    part = JsonPart(("servers", "commonlisp"), server)
    path = place.config / "kate" / "lspclient" / "settings.json"
    return ClientFile(path, part, one_list(place, LSP))


EDITORS = (
    Client(
        "emacs",
        "Emacs",
        EDITOR,
        _emacs,
        ("emacs",),
        lambda place: (_emacs_file(place),),
        (
            "M-x oblist-apropos and oblist-search ask the index; eglot starts in Lisp files.",
            "With SLIME or SLY, M-. falls back on the index.",
        ),
    ),
    Client("neovim", "Neovim", EDITOR, _neovim, ("nvim",), lambda place: (place.config / "nvim",)),
    Client(
        "vim",
        "Vim, with ALE",
        EDITOR,
        _vim,
        ("vim",),
        lambda place: (place.home / ".vim",),
        ("If g:ale_linters names the linters of Lisp, or g:ale_linters_explicit is 1, add oblist to them.",),
    ),
    Client("helix", "Helix", EDITOR, _helix, ("hx", "helix"), lambda place: (place.config / "helix",)),
    Client(
        "kate",
        "Kate",
        EDITOR,
        _kate,
        ("kate",),
        lambda place: (place.config / "kate",),
        ("Kate asks once whether it may start the server.",),
    ),
)
"""The editors, in the order in which they are listed."""
