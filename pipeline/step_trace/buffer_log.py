"""Runs a traced pass where its log goes to a storage buffer: one draw of the texel, or the whole dispatch."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.dispatching.dispatcher import bind_block
from texelscope.pipeline.gl.state import drawing_state, pass_state, set_uniforms
from texelscope.pipeline.plan import Pass, UniformValue
from texelscope.pipeline.step_trace.agreement import agrees_with_targets
from texelscope.pipeline.step_trace.drawn_log import DrawnLog, LogWindow, too_many_entries
from texelscope.pipeline.step_trace.log import WORDS, TraceLog
from texelscope.pipeline.step_trace.programs import Prepared

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

# Entries of the log: at first, and at most.
FIRST_ENTRIES = 1 << 16
MOST_ENTRIES = 1 << 22
_HEADER = 4


def buffer_log(session: Session, shader_pass: Pass, prepared: Prepared, window: LogWindow) -> DrawnLog:
    """Returns the log of a window. Raises TooManyEntriesError if it does not fit."""
    entries = FIRST_ENTRIES
    run = _drawn if shader_pass.dispatch is None else _dispatched
    while True:
        words, agrees = run(session, shader_pass, prepared, window, entries)
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
            set_uniforms(prepared.program, {"u_trace_texel": texel, **_values(window, entries)})
            buffer.bind_to_storage_buffer(0)
            assert prepared.array is not None
            prepared.array.render(vertices=3)
            context.memory_barrier()
            context.finish()
        return _words(buffer, entries), agrees_with_targets(session, shader_pass, framebuffer, texel)
    finally:
        framebuffer.release()
        for target in targets:
            target.release()
        buffer.release()


def _dispatched(
    session: Session, shader_pass: Pass, prepared: Prepared, window: LogWindow, entries: int
) -> tuple[NDArray[np.uint32], bool | None]:
    """Runs the dispatch, and puts its outputs back; whether it wrote the same is not asked."""
    assert shader_pass.dispatch is not None
    assert window.invocation is not None
    context, program = session.context, cast("moderngl.ComputeShader", prepared.program)
    held = {key: session.texture(key).read(alignment=1) for key in shader_pass.outputs}
    buffer = context.buffer(reserve=4 * (_HEADER + (entries + 1) * WORDS))
    try:
        buffer.write(bytes(4 * _HEADER))
        with drawing_state(context):
            session.bind(shader_pass, program)
            set_uniforms(program, {"u_trace_invocation": window.invocation, **_values(window, entries)})
            bind_block(program, "TraceLog", buffer, len(shader_pass.dispatch.buffers))
            program.run(*shader_pass.dispatch.groups)
            context.memory_barrier()
            context.finish()
        return _words(buffer, entries), None
    finally:
        for key, data in held.items():
            session.texture(key).write(data, alignment=1)
        buffer.release()


def _values(window: LogWindow, entries: int) -> dict[str, UniformValue]:
    return {
        "u_trace_lane": window.lane, "u_trace_first": window.first, "u_trace_stop": window.stop,
        "u_trace_room": entries,
    }  # fmt: skip


def _words(buffer: moderngl.Buffer, entries: int) -> NDArray[np.uint32]:
    """Returns the header, and as many entries as were written and are kept."""
    used = int(np.frombuffer(buffer.read(4 * _HEADER), dtype=np.uint32)[1])
    return np.frombuffer(buffer.read(4 * (_HEADER + min(used, entries) * WORDS)), dtype=np.uint32)
