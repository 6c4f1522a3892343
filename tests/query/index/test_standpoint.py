"""Names written for a package are the symbols meant when SBCL's reader reads them there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.index.standpoint.advice import advised
from oblist.query.index.standpoint.package import SeenPackage
from oblist.query.index.written import own_name, written
from oblist.query.questions.describe.answer import DescribeAnswer
from support.amount import amount
from support.builds.small_sbcl import small_sbcl
from support.live import read_lines, run_script, write_lines
from support.projects.package_graph import package_graph

LIBRARIES = ("alexandria", "cl-ppcre", "closer-mop", "iterate", "split-sequence", "md5", "sb-posix")

_PAIRS = amount(1000, 30_000)
_SEED = 1955
# Every symbol, with a package that has it, its home if it has one.
SYMBOLS = """
SELECT symbols.id, symbols.name, packages.name, presences.status, max(packages.id = symbols.package_id),
       EXISTS (SELECT 1 FROM definitions WHERE symbol_id = symbols.id AND operator = 'SETF')
FROM symbols JOIN presences ON presences.symbol_id = symbols.id
JOIN packages ON packages.id = presences.package_id
GROUP BY symbols.id ORDER BY symbols.id
"""
# Those that a package inherits.
INHERITED = """
SELECT DISTINCT presences.symbol_id FROM package_uses
JOIN presences ON presences.package_id = used_id AND presences.status = 'external'
WHERE package_uses.package_id = ?
"""


class Form(NamedTuple):
    """A question to the oracle, and what the index says about it."""

    package: str
    has: str
    name: str
    operator: str | None
    form: str
    add: str | None
    obstacles: list[str]
    prefix: str | None
    length: int | None
    """That of the prefix as it is written."""


def drawn(index: Index, packages: list[str], pairs: int) -> Iterator[Form]:
    """Forms of seeded pairs of a package and a symbol: any symbol, or one that a package has."""
    chance = random.Random(_SEED)
    rows = index.connection.execute(SYMBOLS).fetchall()
    by_number = {row[0]: row for row in rows}
    setf = [row for row in rows if row[-1]]
    own: dict[str, list[int]] = {}
    for package in packages:
        number = index.package_numbers[package]
        present = index.connection.execute(
            "SELECT symbol_id FROM presences WHERE package_id = ?", (number,)
        ).fetchall()
        inherited = index.connection.execute(INHERITED, (number,)).fetchall()
        own[package] = [symbol for (symbol,) in [*present, *inherited]]
    for _ in range(pairs):
        package = chance.choice(packages)
        row = chance.choice(rows)
        if chance.random() < 0.5 and (some := own[chance.choice((package, chance.choice(packages)))]):
            row = by_number[chance.choice(some)]
        operator = None
        if setf and chance.random() < 0.1:
            row, operator = chance.choice(setf), chance.choice(("SETF", "CAS"))
        yield form_of(index, package, row[:4], operator)


def form_of(
    index: Index, package: str, symbol: tuple[int, str, str, str], operator: str | None = None
) -> Form:
    """What the index writes for a symbol in a package."""
    number, name, has, status = symbol
    seen = index.standpoint = SeenPackage(index, package)
    try:
        form = written(index, name, has, status, operator, number=number)
        assert written(index, name, has, status, operator) == form
    finally:
        index.standpoint = None
    sight = seen.sights[form]
    answer = advised(seen, answer_about(form))
    assert answer.seen_from is not None
    length = len(own_name(sight.prefix, index.upcase)) if sight.prefix else None
    (add,) = answer.seen_from.add or [None]
    return Form(package, has, name, operator, form, add, answer.seen_from.obstacles, sight.prefix, length)


def answer_about(form: str) -> DescribeAnswer:
    """An answer of which only the name matters."""
    fields = dict.fromkeys(DescribeAnswer.__dataclass_fields__)
    return DescribeAnswer(**{**fields, "written": form})  # type: ignore[arg-type]


def assert_read(
    sbcl: Sbcl, forms: list[Form], folder: Path, systems: tuple[str, ...] = (), **more: Path
) -> None:
    """Assert that SBCL reads each form as the symbol meant, and finds the conflicts that the index names."""
    write_lines(folder / "forms", [one[:6] for one in forms])
    run_script(
        sbcl, "standpoint_oracle.lisp", systems=systems, forms=folder / "forms", read=folder / "read", **more
    )
    answers = read_lines(folder / "read")
    assert len(answers) == len(forms)
    wrong = []
    for asked, (verdict, interned, conflicts, shortest, helps) in zip(forms, answers, strict=True):
        named = any("an import would conflict" in text for text in asked.obstacles)
        if (verdict, interned, helps) != ("same", "0", asked.add and "yes"):
            wrong.append((asked, verdict, interned, helps))
        if asked.has == "KEYWORD":  # which need no import
            continue
        if (conflicts == "yes") != named:
            wrong.append((asked, "conflicts", conflicts))
        if asked.length and shortest and asked.has != "COMMON-LISP" and asked.length > int(shortest):
            wrong.append((asked, "not the shortest", asked.prefix, shortest))
    assert not wrong, f"{len(wrong)} of {len(forms)}: {wrong[:8]}"


def drawn_from(path: Path, packages: list[str] | None = None) -> list[Form]:
    with open_index(path) as index:
        forms = list(drawn(index, packages or sorted(index.package_names.values()), _PAIRS))
    assert len(forms) == _PAIRS
    return forms


def test_sbcl_reads_what_is_written_for_its_own_packages(
    bare_index: Path, sbcl: Sbcl, tmp_path: Path
) -> None:
    forms = drawn_from(bare_index)
    assert sum(":" not in one.form for one in forms) > _PAIRS / 5
    assert sum("::" in one.form for one in forms) > _PAIRS / 5
    assert sum(bool(one.obstacles) for one in forms) > _PAIRS / 50
    assert_read(sbcl, forms, tmp_path)


def test_sbcl_reads_what_is_written_for_packages_of_libraries(
    libraries_index: Path, sbcl: Sbcl, tmp_path: Path
) -> None:
    assert_read(sbcl, drawn_from(libraries_index), tmp_path, LIBRARIES)


def test_sbcl_reads_what_is_written_for_packages_with_any_names_and_nicknames(tmp_path: Path) -> None:
    graph = package_graph()
    forms = drawn_from(graph.index, sorted(set(graph.packages.values())))
    assert any(one.prefix in graph.local.get(one.package, ()) for one in forms)
    folder = graph.index.parent
    loads = [f'(load "{folder / name}")' for name in ("apropos_answers.lisp", "package_graph.lisp")]
    (tmp_path / "graph.lisp").write_text("\n".join(loads))
    made = {name: tmp_path / name for name in ("answers", "apropos_answers")}
    given = {name: folder / name for name in ("operations", "apropos_questions")}
    assert_read(small_sbcl(), forms, tmp_path, ("asdf",), graph=tmp_path / "graph.lisp", **made, **given)
