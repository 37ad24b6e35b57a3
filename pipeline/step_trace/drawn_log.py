"""Defines what is asked of a draw that logs, and what it gives, wherever the log is kept."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.step_trace.log import TraceLog


@dataclass(frozen=True)
class LogWindow:
    """The texel and lane, and what is logged there: while at least `first` and less than `stop` steps have begun.

    `goal` is where the last of the windows stops that are logged one after the other. Of a dispatch it is the log of an
    `invocation`, by its numbers along x, y and z.
    """

    tx: int
    ty: int
    lane: int
    first: int
    stop: int
    goal: int
    invocation: tuple[int, int, int] | None = None


@dataclass(frozen=True, eq=False)
class DrawnLog:
    """The log of a window of a run of `total` steps.

    `agrees`: whether the pass's own program wrote the same bits; None if unknown.
    """

    total: int
    is_discarded: bool
    log: TraceLog
    agrees: bool | None = None


class TooManyEntriesError(TexelscopeError):
    """The log is larger than is kept, or than is recorded in a reasonable time."""


def too_many_entries(name: str, most: int, used: int) -> TooManyEntriesError:
    """Returns the error for a window of a pass whose log has more than `most` entries."""
    return TooManyEntriesError(
        f"trace of '{name}'", f"at most {most} entries for a window", str(used), "Ask for a smaller window."
    )


def too_late(name: str, goal: int, total: int) -> TooManyEntriesError:
    """Returns the error for a window of a pass up to step `goal` of `total` that takes too long to reach."""
    return TooManyEntriesError(
        f"trace of '{name}'", "storage buffers (OpenGL 4.3) for a window this late",
        f"one up to step {goal} of {total}, on a driver without", "Ask for an earlier window.",
    )  # fmt: skip
