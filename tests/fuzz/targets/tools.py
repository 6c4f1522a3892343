"""Calls of tools, by their schemas and against them: an answer as its schema says, or a reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fuzz.target import Check, Target
from fuzz.texts import INTEGERS, JSON, PACKAGES, TEXTS
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from oblist.query.tools.registry import registry
from oblist.query.tools.results import json_bytes
from oblist.query.tools.schemas import output_schema
from oblist.query.tools.vocabulary import Parameter, Tool
from support.agents.tool_calls import called, executing
from support.editors.atelier import FILES, atelier

_FORMS = [f"(defun {text}" for file in FILES.values() for text in file.split("(defun ")[1:]]
_KNOWN = (
    "atelier::odd",
    "atelier.cloth:cut",
    "button",
    "atelier",
    "shop.lisp:5",
    "cloth.lisp",
    "../shop.lisp",
    "/",
)
_ALL_TEXTS = st.one_of(st.sampled_from(_KNOWN), st.sampled_from(_FORMS), TEXTS)


def _values(one: Parameter) -> st.SearchStrategy[Any]:
    if one.choices:
        return st.sampled_from(list(one.choices))
    if one.type == "number":
        return INTEGERS if one.minimum is None else st.one_of(st.integers(int(one.minimum), 2000), INTEGERS)
    if one.type == "boolean":
        return st.booleans()
    texts = PACKAGES if one.name in ("package", "seen_from") else _ALL_TEXTS
    return st.one_of(texts, st.lists(texts, max_size=3)) if one.or_array else texts


def _calls(tool: Tool) -> st.SearchStrategy[Any]:
    fitting = st.fixed_dictionaries(
        {one.name: _values(one) for one in tool.parameters if one.name in tool.required},
        optional={one.name: _values(one) for one in tool.parameters if one.name not in tool.required},
    )
    names = st.one_of(st.sampled_from([one.name for one in tool.parameters] or ["x"]), TEXTS)
    other = st.builds(lambda good, bad: {**good, **bad}, fitting, st.dictionaries(names, JSON, max_size=2))
    return st.tuples(st.just(tool.name), st.one_of(fitting, fitting, other)).map(list)


@contextmanager
def _opened(folder: Path) -> Iterator[Check]:
    validators = {
        one.name: Draft202012Validator(schema)
        for one in registry
        if (schema := output_schema(one)) is not None
    }
    with executing(atelier() / ".oblist" / "oblist.db", log=folder / "log") as executor:

        def check(case: tuple[str, dict[str, Any]]) -> None:
            name, arguments = case
            result = called(executor, name, **arguments) if "tool" not in arguments else None
            if result is None:  # the keyword arguments of a test's helper
                return
            if result.success:
                assert result.content
                if name in validators:
                    validators[name].validate(result.structured)
            else:
                assert result.failure and result.error
                assert not result.error.startswith(f"{name} failed:")
            json_bytes([result.content, result.error, result.structured])

        yield check


TARGET = Target(
    "tools",
    st.one_of([_calls(one) for one in registry if one.safety_level == "safe"]),
    _opened,
    short=100,
    starts=("git",),
)
