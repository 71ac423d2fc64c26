"""Where a server takes results and shows its board; whoever sends needs no more of it."""

from __future__ import annotations

RESULT = "/api/mcp/eval_result"
BOARD = "/api/leaderboard.json"
PAGE = "/"
