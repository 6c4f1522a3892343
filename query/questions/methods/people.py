"""The answer of methods for people at a terminal; pure."""

from __future__ import annotations

from collections.abc import Iterator

from ...index.sentence import first_sentence
from ...syntax.printed import bare_standard
from ..styled import Line, fact, faint, joined, kind, line, listed, name, rest
from ..view import View
from .answer import MethodsAnswer, ReachedMethod
from .text import number_of


def methods_people(answer: MethodsAnswer, view: View) -> Iterator[Line]:
    """The call, then the methods that it reaches."""
    on = "" if answer.on is None else f" on ({' '.join(map(bare_standard, answer.on))})"
    yield Line(joined(name(answer.written), f"{on}: {number_of(answer)}"))
    if answer.arglist is not None:
        yield fact("Arglist", view.lambda_list(answer.arglist))
    if len(answer.argument_precedence) > 1:
        yield fact("Decided by", listed(view.lisp(one) for one in answer.argument_precedence))
    yield from (_method(one, view) for one in answer.methods)
    yield from rest(answer.methods, answer.total, answer.offset)


def _method(one: ReachedMethod, view: View) -> Line:
    qualifiers = f" {view.lisp(one.qualifiers)}" if one.role == "primary" and one.qualifiers else ""
    heading = joined(kind(one.role), f"{qualifiers} {view.lisp(one.specializers or '()')}")
    about = faint(first_sentence(one.documentation) or "")
    return line(heading, "if EQL" if one.possibly else "", view.at(one), about, indent=2, hang=4)
