"""The definitions made by the standard's defining forms: names, lambda lists, accessors."""

from __future__ import annotations

from collections.abc import Iterator

from ...edit.forms.documenting import is_documented
from ...index.kinds import DEFINED_BY
from ...index.present.lines import TextLines
from ...index.written import own_name, printed_name
from ...syntax.names.defined import defined_name
from ...syntax.nodes import Atom, Form, Node
from ...syntax.printed import with_symbols
from ...syntax.tokens import UPCASE, SymbolToken, Tokens
from .declarations import DeclaredDefinition, FormPlace

# These define macros, but their forms do not say how to call them.
_SILENT = {"DEFINE-MODIFY-MACRO": "macro"}
_CALLED = ("function", "macro", "generic-function")
_CASED = frozenset('\\"|')
UNKNOWN = "unknown"
MOST_LINES_OF_MACRO = 200
# A definition of this kind covers every name that begins with its name.
INCLUDING = "inherited-accessors"


class DefinitionForms:
    """Reads the defining forms of one file; whether a macro is the standard's is decided later."""

    def __init__(self, path: str, text: str, lines: TextLines, tokens: Tokens) -> None:
        self._path = path
        self._text = text
        self._lines = lines
        self._tokens = tokens

    def defined(self, form: Form, package: str, *, settled: bool) -> Iterator[DeclaredDefinition]:
        """The definitions that the form makes if its operator is the standard's."""
        maker = form.items[0]
        assert isinstance(maker, Atom)
        token = self._tokens.symbol(maker.text)
        if token is None or len(form.items) < 2:
            return
        silent = _SILENT.get(token.name)
        kind = silent or DEFINED_BY.get(token.name, UNKNOWN)
        for name_node, setter in _names(form.items[1], kind):
            name = self._tokens.symbol(name_node.text)
            if name is None:
                continue
            if kind == "structure":
                yield from self._structure(form, name, package, name_node, settled)
            arglist, variant = (None, "") if setter or silent else self._lambda_list(kind, form.items[2:])
            if setter:
                _, variant = self._lambda_list("method", form.items[2:]) if kind == "method" else (None, "")
            yield DeclaredDefinition(
                name.package or package,
                name.name,
                maker.text,
                f"setf-{kind}" if setter else kind,
                arglist,
                self._place(name_node),
                variant,
                settled,
                is_documented(form),
                package,
                name.colons != 1,
                self._macro_text(form) if token.name == "DEFMACRO" else None,
            )
            if kind == "generic-function":
                yield from self._methods(form, name.package or package, name.name, setter, settled, package)
        if kind in ("class", "condition"):
            yield from self._accessors(form, package, settled)

    def _macro_text(self, form: Form) -> str | None:
        text = self._text[form.start : form.end]
        return text if text.count("\n") < MOST_LINES_OF_MACRO else None

    def _methods(
        self, form: Form, package: str, name: str, setter: bool, settled: bool, within: str
    ) -> Iterator[DeclaredDefinition]:
        """The methods in the options of a generic function."""
        for option in form.items[3:]:
            if not isinstance(option, Form) or len(option.items) < 2 or option.kind != "(":
                continue
            head = option.items[0]
            if isinstance(head, Atom) and head.text.lower() == ":method":
                arglist, variant = self._lambda_list("method", option.items[1:])
                kind = "setf-method" if setter else "method"
                shape = None if setter else arglist
                at = self._place(head)
                yield DeclaredDefinition(
                    package, name, "cl:defgeneric", kind, shape, at, variant, settled, within=within
                )

    def _place(self, node: Node) -> FormPlace:
        return FormPlace(self._path, *self._lines.place(node.start))

    def _lambda_list(self, kind: str, parts: list[Node]) -> tuple[str | None, str]:
        """The text of the lambda list, and for a method its qualifiers and specializers."""
        if kind in _CALLED:
            return (self._source(parts[0]) if parts else None), ""
        if kind != "method":
            return None, ""
        at = next((at for at, node in enumerate(parts) if isinstance(node, Form)), None)
        if at is None:
            return (self._source(parts[0]), "") if parts else (None, "")
        found = parts[at]
        assert isinstance(found, Form)
        specializers = []
        for item in found.items:
            if isinstance(item, Atom) and item.text.startswith("&"):
                break
            specializers.append(_folded(self._source(item)) if isinstance(item, Form) else "t")
        shapes = [one.partition(" ")[2].rstrip(")") if one != "t" else "t" for one in specializers]
        qualifiers = [node.text.lower() for node in parts[:at] if isinstance(node, Atom)]
        return self._source(found), " ".join([*qualifiers, "|", *shapes])

    def _source(self, node: Node) -> str:
        """The text of a node, as the standard reader reads it."""
        text = self._text[node.start : node.end] if isinstance(node, Form) else node.text
        return text if self._tokens.case == UPCASE else with_symbols(text, self._as_standard)

    def _as_standard(self, symbol: str) -> str:
        token = self._tokens.symbol(symbol)
        if token is None:
            return symbol
        name = own_name(token.name, self._tokens.cased)
        return f"{symbol[: symbol.rindex(':') + 1]}{name}" if token.colons else name

    def _made(
        self, name: str, package: str, kind: str, arglist: str | None, at: Node, settled: bool
    ) -> DeclaredDefinition:
        return DeclaredDefinition(
            package, name, "cl:defstruct", kind, arglist, self._place(at), "slot", settled, True
        )

    def _structure(
        self, form: Form, name: SymbolToken, package: str, at: Node, settled: bool
    ) -> Iterator[DeclaredDefinition]:
        """The functions that DEFSTRUCT makes (CLHS defstruct)."""
        options = _options(form.items[1])
        slots = [slot for node in form.items[2:] if (slot := self._slot(node)) is not None]
        keywords = " ".join(printed_name(slot, self._tokens.cased) for slot in slots)
        others = " &allow-other-keys" if ":include" in options else ""
        prefix = f"{name.name}-"
        if (given := options.get(":conc-name")) is not None:
            prefix = self._designated(given[0]) if given else ""
        for constructor in _constructors(form.items[1]) or [[]]:
            called = self._designated(constructor[0]) if constructor else f"MAKE-{name.name}"
            arglist = self._source(constructor[1]) if len(constructor) > 1 else f"(&key {keywords}{others})"
            if called:
                yield self._made(called, package, "function", arglist, at, settled)
        if ":include" in options:  # the slots of the included structure have accessors here too
            yield self._made(prefix, package, INCLUDING, None, at, settled)
        for slot in slots:
            yield self._made(prefix + slot, package, "function", "(structure)", at, settled)
        for option, usual in ((":predicate", f"{name.name}-P"), (":copier", f"COPY-{name.name}")):
            given = options.get(option)
            called = self._designated(given[0]) if given else usual
            if called:
                yield self._made(called, package, "function", "(object)", at, settled)

    def _slot(self, node: Node) -> str | None:
        if isinstance(node, Form):
            node = node.items[0] if node.items else node
        if isinstance(node, Form) or node.text[0] == '"':
            return None
        token = self._tokens.symbol(node.text)
        return token.name if token is not None else None

    def _designated(self, node: Node) -> str:
        """The name that an option gives; empty for NIL."""
        token = self._tokens.symbol(node.text) if isinstance(node, Atom) else None
        if token is None:
            return node.text.strip('"') if isinstance(node, Atom) else ""
        return "" if token.name == "NIL" else token.name

    def _accessors(self, form: Form, package: str, settled: bool) -> Iterator[DeclaredDefinition]:
        """The reader methods that the slots of a class or condition define."""
        slots = form.items[3] if len(form.items) > 3 else None
        for slot in slots.items if isinstance(slots, Form) else []:
            parts = slot.items[1:] if isinstance(slot, Form) else []
            for key, value in zip(parts[::2], parts[1::2], strict=False):
                if isinstance(key, Atom) and isinstance(value, Atom):
                    token = self._tokens.symbol(value.text)
                    if key.text.lower() in (":accessor", ":reader") and token is not None:
                        yield self._made(
                            token.name, token.package or package, "method", "(object)", value, settled
                        )


def _names(node: Node, kind: str) -> list[tuple[Atom, bool]]:
    """The defined name, and whether it names a setf function; for an unknown macro, all candidates."""
    name, operator = defined_name(node)
    if kind == UNKNOWN and isinstance(node, Form) and not operator:
        return [(item, False) for item in node.items if isinstance(item, Atom)]
    return [(name, bool(operator))] if name is not None else []


def _folded(text: str) -> str:
    """A parameter on one line, in lower case unless case may matter: in characters and strings."""
    line = " ".join(text.split())
    return line if _CASED & set(line) else line.lower()


def _parts(node: Node) -> Iterator[list[Node]]:
    """The options of a structure, each a keyword and its arguments."""
    for option in node.items[1:] if isinstance(node, Form) else []:
        parts: list[Node] = option.items if isinstance(option, Form) else [option]
        if parts and isinstance(parts[0], Atom):
            yield parts


def _options(node: Node) -> dict[str, list[Node]]:
    """The options of a structure by their keywords."""
    return {parts[0].text.lower(): parts[1:] for parts in _parts(node) if isinstance(parts[0], Atom)}


def _constructors(node: Node) -> list[list[Node]]:
    """The arguments of each :CONSTRUCTOR option of a structure."""
    return [
        parts[1:]
        for parts in _parts(node)
        if isinstance(parts[0], Atom) and parts[0].text.lower() == ":constructor"
    ]
