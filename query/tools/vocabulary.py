"""The tool protocol: tools, their parameters and their replies.

Other packages add tools through the entry point group ``oblist.tools``: each entry point names a Tool,
several of them, or a function without arguments that returns them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..asking import ANSWER_SECONDS
from ..errors import replaced_meanwhile

SAFE, CAUTIOUS, DANGEROUS = "safe", "cautious", "dangerous"
LEVELS = (SAFE, CAUTIOUS, DANGEROUS)
TYPES = ("string", "boolean", "number", "object", "array")
_MOST_WORDS = 500

Handler = Callable[[Mapping[str, Any]], Any]


class ToolError(ValueError):
    """A tool cannot be registered; the text names it, and says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a tool.

    ``type`` is one of TYPES; with ``or_array``, a string parameter also accepts a list of strings. A number
    must be whole if ``whole`` is set, and at least ``minimum``. ``choices`` are the allowed values, which the
    handler checks itself if ``handler_checks_choices`` is set. ``longest`` bounds the characters of a string,
    or of all strings in a list. A call without it takes its ``default``, unless that is None
    or the handler applies it itself. One that is not ``listed`` can be given all the same: answers name it
    when it matters. People read ``documentation`` where it says more than the ``description``, which is short
    because a model pays for it in every conversation.
    """

    name: str
    type: str
    description: str
    choices: Sequence[str] = ()
    handler_checks_choices: bool = False
    whole: bool = False
    minimum: float | None = None
    default: Any = None
    handler_applies_default: bool = False
    or_array: bool = False
    longest: int | None = None
    listed: bool = True
    documentation: str = ""


RELEASE = Parameter(
    "release",
    "string",
    "In the catalog.",
    longest=200,
    documentation="Answer from the index of this release, such as alexandria@1.0.1, in the catalog.",
)
"""The parameter that makes a tool answer from the index of a release; the executor opens that index."""
SEEN_FROM = Parameter(
    "seen_from",
    "string",
    "Write names as there.",
    longest=200,
    documentation="Write names as code in this package would.",
)
"""The parameter by which a tool writes names for a package; the executor tells the index."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A handler's answer as a text for the reader and as an object.

    ``structured`` is a dataclass or a mapping; ``notes`` are further remarks, one sentence each. The object
    is sent to clients that asked for such objects, and to all if ``always`` is set.
    """

    text: str
    structured: Any
    notes: Sequence[str] = ()
    always: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a call would write: the handler's answer before a person has approved that.

    ``shown`` is all of it; ``digest`` is another one for any other change. ``carry_out`` does exactly that,
    or fails; it returns what a handler does.
    """

    shown: str
    digest: str
    carry_out: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its name, its parameters, its safety level, and its handler.

    ``handler`` takes one mapping, the arguments, and returns text, a list, a mapping, None, a Reply,
    or a pair of a result and an error message, one of them None; it may raise. ``find_parameters``,
    ``find_required`` and ``find_answers`` return the ``parameters``, the names of those that are required,
    and the ``answers``. A call may take ``seconds``. A ``short`` tool only asks the index, usually in less
    than a millisecond; if it would take longer, it is called again in a thread. One that is not ``listed``
    can be called all the same. ``instead`` says what to do if it is not allowed. ``dangerous_with`` is the
    switch that makes calls of a safe tool dangerous: its handler then returns a Proposal.
    """

    name: str
    description: str
    find_parameters: Callable[[], Sequence[Parameter]]
    find_required: Callable[[], Sequence[str]]
    safety_level: str
    categories: Sequence[str]
    handler: Handler
    title: str
    find_answers: Callable[[], Sequence[type]]
    seconds: float
    short: bool
    listed: bool = True
    instead: str = ""
    dangerous_with: str = ""

    def level(self, arguments: Mapping[str, Any]) -> str:
        """The safety level of a call."""
        return DANGEROUS if self.dangerous_with and arguments.get(self.dangerous_with) else self.safety_level

    def offered(self, *, dangerous: bool) -> Tool:
        """The tool as it is listed where dangerous calls are allowed, or not: without the switch then."""
        if not self.dangerous_with:
            return self
        if dangerous:
            return replace(self, safety_level=DANGEROUS)
        own = tuple(one for one in self.parameters if one.name != self.dangerous_with)
        return replace(self, find_parameters=lambda: own)

    @property
    def parameters(self) -> Sequence[Parameter]:
        """The parameters, in the order in which they are shown."""
        return self.find_parameters()

    @property
    def required(self) -> Sequence[str]:
        """The names of the parameters that a call must have."""
        return self.find_required()

    @property
    def answers(self) -> Sequence[type]:
        """The dataclasses that its structured content can be."""
        return tuple(self.find_answers())


def define_tool(
    name: str,
    description: str,
    parameters: Sequence[Parameter | Mapping[str, Any]] | Callable[[], Sequence[Parameter]],
    *,
    required: Sequence[str] | Callable[[], Sequence[str]] = (),
    safety_level: str = SAFE,
    categories: Sequence[str] = (),
    handler: Handler,
    title: str = "",
    answers: Sequence[type] | Callable[[], Sequence[type]] = (),
    seconds: float = ANSWER_SECONDS,
    short: bool = False,
    listed: bool = True,
    instead: str = "",
    dangerous_with: str = "",
) -> Tool:
    """Make a tool; it is checked when it is registered.

    ``parameters`` are Parameters or mappings with their fields; ``title`` is the name that people see.
    ``answers`` are the dataclasses that its structured content can be. Parameters, answers and the names of
    the ``required`` parameters may come from functions, which import what they need.
    """
    given = answers if callable(answers) else tuple(answers)
    needed = tuple(required) if isinstance(required, list | tuple) else required
    made = parameters if callable(parameters) else _parameters(parameters)
    return Tool(
        name=name,
        description=description,
        find_parameters=made if callable(made) else lambda: made,
        find_required=needed if callable(needed) else lambda: needed,
        safety_level=safety_level,
        categories=tuple(categories),
        handler=handler,
        title=title or str(name).replace("_", " ").capitalize(),
        find_answers=given if callable(given) else lambda: given,
        seconds=seconds,
        short=short,
        listed=listed,
        instead=instead,
        dangerous_with=dangerous_with,
    )


def _parameters(given: Sequence[Parameter | Mapping[str, Any]]) -> Sequence[Parameter]:
    return tuple(one if isinstance(one, Parameter) else Parameter(**one) for one in given)


def error_words(error: BaseException) -> str:
    """The type and message of an exception, on one line; other packages' exceptions may have no message."""
    if said := replaced_meanwhile(error):
        return said
    try:
        said = " ".join(str(error).split())[:_MOST_WORDS]
    except Exception:  # noqa: BLE001 - its own __str__ fails
        said = "(no message)"
    return f"{type(error).__name__}: {said}"
