"""What is put into files of settings: the rest stays, and it can be taken out again."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from oblist.query.setup.errors import BrokenFileError
from oblist.query.setup.files.block_part import BlockPart
from oblist.query.setup.files.elisp import refuse_unfinished
from oblist.query.setup.files.json_part import JsonPart
from oblist.query.setup.files.jsonc import read_jsonc
from oblist.query.setup.files.part import FilePart, State, set_in
from oblist.query.setup.files.parts import FileParts
from oblist.query.setup.files.toml_item import TomlItemPart
from oblist.query.setup.files.toml_part import TomlPart
from oblist.query.setup.files.whole_part import WholePart
from oblist.query.setup.files.yaml_part import YamlPart

SERVER = {"command": "oblist", "args": ["mcp"]}
JSON = JsonPart(("mcpServers", "oblist"), SERVER)
TOML = TomlPart(("mcp_servers", "oblist"), SERVER)
ITEM = TomlItemPart("language", "common-lisp", "language-servers", "oblist")
HELIX = FileParts((TomlPart(("language-server", "oblist"), {"command": "oblist", "args": ["lsp"]}), ITEM))
YAML = YamlPart(
    "repos", {"repo": "local", "hooks": [{"id": "oblist-check", "files": r"\.lisp$"}]}, "oblist-check"
)
BLOCK = BlockPart("(oblist-setup)", ";; {}", refuse_unfinished)

JSON_FILES = {
    "empty": "",
    "blank": "\n",
    "no members": "{}",
    "no members, spread": "{\n}\n",
    "flat": '{"theme": "dark"}',
    "flat servers": '{"mcpServers": {"a": {"command": "x"}}, "theme": "dark"}\n',
    "two blanks": '{\n  "theme": "dark"\n}\n',
    "four blanks": '{\n    "mcpServers": {\n        "a": {\n            "b": 1\n        }\n    }\n}',
    "tabs, no last newline": '{\n\t"mcpServers": {\n\t\t"a": {"command": "x"}\n\t}\n}',
    "CRLF": '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
    "byte order mark": '\ufeff{\n  "a": 1\n}\n',
    "no servers yet": '{\n  "mcpServers": {},\n  "b": [1, 2, {"c": null}]\n}\n',
    "null": '{\n  "mcpServers": null\n}\n',
    "comments": """\
// My settings.
{
  /* servers { "mcpServers": 1 } */
  "mcpServers": {
    "a": { "command": "x" } // the first, really
    // "b": {}
  }, // until here
  "url": "http://example.org/*no comment*/",
}
// end
""",
    "trailing commas": '{\n  "mcpServers": {\n    "a": {"command": "x",},\n  },\n}\n',
    "trailing comma, flat": '{"mcpServers": {"a": 1,},}',
    "other letters": '{\n  "Grüße": "日本 \\u00e9 \\ud83d\\ude00",\n  "mcpServers": {"λ": {}}\n}\n',
}


def only_added(old: str, new: str) -> bool:
    """Whether the old text is left if some characters of the new one are removed."""
    rest = iter(new)
    return all(letter in rest for letter in old)


@pytest.mark.parametrize("name", JSON_FILES)
def test_a_member_is_added_to_json_and_nothing_else_changes(name: str) -> None:
    old = JSON_FILES[name]
    assert JSON.state(old) is State.ABSENT
    new = JSON.put(old)
    assert JSON.state(new) is State.SAME
    assert JSON.put(new) == new
    if name != "null":
        assert only_added(old.strip("\n") if name == "blank" else old, new)
    before = read_jsonc(old).value if old.strip() else {}
    assert read_jsonc(new).value == set_in(before, ("mcpServers", "oblist"), SERVER)
    assert ("\r\n" in new) == ("\r\n" in old) and new.count("\r\n") in (0, new.count("\n"))
    taken = read_jsonc(JSON.take(new)).value
    assert {key: value for key, value in taken.items() if value not in ({}, None)} == {
        key: value for key, value in before.items() if value not in ({}, None)
    }


def test_a_member_is_laid_out_like_the_others() -> None:
    assert JSON.put(JSON_FILES["tabs, no last newline"]) == (
        '{\n\t"mcpServers": {\n\t\t"a": {"command": "x"},\n\t\t"oblist": {\n\t\t\t"command": "oblist",\n'
        '\t\t\t"args": ["mcp"]\n\t\t}\n\t}\n}'
    )
    assert JSON.put(JSON_FILES["flat servers"]) == (
        '{"mcpServers": {"a": {"command": "x"}, "oblist": {"command": "oblist", "args": ["mcp"]}}, '
        '"theme": "dark"}\n'
    )
    assert '"a": { "command": "x" }, // the first, really\n    // "b": {}\n    "oblist": {' in JSON.put(
        JSON_FILES["comments"]
    )


def test_taking_out_of_json_leaves_the_other_members_as_they_are() -> None:
    for name in ("four blanks", "comments", "trailing commas", "flat servers", "CRLF", "other letters"):
        old = JSON_FILES[name]
        assert JSON.take(JSON.put(old)) == old, name
    several = '{"mcpServers": {"oblist": {"command": "oblist"}, "b": {}}}'
    assert JSON.take(several) == '{"mcpServers": {"b": {}}}'
    first = '{\n  "mcpServers": {\n    "oblist": {\n      "command": "x"\n    },\n    "b": {}\n  }\n}\n'
    assert JSON.take(first) == '{\n  "mcpServers": {\n    "b": {}\n  }\n}\n'


def test_an_entry_of_another_kind_is_replaced_in_its_place() -> None:
    old = '{\n  "mcpServers": {\n    "oblist": {"command": "old"}, // mine\n    "b": {}\n  }\n}\n'
    assert JSON.state(old) is State.OTHER
    new = JSON.put(old)
    assert JSON.state(new) is State.SAME
    assert "}, // mine\n" in new and new.endswith('"b": {}\n  }\n}\n')


@pytest.mark.parametrize(
    ("text", "line", "column", "why"),
    [
        ("{", 1, 2, 'a name in quotes or "}" is missing at the end'),
        ('{\n  "a": 1\n  "b": 2\n}\n', 3, 3, 'there is "b": 2 where "," or "}" should be'),
        ('{"a": tru}', 1, 7, "there is tru} where a value should be"),
        ('{"a" 1}', 1, 6, 'there is 1} where ":" should be'),
        ("{'a': 1}", 1, 2, "there is 'a': 1} where a name in quotes"),
        ('{"a": [1, 2}', 1, 12, 'there is } where "," or "]" should be'),
        ('{"a": 1} x', 1, 10, "there is more text after the end"),
        ("[1]\n", 1, 1, "the file must contain a JSON object"),
        ('{"mcpServers": [1]}', 1, 16, '"mcpServers" is not an object'),
        ('{"a": "b\nc"}', 1, 7, 'there is "b where a value should be'),
        ('{"a": 01}', 1, 7, "where a value should be"),
        ('{"a": /* no end', 1, 7, "there is /* no end where a value should be"),
        ("[" * 1000, 1, 202, "nested more than 200 levels deep"),
    ],
)
def test_what_is_no_json_is_refused_with_the_place(text: str, line: int, column: int, why: str) -> None:
    with pytest.raises(BrokenFileError) as refused:
        JSON.put(text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert why in str(refused.value)


_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.floats(allow_nan=False, allow_infinity=False)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
_OBJECTS = st.dictionaries(
    st.text(max_size=5) | st.just("mcpServers"),
    st.dictionaries(st.text(max_size=5), _VALUES, max_size=3),
    max_size=4,
)


@given(_OBJECTS, st.sampled_from([None, 1, 2, 4, "\t"]))
def test_any_object_in_any_layout_gets_the_member(value: dict[str, Any], indent: int | str | None) -> None:
    old = json.dumps(value, indent=indent, ensure_ascii=False)
    assert read_jsonc(old).value == value
    wanted = set_in(value, ("mcpServers", "oblist"), SERVER)
    new = JSON.put(old)
    assert json.loads(new) == wanted
    taken = json.loads(JSON.take(new))
    value.get("mcpServers", {}).pop("oblist", None)
    assert {key: one for key, one in taken.items() if one} == {key: one for key, one in value.items() if one}


_GAPS = st.sampled_from(
    ["", "", " ", "\n  ", "\t", "// } ,\n", "/* , { */", " /*\n*/ ", '\n// "x": 1,\n'],
)


@st.composite
def _laid_out(draw: st.DrawFn, value: Any) -> str:
    """A value as JSON, with blanks, comments and trailing commas anywhere."""
    if not isinstance(value, dict | list) or not value:
        return (
            f"[{draw(_GAPS)}]" if value == [] else f"{{{draw(_GAPS)}}}" if value == {} else json.dumps(value)
        )
    pairs = value.items() if isinstance(value, dict) else ((None, one) for one in value)
    parts = []
    for name, one in pairs:
        before = "" if name is None else f"{json.dumps(name)}{draw(_GAPS)}:{draw(_GAPS)}"
        parts.append(f"{draw(_GAPS)}{before}{draw(_laid_out(one))}{draw(_GAPS)}")
    inner = ",".join(parts) + draw(st.sampled_from(["", f",{draw(_GAPS)}"]))
    return f"{{{inner}}}" if isinstance(value, dict) else f"[{inner}]"


def comments_in(text: str) -> list[str]:
    """The comments of a text of JSON, but for those that look like strings."""
    return re.findall(r"//[^\n]*|/\*.*?\*/", re.sub(r'"(?:[^"\\]|\\.)*"', '""', text), re.DOTALL)


@given(_OBJECTS.flatmap(lambda value: st.tuples(st.just(value), _laid_out(value))))
def test_comments_anywhere_stay_when_a_member_comes_and_goes(sample: tuple[dict[str, Any], str]) -> None:
    value, old = sample
    assert read_jsonc(old).value == value
    new = JSON.put(old)
    assert only_added(old, new) or "oblist" in value.get("mcpServers", {})
    assert comments_in(new) == comments_in(old)
    back = JSON.take(new)
    assert comments_in(back) == comments_in(old)
    value.get("mcpServers", {}).pop("oblist", None)
    assert {key: one for key, one in read_jsonc(back).value.items() if one} == {
        key: one for key, one in value.items() if one
    }


TOML_FILES = {
    "empty": "",
    "comments": "# mine\nmodel = \"x\" # x\n\n[mcp_servers.a]\ncommand = 'b' #\n\n[profiles.x]\ny = 1\n",
    "no last newline": "a = 1",
    "CRLF": "a = 1\r\n[b]\r\nc = 2\r\n",
    "inline": "mcp_servers = {a = {command = 'x'}}\nz = 1\n",
    "dotted": "mcp_servers.a.command = 'x'\nz = 1\n",
    "strings": 'a = """\n[mcp_servers.oblist]\n"""\n',
    "arrays": "[[b]]\nc = 1\n\n[[b]]\nc = 2\n",
}


@pytest.mark.parametrize("name", TOML_FILES)
def test_a_table_is_added_to_toml_and_nothing_else_changes(name: str) -> None:
    old = TOML_FILES[name]
    new = TOML.put(old)
    assert TOML.state(old) is State.ABSENT and TOML.state(new) is State.SAME
    assert only_added(old, new) and TOML.put(new) == new
    assert tomllib.loads(new) == set_in(tomllib.loads(old), ("mcp_servers", "oblist"), SERVER)
    assert tomllib.loads(TOML.take(new)) == tomllib.loads(old)
    assert ("\r\n" in new) == ("\r\n" in old)


HELIX_FILES = {
    "empty": "",
    "others": '[language-server.a]\ncommand = "a"\n\n[[language]]\nname = "rust"\nlanguage-servers = ["a"]\n',
    "Lisp without servers": '[[language]]\nname = "common-lisp" # mine\nindent = { tab-width = 2 }\n',
    "Lisp with a server": """\
[[language]]
name = "common-lisp"
language-servers = ["cl-lsp"] # old

[[language]]
name = "c"
""",
    "Lisp with tables": '[[language]]\nname = "common-lisp"\nlanguage-servers = [{name = "cl-lsp"}]\n',
}


@pytest.mark.parametrize("name", HELIX_FILES)
def test_a_server_and_its_name_in_a_list_are_added_to_toml(name: str) -> None:
    old = HELIX_FILES[name]
    new = HELIX.put(old)
    data = tomllib.loads(new)
    (lisp,) = [one for one in data["language"] if one["name"] == "common-lisp"]
    assert lisp["language-servers"][0] == "oblist"
    assert data["language-server"]["oblist"] == {"command": "oblist", "args": ["lsp"]}
    assert only_added(old, new)
    assert HELIX.state(old) is State.ABSENT and HELIX.state(new) is State.SAME and HELIX.put(new) == new
    assert tomllib.loads(HELIX.take(new)) == tomllib.loads(old)


def test_what_is_no_toml_is_refused_with_the_place() -> None:
    with pytest.raises(BrokenFileError) as refused:
        TOML.put("a = 1\nb = [1,\nc = 2\n")
    assert refused.value.line == 3
    with pytest.raises(BrokenFileError) as refused:
        TOML.put("a = ")
    assert refused.value.line == 1


YAML_FILES = {
    "empty": "",
    "comments only": "# mine\n",
    "others": """\
# mine
default_stages: [commit]
repos:
  # the first
  - repo: https://example.org/a
    rev: v1
    hooks:
      - id: one   # it is
        args: [--x]

# after
ci:
  skip: [one]
""",
    "not indented": "repos:\n- repo: local\n  hooks:\n  - id: a\n    name: b\n",
    "no last newline": "repos:\n  - repo: local\n    hooks: [{id: a}]",
    "flow": "repos: [{repo: local, hooks: [{id: a}]}]\n",
    "no items": "repos: []\nfail_fast: true\n",
    "no value": "repos:\nfail_fast: true\n",
    "other keys": "fail_fast: true",
    "CRLF": "repos:\r\n  - repo: local\r\n    hooks:\r\n      - id: a\r\n",
    "block text": """\
repos:
  - repo: local
    hooks:
      - id: a
        description: |
          two
          lines
z: 1
""",
}


@pytest.mark.parametrize("name", YAML_FILES)
def test_an_item_is_added_to_a_list_of_yaml_and_nothing_else_changes(name: str) -> None:
    old = YAML_FILES[name]
    new = YAML.put(old)
    before, after = yaml.safe_load(old) or {}, yaml.safe_load(new)
    assert after == {**before, "repos": [*(before.get("repos") or []), YAML.content]}
    assert only_added(old, new)
    assert YAML.state(old) is State.ABSENT and YAML.state(new) is State.SAME
    assert ("\r\n" in new) == ("\r\n" in old)
    taken = yaml.safe_load(YAML.take(new)) or {}
    assert {key: one for key, one in taken.items() if one} == {key: one for key, one in before.items() if one}


@pytest.mark.parametrize(
    ("text", "line"),
    [("repos: [\n", 2), ("a: b: c\n", 1), ("- 1\n", 1), ("repos: 1\n", 1), ("x: 1\nrepos: {a: 1}\n", 2)],
)
def test_what_is_no_yaml_of_pre_commit_is_refused_with_the_place(text: str, line: int) -> None:
    with pytest.raises(BrokenFileError) as refused:
        YAML.put(text)
    assert refused.value.line == line


@pytest.mark.parametrize(
    "old", ["", "(setq a 1)\n", "(setq a 1)", "(a)\r\n", ';; (\n(setq b ?\\()\n(c "(\\"" ?\\C-\\))\n']
)
def test_a_block_is_added_at_the_end_of_a_file(old: str) -> None:
    new = BLOCK.put(old)
    assert new.startswith(old) and BLOCK.state(old) is State.ABSENT and BLOCK.state(new) is State.SAME
    assert BLOCK.put(new) == new
    assert BLOCK.take(new) in (old, f"{old}\n")
    more = new + "(more)\n"
    changed = BlockPart("(oblist-setup 2)", ";; {}")
    assert changed.state(more) is State.OTHER
    put = changed.put(more).replace("\r\n", "\n")
    assert put.endswith(";; oblist setup: end\n(more)\n") and "(oblist-setup)" not in put


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("(a\n  (b)\n", 1, 1),
        ("(a))\n", 1, 4),
        ('(a)\n(b "c)\n', 2, 4),
        ("(a]\n", 1, 3),
        ("x\n;; oblist setup: begin\n(b)\n", 2, None),
        ("x\n;; oblist setup: end\n", 2, None),
    ],
)
def test_a_file_that_ends_within_a_form_gets_no_block(text: str, line: int, column: int | None) -> None:
    with pytest.raises(BrokenFileError) as refused:
        BLOCK.put(text)
    assert (refused.value.line, refused.value.column) == (line, column)


def test_a_file_that_is_ours_as_a_whole() -> None:
    part: FilePart = WholePart("a\n")
    assert part.state("") is State.ABSENT and part.state("b\n") is State.OTHER
    assert part.put("") == "a\n" and part.take("a\n") == "" and part.take("b\n") == "b\n"
