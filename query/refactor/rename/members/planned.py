"""The plan of renaming what belongs to a function or a class: a keyword argument, an initarg, a slot."""

from __future__ import annotations

from ....index.finding.resolve import resolve
from ....index.not_found import NotFound
from ....syntax.names.meanings import NamedSymbol
from ...errors import not_found_error
from ...plan import EditPlan
from ...project.texts import ProjectTexts
from .. import sql
from ..free import new_name, refuse_unless_defined_here, refuse_unless_ours
from .initargs import planned_initarg
from .keywords import planned_keyword
from .slots import planned_slot, slot_of


def renamed_member(project: ProjectTexts, old: str, new: str, owner: str, package: str) -> EditPlan:
    """The plan of renaming a slot of the class that is named in a package, or a ``:keyword``.

    A keyword is an initarg of the class, or an argument of the function. Raises RefactorError.
    """
    found = resolve(project.index, owner, package)
    if isinstance(found, NotFound):
        raise not_found_error(found)
    symbol = NamedSymbol(found.home, found.name, found.symbol)
    exact = new_name(project, old.removeprefix(":"))
    return planned_member(project, symbol, exact, new, is_keyword=old.startswith(":"))


def planned_member(
    project: ProjectTexts, owner: NamedSymbol, old: str, new: str, *, is_keyword: bool
) -> EditPlan:
    """The same for a function or class itself, and an exact old name.

    A structure's accessors of the slot and the keywords of its constructors go together; the accessors of
    other classes stay as they are.
    """
    exact = new_name(project, new.removeprefix(":") if is_keyword else new)
    refuse_unless_ours(project, owner, owner.package or "")
    refuse_unless_defined_here(project, owner)
    if not is_keyword:
        return planned_slot(project, slot_of(project, owner, old), exact)
    for (structure,) in project.index.rows(sql.CONSTRUCTED_BY, symbol=owner.number):
        return planned_slot(project, slot_of(project, owner._replace(number=structure), old), exact)
    plan = planned_initarg(project, owner, old, exact)
    return plan if plan is not None else planned_keyword(project, owner, old, exact)
