"""The command check: documents, formats, settings, silenced findings, exit codes, machines without a Lisp."""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from oblist.query.check.command import check as check_command
from oblist.query.check.findings import CheckOutcome, SourceFinding
from oblist.query.check.report.junit import junit_text
from oblist.query.check.rules.table import RULES
from support.command import OBLIST, check
from support.namespace import namespace

SOURCE = """(defpackage :shop (:use :cl) (:export #:price))
(in-package :shop)
(defun price (thing)
  "See `alexandria:flaten`, and:
```lisp
(alexandria:flatten)
```"
  (alexandria:flatten thing thing))
"""
GUIDE = """# Guide
Call `alexandria:flaten`, not `localhost:80`, `http://a:b` or `file.lisp:12`.

| name | what |
|---|---|
| `alexandria:flatten` | not `alexandria:flattn` |

> 1. so:
>    ```lisp
>    (ql:quickload :shop)
>    (alexandria:flatten)    ; => (1 2)
>    (alexandria:flatten ...)
>    ```

```python
alexandria:flaten
```
"""
NOTES = """* Notes
Call ~alexandria:flaten~ or =alexandria:flatten=.
#+begin_src lisp
(alexandria:flatten)
#+end_src
: ~alexandria:flaten~
#+begin_example
~alexandria:flaten~
#+end_example
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.lisp").write_text(SOURCE)
    (tmp_path / "guide.md").write_text(GUIDE)
    (tmp_path / "notes.org").write_text(NOTES)
    return tmp_path


def findings(index: Path, *arguments: str | Path) -> list[dict[str, Any]]:
    code, out, err = check(index, *arguments, "--json")
    found = json.loads(out)["findings"]
    assert (code, err) == (1 if found else 0, "")
    return list(found)


def placed(found: list[dict[str, Any]]) -> list[tuple[str, int, int, str]]:
    return [(Path(one["path"]).name, one["line"], one["column"], one["rule"]) for one in found]


EXPECTED = [
    ("guide.md", 2, 7, "unknown-symbol"),
    ("guide.md", 6, 31, "unknown-symbol"),
    ("guide.md", 11, 7, "wrong-number-of-arguments"),
    ("notes.org", 2, 7, "unknown-symbol"),
    ("notes.org", 4, 2, "wrong-number-of-arguments"),
    ("shop.lisp", 4, 9, "unknown-symbol"),
    ("shop.lisp", 6, 2, "wrong-number-of-arguments"),
    ("shop.lisp", 8, 4, "wrong-number-of-arguments"),
]


def test_code_is_found_in_sources_documents_and_documentation_strings(
    libraries_index: Path, shop: Path
) -> None:
    assert placed(findings(libraries_index, shop)) == EXPECTED


def test_the_text_is_what_compilers_write(libraries_index: Path, shop: Path) -> None:
    code, out, err = check(libraries_index, shop / "shop.lisp")
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == (
        f"{shop}/shop.lisp:4:9: error[unknown-symbol] alexandria has no symbol flaten; "
        "did you mean alexandria:flatten?"
    )
    assert out.splitlines()[-1] == "3 errors in 1 file"


def test_sarif_says_the_same(libraries_index: Path, shop: Path) -> None:
    code, out, _ = check(libraries_index, shop, "--format", "sarif")
    log = json.loads(out)
    (run,) = log["runs"]
    told = [
        (
            Path(place["artifactLocation"]["uri"]).name,
            place["region"]["startLine"],
            place["region"]["startColumn"],
            result["ruleId"],
        )
        for result in run["results"]
        for place in [result["locations"][0]["physicalLocation"]]
    ]
    assert (code, told) == (1, EXPECTED)
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(RULES)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    schema = published("sarif-schema-2.1.0.json")
    if schema is not None:
        jsonschema.validate(log, json.loads(schema.read_text(encoding="utf-8")))


def published(name: str) -> Path | None:
    """A published schema, if it is in the folder OBLIST_SCHEMAS: we may not redistribute them."""
    path = Path(os.environ.get("OBLIST_SCHEMAS", "/nowhere"), name)
    return path if path.exists() else None


def test_junit_says_the_same(libraries_index: Path, shop: Path) -> None:
    code, out, _ = check(libraries_index, shop, "--format", "junit")
    suites = ET.fromstring(out)
    failures = [case.find("failure") for case in suites.iter("testcase")]
    assert (code, suites.get("failures")) == (1, str(len(EXPECTED)))
    assert [one.get("type") for one in failures if one is not None] == [rule for *_, rule in EXPECTED]
    for suite in suites:
        assert suite.get("tests") == suite.get("failures") == str(len(suite))
    if (schema := published("junit-10.xsd")) is not None:
        etree = pytest.importorskip("lxml.etree")
        etree.XMLSchema(etree.parse(schema)).assertValid(etree.fromstring(out.encode()))
    code, out, _ = check(libraries_index, shop, "--rule", "deprecated", "--format", "junit")
    assert (code, ET.fromstring(out).get("failures")) == (0, "0")


def test_junit_is_xml_whatever_names_hold() -> None:
    finding = SourceFinding('a\x00"<b>&\udc80.lisp', 1, 1, "unclosed", "no \x1b\ufffe")
    outcome = CheckOutcome([finding], unreadable={"c\x01": "why\x02"})
    read, unread = ET.fromstring(junit_text(outcome))
    assert (read.get("name"), unread.get("name")) == ('a?"<b>&?.lisp', "c?")
    assert [case[0].get("message") for case in (read[0], unread[0])] == ["no ??", "why?"]


def test_github_shows_findings_beside_the_lines(libraries_index: Path, shop: Path) -> None:
    odd = shop / "a,b%.lisp"
    (shop / "shop.lisp").rename(odd)
    _, out, _ = check(libraries_index, odd, "--format", "github")
    where = str(odd).replace("%", "%25").replace(",", "%2C")
    assert out.startswith(
        f"::error file={where},line=4,col=9,endColumn=26,title=unknown-symbol::alexandria has no"
    )


def test_comments_silence_rules(libraries_index: Path, shop: Path) -> None:
    source = SOURCE.replace("thing thing))", "thing thing)) ; oblist: ignore[wrong-number-of-arguments]")
    source = source.replace('  "See', '  ;; oblist: ignore[unknown-package, unknown-symbol]\n  "See')
    (shop / "shop.lisp").write_text(source)
    (shop / "guide.md").write_text("<!-- oblist: ignore-file -->\n" + GUIDE)
    (shop / "notes.org").write_text(NOTES.replace("#+begin_src", "# oblist: ignore\n#+begin_src"))
    assert placed(findings(libraries_index, shop)) == [
        ("notes.org", 2, 7, "unknown-symbol"),
        ("shop.lisp", 7, 2, "wrong-number-of-arguments"),
    ]


def test_a_document_may_show_packages_of_its_own_and_leave_colons_out(
    libraries_index: Path, tmp_path: Path
) -> None:
    (tmp_path / "guide.md").write_text(
        "Call `asdf:load-asd`, `alexandria:map-*`, `split-sequence:*`, `alexandria:%reevaluate-constant`.\n\n"
        "```lisp\n(defpackage :my-alexandria (:use :cl))\n(in-package :my-alexandria)\n```\n\n"
        "Then `my-alexandria:run` it.\n"
    )
    for name in ("CHANGELOG.md", "NEWS.org", "release-notes.md"):
        (tmp_path / name).write_text("`alexandria:flaten` is gone; ~alexandria:flaten~.\n")
    assert placed(findings(libraries_index, tmp_path)) == []
    (remark,) = findings(libraries_index, tmp_path, "--severity", "info")
    assert (remark["rule"], remark["severity"]) == ("not-external", "info")
    (tmp_path / "oblist.toml").write_text('[check]\nprose = ["NEWS.org"]\n')
    assert placed(findings(libraries_index, tmp_path)) == [("NEWS.org", 1, 31, "unknown-symbol")]


def test_standard_input_is_checked_as_the_content_of_a_file(libraries_index: Path, shop: Path) -> None:
    def told(text: str, *arguments: str) -> list[str]:
        command = (OBLIST, "check", "-", "--index", str(libraries_index))
        done = subprocess.run(
            [*command, *arguments],
            input=text,
            capture_output=True,
            text=True,
            cwd=shop,
            check=False,
            timeout=60,
        )
        assert done.returncode == (1 if "error" in done.stdout else 0), done.stderr
        return [line.partition(" ")[0] for line in done.stdout.splitlines() if ": error[" in line]

    assert told("(alexandria:flaten 1)") == ["standard-input.lisp:1:2:"]
    # Other files of the project are read to know what they define.
    (shop / "oblist.toml").touch()
    unsaved = "(in-package :shop)\n(defun sell (x) (price x x))\n"
    assert told(unsaved, "--stdin-path", "new.lisp") == ["new.lisp:2:18:"]
    assert told("", "--stdin-path", "shop.lisp") == []


def test_settings_choose_rules_severities_and_files(libraries_index: Path, shop: Path) -> None:
    (shop / "oblist.toml").write_text(
        '[check]\nexclude = ["*.org"]\n'
        '[check.rules]\nunknown-symbol = "info"\nundocumented-export = "error"\n'
        '[[check.paths]]\nmatch = ["**/*.md", "guide.md"]\nrules = { wrong-number-of-arguments = "off" }\n'
    )
    (shop / "shop.lisp").write_text(SOURCE.replace("#:price", "#:price #:cost") + "(defun cost (x) x)\n")
    assert placed(findings(libraries_index, shop)) == [
        ("shop.lisp", 1, 47, "undocumented-export"),
        *EXPECTED[-2:],
    ]
    assert len(findings(libraries_index, shop, "--severity", "info")) == 6
    assert placed(findings(libraries_index, shop, "--rule", "undocumented-export")) == [
        ("shop.lisp", 1, 47, "undocumented-export")
    ]


def test_a_baseline_lets_only_new_findings_through(libraries_index: Path, shop: Path) -> None:
    baseline = shop / "baseline.json"
    code, out, err = check(libraries_index, shop, "--write-baseline", baseline)
    assert (code, out, err) == (0, "", f"oblist: 8 findings written to {baseline}\n")
    assert findings(libraries_index, shop, "--baseline", baseline) == []
    (shop / "shop.lisp").write_text(";; moved\n" + SOURCE + "(car)\n")
    assert placed(findings(libraries_index, shop, "--baseline", baseline)) == [
        ("shop.lisp", 10, 2, "wrong-number-of-arguments")
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("[check.rules]\nno-such = 'off'", "unknown rule no-such"),
        ("[check.rules]\ndeprecated = 'loud'", "not 'loud'"),
        ("[check]\nodd = 1", "no setting odd"),
        ("[check]\nexclude = 'x'", "exclude must be a list of strings"),
        ("[[check.paths]]\nmatch = ['x']", "must contain match and rules"),
        ("[check", "not TOML"),
        ("[chek.rules]\ndeprecated = 'off'", "unknown table [chek]"),
    ],
)
def test_wrong_settings_are_reported(settings: str, message: str, bare_index: Path, shop: Path) -> None:
    (shop / "oblist.toml").write_text(settings)
    code, out, err = check(bare_index, shop)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_rule_is_explained() -> None:
    def explained(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(check_command, ["--explain", *arguments])
        return done.exit_code, done.output

    rule = RULES["unknown-class"]
    code, text = explained(rule.name)
    assert (code, text.partition("\n\n")[0]) == (0, "# unknown-class (warning)")
    assert text.endswith(rule.documentation.partition(f"# {rule.name}")[2])
    code, text = explained(rule.name, "--json")
    told = {"name": rule.name, "severity": "warning", "documentation": rule.documentation}
    assert (code, json.loads(text)) == (0, told)
    for arguments, message in (
        (["unknown-clas"], "there is no rule unknown-clas; did you mean unknown-class?"),
        (["zzz"], "there is no rule zzz; the rules are unclosed, "),
        (["unclosed", "src"], "not both"),
    ):
        code, text = explained(*arguments)
        assert code == 2
        assert message in text


def test_having_nothing_to_check_is_reported(bare_index: Path, tmp_path: Path) -> None:
    code, out, err = check(bare_index, tmp_path)
    assert (code, out) == (0, "no findings in 0 files\n")
    assert "nothing to check" in err


def test_the_current_folder_is_checked_where_no_path_is_given(
    libraries_index: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    code, out, err = check(libraries_index)
    assert (code, err) == (1, "")
    assert out == check(libraries_index, ".")[1]
    assert len(out.splitlines()) > len(EXPECTED)


def test_wrong_arguments_are_reported(bare_index: Path, shop: Path) -> None:
    for arguments, message in (
        (["/no/such"], "no such file or folder"),
        ([shop, "--baseline", shop / "none"], "the baseline cannot be read"),
        ([shop, "--baseline", shop / "shop.lisp"], "not a baseline"),
        ([shop, "--config", shop / "none.toml"], "none.toml: cannot be read"),
        ([shop, "--json", "--format", "text"], "not both"),
        (["--stdin-path", "shop.lisp"], "also give - as the path"),
    ):
        code, out, err = check(bare_index, *arguments)
        assert (code, out) == (2, "")
        assert message in err
    code, out, err = check(shop / "none.db", shop)
    assert (code, out, err.count("\n")) == (3, "", 1)


def test_files_that_are_no_text_are_read_or_reported(bare_index: Path, tmp_path: Path) -> None:
    (tmp_path / "bytes.lisp").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "latin.lisp").write_bytes('(defun f () "\xe4" (car))'.encode("latin-1"))
    (tmp_path / "deep.lisp").write_text("(" * 100_000 + "car" + ")" * 100_000 + "\n(car)\n")
    (tmp_path / "empty.md").write_text("")
    code, out, err = check(bare_index, tmp_path)
    assert code == 1
    assert "latin.lisp:1:18: error[wrong-number-of-arguments]" in out
    assert "Traceback" not in err
    (tmp_path / "gone.lisp").symlink_to(tmp_path / "nowhere.lisp")
    code, out, err = check(bare_index, tmp_path)
    assert f"{tmp_path}/gone.lisp was not checked: No such file or directory" in err


def test_several_processes_find_the_same(libraries_index: Path, shop: Path) -> None:
    for number in range(8):
        filler = ";; " + "x" * 70 + "\n"
        (shop / f"shop{number}.lisp").write_text(SOURCE + filler * 7_000)
    alone = findings(libraries_index, shop, "--jobs", "1")
    assert findings(libraries_index, shop, "--jobs", "2") == alone
    assert len(alone) == len(EXPECTED) + 8 * 3


def test_a_check_needs_no_lisp(libraries_index: Path, shop: Path) -> None:
    """Without SBCL, its sources, or the sources of the libraries."""
    hidden = namespace(shop)
    done = subprocess.run(
        [
            *hidden,
            OBLIST,
            "check",
            str(shop),
            "--index",
            str(libraries_index),
            "--json",
        ],
        env={"PATH": os.environ["PATH"], "HOME": str(shop)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert placed(json.loads(done.stdout)["findings"]) == EXPECTED
