"""All targets of the fuzzer."""

from __future__ import annotations

from fuzz.targets import (
    edits,
    forms,
    messages,
    names,
    questions,
    reading,
    records,
    requests,
    settings,
    streams,
    tools,
)

TARGETS = [
    module.TARGET
    for module in (
        records,
        streams,
        reading,
        forms,
        names,
        questions,
        tools,
        messages,
        requests,
        settings,
        edits,
    )
]
