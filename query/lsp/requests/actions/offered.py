"""Which code actions there are at a place, by the kinds that a client asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from lsprotocol.types import (
    CodeAction,
    CodeActionContext,
    CodeActionKind,
    CodeActionTriggerKind,
    Diagnostic,
    Range,
)

from ....refactor.errors import RefactorError
from ..asked import Asked
from .corrections import fix_all, quick_fixes
from .findings import fixes_of
from .forms import form_actions
from .names import name_actions
from .tidying import expanded_package, tidied_package

KINDS = (
    CodeActionKind.QuickFix,
    CodeActionKind.RefactorRewrite,
    CodeActionKind.SourceOrganizeImports,
    CodeActionKind.SourceFixAll,
)


_ON_REQUEST: tuple[tuple[CodeActionKind, Callable[[Asked, int, int], Iterator[CodeAction]]], ...] = (
    (CodeActionKind.RefactorRewrite, name_actions),
    (CodeActionKind.RefactorRewrite, expanded_package),
    (CodeActionKind.RefactorRewrite, form_actions),
    (CodeActionKind.SourceOrganizeImports, tidied_package),
)


def code_actions(asked: Asked, range_: Range, context: CodeActionContext) -> list[CodeAction]:
    """The actions for a range of a document, but for those that need all of its diagnostics.

    A client that asks on its own, whenever the place changes, gets only corrections: the other actions may
    require reading other files.
    """
    document, only = asked.document, context.only
    found: list[CodeAction] = []
    if wanted(CodeActionKind.QuickFix, only):
        found += quick_fixes(document, context.diagnostics)
        found += _possible(fixes_of(asked, context.diagnostics))
    if context.trigger_kind == CodeActionTriggerKind.Automatic and only is None:
        return found
    start, end = (document.lines.offset(at) for at in (range_.start, range_.end))
    for kind, offered in _ON_REQUEST:
        if wanted(kind, only):
            told = {one.title for one in found}
            found += (one for one in _possible(offered(asked, start, end)) if one.title not in told)
    return found


def _possible(actions: Iterator[CodeAction]) -> Iterator[CodeAction]:
    """Yield actions up to one that needs a file of the project that cannot be read."""
    with suppress(RefactorError):
        yield from actions


def all_fixed(asked: Asked, found: Sequence[Diagnostic]) -> list[CodeAction]:
    """The action that makes all certain corrections, if there are any."""
    action = fix_all(asked.document, found)
    return [action] if action is not None else []


def wants_all_fixed(context: CodeActionContext) -> bool:
    """Whether the client wants the action that makes all certain corrections."""
    return wanted(CodeActionKind.SourceFixAll, context.only)


def wanted(kind: CodeActionKind, only: Sequence[CodeActionKind | str] | None) -> bool:
    """Whether a client wants actions of a kind: of any, or of this one, or of one that it is a part of."""
    return only is None or any(f"{kind.value}.".startswith(f"{_text(one)}.") for one in only)


def _text(kind: CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, CodeActionKind) else kind
