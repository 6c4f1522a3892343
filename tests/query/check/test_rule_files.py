"""The page of each rule: its examples have the findings that are written in them, and no others.

CONTRIBUTING.md says how a page is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from oblist.query.check.report.lines import full_message
from oblist.query.check.rules.table import RULES, SEVERITIES
from oblist.query.check.run import Check
from oblist.query.check.settings import NAME, read_settings
from support.checkout import ROOT

FOLDER = ROOT / "query" / "check" / "rules"
PAGES = {path.stem.replace("_", "-"): path.read_text(encoding="utf-8") for path in FOLDER.glob("*/*.md")}
REPORTED, NOT_REPORTED = "Reported", "Not reported"
# What a block without a title begins with.
HEAD = "(defpackage :shop (:use :cl))\n(in-package :shop)\n"
_BLOCK = re.compile(r'^```\w+(?: title="([^"\n]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
_FINDING = re.compile(rf"; ((?:{'|'.join(SEVERITIES)})\[(?:{'|'.join(RULES)})\] \S.*)")
_LIKE_ONE = re.compile(r";[;\s]*\w+\s*\[.*")

Written = list[tuple[int, str]]


def read_block(text: str) -> tuple[str, Written]:
    """The text without the findings that are written in it, and these with the numbers of their lines.

    One at the end of a line is about that line; one alone on a line is about the last line that has more.
    """
    lines, written, about = [], Written(), 0
    for number, line in enumerate(text.splitlines(), 1):
        comment = _LIKE_ONE.search(line)
        code = line[: comment.start()].rstrip() if comment is not None else line
        about = number if comment is None or code else about
        if comment is not None:
            finding = _FINDING.fullmatch(comment[0])
            if finding is None or about == 0:
                raise ValueError(f"not a finding of a rule, or about no line: {line}")
            written.append((about, finding[1]))
        lines.append(f"{code}\n")
    return "".join(lines), written


Block = tuple[str | None, str]
"""The title of a block, if it has one, and its text."""


@dataclass
class Example:
    """The files of an example with their texts, and the findings in them: file, line and what is said."""

    files: dict[str, str] = field(default_factory=dict)
    findings: list[tuple[str, int, str]] = field(default_factory=list)

    @classmethod
    def of(cls, blocks: list[Block]) -> Example:
        found = cls()
        for title, text in blocks:
            name, head = (title, "") if title is not None else ("shop.lisp", HEAD)
            bare, written = read_block(text)
            found.files[name] = head + bare
            found.findings += [(name, head.count("\n") + line, said) for line, said in written]
        return found


def examples(section: str) -> list[list[Block]]:
    """The examples in a section: a block without a title, or blocks with titles and nothing between them."""
    found: list[list[Block]] = []
    last = None
    for block in _BLOCK.finditer(section):
        title, text = block.groups()
        following = last is not None and last[1] and not section[last.end() : block.start()].strip()
        if following and title is not None and title not in dict(found[-1]):
            found[-1].append((title, text))
        else:
            found.append([(title, text)])
        last = block
    return found


def sections(page: str) -> dict[str, str]:
    """The sections of a page by their headings; what is above the first has an empty one."""
    parts = re.split(r"^## (.*)\n", f"## \n{page}", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


EXAMPLES = [
    pytest.param(blocks, id=f"{rule}, {heading.lower()}, {number}")
    for rule, page in sorted(PAGES.items())
    for heading, section in sections(page).items()
    for number, blocks in enumerate(examples(section), 1)
]


@pytest.mark.parametrize("blocks", EXAMPLES)
def test_an_example_has_the_findings_that_are_written_in_it(
    blocks: list[Block], libraries_index: Path, tmp_path: Path
) -> None:
    example = Example.of(blocks)
    for name, text in example.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings = read_settings(tmp_path / NAME if NAME in example.files else None)
    outcome = Check(libraries_index, settings, 1, lambda *_: None).run([str(tmp_path)])
    assert outcome.files == len(example.files.keys() - {NAME})
    assert outcome.unreadable == {}
    found = [
        (Path(one.path).name, one.line, f"{one.severity}[{one.rule}] {full_message(one)}")
        for one in outcome.findings
    ]
    assert sorted(found) == sorted(example.findings)


def test_every_rule_has_a_module_and_a_page_and_is_in_the_table() -> None:
    modules = {
        path for path in FOLDER.glob("*/*.py") if re.search(r"^RULE = ", path.read_text(), re.MULTILINE)
    }
    assert {path.stem.replace("_", "-") for path in modules} == set(RULES)
    assert {name: rule.documentation for name, rule in RULES.items()} == PAGES
    assert [rule.name for rule in RULES.values()] == list(RULES)
    assert {rule.severity for rule in RULES.values()} == set(SEVERITIES)
    assert len(EXAMPLES) > 60


@pytest.mark.parametrize("rule", RULES)
def test_a_page_has_text_that_is_reported_and_text_that_is_not(rule: str) -> None:
    found = sections(PAGES[rule])
    assert list(found) == ["", REPORTED, NOT_REPORTED]
    head = found[""]
    assert re.match(rf"# {rule}\n\n[A-Z][^\n]*\.\n\n\S", head), "the name, a sentence, and an explanation"
    assert examples(head) == []
    assert PAGES[rule].count("```") == 2 * len(_BLOCK.findall(PAGES[rule]))
    reported = [Example.of(blocks) for blocks in examples(found[REPORTED])]
    left_alone = [Example.of(blocks) for blocks in examples(found[NOT_REPORTED])]
    assert reported and all(f"[{rule}]" in str(one.findings) for one in reported)
    assert left_alone and all(one.findings == [] for one in left_alone)


@pytest.mark.parametrize(
    "comment",
    [
        "; eror[unclosed] it is not closed",
        "; error[unclosd] it is not closed",
        "; error [unclosed] it is not closed",
        ";; error[unclosed] it is not closed",
        "; error[unclosed]",
        "; error[unclosed] ",
    ],
)
def test_a_finding_that_nothing_can_have_is_refused(comment: str) -> None:
    assert read_block("(f ; error[unclosed] it is not closed\n") == (
        "(f\n",
        [(1, "error[unclosed] it is not closed")],
    )
    with pytest.raises(ValueError, match="not a finding"):
        read_block(f"(f {comment}\n")
    with pytest.raises(ValueError, match="not a finding"):
        read_block("; error[unclosed] it is not closed\n(f\n")
