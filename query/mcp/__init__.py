"""The MCP server: the tools over the Model Context Protocol."""
