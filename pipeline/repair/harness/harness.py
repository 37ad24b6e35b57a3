"""One pass on a bench of its own: its program's variants drawn or dispatched over inputs of any values. GL thread.

Nothing of the session that it comes from is touched: its textures are copied once, into a session of one pass.
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
from texelscope.pipeline.gl.dispatching.held import held_inside, shares_memory
from texelscope.pipeline.gl.program import compiled_dispatch, compiled_variant
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.gl.state import drawing_state, pass_state
from texelscope.pipeline.gl.uniforms import set_uniforms
from texelscope.pipeline.glsl.versions import same_version
from texelscope.pipeline.planning.memory import texture_bytes
from texelscope.pipeline.repair.harness.pass_textures import stage_of
from texelscope.pipeline.repair.harness.rehearsal import Rehearsal

if TYPE_CHECKING:
    from texelscope.pipeline.plan import Pass, Plan, UniformValue

# x, y, width, height in texels of a target.
Area = tuple[int, int, int, int]
Texels = NDArray[np.float32]
# Work groups of a dispatch along each axis.
Groups = tuple[int, int, int]
# What a pass reads may take so many bytes once more.
MOST_BYTES = 1 << 29
# What a target holds before a draw: no plausible result.
_BEFORE = -1234.5


class Harness:
    """A pass of a session, as it is bound there and with what it read there. Release it."""

    def __init__(self, session: Session, each: Pass, plan: Plan | None = None, *, is_rehearsed: bool = True) -> None:
        """`plan` is another one than the session's that has the pass, bound otherwise.

        Where its text alone is drawn, which ran before, nothing need be rehearsed.
        Raises TexelscopeError where what the pass reads is too large to be held twice, or is not there."""
        plan, keys = plan or session.plan, {*each.reads, *each.outputs}
        needed = sum(texture_bytes(plan.textures[key]) for key in keys)
        if needed > MOST_BYTES:
            raise TexelscopeError(
                f"pass '{each.name}'",
                f"at most {MOST_BYTES} bytes to try repairs on",
                f"{needed}",
                "Use a smaller size.",
            )
        is_as_planned = plan is session.plan or each.program == session.plan.pass_called(each.name).program
        self.program = session.program_source(each.name) if is_as_planned else each.program
        self.each = dataclasses.replace(each, program=self.program, from_operator=False)
        self.shares_memory = each.dispatch is not None and shares_memory(self.program.fragment)
        # Whether fewer work groups make a part of what all of them do, and leave the rest as it was cleared.
        self.is_of_groups = (
            each.dispatch is not None
            and not any(binding.starts_as for binding in each.dispatch.bound)
            and "gl_NumWorkGroups" not in self.program.fragment
        )
        self._vertex = "" if each.dispatch is not None else session.vertex_text(each.name)
        self.plan = dataclasses.replace(
            plan,
            textures=MappingProxyType({key: plan.textures[key] for key in plan.textures if key in keys}),
            passes=(self.each,),
            inputs=(),
            outputs=each.outputs,
            not_run=(),
            initial_inputs=MappingProxyType({}),
        )  # fmt: skip
        self._read = [key for key in each.reads if plan.textures[key].role != "constant" and key not in each.outputs]
        self.inputs = {plan.textures[key].tensor: session.tensor(key) for key in self._read}
        self._texels = {key: session.texture(key).read(alignment=1) for key in self._read}
        self._scratch = Session(self.plan, session.context)
        self._target: moderngl.Framebuffer | None = None
        self.restore()
        if each.dispatch is not None:  # which block is bound where is known once the pass itself is compiled
            self._scratch.run_pass(each.name)
        stage = stage_of(self.plan, self.each) if each.dispatch is None else None
        self._rehearsal = Rehearsal(stage) if is_rehearsed else None

    def release(self) -> None:
        """Frees every GL object, and ends the process in which programs are rehearsed."""
        if self._rehearsal is not None:
            self._rehearsal.close()
        if self._target is not None:
            for texture in self._target.color_attachments:
                texture.release()
            self._target.release()
        self._scratch.release()

    def restore(self) -> None:
        """The inputs as they were in the session, padding and all."""
        for key in self._read:
            self._scratch.inject(key, self.inputs[self.plan.textures[key].tensor])
            self._scratch.texture(key).write(self._texels[key], alignment=1)

    def feed(self, inputs: Mapping[str, NDArray[Any]]) -> None:
        """Other inputs, by tensor in their logical shapes."""
        for key in self._read:
            self._scratch.inject(key, inputs[self.plan.textures[key].tensor])

    def variant(self, text: str) -> Variant:
        """The pass with another fragment or compute shader. Raises UnsupportedError where the driver refuses it."""
        return Variant(self, text)

    def expect(self, text: str) -> None:
        """Begins to try apart whether the driver takes a variant, which is asked for next; see `variant`."""
        if self._rehearsal is not None and (whole := self._whole(text)) is not None:
            self._rehearsal.expect(*whole)

    def _whole(self, text: str) -> tuple[str, str] | None:
        """Vertex shader and text as they are compiled; None where shared memory cannot be held inside its arrays."""
        held = held_inside(text) if self.shares_memory else text
        if held is None:
            return None
        return ("" if self.each.dispatch is not None else same_version(self._vertex, held)), held

    # -- for variants --------------------------------------------------------------------------------------

    @property
    def scratch(self) -> Session:
        """The session of the one pass."""
        return self._scratch

    def compiled(self, text: str) -> moderngl.Program | moderngl.ComputeShader:
        """A program that the caller releases. Raises UnsupportedError, also for one that a driver dies of."""
        who, whole = f"pass '{self.each.name}'", self._whole(text)
        if whole is None:
            raise UnsupportedError(who, "shared memory used by its name alone", "one used as a whole", "Leave it.")
        vertex, text = whole
        if self._rehearsal is not None and not self._rehearsal.takes(vertex, text):
            raise UnsupportedError(who, "a variant that the driver compiles", "one that it does not take", "Leave it.")
        if self.each.dispatch is not None:
            return compiled_dispatch(self._scratch.context, text, who)
        return compiled_variant(self._scratch.context, vertex, text, who)

    def target(self) -> moderngl.Framebuffer:
        """A framebuffer like the pass's own, of float32 whatever its tensors' storage."""
        if self._target is None:
            context = self._scratch.context
            textures = []
            for key in self.each.outputs:
                stored = self.plan.textures[key]
                height, width = stored.texture_shape
                textures.append(context.texture((width, height), stored.layout.lanes, dtype="f4", alignment=1))
            self._target = context.framebuffer(textures)
        return self._target


class Variant:
    """One program on the bench; release it."""

    def __init__(self, bench: Harness, text: str) -> None:
        self._bench = bench
        self._program = bench.compiled(text)
        self._array = (
            bench.scratch.geometry(self._program) if isinstance(self._program, moderngl.Program) else None
        )  # fmt: skip

    def release(self) -> None:
        """Frees the program."""
        if self._array is not None:
            self._array.release()
        self._program.release()

    def run(
        self, uniforms: Mapping[str, UniformValue], areas: Mapping[str, Area], groups: Groups | None = None
    ) -> dict[str, Texels]:
        """By output, the texels that the program makes, with those uniforms beside the pass's own.

        `areas` says per output which part is asked for. Of a dispatch whole textures come back, and `groups` are the
        work groups that run if not all of them do: what these do not make is zero.
        Raises TexelscopeError where something cannot be bound.
        """
        return self._dispatched(uniforms, groups) if self._array is None else self._drawn(uniforms, areas)

    def _drawn(self, uniforms: Mapping[str, UniformValue], areas: Mapping[str, Area]) -> dict[str, Texels]:
        bench, found = self._bench, {}
        context, target = bench.scratch.context, bench.target()
        assert isinstance(self._program, moderngl.Program)
        assert self._array is not None
        x = min(area[0] for area in areas.values())
        y = min(area[1] for area in areas.values())
        right = max(area[0] + area[2] for area in areas.values())
        top = max(area[1] + area[3] for area in areas.values())
        with pass_state(context, target):
            target.scissor = (x, y, right - x, top - y)
            target.clear(_BEFORE, _BEFORE, _BEFORE, _BEFORE)
            bench.scratch.bind(bench.each, self._program)
            set_uniforms(self._program, uniforms)
            self._array.render(moderngl.TRIANGLES, vertices=3)
            for number, key in enumerate(bench.each.outputs):
                if key not in areas:
                    continue
                stored, area = bench.plan.textures[key], areas[key]
                lanes = stored.layout.lanes
                data = target.read(viewport=area, components=lanes, attachment=number, dtype="f4", alignment=1)
                found[key] = np.frombuffer(data, dtype=np.float32).reshape(area[3], area[2], lanes)
        return found

    def _dispatched(self, uniforms: Mapping[str, UniformValue], groups: Groups | None) -> dict[str, Texels]:
        bench = self._bench
        scratch, dispatch = bench.scratch, bench.each.dispatch
        assert dispatch is not None
        assert isinstance(self._program, moderngl.ComputeShader)
        scratch.clear([bench.each.name])
        with drawing_state(scratch.context):
            scratch.bind(bench.each, self._program)
            set_uniforms(self._program, uniforms)
            self._program.run(*(groups or dispatch.groups))
            scratch.context.memory_barrier()
        return {key: scratch.texels(key) for key in bench.each.outputs}
