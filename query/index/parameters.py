"""The parameters of a question, each declared once.

A question has a class of its parameters, a frozen dataclass whose fields are declared here. Its command, its
tool, its method of the Python API, its lines in a batch and their documentation derive from that class, and
none of them spells a default, a choice or a limit of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

Answer = TypeVar("Answer")

PACKAGE = "CL-USER"
"""The package in which a name is looked up by default."""
LONGEST = 1_000
"""The most characters of a name: negative answers repeat it."""
LONGEST_TEXT = 1_000_000
"""The most characters of a text that is read as Lisp."""
MOST_WHOLE = 2**53 - 1
"""The largest number: every reader of JSON keeps it exact."""
PEOPLES_LIMIT = 200
"""The most items that a terminal shows of a list that a pipe gets whole."""


class Declared(NamedTuple):
    """What is known of a parameter beyond its name, type and default, which are the field's.

    ``text`` is its documentation, also in a command's help; models read ``tool``, where each word is paid for
    in every conversation. ``choices`` are its values; unless ``checked`` is set, a wrong one has an answer.
    ``minimum`` and ``maximum`` bound numbers, ``longest`` the characters of texts. ``flags`` are its option
    names, ``metavar`` stands for its value; an ``argument`` has no option name, and may be made of ``many``
    words. A command takes ``command`` if nothing is given, on a terminal ``terminal``, and a tool
    ``tool_default``; unless these are given, the field's default holds. ``tool_name`` is what a tool calls
    it, where a protocol fixes that; the empty name keeps it out of tools. The form of a page has those with a
    ``label``.
    """

    text: str
    tool: str
    choices: Sequence[str] = ()
    checked: bool = True
    minimum: int | None = None
    maximum: int | None = None
    longest: int | None = LONGEST
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    argument: bool = False
    many: bool = False
    command: Any = MISSING
    terminal: Any = MISSING
    tool_default: Any = MISSING
    tool_name: str | None = None
    label: str = ""


def parameter(text: str, *, default: Any = MISSING, tool: str | None = None, **further: Any) -> Any:
    """Declare a parameter as a field of its question's class; ``further`` are fields of Declared."""
    declared = Declared(text, text if tool is None else tool, **further)
    return field(default=default, metadata={"declared": declared})


def name_parameter(
    text: str = "As typed in Lisp: mapcar, alexandria::flatten, (setf gethash).", tool: str | None = None
) -> Any:
    """Declare the name that a question is about."""
    told = tool or text.replace("in Lisp: mapcar, alexandria::flatten, (setf gethash)", "a::b, (setf c)")
    return parameter(text, tool=told, argument=True)


def package_parameter(
    text: str = "The package in which the name is looked up.", tool: str = "To read it in.", **further: Any
) -> Any:
    """Declare the package that a name is looked up in."""
    return parameter(text, default=PACKAGE, tool=tool, flags=("-p", "--package"), **further)


def limit_parameter(items: str, *, default: int = 0, text: str = "", **further: Any) -> Any:
    """Declare the most ``items`` of a list to answer with, 0 for all."""
    text = text or f"Show at most N {items}; 0 for all."
    return parameter(text, default=default, tool="At most N; 0 for all.", minimum=0, **further)


def offset_parameter() -> Any:
    """Declare the number of items of a list that are skipped."""
    return parameter("Skip the first N.", default=0, tool="Skip the first N.", minimum=0)


class Parameters(Generic[Answer]):
    """The parameters of a question; each question has a subclass.

    ``answered_by`` is the function that answers from one index, as ``ask:describe``: a module beside that of
    the class, and a name. ``merged_by`` answers from several indexes, and a catalog, which is the last, if it
    is asked too; the empty string says that only one can be asked, and ``what`` says of what.

    A command that only asks the question and prints the answer is made from the rest: ``text_by`` is the
    function that makes the text of an answer, and ``people_by`` what a terminal shows instead, if there is
    such a function; each with the names of the parameters that it also gets. Where the field ``counted`` of
    an answer is 0, the command ends with 1. ``seen_from`` is whether names in the answer can be written for a
    package, ``of_catalog`` whether a catalog is asked instead of an index.
    """

    __slots__ = ()
    answered_by: ClassVar[str] = ""
    merged_by: ClassVar[str] = ""
    what: ClassVar[str] = "This"
    text_by: ClassVar[tuple[str, ...]] = ()
    people_by: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[str] = ""
    seen_from: ClassVar[bool] = True
    of_catalog: ClassVar[bool] = False
    command_help: ClassVar[str] = ""

    def refuse_contradictions(self) -> None:
        """Raise ParameterError for parameters that do not go together."""


class ParameterError(ValueError):
    """Parameters contradict each other.

    ``template`` has the names of parameters in braces: each surface writes them in its way.
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values
        super().__init__(self.told(str))

    def told(self, written: Callable[[str], str]) -> str:
        """The message with each parameter's name as ``written`` gives it."""
        return self.template.format_map(_Written(written, self.values))


class _Written(dict[str, object]):
    """Values by name; other names are those of parameters."""

    def __init__(self, written: Callable[[str], str], values: Mapping[str, object]) -> None:
        super().__init__(values)
        self._written = written

    def __missing__(self, name: str) -> str:
        return self._written(name)


def declared(one: Field[Any]) -> Declared:
    """What is declared of a field."""
    found: Declared = one.metadata["declared"]
    return found


def declarations(kind: type) -> dict[str, tuple[Field[Any], Declared]]:
    """The fields of a class of parameters, by name, each with its declaration."""
    return {one.name: (one, declared(one)) for one in fields(kind)}
