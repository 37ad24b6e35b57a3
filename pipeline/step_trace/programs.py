"""Compiles the traced versions of passes and keeps them: a second trace costs a draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.gl.program import compiled_dispatch, compiled_variant, refusal
from texelscope.pipeline.glsl.source_text import same_version
from texelscope.pipeline.plan import Pass, ProgramSource
from texelscope.pipeline.step_trace.rewriting.rewrite import TracedShader, traced
from texelscope.pipeline.step_trace.rewriting.sites import WatchExpression, watch_of

if TYPE_CHECKING:
    import moderngl

    from texelscope.pipeline.gl.session import Session

# So many programs are kept: those of a few passes, with and without watches.
_KEPT = 12


@dataclass(frozen=True, eq=False)
class Prepared:
    """A tracing program, its text, the watches that it has and why it lacks the others."""

    source: ProgramSource
    traced: TracedShader
    program: moderngl.Program | moderngl.ComputeShader
    array: moderngl.VertexArray | None
    watches: tuple[str, ...]
    refused: Mapping[str, str]

    def release(self) -> None:
        """Frees the GL objects."""
        if self.array is not None:
            self.array.release()
        self.program.release()


class TracePrograms:
    """Caches programs of passes of one session, by their watches.

    They log to a storage buffer, or without `buffers` to colours.
    """

    def __init__(self, session: Session, *, buffers: bool) -> None:
        self._session = session
        self._buffers = buffers
        self._known: dict[tuple[str, tuple[str, ...]], Prepared] = {}

    def release(self) -> None:
        """Frees them."""
        for each in self._known.values():
            each.release()
        self._known.clear()

    def of(self, shader_pass: Pass, watches: Sequence[str]) -> Prepared:
        """Returns the program of a pass. Raises UnsupportedError where the shader cannot be followed, watches apart."""
        source = self._session.program_source(shader_pass.name)
        key = (shader_pass.name, tuple(dict.fromkeys(watches)))
        known = self._known.pop(key, None)
        if known is None or known.source is not source:
            if known is not None:
                known.release()
            known = self._made(shader_pass, source, key[1])
        self._known[key] = known  # the newest last
        while len(self._known) > _KEPT:
            self._known.pop(next(iter(self._known))).release()
        return known

    def _made(self, shader_pass: Pass, source: ProgramSource, texts: Sequence[str]) -> Prepared:
        who = f"trace of '{shader_pass.name}'"
        asked = [watch_of(text) for text in texts]
        refused = {watch.text: watch.problem for watch in asked if watch.problem}
        watches = [watch for watch in asked if not watch.problem]
        made = self._traced(source, shader_pass.name, watches)
        if watches and self._refusal(shader_pass, made):
            for watch in watches:
                reason = self._refusal(shader_pass, self._traced(source, shader_pass.name, [watch]))
                refused |= {watch.text: reason} if reason else {}
            watches = [watch for watch in watches if watch.text not in refused]
            made = self._traced(source, shader_pass.name, watches)
        program, array = self._compiled(shader_pass, made, who)
        for watch in watches:
            if changing := sorted(watch.calls & made.changing):
                refused[watch.text] = f"a call that changes variables: {', '.join(changing)}"
            elif watch.text not in made.watched:
                refused[watch.text] = f"nowhere are all of these declared: {', '.join(sorted(watch.names))}"
        taken = tuple(watch.text for watch in watches if watch.text not in refused)
        return Prepared(source, made, program, array, taken, refused)

    def _compiled(
        self, shader_pass: Pass, made: TracedShader, who: str
    ) -> tuple[moderngl.Program | moderngl.ComputeShader, moderngl.VertexArray | None]:
        context = self._session.context
        if shader_pass.dispatch is not None:
            return compiled_dispatch(context, made.fragment, who), None
        vertex = same_version(self._session.vertex_text(shader_pass.name), made.fragment)
        program = compiled_variant(context, vertex, made.fragment, who)
        return program, self._session.geometry(program)

    def _traced(self, source: ProgramSource, who: str, watches: Sequence[WatchExpression]) -> TracedShader:
        return traced(source, who, watches, buffers=self._buffers)

    def _refusal(self, shader_pass: Pass, made: TracedShader) -> str:
        """Returns the driver's first message on a text; empty if it takes it."""
        if shader_pass.dispatch is not None:
            try:
                compiled_dispatch(self._session.context, made.fragment, "a watch").release()
            except UnsupportedError as error:
                return error.got
            return ""
        vertex = same_version(self._session.vertex_text(shader_pass.name), made.fragment)
        log = refusal(self._session.context, vertex, made.fragment) or ""
        lines = [line.strip() for line in log.splitlines() if ":" in line]
        return lines[0].partition("error:")[2].strip() or lines[0] if lines else log.strip()
