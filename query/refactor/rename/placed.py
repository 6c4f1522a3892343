"""What stands at a place in a text, and the plan of renaming it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...index.written import typed_name
from ...syntax.names.defined import defined_name
from ...syntax.names.meanings import NamedSymbol
from ...syntax.nodes import Atom, Form, Node
from ...syntax.walk.files import WalkedForm
from ...syntax.walk.nodes import FUNCTION, KEYWORD, LIST, QUOTE
from ..errors import RefactorError
from ..plan import EditPlan
from ..project.texts import ProjectText, ProjectTexts
from .local_names import local_at, renamed_local
from .members.initargs import MAKING
from .members.planned import planned_member
from .symbols import renamed_symbol

_APPLYING = ("FUNCALL", "APPLY", "MULTIPLE-VALUE-CALL")
_WITH_SLOTS = ("DEFCLASS", "DEFINE-CONDITION", "DEFSTRUCT")
_DEFINING = ("DEFUN", "DEFMACRO", "DEFGENERIC", "DEFMETHOD", "DEFINE-COMPILER-MACRO")


@dataclass(frozen=True, slots=True)
class RenamablePlace:
    """The extent of a name, without its package, and what plans to give it another one.

    ``plan`` takes the new name, and raises RefactorError.
    """

    start: int
    end: int
    plan: Callable[[str], EditPlan]


def renamable_at(
    project: ProjectTexts, one: ProjectText, offset: int, *, docs: bool = False
) -> RenamablePlace:
    """What stands at an offset of a text: a local name, a keyword argument, an initarg, a slot or a symbol.

    Raises RefactorError if nothing is there that can get another name.
    """
    found = local_at(one, offset)
    form = one.form_at(offset)
    atom, around = _at(form.toplevel.node, offset) if form is not None else (None, [])
    if atom is None or form is None:
        raise RefactorError("there is no name at this place")

    def local(new: str) -> EditPlan:
        plan = renamed_local(project, one, offset, new)
        assert plan is not None
        return plan

    if found is not None:
        return RenamablePlace(atom.start, atom.end, local)
    start = atom.start + atom.text.rfind(":") + 1
    if atom.kind == KEYWORD:
        owner = _owner_of_keyword(around, atom)
        return RenamablePlace(start, atom.end, _member(project, owner, atom, is_keyword=True))
    if atom.start in form.walked.slots and (owner := _class_around(around)) is not None:
        return RenamablePlace(start, atom.end, _member(project, owner, atom, is_keyword=False))
    return RenamablePlace(start, atom.end, _symbol(project, form, atom, docs=docs))


def _member(
    project: ProjectTexts, owner: NamedSymbol | None, atom: Atom, *, is_keyword: bool
) -> Callable[[str], EditPlan]:
    def plan(new: str) -> EditPlan:
        if owner is None or owner.number is None:
            raise RefactorError(f"{atom.text} can be renamed only in a call or where it is defined")
        return planned_member(project, owner, atom.name or "", new, is_keyword=is_keyword)

    return plan


def _symbol(project: ProjectTexts, form: WalkedForm, atom: Atom, *, docs: bool) -> Callable[[str], EditPlan]:
    def plan(new: str) -> EditPlan:
        symbol = atom.value
        if symbol is None and atom.name is not None:
            symbol = next((one.symbol for one in form.walked.occurrences if one.start == atom.start), None)
        if symbol is None or symbol.number is None:
            raise RefactorError(
                f"the index does not have {atom.text} yet: save the file, and build the index"
            )
        typed = typed_name(symbol.name, symbol.package or "", project.index.upcase, external=False)
        return renamed_symbol(project, typed, new, "CL-USER", docs=docs)

    return plan


def _at(node: Node, offset: int) -> tuple[Atom | None, list[Form]]:
    """The atom at an offset, and the forms around it, from the outermost."""
    around: list[Form] = []
    while isinstance(node, Form):
        around.append(node)
        inside = [one for one in node.items if one.start <= offset <= one.end]
        if not inside:
            return None, around
        # Between two, the one that begins there.
        node = inside[-1]
    return node, around


def _owner_of_keyword(around: Sequence[Form], atom: Atom) -> NamedSymbol | None:
    """The function or class that a keyword is an argument or initarg of."""
    form = around[-1]
    before = form.items[form.items.index(atom) - 1] if atom in form.items[1:] else None
    if before is not None and before.word == ":INITARG":
        return _class_around(around)
    head = form.items[0]
    if head.word == ":DEFAULT-INITARGS":
        return _class_around(around)
    if head is atom:
        return _defined_around(around)
    if head.word in MAKING:
        at = MAKING[head.word]
        return _quoted(form.items[at]) if len(form.items) > at else None
    if head.word in _APPLYING and len(form.items) > 1:
        made = form.items[1].items[0].word if form.items[1].kind in (FUNCTION, QUOTE) else ""
        return _quoted(form.items[MAKING[made] + 1]) if made in MAKING else _quoted(form.items[1])
    return _named(head)


def _class_around(around: Sequence[Form]) -> NamedSymbol | None:
    return _defined(around, _WITH_SLOTS)


def _defined_around(around: Sequence[Form]) -> NamedSymbol | None:
    return _defined(around, _DEFINING)


def _defined(around: Sequence[Form], operators: Sequence[str]) -> NamedSymbol | None:
    """What the innermost form of some operators defines."""
    for form in reversed(around):
        if form.kind == LIST and len(form.items) > 1 and form.items[0].word in operators:
            return _named(defined_name(form.items[1], told=True)[0])
    return None


def _quoted(node: Node) -> NamedSymbol | None:
    return _named(node.items[0]) if node.kind in (FUNCTION, QUOTE) and node.items else None


def _named(node: Node | None) -> NamedSymbol | None:
    symbol = node.value if node is not None else None
    return NamedSymbol(symbol.package, symbol.name, symbol.number) if symbol is not None else None
