"""A do-nothing MCP server on the SDK as shipped: the baseline for ours."""

import asyncio

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool

TOOL = Tool(name="nothing", description="Does nothing.", input_schema={"type": "object"})


async def list_tools(ctx, params):
    """The one tool."""
    return ListToolsResult(tools=[TOOL])


async def call_tool(ctx, params):
    """Nothing."""
    return CallToolResult(content=[TextContent(text="nothing")])


async def main() -> None:
    """Serve on stdio."""
    server = Server("nothing", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
