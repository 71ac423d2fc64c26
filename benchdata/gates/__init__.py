"""May these rows be published? Every group's state, and every reason why not."""

from benchdata.gates.judging import judge, judge_each
from benchdata.gates.states import Gate, GroupGate

__all__ = ["Gate", "GroupGate", "judge", "judge_each"]
