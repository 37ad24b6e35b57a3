"""Defines what is asked of a draw that logs, and what it gives, wherever the log is kept."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.step_trace.log import TraceLog


@dataclass(frozen=True)
class LogWindow:
    """The texel and lane, and what is logged there: while at least `first` and less than `stop` steps have begun."""

    tx: int
    ty: int
    lane: int
    first: int
    stop: int


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
    """The log is larger than is kept."""


def too_many_entries(name: str, most: int, used: int) -> TooManyEntriesError:
    """Returns the error for a window of a pass whose log has more than `most` entries."""
    return TooManyEntriesError(
        f"trace of '{name}'", f"at most {most} entries for a window", str(used), "Ask for a smaller window."
    )
