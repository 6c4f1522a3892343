"""Resolution never disagrees with FIND-SYMBOL in packages made at random in a live SBCL."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from package_graph import NAMES, Graph, make_graph
from test_apropos import read_blocks

from indexer.names import written_name
from lisp.sbcl import Sbcl
from query import Index, open_index
from query.answers import AproposAnswer, DescribeAnswer, NotFound
from query.apropos import SCOPES, TYPES
from query.cli import main
from query.render import apropos_text, describe_text, not_found_text

# The fixtures are only read, so every example may use the same ones.
_EXAMPLES = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
# SBCL 2.2.9's CHAR-EQUAL says yes to a titlecase digraph that comes first, and no to one that comes
# second. The index folds such a character to itself, as CHAR-EQUAL says when it comes second.
_TITLECASE = re.compile("[\u01c5\u01c8\u01cb\u01f2]")
_STATUSES = {"external", "internal", "inherited"}
_MESSAGES = {
    "package-not-found": re.compile(r"Package .* not found", re.DOTALL),
    "symbol-not-found": re.compile(r"Symbol .+ not found in package .* \(status: NIL\)", re.DOTALL),
    "invalid-name": re.compile(r'Invalid symbol name ".*"', re.DOTALL),
    "invalid-type": re.compile(r"Invalid type: .*\. Valid types: .*", re.DOTALL),
}


@pytest.fixture(scope="module")
def graph(sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return make_graph(sbcl, tmp_path_factory.mktemp("graph"))


@pytest.fixture(scope="module")
def index(graph: Graph) -> Iterator[Index]:
    with open_index(graph.index) as opened:
        yield opened


def _exactly(name: str) -> str:
    """``name`` between pipes, so that it is taken as it is."""
    escaped = name.replace("\\", "\\\\").replace("|", "\\|")
    return f"|{escaped}|"


def _found(answer: DescribeAnswer | NotFound) -> tuple[str, str, str] | None:
    """Name, package and status of the symbol in an answer; None for a symbol that is not found."""
    if isinstance(answer, NotFound):
        assert answer.error == "symbol-not-found"
        return None
    return answer.name, answer.package, answer.status


def _expected(graph: Graph, package: str, *names: str) -> tuple[str, str, str] | None:
    """What the live SBCL finds in ``package`` for the first of ``names`` that is there."""
    for name in names:
        if name in graph.symbols[package]:
            home, status = graph.symbols[package][name]
            return name, package if home is None else home, status
    return None


# The graph itself


def test_the_packages_are_as_odd_as_they_should_be(graph: Graph) -> None:
    made = Counter(graph.made)
    kinds = "make use local intern export shadow import shadowing-import unintern delete define-function"
    assert min(made[kind] for kind in kinds.split()) >= 5, made
    found = [entry for symbols in graph.symbols.values() for entry in symbols.values()]
    assert {status for _, status in found} == _STATUSES
    homeless = Counter(status for home, status in found if home is None)
    assert homeless["internal"] > 20
    assert homeless["external"] > 5
    assert homeless["inherited"] > 5
    assert {"", "\0"} <= set(graph.packages)
    assert len(graph.symbols) > 40


# Every pair of package and name


def test_every_name_is_found_in_every_package_where_find_symbol_finds_it(graph: Graph, index: Index) -> None:
    differing = []
    outcomes: Counter[str] = Counter()
    for package in graph.symbols:
        for name in (*NAMES, *graph.symbols[package]):
            expected = _expected(graph, package, name)
            # The package comes with the name: as an argument it would have to be spelled (see below).
            found = _found(index.describe(f"{_exactly(package)}::{_exactly(name)}"))
            outcomes[expected[2] if expected else "none"] += 1
            if found != expected:
                differing.append((package, name, found, expected))
    assert not differing, f"{len(differing)} of {outcomes.total()} differ, such as {differing[:3]}"
    assert outcomes.keys() == _STATUSES | {"none"}
    assert min(outcomes.values()) > 100, outcomes


def test_every_name_of_a_package_finds_it(graph: Graph, index: Index) -> None:
    assert len(graph.packages) > len(graph.symbols)
    for name, package in graph.packages.items():
        for symbol in list(graph.symbols[package])[:3]:
            answer = index.describe(f"{_exactly(name)}::{_exactly(symbol)}")
            assert _found(answer) == _expected(graph, package, symbol)


def test_a_package_argument_may_be_the_written_form_of_any_package_name(graph: Graph, index: Index) -> None:
    asked = 0
    for name, package in graph.packages.items():
        for symbol in list(graph.symbols[package])[:2]:
            answer = index.describe(_exactly(symbol), written_name(name, index.upcase))
            assert _found(answer) == _expected(graph, package, symbol), name
            asked += 1
    assert asked > 100


def test_a_package_argument_is_upcased_and_else_the_exact_name_as_answers_give_it(
    graph: Graph, index: Index
) -> None:
    asked = hidden = 0
    for name, exact in graph.packages.items():
        package = graph.packages.get(graph.upcased[name], exact)
        hidden += package != exact
        for symbol in list(graph.symbols[package])[:2]:
            answer = index.describe(_exactly(symbol), name)
            assert _found(answer) == _expected(graph, package, symbol), name
            asked += 1
    assert asked > 100
    assert hidden > 0, "names that differ from another package's name in case alone"


def test_a_local_nickname_of_the_package_argument_comes_first(graph: Graph, index: Index) -> None:
    hiding = asked = 0
    for package, nicknames in graph.local.items():
        for nickname, target in nicknames.items():
            hiding += nickname in graph.packages
            for name in list(graph.symbols[target])[:5]:
                typed = f"{_exactly(nickname)}::{_exactly(name)}"
                assert _found(index.describe(typed, _exactly(package))) == _expected(graph, target, name)
                asked += 1
    assert asked > 50
    assert hiding > 3, "local nicknames that hide the name of another package"


def test_a_local_nickname_is_unknown_outside_its_package(graph: Graph, index: Index) -> None:
    elsewhere = {name for names in graph.local.values() for name in names} - set(graph.packages) - {"CL"}
    assert elsewhere
    for nickname in elsewhere:
        answer = index.describe(f"{_exactly(nickname)}::FOO")
        assert isinstance(answer, NotFound)
        assert answer.error == "package-not-found"


# Spellings


@st.composite
def _spelled(draw: st.DrawFn, name: str) -> str:
    """``name`` as somebody may type it so that it is taken exactly: pipes, backslashes, or both."""
    spelled = []
    for char in name:
        quoted = _exactly(char) if char not in "|\\" else f"\\{char}"
        spelled.append(draw(st.sampled_from((quoted, f"\\{char}"))))
    return "".join(spelled) or "||"


@_EXAMPLES
@given(st.data())
def test_pipes_and_backslashes_keep_every_character_of_a_name(
    graph: Graph, index: Index, data: st.DataObject
) -> None:
    package = data.draw(st.sampled_from(sorted(graph.symbols)))
    name = data.draw(st.sampled_from((*NAMES, *sorted(graph.symbols[package]))))
    typed = f"{data.draw(_spelled(package))}::{data.draw(_spelled(name))}"
    assert _found(index.describe(typed)) == _expected(graph, package, name)


# What the reader takes as it stands: no whitespace of Lisp's, no quotes, no parentheses.
_PLAIN = re.compile(r"[^ \t\n\f\r|\\:'#()]+")


@_EXAMPLES
@given(st.data())
def test_a_plain_name_is_upcased_and_else_taken_as_typed(
    graph: Graph, index: Index, data: st.DataObject
) -> None:
    package = data.draw(st.sampled_from(sorted(graph.symbols)))
    plain = [name for name in NAMES if _PLAIN.fullmatch(name) and not _TITLECASE.search(name)]
    name = data.draw(st.sampled_from(plain))
    answer = index.describe(f"{_exactly(package)}::{name}")
    assert _found(answer) == _expected(graph, package, graph.upcased[name], name)


def test_a_titlecase_character_is_upcased_as_the_reader_does(graph: Graph, index: Index) -> None:
    titlecase = [name for name in NAMES if _TITLECASE.search(name)]
    assert titlecase
    for name in titlecase:
        assert index.upcase(name) == graph.upcased[name] != name


@_EXAMPLES
@given(st.data())
def test_the_written_form_of_an_answer_finds_the_same_symbol_again(
    graph: Graph, index: Index, data: st.DataObject
) -> None:
    package = data.draw(st.sampled_from([package for package, names in graph.symbols.items() if names]))
    name = data.draw(st.sampled_from(sorted(graph.symbols[package])))
    first = index.describe(f"{_exactly(package)}::{_exactly(name)}")
    assert isinstance(first, DescribeAnswer)
    again = index.describe(first.written)
    if isinstance(again, NotFound):
        # A symbol that its home package no longer has: only a package that imported it knows it.
        assert first.package in graph.symbols
        assert _expected(graph, first.package, name) is None
    else:
        assert (again.name, again.package, again.type) == (first.name, first.package, first.type)
        if ":" in first.written.replace("::", "") and "|" not in first.written:
            assert again.status == "external"


def _followed(index: Index, suggestions: list[str]) -> int:
    """Ask for every suggestion: it must be found, written as it should be; how many there were."""
    for suggestion in suggestions:
        answer = index.describe(suggestion)
        assert isinstance(answer, DescribeAnswer), suggestion
        assert answer.note is None, suggestion
    return len(suggestions)


def test_every_suggestion_for_a_symbol_that_is_elsewhere_is_right(graph: Graph, index: Index) -> None:
    suggested = 0
    for package in graph.symbols:
        for name in NAMES:
            answer = index.describe(f"{_exactly(package)}::{_exactly(name)}")
            if isinstance(answer, NotFound):
                suggested += _followed(index, answer.suggestions)
    assert suggested > 1000


def test_every_suggestion_for_a_mistyped_name_is_right(graph: Graph, index: Index) -> None:
    suggested = 0
    for name in {name for symbols in graph.symbols.values() for name in symbols}:
        answer = index.describe(_exactly(f"{name}Q"))
        if isinstance(answer, NotFound):
            suggested += _followed(index, answer.suggestions)
    assert suggested > 500


def test_every_suggestion_for_a_mistyped_package_is_a_package(graph: Graph, index: Index) -> None:
    suggested = 0
    for name in graph.packages:
        answer = index.describe(f"{_exactly(name + 'q')}::FOO")
        assert isinstance(answer, NotFound)
        for suggestion in answer.suggestions:
            assert isinstance(index.apropos("", suggestion), AproposAnswer), suggestion
            suggested += 1
    assert suggested > 50


# apropos in the same packages: names beyond ASCII, symbols without a home


def test_apropos_answers_in_these_packages_as_the_live_sbcl_does(graph: Graph, index: Index) -> None:
    expected = read_blocks(graph.apropos_answers)
    assert len(expected) == len(graph.apropos_questions) > 1500
    outcomes: Counter[str] = Counter()
    differing = []
    for (pattern, package, scope, kind), text in zip(graph.apropos_questions, expected, strict=True):
        if _TITLECASE.search(pattern):
            continue
        assert package is not None
        answer = index.apropos(pattern, _exactly(package), kind, scope=scope)
        if not text:  # a package that was deleted
            found = "package-not-found" if isinstance(answer, NotFound) else "?"
            same = found == "package-not-found"
        else:
            assert isinstance(answer, AproposAnswer)
            found = "some" if answer.total else "none"
            same = apropos_text(answer) == text
        outcomes[found] += 1
        if not same:
            differing.append((pattern, package, scope, kind, text[:200]))
    assert not differing, f"{len(differing)} of {outcomes.total()} differ, such as {differing[:3]}"
    assert min(outcomes["some"], outcomes["none"], outcomes["package-not-found"]) > 50, outcomes


def test_a_titlecase_character_matches_itself_alone(graph: Graph, index: Index) -> None:
    names = set()
    for package in graph.symbols:
        answer = index.apropos("\u01c5", _exactly(package))
        assert isinstance(answer, AproposAnswer)
        names |= {match.name for match in answer.matches}
    assert names == {"\u01c5x"}


# Whatever is typed, there is an answer

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


@settings(_EXAMPLES, max_examples=500)
@given(name=_TEXTS, package=st.one_of(st.just("CL-USER"), st.sampled_from(("CL", "KEYWORD")), _TEXTS))
def test_describe_answers_every_text(index: Index, name: str, package: str) -> None:
    answer = index.describe(name, package)
    if isinstance(answer, NotFound):
        assert _MESSAGES[answer.error].fullmatch(answer.message)
        assert not_found_text(answer).startswith(answer.message)
        assert answer.reason
    else:
        assert answer.status in _STATUSES
        assert describe_text(answer).splitlines()[0].endswith(f"[{answer.type.upper()}]")


@settings(_EXAMPLES, max_examples=500)
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


def _run_main(*arguments: str) -> tuple[int, str, str]:
    """What the command line does, in this process: exit code, output, errors."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2)]
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(streams[0]),
        contextlib.redirect_stderr(streams[1]),
        pytest.raises(SystemExit) as ended,
    ):
        patch.setattr(sys, "argv", ["oblist", *arguments])
        main()
    texts = []
    for stream in streams:
        stream.flush()
        buffer = stream.buffer
        assert isinstance(buffer, io.BytesIO)
        texts.append(buffer.getvalue().decode())
    assert isinstance(ended.value.code, int | None)
    return ended.value.code or 0, texts[0], texts[1]


# What a terminal or a script can hand over: no NUL, and bytes that are no UTF-8 as lone surrogates.
_ARGUMENTS = st.one_of(
    st.text(alphabet=st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=20),
    st.binary(max_size=6).map(lambda some: some.replace(b"\0", b"").decode("utf-8", "surrogateescape")),
    st.sampled_from([name for name in NAMES if "\0" not in name]),
)


@settings(_EXAMPLES, max_examples=200)
@given(
    command=st.sampled_from(("describe", "apropos")),
    text=_ARGUMENTS,
    flags=st.sampled_from(((), ("--json",))),
)
def test_the_command_line_answers_every_argument_and_never_fails(
    graph: Graph, command: str, text: str, flags: tuple[str, ...]
) -> None:
    code, output, errors = _run_main(command, "--index", str(graph.index), *flags, "--", text)
    assert code in (0, 1)
    assert output
    assert "Traceback" not in errors


def test_a_batch_of_odd_names_is_answered_line_by_line(graph: Graph, tmp_path: Path) -> None:
    names = [name for name in NAMES if not re.search(r"[\n\r\0]", name)]
    batch = tmp_path / "names"
    batch.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    code, output, _ = _run_main("describe", "--index", str(graph.index), "--batch", str(batch))
    assert code == 1
    assert len(output.split("\n")) - 1 == len(names) > 80
