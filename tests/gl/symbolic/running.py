"""Makes symbolic runs of a session's passes."""

from __future__ import annotations

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder
from texelscope.pipeline.symbolic.running import SymbolicPass


def symbolic(session: DebugSession, shader_pass: Pass) -> SymbolicPass:
    """The pass, ready to be run for single elements."""
    recorder = DispatchRecorder(session, follows_reads=False)
    return SymbolicPass(
        session.plan, shader_pass, session.program_source(shader_pass.name), session.texels,
        lambda tx, ty, lane: recorder.writer(shader_pass, tx, ty, lane),
    )  # fmt: skip
