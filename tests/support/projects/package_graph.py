"""Packages made at random in a live SBCL, an index of it, and the answers of that SBCL itself."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.questions.apropos.choices import SCOPES, TYPES
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.live import LISP_SOURCES, Field, read_lines, write_lines

_SEED = 1962
_PACKAGES = 60
_OPERATIONS = 2500
_FILES = ("lines.lisp", "apropos_answers.lisp", "package_graph.lisp")

# Names that a Lisp reader, a regular expression, SQL, JSON or Unicode folding may stumble over.
NAMES = (
    *("FOO", "foo", "Foo", "BAR", "BAZ", "FLATTEN", "MAKE-TOOL", "CAR", "LIST", "NIL", "T", "T1", "X"),
    *("odd Name", "ODD NAME", " lead", "trail ", " ", "", "new\nline", "tab\there", "\r", "\0", "a\0b"),
    *(
        "\x01",
        "\x1b[31m",
        "\x7f",
        "\x85",
        "\xa0nbsp",
        "\u2028",
        "\u200b",
        "\ufeff",
        "A:B",
        "A::B",
        ":KEY",
        "X:",
    ),
    *(
        "pi|pe",
        "|",
        "||",
        "back\\slash",
        "\\",
        'quo"te',
        "'Q",
        "#'F",
        "#:G",
        "(",
        ")",
        "(SETF FOO)",
        "(A . B)",
    ),
    *(
        "1+",
        "1",
        "-1",
        "1.5",
        "1E5",
        "1/2",
        "+",
        "-",
        ".",
        "..",
        "+.",
        "1A",
        "%",
        "_",
        "*",
        "**",
        "%A_B*",
        "A%B",
    ),
    *(";C", "#|X|#", "`B", ",C", "@", "~A", "^", "&KEY", "<=", "$", "!", "?", "[A]", "{B}", "AND", "NEAR("),
    *(
        "\u0391\u0392\u0393",
        "\u03b1\u03b2\u03b3",
        "\u03a3\u03c2\u03c3",
        "\u00c9T\u00c9",
        "\u00e9t\u00e9",
        "E\u0301",
    ),
    *(
        "\u0130STANBUL",
        "\u0131stanbul",
        "\u212aELVIN",
        "KELVIN",
        "kelvin",
        "\u017fHARP",
        "SHARP",
        "stra\u00dfe",
    ),
    *(
        "STRA\u1e9eE",
        "\u00b5M",
        "\u039cM",
        "\u03bcm",
        "\ufb01X",
        "\u01c4X",
        "\u01c6x",
        "\u01c5x",
        "\U0001f600",
    ),
    *("\U00010400", "\U00010428", "\u13a0", "\uab70", "A" * 200),
)
_PACKAGE_NAMES = (
    *(
        "ALPHA",
        "Beta",
        "gamma",
        "DELTA UTIL",
        "ep:si",
        "ze::ta",
        "e|ta",
        "the\\ta",
        'i"ota',
        "",
        " ",
        "new\npkg",
    ),
    *(
        "\x02",
        "\0",
        "1+",
        "42",
        ".",
        "'",
        "#:P",
        ":Q",
        "(R)",
        "%",
        "\u03a0AK",
        "\u03c0ak",
        "\u0130P",
        "\U0001f4e6",
    ),
)
_PATTERNS = (
    *(
        "",
        "foo",
        "FO",
        "o",
        " ",
        "\0",
        "a\0b",
        "\n",
        "\x1b",
        "\x85",
        "\u2028",
        '"',
        "'",
        "|",
        "\\",
        ":",
        "::",
        "(",
    ),
    *(
        "%",
        "_",
        "*",
        "%a",
        "a_b",
        "\u03b1",
        "\u0392",
        "\u03b1\u03b2\u03b3",
        "\u03a3",
        "\u03c3",
        "\u03c2",
        "\u03a3\u03c2\u03c3",
    ),
    *(
        "\u00e9",
        "\u00c9t\u00e9",
        "e\u0301",
        "\u0130",
        "\u0131",
        "i",
        "istanbul",
        "ISTANBUL",
        "k",
        "\u212a",
        "kelvin",
    ),
    *(
        "\u212aelvin",
        "s",
        "\u017f",
        "sharp",
        "ss",
        "\u00df",
        "\u1e9e",
        "\u00b5",
        "\u03bc",
        "\u039c",
        "fi",
        "\ufb01",
    ),
    *(
        "\u01c4",
        "\u01c6",
        "\u01c6X",
        "\U0001f600",
        "\U00010428",
        "\U00010400",
        "\u13a0",
        "\uab70",
        "nil",
        "t",
        "1",
        ".",
    ),
    *("setf", "line", "odd n", "aaaa", "A" * 200, "A" * 201),
)


class Graph:
    """The live SBCL's facts about the packages it made, and the index of the same image."""

    def __init__(self, folder: Path) -> None:
        self.index = folder / "oblist.db"
        self.made: list[str] = []
        # Package -> name -> home package (None for a symbol without one) and status.
        self.symbols: dict[str, dict[str, tuple[str | None, str]]] = {}
        # Name or nickname -> package.
        self.packages: dict[str, str] = {}
        # Package -> local nickname -> package.
        self.local: dict[str, dict[str, str]] = {}
        self.upcased: dict[str, str] = {}
        self.apropos_questions: list[tuple[str, str | None, str, str | None]] = []
        self.apropos_answers = folder / "apropos_answers"


def package_names() -> list[str]:
    """The names of the packages that are made, some of them only to be deleted again."""
    names = [f"{name}-{number}" if number else name for number in range(3) for name in _PACKAGE_NAMES]
    return names[:_PACKAGES]


def _operations() -> Iterator[tuple[str, ...]]:
    """Operations drawn with a fixed seed; many conflict with what was done before, as they should."""
    chance = random.Random(_SEED)
    packages = package_names()
    for number, package in enumerate(packages):
        nicknames = chance.sample((f"NICK{number}", f"nick {number}", f"n:{number}"), 2)
        yield ("make", package, *nicknames[: chance.randrange(3)])
    interned: dict[str, list[str]] = {package: [] for package in packages}
    for _ in range(_OPERATIONS):
        package, other = chance.sample(packages, 2)
        yield from _operation(chance, package, other, interned)
    for package in chance.sample(packages, 8):
        yield "delete", package


def _operation(
    chance: random.Random, package: str, other: str, interned: dict[str, list[str]]
) -> Iterator[tuple[str, ...]]:
    """One thing to do, or the three that make a symbol without a home; notes what it interns."""
    name = chance.choice(NAMES)
    there = chance.choice(interned[package] or [name])
    foreign = chance.choice(interned[other] or ["CAR"])
    orphan = (("intern", package, name), ("import", other, package, name), ("unintern", package, name))
    done = chance.choice(
        (
            *((("intern", package, name),),) * 4,
            *((("export", package, name),),) * 3,
            *((("import", package, other, foreign),),) * 2,
            orphan,
            (*orphan, ("export", other, name)),
            (("import", package, "COMMON-LISP", chance.choice(("CAR", "LIST", "T"))),),
            (("use", package, other if chance.random() < 0.7 else "COMMON-LISP"),),
            (("use", package, other), ("shadow", package, foreign)),
            (("shadow", package, name),),
            (("shadowing-import", package, other, foreign),),
            (("unintern", package, there),),
            (("local", package, chance.choice(("LN", "ln", "l:n", "CL", "L N", "ALPHA", "\u03bb")), other),),
            (("define-function", package, there),),
            (("define-variable", package, there),),
        )
    )
    for operation in done:
        if operation[0] in ("intern", "export", "shadow"):
            interned[operation[1]].append(operation[2])
    yield from done


def _apropos_questions() -> list[tuple[str, str | None, str, str | None]]:
    chance = random.Random(_SEED)
    packages = package_names()
    return [
        (pattern, package, scope, chance.choice((None, None, None, *TYPES)))
        for pattern in _PATTERNS
        for package in chance.sample(packages, 8)
        for scope in SCOPES
    ]


def package_graph() -> Graph:
    """The packages that SBCL has made, with the index of the same image, built in the same process."""
    folder = kept("package-graph", _build, [LISP_SOURCES / name for name in _FILES])
    graph = Graph(folder)
    graph.apropos_questions = _apropos_questions()
    for row in read_lines(folder / "answers"):
        _note(graph, *row)
    return graph


def _build(folder: Path) -> None:
    for name in _FILES:
        shutil.copy(LISP_SOURCES / name, folder)
    components = " ".join(f'(:file "{Path(name).stem}")' for name in _FILES)
    (folder / "package-graph.asd").write_text(
        f'(asdf:defsystem "package-graph" :serial t :components ({components}))\n'
    )
    write_lines(folder / "operations", _operations())
    write_lines(folder / "apropos_questions", _apropos_questions())
    with pytest.MonkeyPatch.context() as environment:
        for name in ("operations", "answers", "apropos_questions", "apropos_answers"):
            environment.setenv(name.upper(), str(folder / name))
        build_with_system("package-graph", folder, folder / "oblist.db", small_sbcl())


def _note(graph: Graph, tag: Field, *fields: Field) -> None:
    names = [field or "" for field in fields]
    match tag:
        case "made":
            graph.made.append(names[0])
        case "symbol":
            package, name, _, status = names
            graph.symbols.setdefault(package, {})[name] = (fields[2], status)
        case "names":
            graph.packages[names[0]] = names[1]
            graph.symbols.setdefault(names[1], {})
        case "local":
            graph.local.setdefault(names[0], {})[names[1]] = names[2]
        case "upcased":
            graph.upcased[names[0]] = names[1]
