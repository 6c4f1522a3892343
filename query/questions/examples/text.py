"""The answer of examples as text; pure."""

from __future__ import annotations

from ...index.shown import counted, for_terminal, shown_name
from .answer import ExamplesAnswer


def examples_text(answer: ExamplesAnswer) -> str:
    """Return a heading, then each example below the place that it is from."""
    if answer.reason:
        return f"{shown_name(answer.written)}: no examples\n{shown_name(answer.reason)}"
    count = len(answer.examples)
    uses = counted(answer.total, "use")
    lines = [f"{shown_name(answer.written)}: {count} of {uses}"]
    for example in answer.examples:
        place = f"{shown_name(example.path or 'place unknown')}:{example.line}"
        lines += ["", f"{place}  in {shown_name(example.caller)}"]
        lines += [f"  {for_terminal(line)}" for line in (example.context or example.form).split("\n")]
    return "\n".join(lines)
