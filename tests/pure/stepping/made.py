"""Traces made by hand: one statement a call, numbered and turned as a recorder would."""

from __future__ import annotations

from dataclasses import dataclass, field

from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead, Trace, TraceStep

FILE = "a.frag"


@dataclass
class Made:
    """A trace under way. `did` is one step; names are given with their type: `("float x", 1.0)`."""

    steps: list[TraceStep] = field(default_factory=list)

    def did(
        self,
        line: int,
        *assigned: tuple[str, Number | tuple[Number, ...]],
        turns: tuple[int, ...] = (),
        function: str = "main",
        call: int = 0,
        depth: int = 0,
        reads: tuple[TexelRead, ...] = (),
        begun: int | None = None,
    ) -> Made:
        """One step on a line; what it assigned counts as done at its end, or when `begun` steps had begun."""
        number = len(self.steps)
        each = tuple(_assigned(what, value, begun or number + 1, function, call) for what, value in assigned)
        self.steps.append(TraceStep(number, (FILE, line), function, call, depth, turns, "", each, reads))
        return self

    def trace(self) -> Trace:
        """Returns the trace so far."""
        return Trace("pass", (0, 0), 0, len(self.steps), tuple(self.steps), {"result": (0.0, 0.0, 0.0, 1.0)})


def _assigned(what: str, value: Number | tuple[Number, ...], begun: int, function: str, call: int) -> Assigned:
    type_name, name = what.split(" ")
    lanes = value if isinstance(value, tuple) else (value,)
    owner = "" if name.startswith("g_") else function
    return Assigned(name, type_name, lanes, begun, owner, call if owner else 0)
