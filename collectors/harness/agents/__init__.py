"""The agent programs: how each is started, and what the lines that it prints tell.

`driver` is what the harness asks of a driver; `claude`, `codex` and `scripted` are the drivers, and
`registry` has them by name. `programs` finds the executables; `replay` is the one of `scripted`.
`claude_turns` starts `claude` so that it can be held without a gateway. `pictures` are shown to a
model. What is printed goes through `lines`, and `claude_events` and `codex_events` know what it
means.
"""
