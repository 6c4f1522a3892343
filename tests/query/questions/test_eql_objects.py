"""EQL specializers: of which classes their objects are, as a live SBCL says, and how one writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import DefinitionTextAnswer, DescribeAnswer, MethodsAnswer, NotFound
from oblist.query.questions.classes.precedence import ancestors
from oblist.query.syntax.objects.eql import typed_objects
from oblist.query.syntax.printed import items
from oblist.query.syntax.tokens import Tokens
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.builds.tested_version import since
from support.command import write_system
from support.command_line import oblist
from support.live import LISP_SOURCES, printed_values
from support.oracle import Answers, Field, ask_oracle, without_addresses

_SOURCE = LISP_SOURCES / "eql_objects.lisp"
_SYSTEM = "eql-objects"
# In SBCL 2.0, TYPEP denies what the precedence lists of classes say of this one.
_UNSOUND = set() if since("2.2") else {("SB-PCL", "SLOT-OBJECT")}
_OBJECTS = """
SELECT packages.name, symbols.name, operator, qualifiers, position, eql, definitions.specializers,
       eql_class_id
FROM method_specializers JOIN definitions ON definitions.id = definition_id
JOIN symbols ON symbols.id = definitions.symbol_id LEFT JOIN packages ON packages.id = symbols.package_id
WHERE eql IS NOT NULL ORDER BY 1, 2, 3, 4, 5, 6, 7
"""
_NAMES = """
SELECT symbols.id, packages.name, symbols.name
FROM symbols LEFT JOIN packages ON packages.id = package_id
"""
Key = tuple[Field, ...]
Name = tuple[Field, ...]


def _build(folder: Path) -> None:
    write_system(folder / "sources", _SYSTEM, _SOURCE.read_text(encoding="utf-8"))
    build_with_system(_SYSTEM, folder / "sources", folder / "oblist.db", small_sbcl())


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder with the sources and the index."""
    return kept(_SYSTEM, _build, [_SOURCE])


@pytest.fixture(scope="module")
def index(built: Path) -> Iterator[Index]:
    with open_index(built / "oblist.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def live(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """The classes of the image, and those that each EQL object is of."""
    folder = tmp_path_factory.mktemp("oracle")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CL_SOURCE_REGISTRY", f"{built / 'sources'}:")
        environment.setenv("ASDF_OUTPUT_TRANSLATIONS", f"/:{folder / 'compiled'}/:")
        return ask_oracle(small_sbcl(), "eql_objects", folder / "answers", systems=[_SYSTEM])


def typed(name: Sequence[Field]) -> str:
    """A name as one can always type it."""
    package, symbol = (str(part).replace("\\", "\\\\").replace("|", "\\|") for part in name)
    return f"|{package}|::|{symbol}|"


def objects(live: Answers) -> dict[Key, set[Name]]:
    """The classes that each EQL object of the live image is of."""
    found: dict[Key, set[Name]] = {}
    for row in live["object"]:
        *about, eql, specializers = row[:7]
        key = (*about, without_addresses(str(eql)), without_addresses(str(specializers)))
        found.setdefault(key, set()).add(row[7:])
    return found


def test_the_index_says_of_each_object_what_typep_says_of_it(index: Index, live: Answers) -> None:
    expected = objects(live)
    names = {number: (home, name) for number, home, name in index.connection.execute(_NAMES)}
    classes = {row[2:] for row in live["class"]} - _UNSOUND
    assert len(classes) > 600
    seen, unknown = 0, []
    for *about, of in index.connection.execute(_OBJECTS).fetchall():
        key = tuple(None if one is None else str(one) for one in about)
        if of is None:
            unknown.append(key[1])
            continue
        above = {names[row.number] for row in ancestors(index, of)}
        assert above & classes == expected[key] - _UNSOUND, key
        seen += 1
    assert seen > 80 and unknown == ["DOUBT"]


def test_methods_on_a_class_have_the_objects_that_typep_says_are_of_it(index: Index, live: Answers) -> None:
    methods = {
        key[-1]: classes for key, classes in objects(live).items() if key[:2] == ("EQL-OBJECTS", "TAKE")
    }
    assert len(methods) > 45
    for *name, package, own in live["class"]:
        if (package, own) in _UNSOUND:
            continue
        answer = index.methods("eql-objects:take", [typed(name)])
        assert isinstance(answer, MethodsAnswer), answer
        found = {one.specializers for one in answer.methods if one.possibly}
        assert found == {text for text, classes in methods.items() if (package, own) in classes}, name
        assert answer.note is None


def test_an_object_whose_class_has_no_name_may_be_of_any_and_the_answer_says_so(index: Index) -> None:
    for name, expected in (("eql-objects::part", 2), ("eql-objects::other", 1), ("integer", 1)):
        answer = index.methods("eql-objects:doubt", [name])
        assert isinstance(answer, MethodsAnswer)
        assert answer.total == expected, name
        assert answer.note == (
            "the class of an EQL object is not known, so its method is listed for all classes"
        )
    answer = index.methods("eql-objects:doubt", ["t"])  # which nobody doubts
    assert isinstance(answer, MethodsAnswer)
    assert (answer.total, answer.note) == (2, None)


# As sources write them


@pytest.mark.parametrize(
    ("specializers", "places"),
    [
        ("((eql 'car))", {":LEFT"}),
        ("(eql 'car)", {":LEFT"}),
        ("((EQL 'CAR) (eql :left))", {":LEFT"}),
        ("((eql (quote car)))", {":LEFT", "255"}),  # as sources write the one, and as the other is printed
        ("((eql car))", {":LEFT"}),  # as it is printed
        ("((cl:eql 'cl:car) _)", {":LEFT"}),
        ("((eql ''car))", {"255"}),
        ("((eql '(quote car)))", {"255"}),
        ("((eql :car))", {"#\\Newline"}),
        ("((eql ':Car))", {"#\\Newline"}),
        ("((eql keyword::car))", {"#\\Newline"}),
        ("((eql 'eql-other::sym))", {"#\\A"}),
        ("((eql 'sym) (eql #\\A))", {"#\\A"}),
        ("((eql 'sym) (eql #\\a))", set()),
        ('(_ (eql "Text"))', {'"Text"'}),
        ('(_ (eql "text"))', set()),
        ("(_ (eql #\\linefeed))", {"#\\Newline"}),
        ("(_ (eql #\\space))", {"#\\ "}),
        ("(symbol (eql #\\Space))", {"#\\ "}),
        ("(_ (eql #xFF))", {"255"}),
        ("(_ (eql 255.))", {"255"}),
        ("(_ (eql 1.00))", {"1.0"}),
        ("(_ (eql 1e0))", {"1.0"}),
        ("(_ (eql 1d0))", {"1.0d0"}),
        ("(_ (eql 2/4))", {"1/2"}),
        ("(_ (eql 0.0))", set()),
        ("(_ (eql -0.0))", {"-0.0"}),
        ("((eql nil))", {"1.0"}),
        ("((eql '()))", {"1.0"}),
        ("((eql '|Mixed Name|))", {"1.0d0"}),
        ("((eql 'mixed-name))", set()),
        (":around ((eql '(a . b)))", set()),  # a list in a list
        (":around (eql '(a . b))", {"1/2"}),
        ("(:around (eql '( A . B )) (eql 1/2))", {"1/2"}),
        (":before (eql '(a . b))", set()),
        ('((eql \'(a "Text" #\\a)))', {"-0.0"}),
        ('((eql \'(a "Text" #\\A)))', set()),
        ("((eql #.(cl-user::quit)))", set()),
        ("((eql `car))", set()),
        ("((eql 'car 'cdr))", set()),
        ("((eql))", set()),
    ],
)
def test_methods_are_chosen_as_sources_write_their_specializers(
    index: Index, specializers: str, places: set[str]
) -> None:
    answer = index.definition("eql-objects:named", specializers=specializers)
    assert isinstance(answer, DefinitionTextAnswer), answer
    found = {items(items(one.specializers or "")[1])[1] for one in answer.definitions}
    assert found == places
    assert (answer.note is None) == bool(places)


@pytest.mark.parametrize(
    ("specializers", "why"),
    [
        ("((eql 'car)", "A parenthesis is missing."),
        ("circle)", "There is an extra closing parenthesis."),
        ('((eql "text))', 'There is an unclosed ".'),
        ("((eql '|odd))", "There is an unclosed |."),
        ("((eql '))", "Nothing follows a quote."),
    ],
)
def test_specializers_that_cannot_be_read_are_an_error(index: Index, specializers: str, why: str) -> None:
    answer = index.definition("eql-objects:named", specializers=specializers)
    assert isinstance(answer, NotFound)
    assert (answer.error, answer.reason) == ("invalid-query", why)
    done = oblist("definition", "eql-objects:named", "--specializers", specializers, "--index", index.path)
    assert done.returncode == 1
    assert f'Error: Invalid specializers "{specializers}"\n{why}' in done.stdout


def test_each_method_is_found_by_the_text_that_answers_show(index: Index) -> None:
    described = index.describe("eql-objects:take")
    assert isinstance(described, DescribeAnswer)
    methods = [one.specializers for one in described.definitions if one.kind == "method"]
    assert len(methods) > 45
    for shown in methods:
        answer = index.definition("eql-objects:take", specializers=shown)
        assert isinstance(answer, DefinitionTextAnswer)
        assert [one.specializers for one in answer.definitions] == [shown]
    for name in (
        "(method eql-objects:named ((eql 'car) (eql :left)))",
        "(method eql-objects:take (eql 'car))",
    ):
        assert isinstance(index.describe(name), DescribeAnswer)
        assert isinstance(index.definition(name), DefinitionTextAnswer)


LITERALS = (
    *("'car", "'CAR", "'cl:car", ":car", "'|car|", "'\\c\\a\\r", "'#:car", "nil", "'nil", "()", "'()", "t"),
    *("1", "+1", "1.", "01", "#b1", "#x1", "#36r1", "2/2", "-1", "1.0", "1e0", "1.0f0", "10e-1", "1s0"),
    *("1d0", "1L0", "1.0000000000000002d0", "0.1", "0.1d0", "1/10", "0.0", "-0.0", "0d0", "-0d0", "#xFF"),
    *("255", "123456789012345678901234567890", "16777217.0", "16777216.0", "1e38", "1e-38", ".5", "1/2"),
    *("#c(1 2)", "#C(1 2)", "#c(1.0 2.0)", '"text"', '"Text"', '"te\\"xt"', '"te\\xt"', '""', "#(1 2)"),
    *("#\\a", "#\\A", "#\\Space", "#\\ ", "#\\newline", "#\\Linefeed", "#\\Rubout", "#\\Delete", "#\\Nul"),
    *("#\\Tab", "#\\Page", "#\\Backspace", "#\\Escape", "#\\(", "#\\greek_small_letter_alpha", "#\\α"),
    *("'(1 2)", "'( 1  2 )", "'(1 . 2)", "'(a b)", "'(A B)", "''a", "'(quote a)", "'#'a", "'(function a)"),
    *("'(1 #| two |# 2)", "'(1 ; two\n 2)", '#p"/a/b"', '#P"/a/b"', "#*101"),
)


def test_literals_are_the_same_as_sbcl_reads_them() -> None:
    same = f"""(let ((objects (list {" ".join(LITERALS)})))
      (flet ((same (a b) (or (equal a b) (and (vectorp a) (vectorp b) (equalp a b) (not (stringp a)))
                             (and (symbolp a) (symbolp b) (string= a b) (eq (keywordp a) (keywordp b))))))
        (format nil "~{{~D~^ ~}}" (loop for a in objects for i from 0
          append (loop for b in objects for j from 0
                       when (same a b) collect (+ (* i {len(LITERALS)}) j))))))"""
    (line,) = printed_values(small_sbcl(), same)
    expected = {divmod(int(one), len(LITERALS)) for one in line.split()}
    tokens = Tokens(str.upper)
    keys = [typed_objects(f"(eql {one})", tokens) for one in LITERALS]
    assert all(keys), [one for one, key in zip(LITERALS, keys, strict=True) if not key]
    found = {(place, other) for place, one in enumerate(keys) for other, two in enumerate(keys) if one & two}
    shown = {(LITERALS[one], LITERALS[other]) for one, other in found ^ expected}
    assert shown == set()
    assert len(expected) > len(LITERALS) + 60
