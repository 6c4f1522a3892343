"""By default no call changes anything (no file, index or image), and each one is answered."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator

from oblist.query import Index, open_index
from oblist.query.mcp.instructions import PROMPT
from oblist.query.tools.aliases import OTHER_NAMES, find_tool
from oblist.query.tools.answer import CodeDescription, CodePlace
from oblist.query.tools.registry import registry
from oblist.query.tools.schemas import answers_schema
from support.agents.mcp_wire import Wire, oblist_mcp
from support.builds.images import ImageIndex, bare_image, copy_cache
from support.catalogs.libraries import libraries

SEED = 20260728
_RELEASES = ["shapes", "shapes@1.0", "drawing", "broken"]
_FITTING = {
    "release": _RELEASES,
    "since": _RELEASES,
    "path": ["SYS:SRC;CODE;LIST.LISP", "list.lisp", "/etc/passwd"],
    "form": ["(when a b)", "(push 1 (car x))", "(no-such-macro)", "(car x)"],
}
_FIELDS_OF_OTHERS = {one.name for answer in (CodeDescription, CodePlace) for one in fields(answer)}
ERROR_CODES = {-32700, -32600, -32601, -32602}  # not -32603: a failure of ours
VARIABLES = (
    "*print-base*", "*read-eval*", "*package*", "*features*", "*read-base*", "*random-state*",
    "*gensym-counter*", "*macroexpand-hook*", "*default-pathname-defaults*", "*print-length*",
    "most-positive-fixnum", "pi", "sb-ext:*evaluator-mode*", "sb-ext:*posix-argv*",
    "sb-ext:*invoke-debugger-hook*", "asdf:*central-registry*",
)  # fmt: skip


class Scratch:
    """Everything that a server can reach by itself: its index, home, caches and working folder."""

    def __init__(self, folder: Path, image: ImageIndex) -> None:
        self.folder = folder
        self.index = folder / "index" / "oblist.db"
        self.index.parent.mkdir()
        shutil.copy(image.path, self.index)
        copy_cache(image.cache, folder / "cache")
        for name in ("home", "data", "config", "state", "tmp", "work"):
            (folder / name).mkdir()
        (folder / "work" / "kept.lisp").write_text("(defvar *kept* 1)\n")
        self.image = ImageIndex(self.index, folder / "cache")

    @property
    def environment(self) -> dict[str, str]:
        names = {f"XDG_{name.upper()}_HOME": name for name in ("cache", "data", "config", "state")}
        folders = {**names, "HOME": "home", "TMPDIR": "tmp"}
        catalog = {"OBLIST_CATALOG": str(libraries().catalog)}
        return {name: str(self.folder / folder) for name, folder in folders.items()} | catalog

    def state(self) -> dict[str, tuple[int, str]]:
        """The mode and content of every file and folder."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            data = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (path.lstat().st_mode, hashlib.sha256(data).hexdigest())
        return found


@pytest.fixture
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scratch]:
    made = Scratch(tmp_path_factory.mktemp("scratch"), bare_image())
    yield made
    made.image.assert_nothing_runs()


class Hostile:
    """Hostile requests, drawn by seed."""

    def __init__(self, random_: random.Random, index: Index, marker: Path) -> None:
        self._random = random_
        rows = index.rows(
            "SELECT symbols.name, packages.name, EXISTS (SELECT 1 FROM definitions"
            " WHERE symbol_id = symbols.id AND kind IN ('variable', 'constant'))"
            " FROM symbols JOIN packages ON packages.id = package_id"
            " ORDER BY symbols.id"
        )
        self._names = [f"{package}::|{name}|" for name, package, _ in random_.sample(rows, 300)]
        valued = [row for row in rows if row[2]]
        self._names += [f"{package}::|{name}|" for name, package, _ in random_.sample(valued, 300)]
        self._packages = sorted(index.package_names.values())
        self._tools = [tool.name for tool in registry] + list(OTHER_NAMES)
        self._tools += [tool.name.replace("_", "-") for tool in registry]
        self._parameters = sorted({one.name for tool in registry for one in tool.parameters})
        forms = [
            f'(with-open-file (s "{marker}" :direction :output :if-does-not-exist :create))',
            f'(sb-ext:run-program "/usr/bin/touch" (list "{marker}"))',
            f'(ensure-directories-exist "{marker}/")',
            "(setf *print-base* 36)",
            "(setf cl:*read-eval* nil)",
            "(sb-ext:exit :abort t)",
            "(loop)",
            "(delete-package :cl)",
        ]
        self._strings = [
            *forms,
            *(f"#.{form}" for form in forms),
            *(
                f"{before}#.{form}{after}"
                for form in forms[:3]
                for before, after in ["||", '""', ("cl::", "")]
            ),
            *(f"#+#.{form} x" for form in forms[:2]),
            f"$(touch {marker})",
            f"; touch {marker}",
            f"`touch {marker}`",
            f"'; ATTACH DATABASE '{marker}' AS x; --",
            "'; DROP TABLE symbols; --",
            '" OR 1=1',
            "x* NEAR y AND (",
            "../../../../etc/passwd",
            f"file://{marker}",
            str(marker),
            "~/x",
            "\0",
            "car\0cdr",
            "\ud800",
            "a\udfffb",
            "\u202e\u2066rac\u2069",
            "\x1b[2J\x07\x9b",
            "\u2028\u2029\ufeff\ufffe",
            "\N{GRINNING FACE}" * 50,
            "e" + "\u0301" * 300,
            "\n" * 100,
            "",
            " ",
            "|",
            "|||",
            "\\",
            "a\\",
            ":",
            "::",
            ":::a",
            "a:b:c",
            "#",
            "#:",
            "()",
            "(setf",
            "(setf car",
            "(" * 500,
            "[" * 500,
            "%",
            "_",
            "%00",
            "x" * 1000,
            "x" * 1001,
            "x" * 100_000,
            "ß" * 900,
            "İ" * 999,
            "null",
            "nil",
            "t",
            "-1",
            "NaN",
            ",",
            "car,cdr," * 60,
            "__proto__",
            "constructor",
        ]

    def string(self) -> str:
        draw = self._random.random()
        if draw < 0.45:
            return self._random.choice(self._strings)
        if draw < 0.75:
            return self._random.choice(self._names)
        if draw < 0.85:
            return self._random.choice(self._packages)
        if draw < 0.95:
            return self._random.choice(self._strings) + self._random.choice(self._names)
        return "".join(chr(self._random.randrange(0x11_0000)) for _ in range(self._random.randrange(40)))

    def number(self) -> Any:
        if self._random.random() < 0.6:
            return self._random.choice([0, 1, 3.0, 5, 1000, 20_000, 100_000, 2**31, 2**53 - 1])
        odd = [-1, 0.5, -0.0, 1e308, -1e308, 2**53, 2**64, -(2**63) - 1, 10**300]
        return self._random.choice([*odd, float("nan"), float("inf")])

    def value(self, depth: int = 0) -> Any:
        draw = self._random.random()
        if draw < 0.6 or depth > 4:
            return self.string()
        if draw < 0.75:
            return self.number()
        if draw < 0.82:
            return self._random.choice([True, False, None])
        if draw < 0.92:
            return [self.value(depth + 1) for _ in range(self._random.randrange(5))]
        if draw < 0.93:
            value: Any = "x"
            for _ in range(self._random.choice([10, 100, 150])):
                value = [value] if self._random.random() < 0.5 else {"a": value}
            return value
        return {self.string(): self.value(depth + 1) for _ in range(self._random.randrange(4))}

    def arguments(self, name: str) -> Any:
        """Arguments, mostly ones that reach the tool."""
        if self._random.random() < 0.03:
            return self.value()
        called = find_tool(registry, name, {}) if isinstance(name, str) else None
        if called is None:
            return {self.string(): self.value() for _ in range(self._random.randrange(3))}
        given: dict[str, Any] = {}
        for parameter in called.tool.parameters:
            if parameter.name in called.tool.required or self._random.random() < 0.3:
                given[parameter.name] = self.fitting(parameter.type)
                if parameter.name in _FITTING and self._random.random() < 0.85:
                    given[parameter.name] = self._random.choice(_FITTING[parameter.name])
                if parameter.choices and self._random.random() < 0.85:
                    given[parameter.name] = self._random.choice(list(parameter.choices))
        if self._random.random() < 0.1:
            given[self._random.choice([*self._parameters, "symbol", "class", self.string()])] = self.value()
        return given

    def fitting(self, kind: str) -> Any:
        if self._random.random() < 0.08:
            return self.value()
        if kind == "number":
            return self.number()
        return self._random.choice([True, False]) if kind == "boolean" else self.string()

    def address(self) -> str:
        draw = self._random.random()
        safe = self._random.choice(["", "/", "/:#%?"])
        kind = self._random.choice(["package", "symbol", "other", ""])
        names = "/".join(
            quote(self.string(), safe=safe, errors="surrogatepass") for _ in range(self._random.randrange(4))
        )
        if draw < 0.7:
            return f"lisp://{kind}/{names}"
        if draw < 0.8:
            return f"lisp://package/{'../' * 20}etc/passwd"
        if draw < 0.9:
            return self._random.choice(["file:///etc/passwd", "lisp:", "lisp://", "LISP://package/CL", "//"])
        return self.string()

    def request(self) -> tuple[str, dict[str, Any]]:
        """A method and its parameters."""
        draw = self._random.random()
        if draw < 0.70:
            name = self._random.choice(self._tools) if self._random.random() < 0.96 else self.string()
            return "tools/call", {"name": name, "arguments": self.arguments(name)}
        if draw < 0.82:
            return "resources/read", {"uri": self.address()}
        if draw < 0.88:
            templates = ["lisp://package/{name}", "lisp://symbol/{package}/{name}", self.string()]
            return "completion/complete", {
                "ref": {"type": "ref/resource", "uri": self._random.choice(templates)},
                "argument": {"name": self._random.choice(["name", "package", "x"]), "value": self.string()},
                "context": {"arguments": {"package": self.string()}},
            }
        if draw < 0.92:
            name = PROMPT if self._random.random() < 0.7 else self.string()
            return "prompts/get", {"name": name, "arguments": {"task": self.value()}}
        if draw < 0.96:
            method = self._random.choice(
                ["resources/list", "tools/list", "prompts/list", "resources/templates/list"]
            )
            return method, {"cursor": self.value()}
        methods = ["sampling/createMessage", "elicitation/create", "resources/subscribe", "tasks/list"]
        methods += ["roots/list", "tools/call/", "../tools/call", "", "rpc.discover", self.string()]
        return self._random.choice(methods), {"x": self.value()}

    def garbage(self) -> bytes:
        """A line that is not a request, or almost is."""
        method, params = self.request()
        message: Any = {"jsonrpc": "2.0", "id": "garbage", "method": method, "params": params}
        line = json.dumps(message).encode()
        deep = self._random.choice([150, 250, 900, 5000, 100_000])
        nested = b'{"jsonrpc": "2.0", "id": "garbage", "method": "tools/call", "params": '
        nested += b'{"name": "describe_symbol", "arguments": {"name": ' + b"[" * deep + b"]" * deep + b"}}}"
        choices = [
            line[: self._random.randrange(len(line))],
            bytes(self._random.randrange(256) for _ in range(50)).replace(b"\n", b""),
            nested,
            b'{"jsonrpc": "2.0", "id": "garbage", "method": "ping", "params": ' + b"9" * 5000 + b"}",
            json.dumps([message, 1, {"id": "garbage"}, None]).encode(),
            json.dumps({**message, "params": self._random.choice([[], "x", 1, None, True])}).encode(),
            json.dumps(
                {"jsonrpc": "2.0", "id": self._random.choice([1.5, True, [], {}, None]), **params}
            ).encode(),
            json.dumps({"jsonrpc": "2.0", "id": 1, "result": self.value()}).encode(),
            json.dumps({"jsonrpc": "2.0", "id": 1, "error": self.value()}).encode(),
            json.dumps({"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}).encode(),
            json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        ]
        return self._random.choice(choices).replace(b"\n", b" ")


class Validity:
    """Checks that answers conform to MCP and to the tools' schemas."""

    def __init__(self) -> None:
        self._validators: dict[str, Draft202012Validator] = {}
        self.seen: Counter[str] = Counter()

    def check(self, method: str, params: dict[str, Any], answer: dict[str, Any]) -> None:
        assert answer["jsonrpc"] == "2.0"
        assert ("result" in answer) != ("error" in answer)
        assert "Traceback" not in json.dumps(answer)
        if "error" in answer:
            self.seen[f"{method} error"] += 1
            assert answer["error"]["code"] in ERROR_CODES, answer
            assert isinstance(answer["error"]["message"], str)
            assert answer["error"]["message"]
        elif method == "tools/call":
            self._check_call(params, answer["result"])
        else:
            self.seen[f"{method} result"] += 1

    def _check_call(self, params: dict[str, Any], result: dict[str, Any]) -> None:
        assert all(block["type"] == "text" and block["text"] for block in result["content"]), result
        text = result["content"][0]["text"]
        assert len(text) < 20_500 or "max_chars" in params["arguments"], len(text)
        called = find_tool(registry, params["name"], params.get("arguments") or {})
        if result.get("isError"):
            self.seen["call refused"] += 1
            assert "structuredContent" not in result
            # An internal failure is a bug, whatever the request was.
            assert not re.search(r"^\w+ failed: \w+", text), (params, text)
            return
        self.seen["call answered"] += 1
        assert called is not None
        assert called.tool.safety_level == "safe", params
        if not called.tool.answers:
            assert "structuredContent" not in result
            return
        if called.difference and set(result["structuredContent"]) <= _FIELDS_OF_OTHERS:
            return
        if called.tool.name not in self._validators:
            schema = answers_schema(tuple(called.tool.answers))
            self._validators[called.tool.name] = Draft202012Validator(schema)
        if len(text) < 200_000:
            self._validators[called.tool.name].validate(result["structuredContent"])


def values(wire: Wire) -> list[tuple[Any, Any]]:
    """Values in the image, and their origins."""
    found = [wire.call("describe_symbol", name=name)["structuredContent"] for name in VARIABLES]
    return [(one.get("value"), one.get("value_from")) for one in found]


def settled_values(wire: Wire) -> list[tuple[Any, Any]]:
    """The values, once their SBCL has started."""
    deadline = time.monotonic() + 60
    while (found := values(wire))[0][1] != "live":
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


@pytest.mark.parametrize("era", ["handshake", "modern"])
@pytest.mark.parametrize("calls", [300, pytest.param(10_000, marks=pytest.mark.full)])
def test_no_call_changes_anything_and_each_is_answered(
    scratch: Scratch, era: str, calls: int, tmp_path: Path
) -> None:
    """Half of the calls are made with a handshake, and half without."""
    log, marker = tmp_path / "log", scratch.folder / "work" / "MARKER"
    with open_index(scratch.index) as index:
        hostile = Hostile(random.Random(f"{SEED} {era}"), index, marker)
    validity = Validity()
    before = scratch.state()
    options = {"environment": scratch.environment, "cwd": scratch.folder / "work"}
    with oblist_mcp(scratch.index, "--log", str(log), **options) as wire:
        if era == "modern":
            wire.be_modern({"elicitation": {"form": {}}})
        else:
            wire.initialize(capabilities={"elicitation": {"form": {}}})
        valued = settled_values(wire)
        for number in range(calls):
            method, params = hostile.request()
            validity.check(method, params, wire.request(method, params))
            if number % 10 == 0:
                wire.send(hostile.garbage())
        assert wire.request("ping" if era == "handshake" else "server/discover")["result"] is not None
        assert settled_values(wire) == valued
        assert len(scratch.image.processes()) == 1
        assert scratch.state() == before
        assert not marker.exists()
        for stray in wire.notifications:  # the answers to garbage
            assert stray.get("id") in (None, "garbage", 1, 1.5), stray
            assert "method" not in stray, stray
            assert "error" not in stray or stray["error"]["code"] in ERROR_CODES, stray
        assert wire.close() == ""
    assert scratch.state() == before
    # Enough requests reached a tool, and the refusals were logged.
    assert validity.seen["call answered"] > calls / 5, validity.seen
    assert validity.seen["call refused"] > calls / 10, validity.seen
    entries = [json.loads(line) for line in log.read_bytes().splitlines()]
    assert {entry["tool"] for entry in entries} - {"edit_form", "rename_symbol"} == {
        "eval_form",
        "expand_form",
        "reindex",
        "load_system",
    }
    assert all(
        entry["outcome"].startswith(("refused: it is ", "refused: write=true is ")) for entry in entries
    )
