"""Any oblist.toml: its settings, or a sentence that names the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fuzz.target import Check, Target
from fuzz.texts import JSON, TEXTS
from hypothesis import strategies as st

from oblist.query.check.errors import CheckError
from oblist.query.check.rules.table import OFF, RULES, SEVERITIES
from oblist.query.check.settings import NAME, read_settings, test_macros_in

_RULES = st.dictionaries(
    st.one_of(st.sampled_from(sorted(RULES)), TEXTS), st.one_of(st.sampled_from([*SEVERITIES, OFF]), JSON)
)
_PATTERNS = st.lists(
    st.one_of(st.sampled_from(["*.lisp", "!x", "**/", "[", "\\", "a/**/b", "/", "x[!]", "[z-a]"]), TEXTS),
    max_size=4,
)
_KEYS = {
    "rules": _RULES,
    "exclude": _PATTERNS,
    "prose": _PATTERNS,
    "packages": st.lists(TEXTS, max_size=3),
    "paths": st.lists(st.fixed_dictionaries({}, optional={"match": _PATTERNS, "rules": _RULES}), max_size=2),
    "tests": st.lists(TEXTS, max_size=3),
}
_TABLE = st.fixed_dictionaries(
    {}, optional={name: st.one_of(values, values, JSON) for name, values in _KEYS.items()}
)
_TABLES = st.fixed_dictionaries(
    {}, optional={"check": st.one_of(_TABLE, JSON), "affected": st.one_of(_TABLE, JSON), "other": JSON}
)


def _toml(value: Any) -> str:
    """A value as TOML writes it; None and what TOML lacks make it wrong."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return json.dumps(value)


_FILES = _TABLES.map(
    lambda tables: "".join(f"{_toml(name)} = {_toml(one)}\n" for name, one in tables.items())
)
_CUT = st.builds(lambda text, share: text[: round(share * len(text))], _FILES, st.floats(0, 1))
_TEXTS = st.one_of(_FILES, _FILES, _CUT, st.text(max_size=60), st.just("a = " + "[" * 5000))


@contextmanager
def _opened(folder: Path) -> Iterator[Check]:
    path = folder / NAME

    def check(text: str) -> None:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            settings = read_settings(path)
        except CheckError as error:
            assert str(error).startswith(f"{path}: ")
        else:
            for name in ("a.lisp", "b/c.lisp", "README.md", "b/CHANGES.md"):
                settings.leaves_out(str(folder / name))
                assert {settings.severity(rule, str(folder / name)) for rule in RULES} <= {*SEVERITIES, OFF}
        try:
            assert all(isinstance(name, str) for name in test_macros_in(path))
        except CheckError as error:
            assert str(error).startswith(f"{path}: ")

    yield check


TARGET = Target("settings", _TEXTS, _opened, short=80)
