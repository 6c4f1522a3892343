"""The MCP server, built on the official SDK: tools, resources and a prompt.

It uses the SDK's low-level server, which passes on exact schemas, names that are not listed, text beside
structured content, and errors as we define them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    NotificationParams,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    ResourceTemplateReference,
    TextContent,
)
from mcp_types import Tool as McpTool

from ..api import Index
from ..errors import QueryError, replaced_meanwhile
from ..tools.aliases import kebab
from ..tools.results import ToolResult, storable
from ..tools.running.execution import QuestionLateError
from ..tools.running.executors import Executors
from ..tools.schemas import mcp_tool
from . import resources
from .approval import Approvals, QuestionAskedError
from .instructions import (
    PROMPT,
    PROMPT_DESCRIPTION,
    PROMPT_TITLE,
    TASK,
    TASK_DESCRIPTION,
    prompt_text,
    server_instructions,
)
from .resources import NoResourceError
from .roots import ClientRoots

NAME = "oblist"
TITLE = "oblist: the symbol index of Common Lisp"
_T = TypeVar("_T")
_Context = ServerRequestContext[Any]
_logger = logging.getLogger("oblist")


def make_server(
    executors: Executors, *, follow_roots: bool = False, kebab_names: bool = False, version: str = ""
) -> Server[Any]:
    """The MCP server that calls the tools of ``executors``; ``kebab_names`` lists them in kebab-case.

    With ``follow_roots``, the roots of a client decide which project's index it asks.
    """
    roots = ClientRoots(executors.common.surroundings.index_path, followed=follow_roots)
    answers = _Answers(executors, roots, kebab if kebab_names else str)
    server = _Server(
        NAME,
        version=version,
        title=TITLE,
        instructions=server_instructions(executors.common.tools(), answers.shown),
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_resource_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
        on_completion=answers.complete,
    )
    server.add_notification_handler(
        "notifications/roots/list_changed", NotificationParams, answers.roots_changed
    )
    return server


class _Server(Server[Any]):
    """A server that says it tells when its resources change, over each transport."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *arguments: Any, **named: Any
    ) -> InitializationOptions:
        chosen = notification_options or NotificationOptions(resources_changed=True)
        return super().create_initialization_options(chosen, *arguments, **named)


def call_result(result: ToolResult) -> CallToolResult:
    """A tool's result in MCP's form: the text, the notes in their own block, and the structured content."""
    content = [TextContent(text=result.content if result.success else result.error or "failed")]
    if result.notes:
        content.append(TextContent(text="\n".join(f"Note: {note}" for note in result.notes)))
    structured = result.structured if result.success else None
    return CallToolResult(content=list(content), structured_content=structured, is_error=not result.success)


class _Answers:
    """The handlers of the server's requests."""

    def __init__(self, executors: Executors, roots: ClientRoots, shown: Callable[[str], str]) -> None:
        self.shown = shown
        self._executors = executors
        self._roots = roots
        self._approvals = Approvals()

    @cached_property
    def _tools(self) -> ListToolsResult:
        common = self._executors.common
        structured = common.surroundings.structured
        tools = [mcp_tool(tool, self.shown(tool.name), structured=structured) for tool in common.tools()]
        return ListToolsResult(tools=[McpTool.model_validate(tool, by_name=False) for tool in tools])

    async def list_tools(self, _: _Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return self._tools

    async def call_tool(
        self, ctx: _Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        steps = 0

        async def progress(message: str) -> None:
            nonlocal steps
            steps += 1
            await ctx.session.report_progress(steps, None, message)

        try:
            index = await self._roots.index(ctx, params.input_responses)
            questions = self._roots.questions(ctx)
            with self._executors.lent(index) as executor:
                result = await executor.call(
                    params.name,
                    params.arguments or {},
                    approve=self._approvals.approver(ctx, params, index, questions),
                    progress=progress,
                )
        except QuestionAskedError as question:
            return question.result
        except ImportError as error:
            if (said := replaced_meanwhile(error)) is None:
                raise
            raise MCPError(INTERNAL_ERROR, said) from error
        return call_result(result)

    async def roots_changed(self, ctx: _Context, _: NotificationParams) -> None:
        self._roots.forget(ctx)
        await ctx.session.send_resource_list_changed()  # the packages may be those of another project

    async def list_resources(
        self, ctx: _Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        cursor = params.cursor if params is not None else None
        path = await self._roots.index_without_asking(ctx)
        page, following = await self._ask(path, lambda index: resources.listed(index, cursor))
        return ListResourcesResult(resources=page, next_cursor=following)

    async def list_resource_templates(
        self, _: _Context, __: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=list(resources.TEMPLATES))

    async def read_resource(
        self, ctx: _Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult | InputRequiredResult:
        try:
            path = await self._roots.index(ctx, params.input_responses)
        except QuestionAskedError as question:
            return question.result
        contents = await self._ask(path, lambda index: resources.read(index, params.uri))
        return ReadResourceResult(contents=[contents])

    async def list_prompts(self, _: _Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        prompt = Prompt(
            name=PROMPT,
            title=PROMPT_TITLE,
            description=PROMPT_DESCRIPTION,
            arguments=[PromptArgument(name=TASK, description=TASK_DESCRIPTION, required=False)],
        )
        return ListPromptsResult(prompts=[prompt])

    async def get_prompt(self, _: _Context, params: GetPromptRequestParams) -> GetPromptResult:
        if params.name != PROMPT:
            raise MCPError(
                INVALID_PARAMS, f"There is no prompt {params.name[:80]!a}; the only one is {PROMPT}."
            )
        unknown = set(params.arguments or {}) - {TASK}
        if unknown:
            raise MCPError(
                INVALID_PARAMS, f"The prompt has no argument {min(unknown)[:80]!a}; the only one is {TASK}."
            )
        task = (params.arguments or {}).get(TASK)
        text = storable(prompt_text(self._executors.common.tools(), self.shown, task))
        message = PromptMessage(role="user", content=TextContent(text=text))
        return GetPromptResult(description=PROMPT_DESCRIPTION, messages=[message])

    async def complete(self, ctx: _Context, params: CompleteRequestParams) -> CompleteResult:
        if not isinstance(params.ref, ResourceTemplateReference):
            return CompleteResult(completion=Completion(values=[], total=0, has_more=False))
        template, argument = params.ref.uri, params.argument
        chosen = (params.context.arguments if params.context else None) or {}
        path = await self._roots.index_without_asking(ctx)
        found = await self._ask(
            path,
            lambda index: resources.completion(
                index, template, argument.name, argument.value, chosen.get("package")
            ),
        )
        return CompleteResult(completion=found)

    async def _ask(self, path: Path | None, question: Callable[[Index], _T]) -> _T:
        """The answer of the index at ``path``, or of the common one, to a question that is not a tool call.

        A failure becomes an MCP error with a message.
        """
        try:
            with self._executors.lent(path) as executor:
                return await executor.ask(question)
        except NoResourceError as error:
            raise MCPError(INVALID_PARAMS, storable(f"Resource not found: {error}")) from error
        except (QueryError, QuestionLateError) as error:
            raise MCPError(INTERNAL_ERROR, storable(str(error))) from error
        except Exception as error:
            _logger.exception("a request failed")
            said = replaced_meanwhile(error) or f"The request failed: {type(error).__name__}"
            raise MCPError(INTERNAL_ERROR, said) from error
