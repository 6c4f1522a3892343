"""The licences of what is installed: docs/install/licences.py reads them, and `make docs` writes its page."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from support.checkout import ROOT


@pytest.fixture
def licences(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from install import licences

    return licences


def test_the_base_install_has_nothing_under_a_licence_of_the_gpl_alone(licences: Any) -> None:
    base = licences.packages()
    assert len(base) > 20 and {"click", "mcp", "sqlalchemy"} <= base.keys()
    assert {name: one.licence for name, one in base.items() if licences.is_copyleft_only(one.licence)} == {}
    assert {name for name, one in base.items() if one.licence == "unknown"} == set()


@pytest.mark.parametrize(
    ("licence", "alone"),
    [
        ("MIT", False),
        ("GPL-3.0-or-later", True),
        ("LGPL-2.1-only", True),
        ("GNU Affero General Public License v3", True),
        ("GPL-2.0-only OR LGPL-3.0-only", True),
        ("MIT OR GPL-2.0-only", False),
    ],
)
def test_what_is_of_the_gpl_alone(licences: Any, licence: str, alone: bool) -> None:
    assert licences.is_copyleft_only(licence) == alone


def test_the_page_has_each_extra(licences: Any) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {*licences.EXTRAS} == extras.keys() - {"all", "dev"}
