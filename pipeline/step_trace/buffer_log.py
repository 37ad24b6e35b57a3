"""Draws a traced pass where its log goes to a storage buffer: one draw of the texel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.step_trace.agreement import agrees_with_targets
from texelscope.pipeline.step_trace.drawn_log import DrawnLog, LogWindow, too_many_entries
from texelscope.pipeline.step_trace.log import WORDS, TraceLog
from texelscope.pipeline.step_trace.programs import Prepared

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

# Entries of the log: at first, and at most.
FIRST_ENTRIES = 1 << 16
MOST_ENTRIES = 1 << 22
_HEADER = 4


def buffer_log(session: Session, shader_pass: Pass, prepared: Prepared, window: LogWindow) -> DrawnLog:
    """Returns the log of a window. Raises TooManyEntriesError if it does not fit."""
    entries = FIRST_ENTRIES
    while True:
        words, agrees = _drawn(session, shader_pass, prepared, window, entries)
        total, used, is_discarded = int(words[0]), int(words[1]), bool(words[2])
        if used < entries:
            log = words[_HEADER : _HEADER + used * WORDS].reshape(used, WORDS)
            return DrawnLog(total, is_discarded, TraceLog.of(log), None if is_discarded else agrees)
        if used >= MOST_ENTRIES:
            raise too_many_entries(shader_pass.name, MOST_ENTRIES, used)
        entries = used + 1


def _drawn(
    session: Session, shader_pass: Pass, prepared: Prepared, window: LogWindow, entries: int
) -> tuple[NDArray[np.uint32], bool | None]:
    context, texel = session.context, (window.tx, window.ty)
    buffer = context.buffer(reserve=4 * (_HEADER + (entries + 1) * WORDS))
    buffer.write(bytes(4 * _HEADER))
    targets = [session.scratch_like(key) for key in shader_pass.outputs]
    framebuffer = context.framebuffer(targets)
    try:
        with pass_state(context, framebuffer):
            framebuffer.scissor = (*texel, 1, 1)
            session.bind(shader_pass, prepared.program)
            values = {"u_trace_texel": texel, "u_trace_lane": window.lane, "u_trace_first": window.first,
                      "u_trace_stop": window.stop, "u_trace_room": entries}  # fmt: skip
            for name, value in values.items():
                if name in prepared.program:
                    prepared.program[name].value = value  # type: ignore[union-attr]
            buffer.bind_to_storage_buffer(0)
            prepared.array.render(vertices=3)
            context.memory_barrier()
            context.finish()
        used = int(np.frombuffer(buffer.read(4 * _HEADER), dtype=np.uint32)[1])
        size = 4 * (_HEADER + min(used, entries) * WORDS)
        words = np.frombuffer(buffer.read(size), dtype=np.uint32)
        return words, agrees_with_targets(session, shader_pass, framebuffer, texel)
    finally:
        framebuffer.release()
        for target in targets:
            target.release()
        buffer.release()
