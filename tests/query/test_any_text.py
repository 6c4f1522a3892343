"""Whatever is typed, there is an answer: no text makes describe, apropos or the command line fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oblist.query import Index, open_index
from oblist.query.answers import NotFound
from oblist.query.index.not_found import not_found_text
from oblist.query.questions.apropos.choices import SCOPES, TYPES
from oblist.query.questions.describe.text import describe_text
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
_STATUSES = {"external", "internal", "inherited"}
_MESSAGES = {
    "package-not-found": re.compile(r"Package .* not found", re.DOTALL),
    "symbol-not-found": re.compile(r"Symbol .* not found in package .* \(status: NIL\)", re.DOTALL),
    "invalid-name": re.compile(r'Invalid symbol name ".*"', re.DOTALL),
    "invalid-type": re.compile(r"Invalid type: .*\. Valid types: .*", re.DOTALL),
}


@pytest.fixture(scope="module")
def graph() -> Graph:
    return package_graph()


@pytest.fixture(scope="module")
def index(graph: Graph) -> Iterator[Index]:
    with open_index(graph.index) as opened:
        yield opened


_TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="aA:|\\'#()\" \n\t.1*%_-\0\u01c5\u0130", max_size=15),
    st.text(alphabet=st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010), max_size=3),
    st.builds(
        "{}{}{}".format, st.sampled_from(NAMES), st.sampled_from(("", ":", "::", "|")), st.text(max_size=5)
    ),
    st.builds("({} {})".format, st.sampled_from(("setf", "SETF", "cas", "quote")), st.sampled_from(NAMES)),
    st.builds("".join, st.lists(st.sampled_from(("car", "CDR", "-", "list", "make")), max_size=400)),
)


@settings(_EXAMPLES, max_examples=amount(150, 500))
@given(name=_TEXTS, package=st.one_of(st.just("CL-USER"), st.sampled_from(("CL", "KEYWORD")), _TEXTS))
def test_describe_answers_every_text(index: Index, name: str, package: str) -> None:
    answer = index.describe(name, package)
    if isinstance(answer, NotFound):
        assert _MESSAGES[answer.error].fullmatch(answer.message)
        assert not_found_text(answer).startswith(answer.message)
        assert answer.reason
    else:
        assert answer.status in _STATUSES
        assert describe_text(answer).split("\n")[0].endswith(f"[{answer.type.upper()}]")


@settings(_EXAMPLES, max_examples=amount(150, 500))
@given(
    pattern=_TEXTS,
    package=st.one_of(st.none(), st.sampled_from(("CL", "KEYWORD")), _TEXTS),
    kind=st.one_of(st.none(), st.sampled_from(TYPES), st.text(max_size=10)),
    scope=st.sampled_from(SCOPES),
    limit=st.integers(0, 20),
)
def test_apropos_answers_every_text(
    index: Index, pattern: str, package: str | None, kind: str | None, scope: str, limit: int
) -> None:
    answer = index.apropos(pattern, package, kind, scope=scope, limit=limit)
    if isinstance(answer, NotFound):
        assert _MESSAGES[answer.error].fullmatch(answer.message)
        assert answer.error == "invalid-type" or package is not None
    else:
        assert len(answer.matches) == (min(limit, answer.total) if limit else answer.total)
        fold = index.fold
        assert all(fold(pattern) in fold(match.name) for match in answer.matches)


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
