"""A harness for one pass: draws or dispatches its program's variants over inputs of any values. GL thread.

The session that it comes from is not touched: its textures are copied once, into a session of one pass.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.dispatching.dispatcher import bind_block
from texelscope.pipeline.gl.dispatching.held import held_inside, shares_memory
from texelscope.pipeline.gl.program import compiled_dispatch, compiled_variant
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.gl.state import drawing_state, pass_state, set_uniforms
from texelscope.pipeline.glsl.source_text import same_version
from texelscope.pipeline.planning.memory import texture_bytes
from texelscope.pipeline.repair.harness.rehearsal import Rehearsal, stage_of

if TYPE_CHECKING:
    from texelscope.pipeline.frames import Moment
    from texelscope.pipeline.plan import Pass, Plan, UniformValue

# x, y, width, height in texels of a target.
Area = tuple[int, int, int, int]
Texels = NDArray[np.float32]
# Work groups of a dispatch along each axis.
Groups = tuple[int, int, int]
# The inputs of a pass may take this many bytes once more.
MOST_BYTES = 1 << 29
# A target's content before a draw, which is no plausible result.
_BEFORE = -1234.5


class Harness:
    """A pass of a session with the bindings and inputs that it has there. Release it."""

    def __init__(
        self, session: Session, shader_pass: Pass, plan: Plan | None = None, *, is_rehearsed: bool = True
    ) -> None:
        """`plan` replaces the session's plan: it has the pass with other bindings.

        Without rehearsal, programs are compiled here directly, which is safe for text that ran before. Raises
        TexelscopeError if the inputs are too large to be held twice, or are missing.
        """
        plan, keys = plan or session.plan, {*shader_pass.reads, *shader_pass.outputs}
        needed = sum(texture_bytes(plan.textures[key]) for key in keys)
        if needed > MOST_BYTES:
            raise TexelscopeError(
                f"pass '{shader_pass.name}'",
                f"at most {MOST_BYTES} bytes to try repairs on",
                f"{needed}",
                "Use a smaller size.",
            )
        is_as_planned = (
            plan is session.plan or shader_pass.program == session.plan.pass_called(shader_pass.name).program
        )
        self.program = session.program_source(shader_pass.name) if is_as_planned else shader_pass.program
        self.shader_pass = dataclasses.replace(shader_pass, program=self.program, from_operator=False)
        self._own_pass = self.shader_pass
        self.shares_memory = shader_pass.dispatch is not None and shares_memory(self.program.fragment)
        # Whether some work groups compute a part of the result and leave the rest cleared.
        self.is_of_groups = (
            shader_pass.dispatch is not None
            and not any(binding.starts_as for binding in shader_pass.dispatch.bound)
            and "gl_NumWorkGroups" not in self.program.fragment
        )
        self._vertex = "" if shader_pass.dispatch is not None else session.vertex_text(shader_pass.name)
        self.plan = dataclasses.replace(
            plan,
            textures=MappingProxyType({key: plan.textures[key] for key in plan.textures if key in keys}),
            passes=(self.shader_pass,),
            inputs=(),
            outputs=shader_pass.outputs,
            not_run=(),
            initial_inputs=MappingProxyType({}),
        )  # fmt: skip
        self._read = [
            key for key in shader_pass.reads if plan.textures[key].role != "constant" and key not in shader_pass.outputs
        ]
        self.inputs = {plan.textures[key].tensor: session.tensor(key) for key in self._read}
        self._texels = {key: session.texture(key).read(alignment=1) for key in self._read}
        self._scratch = Session(self.plan, session.context)
        self._target: moderngl.Framebuffer | None = None
        self.restore()
        if shader_pass.dispatch is not None:  # compiling the pass shows which block is bound where
            self._scratch.run_pass(shader_pass.name)
        stage = stage_of(self.plan, self.shader_pass) if shader_pass.dispatch is None else None
        self._rehearsal = Rehearsal(stage) if is_rehearsed else None

    def release(self) -> None:
        """Frees every GL object, and ends the process that rehearses programs."""
        if self._rehearsal is not None:
            self._rehearsal.close()
        if self._target is not None:
            for texture in self._target.color_attachments:
                texture.release()
            self._target.release()
        self._scratch.release()

    def restore(self) -> None:
        """Restores the inputs as they were in the session, with padding, and its frame."""
        self.shader_pass = self._own_pass
        for key in self._read:
            self._scratch.inject(key, self.inputs[self.plan.textures[key].tensor])
            self._scratch.texture(key).write(self._texels[key], alignment=1)

    def go_to(self, moment: Moment) -> None:
        """Sets uniforms that change from frame to frame to those of another frame, until `restore`."""
        self.shader_pass = self._own_pass.at(moment)

    def feed(self, inputs: Mapping[str, NDArray[Any]]) -> None:
        """Sets other inputs, by tensor in their logical shapes."""
        for key in self._read:
            self._scratch.inject(key, inputs[self.plan.textures[key].tensor])

    def variant(self, text: str) -> Variant:
        """Compiles the pass with another shader. Raises UnsupportedError if the driver refuses it."""
        return Variant(self, text)

    def expect(self, text: str) -> None:
        """Starts to test in another process whether the driver accepts the variant that comes next; see `variant`."""
        if self._rehearsal is not None and (whole := self._whole(text)) is not None:
            self._rehearsal.expect(*whole)

    def _whole(self, text: str) -> tuple[str, str] | None:
        """Returns vertex shader and text as compiled; None if indices of shared memory cannot be clamped."""
        held = held_inside(text) if self.shares_memory else text
        if held is None:
            return None
        return ("" if self.shader_pass.dispatch is not None else same_version(self._vertex, held)), held

    # -- for variants --------------------------------------------------------------------------------------

    @property
    def scratch(self) -> Session:
        """Returns the session of the single pass."""
        return self._scratch

    def compiled(self, text: str) -> moderngl.Program | moderngl.ComputeShader:
        """Compiles a program, which the caller releases. Raises UnsupportedError, also if it crashes a driver."""
        who, whole = f"pass '{self.shader_pass.name}'", self._whole(text)
        if whole is None:
            raise UnsupportedError(who, "shared memory used by its name alone", "one used as a whole", "Leave it.")
        vertex, text = whole
        if self._rehearsal is not None and not self._rehearsal.takes(vertex, text):
            raise UnsupportedError(who, "a variant that the driver compiles", "one that it does not take", "Leave it.")
        if self.shader_pass.dispatch is not None:
            return compiled_dispatch(self._scratch.context, text, who)
        return compiled_variant(self._scratch.context, vertex, text, who)

    def target(self) -> moderngl.Framebuffer:
        """Returns a framebuffer like the pass's own, of float32 whatever its tensors' storage."""
        if self._target is None:
            context = self._scratch.context
            textures = []
            for key in self.shader_pass.outputs:
                stored = self.plan.textures[key]
                height, width = stored.texture_shape
                textures.append(context.texture((width, height), stored.layout.lanes, dtype="f4", alignment=1))
            self._target = context.framebuffer(textures)
        return self._target


class Variant:
    """A variant is one program on the harness; release it."""

    def __init__(self, harness: Harness, text: str) -> None:
        self._bench = harness
        self._program = harness.compiled(text)
        self._array = (
            harness.scratch.geometry(self._program) if isinstance(self._program, moderngl.Program) else None
        )  # fmt: skip

    def release(self) -> None:
        """Frees the program."""
        if self._array is not None:
            self._array.release()
        self._program.release()

    def run(
        self,
        uniforms: Mapping[str, UniformValue],
        areas: Mapping[str, Area],
        groups: Groups | None = None,
        settings: Mapping[str, UniformValue] = MappingProxyType({}),
    ) -> dict[str, Texels]:
        """Runs the program with uniforms beside the pass's own, and returns the texels of each output.

        `settings` are other values of the pass's own uniforms, members of blocks included. `areas` are the
        parts to return, by output. A dispatch returns whole textures; `groups` are the work groups that run if
        not all do: the rest is zero. Raises TexelscopeError if something cannot be bound.
        """
        shader_pass = self._bench.shader_pass
        if settings:
            values = MappingProxyType({**shader_pass.uniforms, **settings})
            shader_pass = dataclasses.replace(shader_pass, uniforms=values)
        if self._array is None:
            return self._dispatched(shader_pass, uniforms, groups)
        return self._drawn(shader_pass, uniforms, areas)

    def _drawn(
        self, shader_pass: Pass, uniforms: Mapping[str, UniformValue], areas: Mapping[str, Area]
    ) -> dict[str, Texels]:
        harness, found = self._bench, {}
        context, target = harness.scratch.context, harness.target()
        assert isinstance(self._program, moderngl.Program)
        assert self._array is not None
        x = min(area[0] for area in areas.values())
        y = min(area[1] for area in areas.values())
        right = max(area[0] + area[2] for area in areas.values())
        top = max(area[1] + area[3] for area in areas.values())
        with pass_state(context, target):
            target.scissor = (x, y, right - x, top - y)
            target.clear(_BEFORE, _BEFORE, _BEFORE, _BEFORE)
            harness.scratch.bind(shader_pass, self._program)
            set_uniforms(self._program, uniforms)
            self._array.render(moderngl.TRIANGLES, vertices=3)
            for number, key in enumerate(shader_pass.outputs):
                if key not in areas:
                    continue
                stored, area = harness.plan.textures[key], areas[key]
                lanes = stored.layout.lanes
                data = target.read(viewport=area, components=lanes, attachment=number, dtype="f4", alignment=1)
                found[key] = np.frombuffer(data, dtype=np.float32).reshape(area[3], area[2], lanes)
        return found

    def flags(self, uniforms: Mapping[str, UniformValue], block: str, count: int) -> NDArray[np.uint32]:
        """Dispatches the program, which sets `count` whole numbers in one more storage block; they start as zeros."""
        context, dispatch = self._bench.scratch.context, self._bench.shader_pass.dispatch
        assert dispatch is not None
        assert isinstance(self._program, moderngl.ComputeShader)
        buffer = context.buffer(np.zeros(count, dtype=np.uint32))
        try:
            # Other blocks have the bindings below.
            bind_block(self._program, block, buffer, len(dispatch.buffers))
            self._dispatched(self._bench.shader_pass, uniforms, None)
            context.finish()
            return np.frombuffer(buffer.read(), dtype=np.uint32)
        finally:
            buffer.release()

    def _dispatched(
        self, shader_pass: Pass, uniforms: Mapping[str, UniformValue], groups: Groups | None
    ) -> dict[str, Texels]:
        scratch, dispatch = self._bench.scratch, shader_pass.dispatch
        assert dispatch is not None
        assert isinstance(self._program, moderngl.ComputeShader)
        scratch.clear([shader_pass.name])
        with drawing_state(scratch.context):
            scratch.bind(shader_pass, self._program)
            set_uniforms(self._program, uniforms)
            self._program.run(*(groups or dispatch.groups))
            scratch.context.memory_barrier()
        return {key: scratch.texels(key) for key in shader_pass.outputs}
