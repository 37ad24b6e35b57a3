"""Traces into a storage buffer and into colours, and holds one against the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.step_trace.recorder import TraceRecorder, trace
from texelscope.pipeline.step_trace.trace import Trace


def traced_in_colours(
    session: DebugSession,
    element: int = 0,
    *,
    name: str = "y",
    watches: Sequence[str] = (),
    window: tuple[int, int] | None = None,
) -> Trace:
    """The trace of an element as a driver without storage buffers gives it: what one with them gives."""
    made: list[Trace] = []
    for in_colours in (False, True):
        recorder = TraceRecorder(session, in_colours=in_colours)
        try:
            made.append(trace(session, recorder, name, element, watches=watches, window=window))
        finally:
            recorder.release()
    for field in dataclasses.fields(Trace):
        with_buffer, in_colours_ = (getattr(each, field.name) for each in made)
        assert repr(in_colours_) == repr(with_buffer), field.name  # a NaN is not equal to itself
    return made[1]
