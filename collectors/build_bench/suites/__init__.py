"""The frozen suites: one module a task, each probe one function; nothing here reaches an agent."""
