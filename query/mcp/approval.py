"""Approval over MCP: asking the user whether a dangerous tool may run.

Up to revision 2025-11-25, the server asks the client while the call waits (elicitation/create). From
revision 2026-07-28 on, the call ends with a question, and the client calls again with the user's answer and
the token that came with the question. Each token is valid once, and only for the call that it was issued for,
on the index that it was to be carried out on.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp_types import (
    CallToolRequestParams,
    ClientCapabilities,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from ..index.shown import for_terminal
from ..tools.results import json_bytes
from ..tools.running.execution import ApprovalPendingError
from ..tools.vocabulary import Proposal, Tool

_SECONDS = 300.0
_MOST_PENDING = 100
_MOST_SHOWN = 4000
_MOST_PROPOSED = 20_000
_KEY = "approval"
# The user accepts or declines; there is nothing to fill in.
_NOTHING_TO_FILL_IN: dict[str, Any] = {"type": "object", "properties": {}}

_OR_CHANGED = "the files have changed since the person was asked, or "
CANNOT_ASK = "a person has to approve it, and this client cannot ask one (it does not support elicitation)"


class QuestionAskedError(ApprovalPendingError):
    """The call ends with a question to the user, as in revision 2026-07-28."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("the user has to be asked")
        self.result = result


class Approvals:
    """The pending questions by token: the call of each, and its deadline."""

    def __init__(self) -> None:
        self._pending: dict[str, tuple[bytes, float]] = {}

    def approver(
        self,
        ctx: ServerRequestContext[Any],
        params: CallToolRequestParams,
        index: Path | None,
        questions: Mapping[str, InputRequest],
    ) -> UserApprover:
        """The approver for one request, which is on ``index``; ``questions`` are to be asked with its own."""
        return UserApprover(self, ctx, params, index, questions)

    def token(self, call: bytes) -> str:
        """A new token for a question about ``call``; when there are too many, the oldest is dropped."""
        now = time.monotonic()
        self._pending = {token: entry for token, entry in self._pending.items() if entry[1] > now}
        while len(self._pending) >= _MOST_PENDING:
            del self._pending[next(iter(self._pending))]
        token = secrets.token_urlsafe(32)
        self._pending[token] = (call, now + _SECONDS)
        return token

    def redeem(self, token: str, call: bytes) -> bool:
        """Whether ``token`` was issued for ``call`` and has not expired; it cannot be used again."""
        expected, until = self._pending.pop(token, (b"", 0.0))
        return expected == call and until > time.monotonic()


class UserApprover:
    """Asks the user to approve the call in one request; call it with the tool and its arguments."""

    def __init__(
        self,
        approvals: Approvals,
        ctx: ServerRequestContext[Any],
        params: CallToolRequestParams,
        index: Path | None,
        questions: Mapping[str, InputRequest],
    ) -> None:
        self._approvals = approvals
        self._ctx = ctx
        self._params = params
        self._index = None if index is None else str(index)
        self._questions = questions

    async def __call__(
        self, tool: Tool, arguments: Mapping[str, Any], proposal: Proposal | None = None
    ) -> str | None:
        """None when the user approves, else the reason not to run the tool. Raises QuestionAskedError.

        With a ``proposal``, the user is shown that, and approves nothing else.
        """
        if not _can_ask(self._ctx.session.client_capabilities):
            return CANNOT_ASK
        if proposal is None:
            call = json_bytes({"tool": tool.name, "arguments": arguments, "index": self._index})
            if len(_shown(arguments)) > _MOST_SHOWN:
                return (
                    f"its arguments are too long for a person to check (more than {_MOST_SHOWN} characters)"
                )
            question = _question(tool, arguments)
        else:
            what = {"tool": tool.name, "arguments": arguments, "proposal": proposal.digest}
            call = json_bytes({**what, "index": self._index})
            if len(proposal.shown) > _MOST_PROPOSED:
                most = f"more than {_MOST_PROPOSED:,} characters"
                return f"the difference is too long for a person to check ({most})"
            question = _proposed(tool, proposal)
        if self._ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return self._answered(call, question, "" if proposal is None else _OR_CHANGED)
        return await self._asked(question)

    def _answered(self, call: bytes, question: ElicitRequestFormParams, also: str) -> str | None:
        token, answer = self._params.request_state, (self._params.input_responses or {}).get(_KEY)
        if token is None and answer is None:
            requests = {**self._questions, _KEY: ElicitRequest(params=question)}
            raise QuestionAskedError(
                InputRequiredResult(input_requests=requests, request_state=self._approvals.token(call))
            )
        if token is None or not self._approvals.redeem(token, call):
            return (
                f"{also}this approval is for another call, was already used, or has expired; "
                "call the tool again without it"
            )
        return _refusal(answer)

    async def _asked(self, question: ElicitRequestFormParams) -> str | None:
        try:
            with anyio.fail_after(_SECONDS):
                answer = await self._ctx.session.elicit_form(
                    question.message, question.requested_schema, self._ctx.request_id
                )
        except TimeoutError:
            return f"no one answered within {_SECONDS:g} s"
        except NoBackChannelError:
            return CANNOT_ASK
        except (MCPError, ValidationError):
            return "the client failed to ask a person"
        return _refusal(answer)


def _can_ask(capabilities: ClientCapabilities | None) -> bool:
    """Whether the client can show a form; an empty elicitation capability means that it can."""
    asked = capabilities.elicitation if capabilities is not None else None
    return asked is not None and (asked.form is not None or asked.url is None)


def _question(tool: Tool, arguments: Mapping[str, Any]) -> ElicitRequestFormParams:
    message = (
        f"Run {tool.name} ({tool.title}) with {_shown(arguments)}?\n"
        "This is dangerous: it runs code on this machine."
    )
    return ElicitRequestFormParams(message=message, requested_schema=_NOTHING_TO_FILL_IN)


def _proposed(tool: Tool, proposal: Proposal) -> ElicitRequestFormParams:
    message = (
        f"{tool.title} ({tool.name}): make this change?\n\n{for_terminal(proposal.shown)}\n"
        "This is dangerous: it writes the files above."
    )
    return ElicitRequestFormParams(message=message, requested_schema=_NOTHING_TO_FILL_IN)


def _shown(arguments: Mapping[str, Any]) -> str:
    """The arguments on one line, with control characters escaped."""
    return for_terminal(json_bytes(arguments).decode())


def _refusal(answer: object) -> str | None:
    if not isinstance(answer, ElicitResult):
        return "no person answered"
    if answer.action == "accept":
        return None
    return "the person declined" if answer.action == "decline" else "the person neither approved nor refused"
