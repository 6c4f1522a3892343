"""The answer of check_form as text for people; pure."""

from __future__ import annotations

from ...index.shown import counted, shown_name
from ...questions.paging import rest_line
from .answer import FormCheckAnswer, FormFinding


def form_text(answer: FormCheckAnswer, more: str = "--offset {offset}") -> str:
    """The numbers of errors and warnings, then a line for each finding, as compilers write it.

    If a limit cut the list, a last line says how many more there are; ``more`` says how to get them, with
    ``{offset}`` for the next offset.
    """
    lines = [_heading(answer)]
    if answer.findings:
        lines += ["", *(_line(answer.path, one) for one in answer.findings)]
    if rest := rest_line(answer.findings, answer.total, answer.offset, more):
        lines += ["", *rest]
    return "\n".join(lines)


def _heading(answer: FormCheckAnswer) -> str:
    where = f"{shown_name(answer.path)}, read in {shown_name(answer.package)}"
    if answer.not_checked is not None:
        return f"Not checked: {where}: {answer.not_checked}"
    if not answer.total:
        calls, symbols = counted(answer.calls, "call"), counted(answer.symbols, "symbol")
        return f"No findings in {where} (checked: {calls} and {symbols} with a package prefix)"
    others = answer.total - answer.errors - answer.warnings
    counts = ((answer.errors, "error"), (answer.warnings, "warning"), (others, "remark"))
    return f"{', '.join(counted(number, noun) for number, noun in counts if number)} in {where}"


def _line(path: str, one: FormFinding) -> str:
    place = f"{shown_name(path)}:{one.line}:{one.column}"
    return f"{place}: {one.severity}[{one.rule}] {shown_name(one.message)}"
