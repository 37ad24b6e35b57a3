"""Runs forms on GL: their programs, packed numbers and scratch.

Shaders read numbers in a buffer as a texture of one dimension, which moderngl does not offer. On a software driver
this read costs a third of one from a texture of two dimensions.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol, cast

import moderngl
from numpy.typing import NDArray

from texelscope.pipeline.gl.dealing import BLOCK, left_of
from texelscope.pipeline.gl.dispatching.buffer_textures import BufferTexture
from texelscope.pipeline.gl.dispatching.sampled_views import set_unit_of_any
from texelscope.pipeline.gl.layer_targets import target_of_layers
from texelscope.pipeline.gl.own_programs import LEFT, own_programs
from texelscope.pipeline.gl.program import ProgramCache, compiled
from texelscope.pipeline.gl.state import (
    draw_beside_others,
    drawing_state,
    is_llvmpipe,
    release_framebuffer,
    target_state,
)
from texelscope.pipeline.gl.textures import bytes_of, label
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.lowerings.fusion.room import Room
from texelscope.pipeline.lowerings.lowering import (
    SHAPE_BINDING,
    Lowering,
    LoweringStep,
    PackedConstants,
    Scratch,
)
from texelscope.pipeline.lowerings.solo import STORES_VERSION
from texelscope.pipeline.lowerings.text import without_bindings
from texelscope.pipeline.plan import Sampler, StoredTensor
from texelscope.pipeline.workers.cores import cores

# More samplers than the shader of a form has.
_SLOTS = 8
_NEAREST = Sampler("", "")


class AlikeSlots:
    """Brings the driver's sampler slots into one state, by drawing a texel with `sampler` in each of them.

    A buffer is read without a sampler. Mesa keeps the last draw's state in its slot, and llvmpipe compiles a
    shader again for each such state: a second run waited for its programs as long as the first.
    """

    def __init__(self, context: moderngl.Context, sampler: moderngl.Sampler) -> None:
        self._sampler = sampler
        text = read_shader("lowerings/sampler_slots.glsl")
        self._program = compiled(context, default_vertex_shader(text), text)
        for slot in range(_SLOTS):
            cast("moderngl.Uniform", self._program[f"t_{slot}"]).value = slot
        self._array = context.vertex_array(self._program, [])
        self._texture = context.texture((1, 1), 4, dtype="f4")
        has_empty = context.version_code >= STORES_VERSION
        self._target = (
            context.empty_framebuffer((1, 1)) if has_empty else context.simple_framebuffer((1, 1), 4, dtype="f1")
        )

    def draw(self) -> None:
        """Draws the texel, inside a `pipeline.gl.state.drawing_state`."""
        for slot in range(_SLOTS):
            self._texture.use(slot)
            self._sampler.use(slot)
        self._target.use()
        self._array.render(moderngl.TRIANGLES, vertices=3)

    def release(self) -> None:
        """Frees its GL objects, but for the sampler."""
        for item in (self._array, self._program, self._texture, self._target):
            item.release()


@dataclass(frozen=True)
class _Draw:
    """Holds what a fragment shader needs to draw: a target as large as the draw, without content, and its place there.

    There is no target of a step that has targets: which textures these are may change from run to run. Programs are
    shared: `place` tells it where this draw begins.
    """

    array: moderngl.VertexArray
    target: moderngl.Framebuffer | None
    place: Callable[[], object] | None = None

    def run(self, *, lets_others_run: bool) -> None:
        """Draws into the bound target or its own."""
        if self.target is not None:
            self.target.use()
        if self.place is not None:
            self.place()
        if lets_others_run:
            draw_beside_others(self.array)
        else:
            self.array.render(moderngl.TRIANGLES, vertices=3)


_Texture = moderngl.Texture | moderngl.TextureArray


@dataclass(frozen=True)
class _Ready:
    """Holds what a step needs on GL, created once, and the calls that bind it.

    A large GPU is done with a small step before the calls of the next are put together.
    """

    step: LoweringStep
    draw: _Draw | moderngl.ComputeShader | None
    shape: moderngl.Buffer | None
    packed: tuple[BufferTexture, ...]
    blocks: tuple[moderngl.Buffer, ...]

    @cached_property
    def bindings(self) -> Sequence[Callable[[], object]]:
        """Returns the calls that bind its own numbers, as textures and in blocks."""
        first = len(self.step.textures) + len(self.step.read_buffers)
        calls: list[Callable[[], object]] = []
        for unit, each in enumerate(self.packed, first):
            calls += each.uses(unit)
        if self.shape is not None:
            calls.append(partial(self.shape.bind_to_uniform_block, SHAPE_BINDING))
        for binding, block in enumerate(self.blocks):
            calls.append(partial(block.bind_to_storage_buffer, binding))
        return calls

    def run(self, *, lets_others_run: bool) -> None:
        """Draws, or dispatches the work groups; a copy has no draw. See `LoweringRunner.lets_others_run`."""
        if isinstance(self.draw, _Draw):
            self.draw.run(lets_others_run=lets_others_run)
        elif self.draw is not None:
            self.draw.run(*self.step.size)


class FormTextures(Protocol):
    """Has the textures that forms read and write, by the tensors that a plan stores."""

    def sampler(self, binding: Sampler) -> moderngl.Sampler:
        """Returns the sampler object for a binding's filter and wrap."""

    def texture(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns the texture of a tensor, for writing."""

    def for_reading(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns the texture of a tensor, for reading."""

    def target(self, stored: Sequence[StoredTensor]) -> moderngl.Framebuffer:
        """Returns the framebuffer for those tensors' textures."""


class LoweringRunner:
    """Runs forms of a plan into textures of `store`.

    With `lets_others_run`, other threads of Python run while a draw waits for its program to be compiled, which delays
    the calls between draws.
    """

    def __init__(self, context: moderngl.Context, store: FormTextures, programs: ProgramCache) -> None:
        self._context = context
        self._store = store
        self._programs = programs
        self._ready: dict[int, tuple[Lowering, tuple[_Ready, ...]]] = {}
        self._packed: dict[str, BufferTexture] = {}
        self._blocks: dict[str, moderngl.Buffer] = {}
        self._buffers: dict[str, BufferTexture] = {}
        self._reserved: Mapping[str, int] = {}
        self._scratch: dict[Scratch, moderngl.Texture | moderngl.TextureArray] = {}
        self._scratch_targets: dict[Scratch, moderngl.Framebuffer] = {}
        self._slots: AlikeSlots | None = None
        self._has_bindings = context.version_code >= STORES_VERSION
        self._nearest = store.sampler(_NEAREST)
        self._is_llvmpipe = is_llvmpipe(context)
        self._is_drawing = False
        self._cores = cores()
        self.lets_others_run = False

    def release(self) -> None:
        """Frees every GL object."""
        self.keep_only(())
        if self._slots is not None:
            self._slots.release()
            self._slots = None
        self.free(tuple(self._scratch))
        for numbers in (*self._packed.values(), *self._buffers.values()):
            numbers.release()
        for block in self._blocks.values():
            block.release()
        self._buffers.clear()
        self._packed.clear()
        self._blocks.clear()

    def keep_only(self, forms: Collection[Lowering]) -> None:
        """Frees the objects of other forms; packed numbers and scratch stay for later ones."""
        kept = {id(form) for form in forms}
        for key in self._ready.keys() - kept:
            for each in self._ready.pop(key)[1]:
                self._release(each)

    def forget(self, form: Lowering) -> None:
        """Frees the objects of a form, and the packed numbers that no other form reads."""
        for each in self._ready.pop(id(form), (form, ()))[1]:
            self._release(each)
        used = {packed.key for other, _ in self._ready.values() for step in other.steps for packed in step.packed}
        for key in self._packed.keys() - used:
            self._packed.pop(key).release()

    def free(self, rooms: Collection[Room]) -> None:
        """Frees scratch among these rooms; the next use creates it again."""
        for room in rooms:
            if isinstance(room, Scratch) and room in self._scratch:
                if room in self._scratch_targets:
                    release_framebuffer(self._context, self._scratch_targets.pop(room))
                self._scratch.pop(room).release()
            elif isinstance(room, str) and room in self._buffers:
                self._buffers.pop(room).release()

    def reserve(self, buffers: Mapping[str, int]) -> None:
        """Sets the sizes of future scratch buffers, in bytes by name; larger and other ones are freed."""
        self._reserved = buffers
        self.free([name for name, buffer in self._buffers.items() if buffer.size > buffers.get(name, 0)])

    @property
    def scratch_bytes(self) -> int:
        """Bytes of scratch textures and scratch buffers."""
        return sum(map(bytes_of, self._scratch.values())) + sum(each.size for each in self._buffers.values())

    @property
    def packed_bytes(self) -> int:
        """Bytes of packed numbers."""
        return sum(each.size for each in self._packed.values()) + sum(each.size for each in self._blocks.values())

    def prepare(
        self, form: Lowering, textures: Mapping[str, StoredTensor], constant: Callable[[str], NDArray[Any]]
    ) -> None:
        """Compiles and packs what the form needs, once. Raises ShaderError if the driver refuses a step."""
        if id(form) not in self._ready:
            steps = own_programs(form, textures) if self._is_llvmpipe else form.steps
            self._ready[id(form)] = (form, tuple(self._made(step, form, constant) for step in steps))

    def drawing(self) -> AbstractContextManager[None]:
        """Sets the state for the forms that run inside, once for all; passes may be drawn between them."""
        return nullcontext() if self._is_drawing else self._drawing()

    @contextmanager
    def _drawing(self) -> Iterator[None]:
        with drawing_state(self._context):
            self._is_drawing = True
            try:
                yield
            finally:
                self._is_drawing = False

    def run(self, form: Lowering, textures: Mapping[str, StoredTensor]) -> None:
        """Runs the steps of a prepared form."""
        with self.drawing():
            if self._is_llvmpipe and any(step.packed or step.read_buffers for step in form.steps):
                self._slots = self._slots or AlikeSlots(self._context, self._nearest)
                self._slots.draw()
            self._draw(form, textures)

    def _draw(self, form: Lowering, textures: Mapping[str, StoredTensor]) -> None:
        scratch = {each.name: self._scratch_texture(each) for each in form.scratch}
        for name, byte_count in form.buffers:
            self._reserve(name, byte_count)
        for ready in self._ready[id(form)][1]:
            if ready.step.kind == "copy":
                self._copy(ready.step, scratch, textures)
                continue
            self._bind(ready, scratch, textures)
            if ready.step.targets:  # the next draw sees what was drawn without a barrier
                with target_state(self._context, self._target(ready.step, form, textures)):
                    ready.run(lets_others_run=self.lets_others_run)
            else:
                ready.run(lets_others_run=self.lets_others_run)
                self._context.memory_barrier()

    def _copy(self, step: LoweringStep, scratch: Mapping[str, _Texture], textures: Mapping[str, StoredTensor]) -> None:
        """Copies the texels of a texture of float32 into a scratch buffer."""
        (key,), (name,) = step.textures, step.buffers
        texture = scratch[key] if key in scratch else self._store.for_reading(textures[key])
        texture.read_into(self._buffers[name].buffer)

    def _bind(self, ready: _Ready, scratch: Mapping[str, _Texture], textures: Mapping[str, StoredTensor]) -> None:
        """Binds what a step reads and writes; which textures and buffers these are may change from run to run."""
        step = ready.step
        for unit, name in enumerate(step.textures):
            (scratch[name] if name in scratch else self._store.for_reading(textures[name])).use(unit)
            self._nearest.use(unit)
        for unit, name in enumerate(step.read_buffers, len(step.textures)):
            self._buffers[name].use(unit)
        for unit, name in enumerate(step.images):
            texture = scratch[name] if name in scratch else self._store.texture(textures[name])
            texture.bind_to_image(unit, read=False, write=True)
        for binding, name in enumerate(step.buffers, len(ready.blocks)):
            self._buffers[name].buffer.bind_to_storage_buffer(binding)
        for call in ready.bindings:
            call()

    def _target(self, step: LoweringStep, form: Lowering, textures: Mapping[str, StoredTensor]) -> moderngl.Framebuffer:
        """Returns the target of the textures that the step draws into: tensors, or one scratch texture."""
        for scratch in form.scratch:
            if step.targets == (scratch.name,):
                if scratch not in self._scratch_targets:
                    texture = self._scratch_texture(scratch)
                    self._scratch_targets[scratch] = (
                        self._context.framebuffer([texture])
                        if isinstance(texture, moderngl.Texture)
                        else target_of_layers(self._context, texture)
                    )
                return self._scratch_targets[scratch]
        for key in step.targets:
            self._store.texture(textures[key])
        return self._store.target([textures[key] for key in step.targets])

    def _made(self, step: LoweringStep, form: Lowering, constant: Callable[[str], NDArray[Any]]) -> _Ready:
        draw: _Draw | moderngl.ComputeShader | None = None
        if step.kind == "compute":
            draw = self._programs.acquire_compute(step.program, form.covers[0])
        elif step.kind == "fragment":
            program = self._program(step, form)
            draw = self._drawn(program, step)
        return _Ready(
            step,
            draw,
            self._context.buffer(step.shape) if step.shape else None,
            tuple(self._numbers(packed, constant) for packed in step.packed),
            tuple(self._block(packed, constant) for packed in step.blocks),
        )

    def _drawn(self, program: moderngl.Program, step: LoweringStep) -> _Draw:
        array = self._context.vertex_array(program, [])
        if step.targets:
            return _Draw(array, None)
        width, height, _ = step.size
        if not (self._is_llvmpipe and LEFT in program):
            return _Draw(array, self._context.empty_framebuffer((width, height)))
        left = left_of(width, self._cores) if height <= BLOCK else 0
        target = self._context.empty_framebuffer((left + width, height))
        target.viewport = (left, 0, width, height)
        uniform = cast("moderngl.Uniform", program[LEFT])
        return _Draw(array, target, partial(uniform.write, struct.pack("f", left)))

    def _program(self, step: LoweringStep, form: Lowering) -> moderngl.Program:
        """Returns the program of a draw, its samplers and its block bound, in its text or from here."""
        if self._has_bindings:
            return self._programs.acquire(step.program, form.covers[0])
        source, units = without_bindings(step.program)
        program = self._programs.acquire(source, form.covers[0])
        for name, unit in units.items():
            if name in program:
                set_unit_of_any(program, cast("moderngl.Uniform", program[name]), unit)
        if "Shape" in program:
            cast("moderngl.UniformBlock", program["Shape"]).binding = SHAPE_BINDING
        return program

    def _release(self, ready: _Ready) -> None:
        if ready.shape is not None:
            ready.shape.release()
        if isinstance(ready.draw, _Draw):
            ready.draw.array.release()
            if ready.draw.target is not None:
                release_framebuffer(self._context, ready.draw.target)
            program = ready.step.program
            self._programs.release(program if self._has_bindings else without_bindings(program)[0])
        elif ready.draw is not None:
            self._programs.release_compute(ready.step.program)

    def _reserve(self, name: str, byte_count: int) -> None:
        """Enlarges the scratch buffer of that name if needed; no step needs data of an earlier form in it."""
        if name in self._buffers and self._buffers[name].size >= byte_count:
            return
        if name in self._buffers:
            self._buffers[name].release()
        size = max(byte_count, self._reserved.get(name, 0))
        self._buffers[name] = BufferTexture(self._context.buffer(reserve=size))

    def _block(self, packed: PackedConstants, constant: Callable[[str], NDArray[Any]]) -> moderngl.Buffer:
        if packed.key not in self._blocks:
            self._blocks[packed.key] = self._context.buffer(packed.make(constant))
        return self._blocks[packed.key]

    def _numbers(self, packed: PackedConstants, constant: Callable[[str], NDArray[Any]]) -> BufferTexture:
        if packed.key not in self._packed:
            self._packed[packed.key] = BufferTexture.holding(self._context, packed.make(constant))
        return self._packed[packed.key]

    def _scratch_texture(self, scratch: Scratch) -> moderngl.Texture | moderngl.TextureArray:
        if scratch not in self._scratch:
            kind, size = "f4" if scratch.storage == "float32" else "f2", (scratch.width, scratch.height)
            self._scratch[scratch] = (
                self._context.texture_array((*size, scratch.layers), 4, dtype=kind)
                if scratch.layers
                else self._context.texture(size, 4, dtype=kind)
            )
            label(self._context, self._scratch[scratch], scratch.name)
        return self._scratch[scratch]
