"""The MCP server: rows to query for agents, and the tools that collectors add."""
