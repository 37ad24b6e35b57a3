"""The trace of one element of a pass's output: which fragment and lane made it, and what these did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from texelscope.pipeline.read_trace.expected import element_at
from texelscope.pipeline.trace.recorder import TraceRecorder
from texelscope.pipeline.trace.trace import Trace

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session


def trace(
    session: Session,
    recorder: TraceRecorder,
    name: str,
    place: tuple[int, ...] | int,
    *,
    watches: Sequence[str] = (),
    window: tuple[int, int] | None = None,
) -> Trace:
    """What the fragment did that makes one element, given by its index in the logical shape or linearly.

    Raises TexelscopeError for an index outside the tensor and for a window that is none, UnsupportedError where the
    shader cannot be followed.
    """
    each = session.plan.pass_called(name)
    stored = session.plan.textures[each.output]
    element = element_at(f"trace of '{each.name}'", stored, place)
    tx, ty, lane = stored.layout.texel_of(stored.shape, element)
    return recorder.trace(each.name, (tx, ty), lane, watches=watches, window=window)
