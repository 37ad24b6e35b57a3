"""Draws or dispatches a pass once more with one thing changed, without touching its own target. GL thread only.

This is a causal intervention: if the result becomes right when one thing is forced (filtering off, blending off,
coordinates moved by a quarter texel …), that thing is the cause. A compute pass has barriers, other work groups and
double writes. Marks that fill a target before a run show what is written and whether the pass reads it.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import RedrawnPass
from texelscope.pipeline.diagnose.evidence.variants import with_barriers
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.program import compiled, compiled_dispatch
from texelscope.pipeline.gl.state import bound_textures, drawing_state, pass_state
from texelscope.pipeline.gl.textures import write_own
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.glsl.source_text import same_version
from texelscope.pipeline.plan import Pass, ProgramSource, StoredTensor, UniformValue
from texelscope.pipeline.planning.storage import PACKED, components, values_of
from texelscope.pipeline.read_trace.recorder import ReadRecorder

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Texels = NDArray[np.float32]

# Unwritten lanes keep these values; exact in half precision, and no plausible results. Neighbours differ in sign: an
# activation would hide reads of a target that is negative, or large, everywhere.
SENTINEL = -1237.0
SENTINEL_BYTES = (153, 60)
# Of 256 values a few results may equal a sentinel: what keeps this one too was not written.
SECOND_SENTINEL = -1811.0
SECOND_SENTINEL_BYTES = (92, 201)
# Content of the own target in the test whether the result depends on it.
OTHERS, OTHER_BYTES = (-0.27, 0.0115), (60, 15)
_FRAMEBUFFER_SRGB = 0x8DB9
Groups = tuple[int, int, int]


def fill(texture: moderngl.Texture, stored: StoredTensor, values: Sequence[float], of_bytes: Sequence[int]) -> None:
    """Fills the tensor's part of its texture with `values` (in narrow formats, `of_bytes` over 255) in turn."""
    write_own(texture, stored, components(_before_rounding(stored, values, of_bytes), stored.storage))


def held_texels(stored: StoredTensor, values: Sequence[float], of_bytes: Sequence[int]) -> Texels:
    """Returns the texels of a texture that `fill` has filled."""
    return values_of(components(_before_rounding(stored, values, of_bytes), stored.storage), stored.storage)


def _before_rounding(stored: StoredTensor, values: Sequence[float], of_bytes: Sequence[int]) -> Texels:
    is_narrow = stored.storage == "uint8" or stored.storage in PACKED
    shape = (*stored.texture_shape, stored.layout.lanes)
    return alternating(shape, [byte / 255.0 for byte in of_bytes] if is_narrow else values)


def alternating(shape: tuple[int, ...], values: Sequence[float]) -> Texels:
    """Returns the values in turn, texel by texel, as on a chessboard."""
    height, width, _ = shape
    turn = (np.arange(height)[:, None, None] + np.arange(width)[:, None]) % len(values)
    return np.broadcast_to(np.asarray(values, dtype=np.float32)[turn], shape)


@dataclass(frozen=True)
class Intervention:
    """One change: state forced after the pass has set its own, other inputs bound, or another program.

    `background` fills the target before the draw. `uniforms` belong to a changed program; `settings` are other values
    of the pass's own uniforms, members of blocks included.
    """

    unblended: bool = True
    viewport: bool = True
    unmasked: bool = True
    nearest: bool = False
    background: float = 0.0
    inputs: Mapping[str, moderngl.Texture] | None = None
    program: ProgramSource | None = None
    uniforms: Mapping[str, UniformValue] | None = None
    settings: Mapping[str, UniformValue] | None = None


class Redrawer:
    """Redraws one pass of a session. Programs are kept until `release`."""

    def __init__(self, session: Session, shader_pass: Pass, rows: slice) -> None:
        """Draws only the texel `rows` of the target: a part is enough to see what helps."""
        self._session = session
        self._pass = shader_pass
        self._rows = rows
        self._programs: dict[str, tuple[moderngl.Program, moderngl.VertexArray]] = {}

    def of_rows(self, rows: slice) -> Redrawer:
        """Returns a redrawer of other rows, which shares this one's programs."""
        other = Redrawer(self._session, self._pass, rows)
        other._programs = self._programs
        return other

    def release(self) -> None:
        """Frees the programs."""
        for program, array in self._programs.values():
            array.release()
            program.release()
        self._programs.clear()

    def draw(self, intervention: Intervention) -> RedrawnPass:
        """Draws under the intervention and returns the target in float32, whatever the tensor's storage."""
        program, array = self._program(intervention.program)
        context = self._session.context
        with self._targets(intervention.background) as framebuffer:
            with pass_state(context, framebuffer):
                framebuffer.scissor = self._scissor(framebuffer)
                self._session.bind(with_settings(self._pass, intervention.settings), program, intervention.inputs or {})
                self._force(intervention, framebuffer)
                for name, value in (intervention.uniforms or {}).items():
                    if name in program:
                        program[name].value = value  # type: ignore[union-attr]
                array.render(moderngl.TRIANGLES, vertices=3)
            texture = framebuffer.color_attachments[self._pass.looked_at]
            assert isinstance(texture, moderngl.Texture)
            values = np.frombuffer(texture.read(alignment=1), dtype=np.float32)
        return RedrawnPass(values.reshape(texture.height, texture.width, texture.components), self._rows)

    def samplers_of_targets(self) -> tuple[str, ...]:
        """Returns the sampler uniforms whose texture unit holds a target of the pass when it is drawn."""
        own, found = {self._session.texture(key).glo for key in self._pass.outputs}, []
        program, _ = self._program(None)
        with self._targets(0.0) as framebuffer, pass_state(self._session.context, framebuffer):
            self._session.bind(self._pass, program)
            bound = bound_textures(len(self._pass.samplers))
            for name, sampler in zip(bound, self._pass.samplers, strict=True):
                found += [sampler.uniform] if name in own and sampler.uniform in program else []
        return tuple(found)

    def _force(self, intervention: Intervention, framebuffer: moderngl.Framebuffer) -> None:
        context = self._session.context
        if intervention.unblended:
            context.disable(moderngl.BLEND)  # logic operations do not apply to float targets
            context.disable_direct(_FRAMEBUFFER_SRGB)
        context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        if intervention.viewport:
            output = self._session.plan.textures[self._pass.output]
            framebuffer.viewport = output.layout.bounds(output.shape)
        if intervention.unmasked:  # without scissor or channel mask
            framebuffer.scissor = self._scissor(framebuffer)
            every = (True, True, True, True)
            count = len(framebuffer.color_attachments)
            framebuffer.color_mask = every if count == 1 else (every,) * count  # type: ignore[assignment]
        framebuffer.use()  # this applies what was set
        for unit, sampler in enumerate(self._pass.samplers):
            if intervention.nearest:
                self._session.sampler(sampler, nearest=True).use(unit)

    def _scissor(self, framebuffer: moderngl.Framebuffer) -> tuple[int, int, int, int]:
        return (0, self._rows.start, framebuffer.width, self._rows.stop - self._rows.start)

    @contextmanager
    def _targets(self, background: float) -> Iterator[moderngl.Framebuffer]:
        context, plan = self._session.context, self._session.plan
        textures = []
        for key in self._pass.outputs:
            stored = plan.textures[key]
            height, width = stored.texture_shape
            texture = context.texture((width, height), stored.layout.lanes, dtype="f4", alignment=1)
            texture.write(np.full((height, width, stored.layout.lanes), background, dtype=np.float32), alignment=1)
            textures.append(texture)
        framebuffer = context.framebuffer(textures)
        try:
            yield framebuffer
        finally:
            framebuffer.release()
            for texture in textures:
                texture.release()

    def _program(self, changed: ProgramSource | None) -> tuple[moderngl.Program, moderngl.VertexArray]:
        source = changed or self._session.program_source(self._pass.name)
        if source.fragment not in self._programs:
            vertex = same_version(self._session.vertex_text(self._pass.name), source.fragment)
            program = compiled(self._session.context, vertex, source.fragment)
            self._programs[source.fragment] = (program, self._session.geometry(program))
        return self._programs[source.fragment]


def with_settings(shader_pass: Pass, settings: Mapping[str, UniformValue] | None) -> Pass:
    """Returns the pass with other values of its uniforms, by OpenGL's names.

    A program keeps the values of an earlier draw: unset uniforms without a value are set to 0.
    """
    if not shader_pass.unset:
        return shader_pass
    nothing = {each.name: (0,) * each.count for each in shader_pass.unset}
    values = {**nothing, **shader_pass.uniforms, **(settings or {})}
    return dataclasses.replace(shader_pass, uniforms=MappingProxyType(values))


def dispatched_again(
    session: Session,
    shader_pass: Pass,
    program: ProgramSource,
    recorder: ReadRecorder,
    interventions: dict[str, RedrawnPass],
) -> Generator[None, None, dict[str, Any]]:
    """Adds `barriers` and `other_size` to `interventions`, step by step, and returns facts.

    `barrier` says where a single barrier has the effect of all (its neighbour, and the line), `other_size` names
    another work group size, `races` lists which invocations wrote one place twice. The session's state is restored.
    """
    assert shader_pass.dispatch is not None
    facts: dict[str, Any] = {}
    groups = shader_pass.dispatch.groups

    def run(name: str, source: ProgramSource, dispatch: Groups) -> Texels | None:
        try:
            return _dispatch(session, shader_pass, source, dispatch)
        except TexelscopeError as error:
            facts[f"not {name}"] = str(error)
            return None

    barriers = with_barriers(program)
    everywhere = run("barriers", barriers.every, groups) if barriers is not None else None
    yield
    if barriers is not None and everywhere is not None:
        interventions["barriers"] = _whole(everywhere)
        now = session.texels(shader_pass.output)
        for source, says, line in barriers.single if not np.array_equal(everywhere, now, equal_nan=True) else ():
            alone = run("barrier", source, groups)
            yield
            if alone is not None and np.array_equal(alone, everywhere, equal_nan=True):
                facts["barrier"] = (says, line)
                break
    other = _other_size(program, groups)
    if other is not None and (made := run("other_size", other[0], other[1])) is not None:
        interventions["other_size"] = _whole(made)
        facts["other_size"] = other[2]
    yield
    try:
        facts["races"] = tuple(recorder.races(shader_pass))
    except TexelscopeError as error:
        facts["not races"] = str(error)
    yield
    return facts


def _whole(texels: Texels) -> RedrawnPass:
    return RedrawnPass(texels, slice(0, texels.shape[0]))


def _dispatch(session: Session, shader_pass: Pass, source: ProgramSource, groups: Groups) -> Texels:
    """Returns the output of that program; the outputs' content is restored."""
    shader = compiled_dispatch(session.context, source.fragment, f"pass '{shader_pass.name}'")
    try:
        return dispatched(session, shader_pass, shader, groups)
    finally:
        shader.release()


def dispatched(session: Session, shader_pass: Pass, shader: moderngl.ComputeShader, groups: Groups) -> Texels:
    """Returns the output of a compiled program with the pass's bindings; the outputs' content is restored."""
    held = {key: session.texture(key).read(alignment=1) for key in shader_pass.outputs}
    try:
        with drawing_state(session.context):
            session.bind(shader_pass, shader)
            shader.run(*groups)
            session.context.memory_barrier()
        return session.texels(shader_pass.output)
    finally:
        for key, data in held.items():
            session.texture(key).write(data, alignment=1)


class Redraws:
    """Draws or dispatches a pass with other values of its uniforms; release it."""

    def __init__(self, session: Session, shader_pass: Pass, redrawer: Redrawer | None, few: slice) -> None:
        """`redrawer` draws a pass that is not dispatched, and of it `few` rows. Raises TexelscopeError."""
        self._session, self._pass, self._redrawer = session, shader_pass, redrawer
        self._few = redrawer.of_rows(few) if redrawer is not None else None
        self._shader: moderngl.ComputeShader | None = None
        if shader_pass.dispatch is not None:
            text = session.program_source(shader_pass.name).fragment
            self._shader = compiled_dispatch(session.context, text, f"pass '{shader_pass.name}'")

    def release(self) -> None:
        """Frees the program."""
        if self._shader is not None:
            self._shader.release()

    def draw(self, settings: Mapping[str, UniformValue], *, is_of_few: bool = False) -> RedrawnPass:
        """Returns the output's texels, or a few rows of them, with other values of uniforms, by OpenGL's names."""
        redrawer = self._few if is_of_few else self._redrawer
        if redrawer is not None:
            return redrawer.draw(Intervention(settings=settings))
        dispatch = self._pass.dispatch
        assert self._shader is not None
        assert dispatch is not None
        texels = dispatched(self._session, with_settings(self._pass, settings), self._shader, dispatch.groups)
        return RedrawnPass(texels, slice(0, texels.shape[0]))


def _other_size(program: ProgramSource, groups: Groups) -> tuple[ProgramSource, Groups, str] | None:
    """Returns the program in work groups of half the size along their longest side, and twice as many."""
    size = local_size(program.fragment)
    if size is None or max(size) < 2:
        return None
    axis = int(np.argmax(size))
    smaller = [length // 2 if number == axis else length for number, length in enumerate(size)]
    pattern = re.compile(rf"(\blocal_size_{'xyz'[axis]}\s{{0,9}}=\s{{0,9}})[^,()]{{1,99}}(?=[,)])")
    text, count = pattern.subn(rf"\g<1>{smaller[axis]}", program.fragment, count=1)
    if count != 1:
        return None
    x, y, z = (
        math.ceil(length * own / now) for length, own, now in zip(groups, size, smaller, strict=True)
    )  # fmt: skip
    return dataclasses.replace(program, fragment=text), (x, y, z), " x ".join(map(str, smaller))
