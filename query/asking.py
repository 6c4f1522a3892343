"""Questions as methods, whose arguments are the questions' parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, Generic, ParamSpec, TypeVar, cast

from .imported import imported
from .index.parameters import MOST_WHOLE, ParameterError, Parameters, declared
from .index.reading import Reading

ANSWER_SECONDS = 10.0
"""How long an answer may take, by default: of a tool, a command and a page."""
_P = ParamSpec("_P")
_Answer = TypeVar("_Answer")


class Asking:
    """Whatever answers questions: an index, several as one, a catalog."""

    def ask(self, parameters: Parameters[_Answer]) -> _Answer:
        """The answer to the question with these parameters."""
        raise NotImplementedError

    def limit(self, seconds: float) -> None:
        """Let each question take ``seconds`` at most, from now on; LateAnswerError is raised after that."""
        raise NotImplementedError


class Method(Generic[_P, _Answer]):
    """A question as a method; the class of its parameters is imported when it is first asked."""

    def __init__(self, kind: Callable[_P, Parameters[_Answer]]) -> None:
        """``kind`` is that class; a method that is given by its path is made by ``with_methods``."""
        self._path = cast(str, kind)

    def __set_name__(self, owner: type, name: str) -> None:
        """Note where the method is."""
        self._owner, self._name = owner, name

    def __get__(self, asking: Asking | None, owner: type) -> Callable[_P, _Answer]:
        """The method itself, which takes the place of this object."""
        method = _method(self._name, parameters_class(self._path))
        setattr(self._owner, self._name, method)
        return cast("Callable[_P, _Answer]", getattr(owner if asking is None else asking, self._name))


def _method(name: str, kind: type[Parameters[Any]]) -> Any:
    def method(self: Asking, *arguments: Any, **named: Any) -> Any:
        return self.ask(kind(*arguments, **named))

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    signature = inspect.signature(kind)
    method.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])  # type: ignore[attr-defined]
    method.__name__, method.__doc__ = name, documentation(kind)
    return method


def documentation(kind: type[Parameters[Any]]) -> str:
    """What a question answers, and a line for each of its parameters."""
    lines = [inspect.cleandoc(kind.__doc__ or ""), ""]
    lines += [f"{one.name}: {declared(one).text}" for one in fields(cast(Any, kind))]
    return "\n".join(lines)


def answered(parameters: Parameters[_Answer], readings: Sequence[Reading]) -> _Answer:
    """The answer of one index, or of several together, to the question with these parameters.

    Raises ParameterError for parameters that contradict each other or their choices, and for several indexes
    if only one can be asked.
    """
    kind: Any = type(parameters)
    _refuse_unknown_choices(parameters)
    _refuse_numbers(parameters)
    parameters.refuse_contradictions()
    if kind.answered_by and len(readings) == 1:
        return cast(_Answer, beside(kind, kind.answered_by)(readings[0], parameters))
    if not kind.merged_by:
        raise ParameterError(f"{kind.what} takes a single index, and no catalog.")
    return cast(_Answer, beside(kind, kind.merged_by)(readings, parameters))


def beside(kind: type[Parameters[Any]], path: str) -> Callable[..., Any]:
    """The function at ``path``, such as ``ask:describe``, whose module is beside that of ``kind``."""
    return _function(kind.__module__.rpartition(".")[0], path)


@cache
def _function(package: str, path: str) -> Callable[..., Any]:
    found: Callable[..., Any] = imported(f".{path}", package)
    return found


@cache
def parameters_class(path: str) -> type[Parameters[Any]]:
    """The class of parameters at ``path``: a module within this package, and a name."""
    found: type[Parameters[Any]] = imported(f".{path}", __package__ or "")
    return found


def with_methods(questions: Mapping[str, str]) -> Callable[[type[_Answer]], type[_Answer]]:
    """Give a class its ``questions``: the paths of the classes of their parameters, by the method's name."""

    def decorated(owner: type[_Answer]) -> type[_Answer]:
        for name, path in questions.items():
            method = Method[Any, Any](cast(Any, path))
            method.__set_name__(owner, name)
            setattr(owner, name, method)
        return owner

    return decorated


@cache
def _chosen(kind: type) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The parameters that have choices, with these."""
    found = ((one.name, declared(one)) for one in fields(kind))
    return tuple((name, tuple(of.choices)) for name, of in found if of.choices and of.checked)


@cache
def _numbers(kind: type) -> tuple[tuple[str, int | None], ...]:
    """The parameters that are numbers, with the smallest that is allowed."""
    return tuple((one.name, declared(one).minimum) for one in fields(kind) if "int" in str(one.type))


def _refuse_numbers(parameters: Parameters[Any]) -> None:
    """Raise ParameterError for a number that is too small, or larger than anything in an index."""
    for name, least in _numbers(cast(Any, type(parameters))):
        value = getattr(parameters, name)
        if value is None:
            continue
        if value > MOST_WHOLE:
            raise ParameterError(f"{{{name}}} must be at most {{most}}", most=MOST_WHOLE)
        if least is not None and value < least:
            template = f"{{{name}}} must be at least {{least}}, not {{value}}"
            raise ParameterError(template, least=least, value=value)


def _refuse_unknown_choices(parameters: Parameters[Any]) -> None:
    """Raise ParameterError for a value that is not among the choices of its parameter."""
    for name, choices in _chosen(cast(Any, type(parameters))):
        value = getattr(parameters, name)
        if value is not None and value not in choices:
            template = f"{{{name}}} must be one of {{choices}}, not {{value!r}}"
            raise ParameterError(template, choices=", ".join(choices), value=value)
