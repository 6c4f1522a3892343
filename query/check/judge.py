"""Judges the text of one file: its symbols, then its forms."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from ..index.present.lines import TextLines
from ..syntax.mentions import operators
from ..syntax.names.designators import designated
from ..syntax.nodes import Atom, Form, Node, Toplevel
from ..syntax.reader import read
from ..syntax.texts import PlacedForm
from ..syntax.tokens import KEYWORD, UPCASE, SymbolToken, Tokens
from ..syntax.walk.nodes import AtomNames
from ..syntax.walk.results import Binding
from ..syntax.walk.scope import Table
from .code.judging import Judging
from .code.telling import Judges
from .declare.declarations import Declarations
from .declare.first_reading import entered_within, processed
from .declare.package_forms import DEFINING as DEFINING_PACKAGES
from .declare.standard_names import LISP, STANDARD, Operator, operator_token
from .evidence.definitions import CalledInDefinitions
from .evidence.recorded import CalledForms
from .findings import SourceFinding
from .knowledge import Knowledge
from .memory import FormJudged, FormKey, Memory
from .rules.definitions import undefined_function, unknown_class, unknown_place
from .rules.definitions.undefined import UndefinedRule
from .rules.names import missing_system, unknown_package
from .rules.names.tokens import NO_PACKAGE, STRANGE_PACKAGE, UNREADABLE, TokenRules, Wrong
from .rules.nearest import Nearest
from .rules.table import RULES
from .rules.text.faults import fault_findings
from .rules.walked import WalkFault, WalkRule
from .text.segments import CodeSegment, docstring_segments
from .world.operators import FUNCTION
from .world.packages import WorldPackage, WorldSymbol

_RESULTS = frozenset({"=>", "==>", "->", "-->", "⇒", "→"})
_UNDEFINED = frozenset(name for name, rule in RULES.items() if isinstance(rule, UndefinedRule))
_SHORTEST_SLIP = 4
_FIRST_PACKAGE = "COMMON-LISP-USER"  # in which a file begins
_ENTERING = frozenset({"in-package", "defpackage"})
_MOST_STRANGERS = 2
_MOST_NAMED = 4  # packages whose names are remembered: files of one package come together


class FileCheck:
    """Judges files, one after the other."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._known = knowledge
        self._judges = Judges(
            knowledge.world,
            knowledge.operators,
            knowledge.symbols,
            knowledge.tokens,
            knowledge.expansions,
            self._from_walk,
        )
        self._names: dict[str, AtomNames] = {}
        """What atoms name, by package."""
        self.calls = 0
        """The number of calls judged so far."""
        self._rules = TokenRules(
            knowledge.world,
            knowledge.tokens,
            knowledge.suggestions,
            knowledge.assumed,
            knowledge.unsure,
            knowledge.missing,
        )
        self._nearest = Nearest(knowledge.world, knowledge.operators, knowledge.tokens, knowledge.suggestions)
        self._findings: list[SourceFinding] = []
        self._path = self._text = ""
        self._lines = TextLines("")
        self._offset = 0
        self._package: WorldPackage | None = None
        self._documentation = False
        self._standard = True
        self._heads: set[int] = set()
        """The operators of toplevel forms, and of forms in a toplevel PROGN and the like."""
        self._strangers: set[tuple[str, str]] = set()
        """The packages and names of the operators in ``_heads`` that nothing defines."""
        self._operators: Counter[str] | None = None
        """How often each operator occurs in the text; counted when first needed."""
        self._depends_on_text = False
        """Whether what was found in a form depends on the rest of the text."""
        self._called: CalledForms | CalledInDefinitions | None = None
        """The forms that the compiler called; None in a document."""
        self._loads, self._plain = True, False
        self._shown: set[str] = set()
        """The packages that a document makes or enters itself."""
        self._missing: dict[str, tuple[SourceFinding, int]] = {}
        """The first finding about each package that is missing, and their number."""

    @property
    def symbols(self) -> int:
        """The number of symbols with a package prefix judged so far."""
        return self._rules.judged

    def source(
        self, path: str, text: str, package: str, *, loads: bool = True, plain: bool = False
    ) -> list[SourceFinding]:
        """The findings in a Lisp source that starts in ``package``; ``loads``: the image has loaded it.

        If ``plain``, the index does not know the project: only the syntax and the names of others are judged.
        """
        self._begin(path, text, package, loads=loads, plain=plain)
        read_text = self._known.texts.of(path, text)
        self._called = self._known.definitions or CalledForms(self._known.recorded, path)
        tokens, meanings = self._known.tokens, self._known.meanings
        memory = self._memory(package)
        for one, case in read_text.with_cases(package, meanings, tokens):
            toplevel = one.toplevel
            self._called.enter(toplevel.node, self._package, text)
            if case != UPCASE:  # names are not what they seem: only the package matters
                cased = tokens.in_case(case)
                for form, name in entered_within(toplevel.node, partial(self._operator, tokens=cased), cased):
                    self._entered(form, name)
            elif memory is None or isinstance(self._called, CalledInDefinitions):
                self._judge_source(toplevel)
            else:
                self._remembered(one, memory, self._called.before)
        if memory is not None and self._known.memories is not None:
            self._known.memories.keep(path, memory)
        self._findings += fault_findings(read_text.faults, path, self._lines)
        self._add_uses_of_lost(path, text)
        return self._done()

    def _memory(self, package: str) -> Memory | None:
        """A memory of this file, with what was found before by the same knowledge."""
        known = self._known
        if known.memories is None or known.definitions is not None:
            return None
        circumstances = (package, self._loads, self._plain, known.own, known.asked, known.assumed)
        return known.memories.begin(self._path, (*circumstances, known.unsure, dict(known.missing)))

    def _judge_source(self, toplevel: Toplevel) -> None:
        self._judge(toplevel)
        for definer in toplevel.definers:
            self._documented(definer, self._text)

    def _remembered(self, form: PlacedForm, memory: Memory, before: int) -> None:
        """Judge a toplevel form, unless it is known what is found in it."""
        line, column = self._lines.place(form.start)
        name = self._package.name if self._package is not None else None
        key = FormKey(form.text, name, before, column)
        judged = memory.recall(key)
        if judged is not None:
            memory.forms[key] = judged
            self._findings += [replace(one, line=line + one.line) for one in judged.findings]
            self._strangers |= judged.strangers
            self.calls += judged.calls
            self._rules.judged += judged.symbols
            if judged.package != name:
                self._enter(self._known.world.package(judged.package) if judged.package else None)
            return
        findings, self._findings = self._findings, []
        strangers, self._strangers = self._strangers, set()
        calls, symbols = self.calls, self._rules.judged
        self._depends_on_text = False
        self._judge_source(form.toplevel)
        if not self._depends_on_text:
            memory.forms[key] = FormJudged(
                tuple(replace(one, line=one.line - line) for one in self._findings),
                frozenset(self._strangers),
                self._package.name if self._package is not None else None,
                self.calls - calls,
                self._rules.judged - symbols,
            )
        self._findings = [*findings, *self._findings]
        self._strangers |= strangers

    def document(
        self, path: str, text: str, segments: list[CodeSegment], local: Declarations, *, plain: bool = False
    ) -> list[SourceFinding]:
        """The findings in the code of a document; ``local`` has the definitions in that code."""
        self._begin(path, text, _FIRST_PACKAGE, loads=False, plain=plain)
        self._documentation = True
        self._shown = {*local.packages, *local.entered}
        for segment in segments:
            self._segment(segment, local)
        self._documentation = False
        return self._done()

    def _begin(self, path: str, text: str, package: str, *, loads: bool, plain: bool) -> None:
        self._loads, self._plain = loads, plain
        self._shown = set()
        self._missing.clear()
        self._path, self._text, self._lines, self._offset = path, text, TextLines(text), 0
        self._findings = []
        self._strangers = set()
        self._operators = None
        self._called = None
        self._documentation = False
        self._enter(self._known.world.package(package))

    def _done(self) -> list[SourceFinding]:
        if len(self._strangers) > _MOST_STRANGERS:  # a file of forms for a program that reads them itself
            self._findings = [
                one
                for one in self._findings
                if one.rule != undefined_function.RULE.name or _is_entering(one.written, one.suggestions)
            ]
        for first, count in self._missing.values():
            self._findings.append(replace(first, message=missing_system.counted(first.message, count)))
        # A symbol that its package lacks is not reported as undefined too.
        unread = {(one.line, one.column) for one in self._findings if one.rule in UNREADABLE}
        told = {
            one
            for one in self._findings
            if one.rule not in _UNDEFINED or (one.line, one.column) not in unread
        }
        return sorted(told)

    def _enter(self, package: WorldPackage | None) -> None:
        self._package = package

    # Code

    def _symbol(self, atom: Atom) -> Wrong | None:
        """The verdict on a symbol with a package prefix."""
        judge = self._rules.in_prose if self._documentation else self._rules.symbol
        return judge(atom, self._package)

    def _judge(self, toplevel: Toplevel, shown: Table | None = None) -> None:
        """Judge one toplevel form: first its symbols, as the reader would, then its meaning.

        ``shown`` are the functions that a document defines, where any variable may be bound.
        """
        self._judge_symbols(toplevel)
        node = toplevel.node
        if not toplevel.whole or isinstance(node, Atom):
            return
        tokens = self._known.tokens
        operator = partial(self._operator, tokens=tokens)
        entered = entered_within(node, operator, tokens)
        if not self._plain and not (entered and entered[0][0] is node):
            self._judge_code(toplevel, node, operator, shown)
        for form, name in entered:
            self._entered(form, name)

    def _judge_symbols(self, toplevel: Toplevel) -> None:
        for atom in toplevel.qualified:
            wrong = self._symbol(atom)
            if wrong is not None and (not self._plain or self._rules.is_of_others(atom, self._package)):
                self._found(atom, *wrong)

    def _operator(self, node: Node, tokens: Tokens) -> str:
        """The name of the symbol that heads a list; empty if it only has a name in STANDARD."""
        token = operator_token(node, tokens)
        if token is None:
            return ""
        symbol = self._known.world.symbol(token, self._package) if token.name in STANDARD else None
        return token.name if symbol is None or symbol.home == LISP else ""

    def _judge_code(self, toplevel: Toplevel, node: Form, operator: Operator, shown: Table | None) -> None:
        if operator(node) in DEFINING_PACKAGES:
            for atom, rule, message, near in self._rules.package_form(node, self._package):
                self._found(atom, rule, message, near)
        if self._package is not None:
            self._heads = {id(form.items[0]) for form in processed(node, operator) if form.items}
            self._standard = toplevel.standard
            self._walk(node, self._package.name, shown)

    def _walk(self, node: Form, package: str, shown: Table | None) -> None:
        names = self._names.get(package)
        if names is None:
            if len(self._names) >= _MOST_NAMED:
                self._names.clear()
            names = self._names[package] = AtomNames(package, self._known.symbols, self._known.tokens)
        names.tell(node)
        walk = Judging(package, self._judges)
        if shown is not None:
            walk.functions, walk.open = {**shown}, True
        walk.walk(node)
        self.calls += walk.judged

    def _entered(self, node: Node, name: str) -> None:
        certain = self._known.world.knows_all and name not in self._known.assumed
        unknown = self._known.world.named(name) is None
        if unknown and certain and isinstance(node, Form) and not self._plain:
            wrong = self._rules.package(name)
            self._found(node.items[1], *wrong)
        self._enter(self._known.world.package(name))

    def _add_uses_of_lost(self, path: str, text: str) -> None:
        """Add the uses of definitions that are gone which the walk does not know to be uses."""
        told = {(one.line, one.column) for one in self._findings}
        for use in self._known.lost.of(path, text):
            home = self._known.world.package(use.package)
            found = self._known.world.find(home, use.name) if home is not None else None
            if found is None or self._lines.place(use.start) in told:
                continue
            meaning = self._known.operators.meaning(found[0])
            is_type = use.rule is unknown_class.RULE and meaning.is_type
            if use.rule.is_broken_by(meaning) and not is_type:
                atom = Atom(use.start, use.written)
                fault = self._fault(atom, "", found[0], home)
                self._found(atom, use.rule.name, use.rule.message(fault), use.rule.suggestions(fault))

    # Documentation

    def _documented(self, form: Form, text: str) -> None:
        """Judge the code in the documentation strings of a definition."""
        if text.find("`", form.start, form.end) < 0 and text.find("~~~", form.start, form.end) < 0:
            return
        for atom in _documentation_strings(form):
            for segment in docstring_segments(atom.start, atom.text):
                self._documentation = True
                self._segment(segment, None)
                self._documentation = False

    def _segment(self, segment: CodeSegment, local: Declarations | None) -> None:
        package, self._offset = self._package, segment.start
        forms = list(read(segment.text, self._known.features))
        if segment.inline:
            self._inline(segment, forms)
        else:
            shown = self._functions_in(local)
            skip = False
            for toplevel in forms:
                node = toplevel.node
                if not skip:
                    self._judge(toplevel, shown)
                skip = isinstance(node, Atom) and node.text in _RESULTS
        self._offset = 0
        if local is None:  # a documentation string does not change the package of its file
            self._enter(package)

    def _functions_in(self, local: Declarations | None) -> Table:
        """The functions that a document defines, as if they were local ones."""
        names = {one.name for one in local.definitions} if local is not None else set()
        found = (self._known.world.symbol(SymbolToken(None, 0, name), self._package) for name in names)
        return {symbol: (Binding(0, 0, symbol.name, FUNCTION, 0, 0), 0) for symbol in found if symbol}

    def _inline(self, segment: CodeSegment, forms: list[Toplevel]) -> None:
        """Judge the symbols with a prefix in inline code that is one symbol or one form; skip other code."""
        if len(forms) != 1 or not forms[0].whole or self._package is None:
            return
        node = forms[0].node
        while isinstance(node, Form) and node.kind in ("'", "#'"):
            node = node.items[0]
        if isinstance(node, Atom) and not self._rules.certain(node, self._package):
            return
        for atom in forms[0].qualified:
            wrong = self._symbol(atom)
            # (foo:bar x) in running text is usually just an example of a form
            if wrong is not None and self._rules.certain(atom, self._package):
                self._found(atom, *wrong)

    # Findings

    def _found(self, node: Node, rule: str, message: str, suggestions: tuple[str, ...]) -> None:
        line, column = self._lines.place(self._offset + node.start)
        written = node.text if isinstance(node, Atom) else ""
        length = len(written) or max(1, node.end - node.start if isinstance(node, Form) else 1)
        if self._documentation and rule in NO_PACKAGE and self._is_shown(node):
            return
        if rule == STRANGE_PACKAGE:
            if self._documentation:
                return
            rule = (unknown_package if self._loads else missing_system).RULE.name
            suggestions = ()
        finding = SourceFinding(
            self._path,
            line,
            column,
            rule,
            message,
            length=length,
            written=written,
            suggestions=suggestions,
            prose=self._documentation,
            package=(self._package_named(node) or "") if rule in NO_PACKAGE else "",
        )
        if rule == missing_system.RULE.name:
            self._depends_on_text = True
            first, count = self._missing.get(message, (finding, 0))
            self._missing[message] = first, count + 1
        else:
            self._findings.append(finding)

    def _is_shown(self, node: Node) -> bool:
        """Whether a document itself makes or enters the package that is missing at ``node``."""
        return self._package_named(node) in self._shown

    def _package_named(self, node: Node) -> str | None:
        """The package in the prefix of the symbol ``node``, else the one that it designates."""
        token = self._known.tokens.symbol(node.text) if isinstance(node, Atom) else None
        prefix = token.package if token is not None and token.package != KEYWORD else None
        return prefix or designated(node, self._known.tokens)

    def _from_walk(
        self, rule: WalkRule, node: Node, message: str, symbol: WorldSymbol, doubtful: Form | None
    ) -> None:
        """Add a finding from the walk, if it is certain enough."""
        at_head = id(node) in self._heads and symbol.home not in self._known.asked
        undefined = isinstance(rule, UndefinedRule)
        lost = undefined and self._known.operators.lost_from(symbol) is not None
        judged = not undefined or self._is_judged(rule, symbol)
        # What is judged nowhere else is not worth looking for what it may be meant to be.
        sought = judged or symbol.home == _FIRST_PACKAGE
        stranger = undefined and at_head and not lost and not (sought and self._is_a_slip(node, symbol, rule))
        if stranger and rule is undefined_function.RULE:
            self._strangers.add((symbol.home, symbol.name))
        if doubtful is not None and not self._is_called(doubtful):
            return
        if self._documentation and not self._rules.means_one_thing(symbol):
            return
        if not judged and (self._documentation or not at_head or symbol.home != _FIRST_PACKAGE):
            return
        fault = self._fault(node, message, symbol, self._package)
        near = rule.suggestions(fault)
        # Where a file begins, its forms may be for any program: only a slip of IN-PACKAGE is certain.
        if not judged and not (isinstance(node, Atom) and _is_entering(node.text, near)):
            return
        if doubtful is not None and not near and self._may_be_bound(rule, symbol):
            return
        if stranger:
            return
        self._found(node, rule.name, rule.message(fault), near)

    def _fault(self, node: Node, detail: str, symbol: WorldSymbol, package: WorldPackage | None) -> WalkFault:
        return WalkFault(node, detail, symbol, package, self._known.operators, self._nearest)

    def _may_be_bound(self, rule: WalkRule, symbol: WorldSymbol) -> bool:
        """Whether a macro around a place may bind the operator of the place, which is known nowhere else."""
        return rule is unknown_place.RULE and self._known.operators.meaning(symbol).kind is None

    def _is_judged(self, rule: WalkRule, symbol: WorldSymbol) -> bool:
        """Whether it is a fault that nothing defines what ``symbol`` names."""
        if (
            self._documentation
            or not self._standard
            or not self._known.world.knows_all
            or self._package is None
        ):
            return False
        if symbol.home in self._known.own or self._known.operators.lost_from(symbol) is not None:
            return True
        # How to set what a function of others returns would be known with the function.
        return rule is unknown_place.RULE and self._known.operators.meaning(symbol).kind == FUNCTION

    def _is_called(self, form: Form) -> bool:
        return not self._documentation and self._called is not None and self._called.has(form)

    def _is_a_slip(self, node: Node, symbol: WorldSymbol, rule: WalkRule) -> bool:
        """Whether the operator of a toplevel form is a misspelt name.

        There may be forms for some program that reads them: the name must be long enough, that of no other
        operator in the text, and near that of something that exists.
        """
        self._depends_on_text = True
        if symbol.number is not None or not isinstance(node, Atom) or len(node.text) < _SHORTEST_SLIP:
            return False
        name = node.text.rpartition(":")[2]
        once = self._text.count(name) == 1
        if not once:
            if self._operators is None:
                self._operators = Counter(operators(self._text))
            if self._operators[name] != 1:
                return False
        near = rule.suggestions(self._fault(node, "", symbol, self._package))
        # Of a part of other names, too, the same name in other packages tells nothing.
        return any(once or one.rpartition(":")[2] != name.lower() for one in near)


def _documentation_strings(form: Form) -> list[Atom]:
    """The documentation strings in a defining form."""
    found = [node for node in form.items[2:] if isinstance(node, Atom) and node.text[0] == '"']
    rest: list[Node] = [node for node in form.items[2:] if isinstance(node, Form)]
    while rest:
        node = rest.pop()
        if isinstance(node, Form):
            rest.extend(one for one in node.items if isinstance(one, Form))
            for before, after in zip(node.items, node.items[1:], strict=False):
                keyword = isinstance(before, Atom) and before.text.lower() == ":documentation"
                if keyword and isinstance(after, Atom) and after.text[0] == '"':
                    found.append(after)
    return found


def _is_entering(written: str, near: tuple[str, ...]) -> bool:
    """Whether an operator is meant for the one that enters or makes a package, but for a letter."""
    return any(abs(len(written) - len(name)) < 2 for name in _ENTERING.intersection(near))
