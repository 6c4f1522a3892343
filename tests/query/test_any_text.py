"""Whatever is typed, there is an answer: no text makes the command line fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.amount import amount
from support.command_line import run_main
from support.projects.package_graph import NAMES, Graph, package_graph

# The fixtures are only read, so every example may use the same ones.
_EXAMPLES = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return package_graph()


# What a terminal or a script can hand over: no NUL, and bytes that are not UTF-8 as lone surrogates.
_ARGUMENTS = st.one_of(
    st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=20),
    st.binary(max_size=6).map(lambda some: some.replace(b"\0", b"").decode("utf-8", "surrogateescape")),
    st.sampled_from([name for name in NAMES if "\0" not in name]),
)


@settings(_EXAMPLES, max_examples=amount(50, 200))
@given(
    command=st.sampled_from(("describe", "apropos")),
    text=_ARGUMENTS,
    flags=st.sampled_from(((), ("--json",))),
)
def test_the_command_line_answers_every_argument_and_never_fails(
    graph: Graph, command: str, text: str, flags: tuple[str, ...]
) -> None:
    code, output, errors = run_main(command, "--index", str(graph.index), *flags, "--", text)
    assert code in (0, 1)
    assert output
    assert "Traceback" not in errors


def test_a_batch_of_odd_names_is_answered_line_by_line(graph: Graph, tmp_path: Path) -> None:
    names = [name for name in NAMES if not re.search(r"[\n\r\0]", name)]
    batch = tmp_path / "names"
    batch.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    code, output, _ = run_main("describe", "--index", str(graph.index), "--batch", str(batch))
    assert code == 1
    assert len(output.split("\n")) - 1 == len(names) > 80
