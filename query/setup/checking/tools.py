"""Asking an MCP server what its index has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp.client.session import ClientRequestContext, ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import ListRootsResult, TextContent

from ..errors import SetupError

QUESTION = "index_status"


async def ask_mcp_server(command: list[str], folder: Path, environment: Mapping[str, str], said: Any) -> str:
    """Which index answers, as the tool ``index_status`` says. Raises SetupError if it says that none does.

    What the server writes to standard error goes to the file ``said``.
    """
    parameters = StdioServerParameters(
        command=command[0], args=command[1:], cwd=folder, env=dict(environment)
    )

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult.model_validate({"roots": [{"uri": folder.absolute().as_uri()}]})

    async with (
        stdio_client(parameters, errlog=said) as (reading, writing),
        ClientSession(reading, writing, list_roots_callback=roots) as session,
    ):
        await session.initialize()
        listed = {tool.name for tool in (await session.list_tools()).tools}
        name = next((name for name in (QUESTION, QUESTION.replace("_", "-")) if name in listed), None)
        if name is None:
            raise SetupError("it is a server, but not oblist's")
        result = await session.call_tool(name, {})
    text = "\n".join(part.text for part in result.content if isinstance(part, TextContent)).strip()
    if result.is_error:
        raise SetupError(text)
    return " ".join(text.partition("\n")[0].split())
