"""Execute tools: check arguments and levels, ask for approval, bound the time, catch all errors."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from ...errors import IndexUnusableError, InterruptedQuestionError, NoTimeError, QueryError
from ..aliases import find_tool
from ..arguments import with_defaults
from ..budget import budget_of, not_found
from ..registry import Registry
from ..results import (
    BAD_ARGUMENTS,
    FAILED,
    NO_INDEX,
    NOT_ALLOWED,
    TIME_LIMIT,
    UNKNOWN_TOOL,
    ToolResult,
    failed,
    result_of,
)
from ..vocabulary import DANGEROUS, LEVELS, RELEASE, SAFE, SEEN_FROM, Proposal, Tool, error_words
from .call import Call, ToolSurroundings, UnknownStandpointError, current
from .log import ToolLog
from .threads import Threads, in_background

if TYPE_CHECKING:
    from ...api import Index

_MOST_CALLS = 16
_MOST_WAITING = 64
_BUILD_SECONDS = 60.0  # longer than the patience of IndexBuilds
_QUESTION_SECONDS = 10.0
_T = TypeVar("_T")
_MOST_LISTED = 40
_TELLING_SECONDS = 10.0
_LAST_MOMENT = 1.0
_logger = logging.getLogger("oblist")

CallProgress = Callable[[str], Coroutine[Any, Any, None]]
Approver = Callable[..., Awaitable[str | None]]
"""Called with a tool, the arguments, and the proposal, if that says more than the arguments."""


class QuestionLateError(Exception):
    """A question to the index took too long."""


class ApprovalPendingError(Exception):
    """The call has to end with a question to the user; the approver that raises this knows how to ask."""


class Executor:
    """Executes the tools of a registry, up to the allowed safety level.

    Handlers run in threads, so that a slow handler delays no other. Call it within an event loop.
    """

    def __init__(
        self,
        registry: Registry,
        surroundings: ToolSurroundings,
        *,
        allowed: str = SAFE,
        log: ToolLog | None = None,
    ) -> None:
        self.registry = registry
        self.surroundings = surroundings
        self._allowed = LEVELS.index(allowed)
        self._log = log or ToolLog()
        # Calls that wait for their turn, or for the first build, must not delay calls that need not wait.
        self._safe = Threads(_MOST_CALLS)
        self._unsafe = Threads(_MOST_CALLS)
        self._waiting = Threads(_MOST_WAITING)

    def beside(self, surroundings: ToolSurroundings) -> Executor:
        """An executor of the same tools on another index, with the threads and the log of this one."""
        other = copy(self)
        other.surroundings = surroundings
        return other

    def close(self) -> None:
        """End all processes and write the log; handlers get a moment to notice."""
        self.surroundings.close()
        until = time.monotonic() + _LAST_MOMENT
        for threads in (self._safe, self._unsafe, self._waiting):
            threads.join(until)
        self._log.flush()

    def tools(self) -> list[Tool]:
        """The tools to list: those that the allowed level permits."""
        dangerous = self._allows(DANGEROUS)
        listed = [tool for tool in self.registry if tool.listed and self._allows(tool.safety_level)]
        return [tool.offered(dangerous=dangerous) for tool in listed]

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        approve: Approver | None = None,
        progress: CallProgress | None = None,
    ) -> ToolResult:
        """Call the tool ``name``, which may be an alias; the result says what went wrong, if anything.

        ``approve`` asks the user whether a dangerous tool may run, and returns None if so, else the reason
        why not. Raises only the ApprovalPendingError of ``approve``.
        """
        called = find_tool(self.registry, name, arguments)
        if called is None:
            names = [tool.name for tool in self.tools()]
            listed = ", ".join(names[:_MOST_LISTED])
            return failed(UNKNOWN_TOOL, f"Unknown tool: {name[:80]!a}. Tools: {listed}.")
        tool = called.tool
        taken, wrong = called.checked(arguments)
        if wrong:
            return failed(BAD_ARGUMENTS, "\n".join(wrong))
        if tool.level(taken) == SAFE:
            return await self._run(tool, taken, progress)
        return await self._run_unsafe(tool, taken, approve, progress)

    async def ask(self, question: Callable[[Index], _T]) -> _T:
        """The answer of the index to ``question``, which is not a tool call.

        Raises QueryError, QuestionLateError, and whatever ``question`` raises.
        """
        call = Call(self.surroundings)

        def asked() -> _T:
            with call.index() as index:
                return question(index)

        try:
            if (refusal := await self._build_awaited(call)) is not None:
                raise QuestionLateError(refusal)
            with anyio.move_on_after(_QUESTION_SECONDS):
                return await self._safe.run(asked)
            raise QuestionLateError(f"There was no answer within {_QUESTION_SECONDS:g} s.")
        finally:
            _end(call)

    def _allows(self, level: str) -> bool:
        return LEVELS.index(level) <= self._allowed

    async def _run_unsafe(
        self, tool: Tool, arguments: dict[str, Any], approve: Approver | None, progress: CallProgress | None
    ) -> ToolResult:
        """Run a tool that changes something, if it is allowed and approved, and log the call."""
        level = tool.level(arguments)
        refusal = None if self._allows(level) else _not_allowed(tool, level)
        proposal: Proposal | None = None
        if refusal is None and tool.dangerous_with:
            proposed = await self._ran(tool, arguments, progress)
            if isinstance(proposed, ToolResult):  # there is nothing to approve
                self._log.write(tool.name, arguments, _outcome_of(proposed))
                return proposed
            proposal = proposed
            tool = replace(tool, handler=lambda _: proposed.carry_out())
        if refusal is None and level == DANGEROUS:
            if approve is None:
                refusal = "there is no one to approve it"
            else:
                refusal = await self._asked(tool, arguments, approve, proposal)
        if refusal is not None:
            self._log.write(tool.name, arguments, f"refused: {refusal}")
            return failed(NOT_ALLOWED, f"{tool.name} was not run: {refusal}.")
        outcome = "cancelled"
        try:
            result = await self._run(tool, arguments, progress)
            outcome = _outcome_of(result)
        finally:
            self._log.write(tool.name, arguments, outcome)
        return result

    async def _asked(
        self, tool: Tool, arguments: dict[str, Any], approve: Approver, proposal: Proposal | None
    ) -> str | None:
        """The reason why the user refuses the call, or None; a question without an answer is logged too."""
        outcome = "cancelled while the person was asked"
        try:
            refusal = await approve(tool, arguments, *([proposal] if proposal is not None else []))
        except ApprovalPendingError:
            outcome = "the person is asked"
            raise
        else:
            outcome = ""
            return refusal
        finally:
            if outcome:
                self._log.write(tool.name, arguments, outcome)

    async def _run(self, tool: Tool, arguments: dict[str, Any], progress: CallProgress | None) -> ToolResult:
        result = await self._ran(tool, arguments, progress)
        if isinstance(result, Proposal):
            return failed(FAILED, "The handler proposed a change, which only a dangerous call may do.")
        return result

    async def _ran(
        self, tool: Tool, arguments: dict[str, Any], progress: CallProgress | None
    ) -> ToolResult | Proposal:
        release = arguments.get(RELEASE.name) if RELEASE in tool.parameters else None
        seen_from = arguments.get(SEEN_FROM.name) if SEEN_FROM in tool.parameters else None
        call = Call(self.surroundings, _from_thread(progress), release=release, seen_from=seen_from)
        try:
            if (refusal := await self._build_awaited(call)) is not None:
                return failed(NO_INDEX, refusal)
            if tool.short:
                with suppress(NoTimeError):
                    # Handing the call to a thread and back takes as long as the answer itself.
                    hurried = Call(self.surroundings, hurried=True, release=release, seen_from=seen_from)
                    return _handled(tool, arguments, hurried)
            threads = self._safe if tool.level(arguments) == SAFE else self._unsafe
            with anyio.move_on_after(tool.seconds):
                return await threads.run(_handled, tool, arguments, call)
            return failed(TIME_LIMIT, f"{tool.name} did not answer within {tool.seconds:g} s. Ask for less.")
        finally:
            _end(call)

    async def _build_awaited(self, call: Call) -> str | None:
        """Wait for the first build of the index, and return why there is no index, or None."""
        builds = self.surroundings.builds
        if not builds.building:
            return None
        with anyio.move_on_after(_BUILD_SECONDS):
            return await self._waiting.run(builds.await_build, call)
        return "The index is still being built. Ask again in a minute."


def _outcome_of(result: ToolResult) -> str:
    return "answered" if result.success else f"failed: {result.error}"


def _not_allowed(tool: Tool, level: str) -> str:
    what = f"{tool.dangerous_with}=true" if tool.dangerous_with else "it"
    allow = f"{what} is {level}; start the server with --allow {level} to allow it"
    return f"{allow}. {tool.instead}" if tool.instead else allow


def _handled(tool: Tool, arguments: dict[str, Any], call: Call) -> ToolResult | Proposal:
    """The result of calling the handler, in a thread of its own."""
    try:
        with current(call):
            returned = tool.handler(with_defaults(tool, arguments))
            is_proposal = isinstance(returned, Proposal)
            return returned if is_proposal else result_of(returned, structured=call.surroundings.structured)
    except IndexUnusableError as error:
        return failed(NO_INDEX, str(error))
    except UnknownStandpointError as error:
        reply = not_found(error.answer, budget_of(arguments), arguments[SEEN_FROM.name])
        return result_of(reply, structured=call.surroundings.structured)
    except InterruptedQuestionError:
        return failed(TIME_LIMIT, "The call was cancelled.")
    except NoTimeError:
        raise
    except QueryError as error:
        return failed(FAILED, str(error))
    except BaseException as error:  # even SystemExit ends this call and nothing else
        _logger.exception("the tool %s failed", tool.name)
        return failed(FAILED, f"{tool.name} failed: {error_words(error)}")


def _end(call: Call) -> None:
    """Cancel a call if it is still running, without waiting until everything that it started has stopped."""
    call.cancelled = True
    if call.at_work:
        in_background(call.cancel)


def _from_thread(progress: CallProgress | None) -> Callable[[str], None] | None:
    """``progress`` as a function for handlers; a report may be lost, but never makes a call fail."""
    if progress is None:
        return None
    loop = asyncio.get_running_loop()

    def report(message: str) -> None:
        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(progress(message), loop).result(_TELLING_SECONDS)

    return report
