"""The text contract of describe, rule by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer, NotFound
from oblist.query.index.not_found import not_found_text
from oblist.query.questions.describe.text import describe_text
from support.builds.tested_version import since
from support.contract_sample import SAMPLE, contract_sample
from support.live import printed_values


@pytest.fixture(scope="module")
def sample() -> tuple[Path, Path]:
    """The index of the sample, and its source file."""
    return contract_sample()


@pytest.fixture(scope="module")
def source(sample: tuple[Path, Path]) -> Path:
    return sample[1]


@pytest.fixture(scope="module")
def index(sample: tuple[Path, Path]) -> Iterator[Index]:
    with open_index(sample[0]) as opened:
        assert opened.information().systems == ["contract-sample"]
        yield opened


def _described(index: Index, name: str, package: str = SAMPLE) -> DescribeAnswer:
    answer = index.describe(name, package)
    assert isinstance(answer, DescribeAnswer), answer
    return answer


def _lines(index: Index, name: str, package: str = SAMPLE) -> list[str]:
    """Return the lines of describe without the source."""
    lines = describe_text(_described(index, name, package)).split("\n")
    return [line for line in lines if not line.startswith("  Source: ")]


def _not_found(index: Index, name: str, package: str = "CL-USER") -> NotFound:
    answer = index.describe(name, package)
    assert isinstance(answer, NotFound), answer
    return answer


# describe: the whole text


def test_a_function_is_shown_with_heading_arglist_documentation_and_source(index: Index) -> None:
    assert _lines(index, "open-door") == [
        "CONTRACT-SAMPLE::OPEN-DOOR [FUNCTION]",
        "  Arglist: (DOOR &OPTIONAL (WIDTH 2) &KEY ((:COLOUR PAINT) :RED) |lower|)",
        "  Documentation:",
        "    Open DOOR.",
        "    ",
        "      An indented line after an empty one.",
    ]


def test_a_constant_is_shown_with_its_value_before_its_documentation(index: Index) -> None:
    assert _lines(index, "+constant+") == [
        "CONTRACT-SAMPLE::+CONSTANT+ [VARIABLE]",
        "  Value: 42",
        "  Documentation:",
        "    A constant.",
    ]


def test_a_symbol_that_is_nothing_has_a_heading_alone(index: Index) -> None:
    assert describe_text(_described(index, "plain")) == "CONTRACT-SAMPLE::PLAIN [SYMBOL]"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("with-door", "MACRO"),
        ("area", "GENERIC-FUNCTION"),
        ("open-door", "FUNCTION"),
        ("cl:if", "FUNCTION"),
        ("all-three", "FUNCTION"),
        ("both", "CLASS"),
        ("shape", "CLASS"),
        ("*variable*", "VARIABLE"),
        ("+constant+", "VARIABLE"),
        (":test", "VARIABLE"),
        ("plain", "SYMBOL"),
    ],
)
def test_the_type_is_the_first_that_holds(index: Index, name: str, expected: str) -> None:
    assert _lines(index, name)[0].endswith(f" [{expected}]")
    assert _described(index, name).type == expected.lower()


# describe: Arglist


def test_an_empty_lambda_list_is_shown_as_a_pair_of_parentheses(index: Index) -> None:
    assert "  Arglist: ()" in _lines(index, "no-arguments")


def test_a_lambda_list_that_sbcl_does_not_know_is_not_shown(index: Index, sbcl: Sbcl) -> None:
    # These functions differ between versions: ask the live image for one.
    (name,) = printed_values(
        sbcl,
        """(progn (require "SB-INTROSPECT")
             (do-symbols (symbol "SB-PCL")
               (when (and (fboundp symbol) (eq (symbol-package symbol) (find-package "SB-PCL"))
                          (nth-value 1 (funcall (find-symbol "FUNCTION-LAMBDA-LIST" "SB-INTROSPECT")
                                                symbol)))
                 (return (symbol-name symbol)))))""",
    )
    if name == "NIL" and not since("2.2"):  # SBCL 2.0 knows those of all its functions
        return
    assert name != "NIL"
    answer = _described(index, f"sb-pcl::|{name}|")
    assert (answer.type, answer.arglist) == ("function", None)
    assert "Arglist" not in describe_text(answer)


@pytest.mark.parametrize("name", ["IF", "LET", "CAR", "MAPCAR", "QUOTE"])
def test_special_operators_have_an_arglist_as_functions_have(index: Index, sbcl: Sbcl, name: str) -> None:
    (names,) = printed_values(
        sbcl,
        f"""(progn (require "SB-INTROSPECT")
              (mapcar #'symbol-name
                      (funcall (find-symbol "FUNCTION-LAMBDA-LIST" "SB-INTROSPECT") '{name})))""",
    )
    assert f"  Arglist: {names}" in _lines(index, name, "CL")


def test_a_macro_shows_its_nested_lambda_list(index: Index) -> None:
    assert "  Arglist: ((DOOR &BODY OPTIONS) &BODY BODY)" in _lines(index, "with-door")


def test_an_arglist_stays_on_one_line(index: Index) -> None:
    assert '  Arglist: (&OPTIONAL (TEXT "a\\nb"))' in _lines(index, "text-argument")


# describe: Value


def test_the_value_of_a_variable_is_never_in_an_index(index: Index) -> None:
    answer = _described(index, "*variable*")
    assert (answer.value, answer.value_from) == (None, None)
    assert _lines(index, "*variable*") == [
        "CONTRACT-SAMPLE::*VARIABLE* [VARIABLE]",
        "  Documentation:",
        "    A variable.",
    ]


def test_the_values_of_constants_are_those_of_the_image(index: Index, sbcl: Sbcl) -> None:
    names = ("most-positive-fixnum", "pi", "char-code-limit", "lambda-list-keywords")
    printed = printed_values(sbcl, *(f"(write-to-string {name} :pretty nil :length 20)" for name in names))
    assert len(printed) == len(names)
    for name, value in zip(names, printed, strict=True):
        answer = _described(index, name, "CL")
        assert (answer.value, answer.value_from) == (value, "constant")
        assert f"  Value: {value}" in _lines(index, name, "CL")


def test_a_keyword_is_its_own_value(index: Index) -> None:
    assert _lines(index, ":test") == ["KEYWORD::TEST [VARIABLE]", "  Value: :TEST"]


def test_a_long_value_is_cut_after_twenty_elements(index: Index) -> None:
    elements = " ".join(str(number) for number in range(20))
    assert f"  Value: ({elements} ...)" in _lines(index, "+long+")


def test_further_lines_of_a_value_are_indented_by_four(index: Index) -> None:
    assert _lines(index, "+text+") == ["CONTRACT-SAMPLE::+TEXT+ [VARIABLE]", '  Value: "one', '    two"']


# describe: Documentation


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("all-three", "As a function.", "function"),
        ("both", "As a variable.", "variable"),
        ("shape", "A shape.", "type"),
        ("*variable*", "A variable.", "variable"),
        ("with-door", "Run BODY with DOOR.", "function"),
        ("area", "The area of SHAPE.", "function"),
    ],
)
def test_the_documentation_is_the_first_of_function_variable_type(
    index: Index, name: str, text: str, kind: str
) -> None:
    answer = _described(index, name)
    assert (answer.documentation, answer.documentation_kind) == (text, kind)
    lines = _lines(index, name)
    assert lines[lines.index("  Documentation:") + 1 :] == [f"    {text}"]


@pytest.mark.parametrize("name", ["MAPCAR", "*PRINT-BASE*", "WITH-OPEN-FILE", "STANDARD-CLASS", "HASH-TABLE"])
def test_the_documentation_is_what_the_live_image_says_with_every_line_indented_by_four(
    index: Index, sbcl: Sbcl, name: str
) -> None:
    printed = printed_values(
        sbcl,
        f"(some (lambda (type) (documentation '{name} type)) '(function variable type))",
    )
    lines = _lines(index, name, "CL")
    if printed == ["NIL"]:
        assert "  Documentation:" not in lines
    else:
        assert lines[lines.index("  Documentation:") + 1 :] == [f"    {line}" for line in printed]


# describe: Source


@pytest.mark.parametrize(
    ("name", "form"),
    [("open-door", "(defun open-door"), ("with-door", "(defmacro with-door"), ("shape", "(defclass shape")],
)
def test_the_source_is_path_offset_and_line_of_the_definition_as_far_as_known(
    index: Index, source: Path, name: str, form: str
) -> None:
    answer = _described(index, name)
    assert answer.path == str(source)
    last = describe_text(answer).split("\n")[-1]
    found = re.fullmatch(r"  Source: (.+?)(?::(\d+))?(?: \(line (\d+)\))?", last)
    assert found is not None
    assert found[1] == answer.recorded_path
    offset = source.read_text(encoding="utf-8").index(form)
    line = source.read_text(encoding="utf-8")[:offset].count("\n") + 1
    # Wrong is worse than unknown.
    assert found[2] in (None, str(offset))
    assert found[3] in (None, str(line))
    assert (answer.offset, answer.line) in ((None, None), (offset, line))


def test_the_source_of_sbcls_own_functions_is_a_logical_path(index: Index, sbcl: Sbcl) -> None:
    (path,) = printed_values(
        sbcl,
        """(progn (require "SB-INTROSPECT")
             (namestring (funcall (find-symbol "DEFINITION-SOURCE-PATHNAME" "SB-INTROSPECT")
                                  (funcall (find-symbol "FIND-DEFINITION-SOURCE" "SB-INTROSPECT")
                                           #'mapcar))))""",
    )
    assert path.startswith("SYS:")
    assert describe_text(_described(index, "mapcar", "CL")).split("\n")[-1].startswith(f"  Source: {path}")


# describe: names


def test_control_characters_in_a_name_are_shown_as_n_and_hexadecimal(index: Index) -> None:
    assert _lines(index, "|new\nline|")[0] == "CONTRACT-SAMPLE::new\\nline [FUNCTION]"
    assert _lines(index, "|tab\tand escape\x1b|")[0] == "CONTRACT-SAMPLE::tab\\x09and escape\\x1B [FUNCTION]"


def test_a_name_is_shown_raw_without_pipes(index: Index) -> None:
    answer = _described(index, "|odd Name|")
    assert describe_text(answer).split("\n")[0] == "CONTRACT-SAMPLE::odd Name [FUNCTION]"
    assert answer.written == "contract-sample::|odd Name|"


def test_a_symbol_without_a_home_is_shown_under_the_package_it_was_found_in(index: Index) -> None:
    answer = _described(index, "homeless", "cs")
    assert describe_text(answer).startswith("CONTRACT-SAMPLE::HOMELESS [FUNCTION]\n")
    assert (answer.package, answer.status) == (SAMPLE, "internal")


def test_a_setf_function_is_headed_by_its_whole_name(index: Index) -> None:
    assert _lines(index, "(setf no-arguments)") == [
        "CONTRACT-SAMPLE::(SETF NO-ARGUMENTS) [FUNCTION]",
        "  Arglist: (NEW)",
        "  Documentation:",
        "    Set it.",
    ]
    assert _lines(index, "(setf cs::no-arguments)", "CL-USER") == _lines(index, "(setf no-arguments)")


def test_an_inherited_symbol_is_shown_under_its_home_package(index: Index) -> None:
    answer = _described(index, "mapcar", "cs")
    assert describe_text(answer).startswith("COMMON-LISP::MAPCAR [FUNCTION]\n")
    assert (answer.package, answer.status) == ("COMMON-LISP", "inherited")


def test_an_internal_symbol_with_one_colon_is_answered_with_a_note(index: Index) -> None:
    answer = _described(index, "contract-sample:no-arguments", "CL-USER")
    assert answer.status == "internal"
    assert answer.note == "the symbol is internal: write contract-sample::no-arguments"
    assert _described(index, "contract-sample::no-arguments", "CL-USER").note is None
    assert _described(index, "contract-sample:open-door", "CL-USER").note is None


# describe: nothing found


def test_an_unknown_package_is_said_to_be_not_found(index: Index) -> None:
    answer = _not_found(index, "car", "nonexistent")
    assert answer.error == "package-not-found"
    assert not_found_text(answer).split("\n")[0] == answer.message == "Package NONEXISTENT not found"
    assert _not_found(index, "nonexistent:car").message == "Package NONEXISTENT not found"


def test_an_unknown_symbol_is_shown_upcased_with_the_package_as_typed_and_status_nil(index: Index) -> None:
    answer = _not_found(index, "nonexistent-symbol")
    message = "Symbol NONEXISTENT-SYMBOL not found in package CL-USER (status: NIL)"
    assert answer.error == "symbol-not-found"
    assert not_found_text(answer).split("\n")[0] == answer.message == message
    message = "Symbol NONEXISTENT-SYMBOL not found in package CS (status: NIL)"
    assert _not_found(index, "nonexistent-symbol", "cs").message == message
    assert _not_found(index, "cs:nonexistent-symbol").message == message


def test_a_setf_function_that_is_not_there_is_an_unknown_symbol_too(index: Index) -> None:
    message = "Symbol (SETF OPEN-DOOR) not found in package CS (status: NIL)"
    assert _not_found(index, "(setf open-door)", "cs").message == message
    message = "Symbol (SETF NONEXISTENT) not found in package CS (status: NIL)"
    assert _not_found(index, "(setf nonexistent)", "cs").message == message


def test_suggestions_follow_the_message_on_further_lines(index: Index) -> None:
    answer = _not_found(index, "cs::open-dooor")
    assert "contract-sample:open-door" in answer.suggestions
    first, *further = not_found_text(answer).split("\n")
    assert first == answer.message
    assert any("contract-sample:open-door" in line for line in further)


def test_a_name_in_a_message_is_shown_on_one_line(index: Index) -> None:
    message = "Symbol two\\nlines not found in package CL-USER (status: NIL)"
    assert _not_found(index, "|two\nlines|").message == message
    assert _not_found(index, "|two\nlines|::x").message == "Package two\\nlines not found"
