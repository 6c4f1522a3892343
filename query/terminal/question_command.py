"""Commands made from the parameters of their questions; some need nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field
from functools import partial
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..api import Index
from ..asking import Asking, beside
from ..index.parameters import Declared, ParameterError, Parameters, declarations
from .exit_codes import EXIT_NOT_FOUND
from .opening import opened, opened_all
from .options import SEEN_FROM, answer_options, refuse_unless_one, seen_from_option, several_options
from .printing import finish, on_terminal, say_notes
from .time_limit import answer_seconds

if TYPE_CHECKING:
    from ..questions.view import View

_Asked = TypeVar("_Asked", bound=Parameters[Any])
_Answer = TypeVar("_Answer")
_Command = Callable[..., None]
_Known = tuple[Field[Any], Declared]


def command_of(kind: type[Parameters[Any]], name: str) -> click.Command:
    """The command ``name`` that asks a question and prints the answer, and does nothing else."""

    def of_index(asked: Parameters[Any], path: str | None, as_json: bool) -> None:
        with opened(path) as index:
            _print(index, asked, as_json)

    def of_several(asked: Parameters[Any], paths: tuple[str, ...], as_json: bool) -> None:
        with opened_all(paths) as index:
            _print(index, asked, as_json)

    def of_catalog(asked: Parameters[Any], path: str | None, as_json: bool) -> None:
        from .catalogs import opened_catalog

        with opened_catalog(path) as catalog:
            _print(catalog, asked, as_json)

    if kind.of_catalog:
        from .catalogs import catalog_options

        return asks(kind, name=name, options=catalog_options)(of_catalog)
    if kind.merged_by:
        return asks_several(kind, name=name)(of_several)
    return asks(kind, name=name)(of_index)


def _print(asking: Any, asked: Parameters[Any], as_json: bool) -> None:
    """Ask, print the answer, and end the command with its exit code."""
    answer = ask(asking, asked)
    people, name = asked.people_by, getattr(asked, "name", "")
    shown = partial(_shown, asked, people) if people else None
    index = asking if people else None
    finish(answer, as_json, partial(_shown, asked, asked.text_by), shown, asked=name, index=index)
    say_notes([answer])
    if asked.counted and not getattr(answer, asked.counted):
        sys.exit(EXIT_NOT_FOUND)


def _shown(asked: Parameters[Any], by: tuple[str, ...], answer: object, *view: View) -> Any:
    """What a function makes of an answer: ``by`` has its path, and the parameters that it also gets."""
    path, *names = by
    return beside(type(asked), path)(answer, *view, **{one: getattr(asked, one) for one in names})


def asks(
    *kinds: type[_Asked],
    name: str | None = None,
    choose: Callable[[Mapping[str, Any]], type[_Asked]] | None = None,
    options: Callable[[_Command], _Command] = answer_options,
    batch: bool = False,
    many: bool = False,
) -> Callable[[_Command], click.Command]:
    """Make a function a command that asks a question.

    The function gets the parameters of the question, and the values of its own options and of the common
    ``options``. Of several ``kinds``, ``choose`` tells which one the given parameters ask. With a ``batch``,
    the name may be left out, and with ``many`` names, the function gets them as ``names``: the parameters
    have an empty one.
    """
    known: dict[str, list[_Known]] = {}
    for kind in kinds:
        for field, of in declarations(kind).items():
            known.setdefault(field, []).append(of)

    def made(given: Mapping[str, Any]) -> _Asked:
        kind = choose(given) if choose is not None else kinds[0]
        own = declarations(kind)
        return kind(**{one: value for one, value in given.items() if one in own})

    def decorated(function: _Command) -> click.Command:
        def run(**values: Any) -> None:
            given = {one: values.pop(one) for one in known}
            given = {one: value for one, value in given.items() if value is not None or len(kinds) == 1}
            if many:
                values["names"], given["name"] = given["name"], ""
            elif batch:
                refuse_unless_one(given.get("name"), values["batch"])
                given["name"] = given.get("name") or ""
            try:
                function(made(given), **values)
            except ParameterError as error:
                raise click.UsageError(error.told(lambda one: _spelled(one, known[one][0][1]))) from error

        declared = [
            _parameter(one, of, is_shared=_is_shared(of, kinds), batch=batch, many=many)
            for one, of in known.items()
        ]
        seen_from = _options(seen_from_option) if kinds[0].seen_from and not kinds[0].of_catalog else ()
        return click.Command(
            name or function.__name__,
            params=[*declared, *_options_of(function), *seen_from, *_options(options)],
            callback=run,
            help=cleandoc(kinds[0].command_help or function.__doc__ or ""),
        )

    return decorated


def asks_several(*kinds: type[_Asked], **further: Any) -> Callable[[_Command], click.Command]:
    """The same for a question that several indexes answer."""
    return asks(*kinds, options=several_options, **further)


def ask(index: Asking, parameters: Parameters[_Answer]) -> _Answer:
    """The answer to a question, with names written for the package that --seen-from names."""
    index.limit(answer_seconds())
    if isinstance(index, Index):
        return index.ask(parameters, seen_from=click.get_current_context().meta.get(SEEN_FROM))
    return index.ask(parameters)


def _options(decorator: Callable[[_Command], _Command]) -> list[click.Parameter]:
    """The options that a decorator puts on a command."""
    return _options_of(decorator(lambda **_: None))


def _options_of(function: Any) -> list[click.Parameter]:
    """The options that decorators have put on a function, the last one first."""
    return list(reversed(getattr(function, "__click_params__", ())))


def _spelled(name: str, of: Declared) -> str:
    """A parameter as one types it."""
    if of.argument:
        return of.metavar or name.upper()
    return of.flags[-1] if of.flags else f"--{name.replace('_', '-')}"


def _is_shared(known: list[_Known], kinds: Sequence[type]) -> bool:
    """Whether all questions have the parameter, with the same default."""
    return len(known) == len(kinds) and len({field.default for field, _ in known}) == 1


def _parameter(
    name: str, known: list[_Known], *, is_shared: bool, batch: bool, many: bool
) -> click.Parameter:
    field, of = known[0]
    default = field.default if of.command is MISSING else of.command
    if of.argument:
        required = default is MISSING and not (batch and name == "name")
        words = f"{_spelled(name, of)}..." if required or many else f"[{_spelled(name, of)}]..."
        return click.Argument(
            [name],
            required=required,
            **({} if default is MISSING or of.many else {"default": default}),
            nargs=-1 if of.many or many else 1,
            metavar=words if of.many or many else of.metavar,
            callback=_joined if of.many else None,
        )
    flags = of.flags or (_spelled(name, of),)
    help_text = " ".join(dict.fromkeys(_help(one, is_shared=is_shared) for one in known))
    if field.type == "bool":
        return click.Option([name, *flags], is_flag=True, default=default, help=help_text)
    shown = is_shared and of.terminal is MISSING
    return click.Option(
        [name, *flags],
        type=_type(field, of),
        default=default if shown and default is not MISSING else None,
        required=default is MISSING,
        show_default=shown and bool(default) and default is not MISSING,
        multiple="Sequence" in str(field.type),
        metavar=of.metavar or ("TYPE" if of.choices and not of.checked else None),
        callback=None if of.terminal is MISSING else _for_people(default, of.terminal),
        help=help_text,
    )


def _help(known: _Known, *, is_shared: bool) -> str:
    field, of = known
    text = of.text
    if of.choices and not of.checked:
        *first, last = of.choices
        text = f"{text.removesuffix('.')}: {', '.join(first)} or {last}."
    if of.terminal is not MISSING:
        return f"{text.removesuffix('.')} (default: {of.terminal} on a terminal, else all)."
    if not is_shared and field.type == "int" and field.default and of.minimum == 0:
        return f"{text.removesuffix('.')} (default: {field.default})."
    return text


def _type(field: Field[Any], of: Declared) -> click.ParamType[Any] | None:
    if str(field.type).startswith("int"):
        return click.IntRange(min=of.minimum, max=of.maximum)
    return click.Choice(of.choices) if of.choices and of.checked else None


def _joined(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> str:
    return " ".join(words)


def _for_people(default: Any, terminal: int) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """The default of a limit: ``terminal`` where a person reads the list."""

    def chosen(_: click.Context, __: click.Parameter, limit: int | None) -> int:
        if limit is None:
            return terminal if on_terminal() else default
        return limit

    return chosen
