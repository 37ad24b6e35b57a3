"""Runs passes on GL: each has a program and a timer, and framebuffers by outputs; no GL state is left behind.

Texels of a pass's targets that no fragment writes are found by drawing over two different backgrounds: they keep both.
A shader skips a texel by `discard`, a vertex shader by triangles that do not cover the target, and one of several
outputs may not be written at all. A pass without any of these is not drawn again. A compute shader writes anywhere,
and is always dispatched again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from types import MappingProxyType

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.dispatching.dispatcher import Dispatcher
from texelscope.pipeline.gl.dispatching.sampled_views import has_its_kind, set_unit
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.gl.state import TargetGeometry, drawing_state, initial_uniforms, pass_state, set_uniforms
from texelscope.pipeline.gl.textures import TextureStore, debug_group
from texelscope.pipeline.gl.timers import PassTimers
from texelscope.pipeline.gl.uniform_blocks import UniformBlocks
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import Pass, ProgramSource, Sampler, StoredTensor
from texelscope.pipeline.planning.dispatches import dispatch_problems
from texelscope.pipeline.shader_trials.trying import hold_harmless

# Exact in every storage but 8 bits, where each is the nearest step to one value only; as RGBA, by lane.
GROUNDS = (0.25, 0.75)
_DISCARD = re.compile(r"\bdiscard\b")

Mask = NDArray[np.bool_]
AnyProgram = moderngl.Program | moderngl.ComputeShader
# By the key of a tensor, a texture of floats in its place.
Textures = Mapping[str, moderngl.Texture]
NO_TEXTURES: Textures = MappingProxyType({})
# Drivers and debuggers list it while a debugger is attached (EXT_debug_tool).
DEBUGGER = "GL_EXT_debug_tool"
# A slower pass is run once: a loop that hardly ends takes a software driver many seconds each time.
LONG_MS = 2500.0


def may_leave_texels(shader_pass: Pass, program: ProgramSource) -> bool:
    """Reports whether a pass with this program could leave texels of its targets unwritten."""
    own_vertices = program.vertex is not None or shader_pass.dispatch is not None
    return (
        own_vertices or len(shader_pass.outputs) > 1 or _DISCARD.search(without_comments(program.fragment)) is not None
    )


def unwritten_texels(
    context: moderngl.Context, targets: list[moderngl.Texture], draw: Callable[[moderngl.Framebuffer], None]
) -> list[Mask]:
    """Returns, for each target, [height, width] of texels that `draw` does not write. The targets are overwritten."""
    framebuffer = context.framebuffer(targets)
    kept = [np.ones((target.height, target.width), dtype=bool) for target in targets]
    try:
        for ground in GROUNDS:
            framebuffer.clear(ground, ground, ground, ground)
            before = [target.read(alignment=1) for target in targets]
            draw(framebuffer)
            for mask, target, bytes_before in zip(kept, targets, before, strict=True):
                same = np.frombuffer(bytes_before, np.uint8) == np.frombuffer(target.read(alignment=1), np.uint8)
                mask &= same.reshape(target.height, target.width, -1).all(axis=2)
    finally:
        framebuffer.release()
    return kept


def kept_texels(textures: Callable[[], list[moderngl.Texture]], run: Callable[[], None]) -> list[Mask]:
    """Returns what `run` leaves unwritten in `textures`, as `unwritten_texels`, and restores these.

    The textures are requested at each read or write, so that their owner knows.
    """
    first = textures()
    held = [texture.read(alignment=1) for texture in first]
    kept = [np.ones((texture.height, texture.width), dtype=bool) for texture in first]
    for ground in GROUNDS:
        before = [_filled(texture, ground) for texture in textures()]
        run()
        for mask, texture, bytes_before in zip(kept, textures(), before, strict=True):
            same = np.frombuffer(bytes_before, np.uint8) == np.frombuffer(texture.read(alignment=1), np.uint8)
            mask &= same.reshape(texture.height, texture.width, -1).all(axis=2)
    for texture, data in zip(textures(), held, strict=True):
        texture.write(data, alignment=1)
    return kept


def _filled(texture: moderngl.Texture, ground: float) -> bytes:
    """Fills every lane of the texture with `ground`; returns its new bytes."""
    count = texture.height * texture.width * texture.components
    number = round(ground * 255.0) if texture.dtype == "f1" else ground
    data = np.full(count, number, {"f1": np.uint8, "f2": np.float16, "f4": np.float32}[texture.dtype]).tobytes()
    texture.write(data, alignment=1)
    return texture.read(alignment=1)  # a format in 32 bits rounds it


def elements_of(texels: Mask, stored: StoredTensor) -> Mask:
    """Converts a mask of texels [height, width] to one of the tensor's elements, in its logical shape."""
    lanes = np.repeat(texels[:, :, None], stored.layout.lanes, axis=2)
    return stored.layout.decode(lanes.astype(np.float32), stored.shape) > 0.0


@dataclass(frozen=True)
class _Loaded:
    """Holds the program of a pass; `array` draws it, a compute shader has none."""

    source: ProgramSource
    program: moderngl.Program | moderngl.ComputeShader
    array: moderngl.VertexArray | None = None


class PassRunner:
    """Draws or dispatches passes of a plan into textures of `store`.

    A subclass that changes how passes are drawn uses no forms.
    """

    takes_forms = True

    def __init__(self, context: moderngl.Context, store: TextureStore, programs: ProgramCache | None = None) -> None:
        """Uses `programs` that others on the context share; by default its own."""
        self._context = context
        self._store = store
        self._programs = programs or ProgramCache(context)
        self._geometry = TargetGeometry(context)
        self._timers = PassTimers(context)
        self._has_debugger = DEBUGGER in context.extensions
        self._blocks = UniformBlocks(context)
        self._loaded: dict[str, _Loaded] = {}
        self._initial_uniforms: dict[int, dict[str, bytes]] = {}
        self._dispatcher = Dispatcher(context, store.twins, store.as_it_is)
        self._checked: dict[str, tuple[Pass, ProgramSource]] = {}

    def release(self) -> None:
        """Frees every GL object."""
        for name in [*self._loaded]:
            self._unload(name)
        self._timers.release()
        self._blocks.release()
        self._geometry.release()

    def load(self, name: str, source: ProgramSource, *, ask_first: bool = False) -> bool:
        """Compiles `source` for the pass called `name`; returns False if it already has that text.

        `ask_first` as for `ProgramCache.acquire`.

        Raises ShaderError with file, line and message; the former program then stays.
        """
        loaded = self._loaded.get(name)
        if loaded is not None and _text(loaded.source) == _text(source):
            self._loaded[name] = _Loaded(source, loaded.program, loaded.array)
            return False
        made = self._made(name, source, ask_first=ask_first)
        self._unload(name)
        self._loaded[name] = made
        if made.program.glo not in self._initial_uniforms:
            self._initial_uniforms[made.program.glo] = initial_uniforms(made.program)
        return True

    def _made(self, name: str, source: ProgramSource, *, ask_first: bool) -> _Loaded:
        if ask_first:  # edited text was not tried when the target was opened
            hold_harmless(source, name)
        if source.stage == "compute":
            return _Loaded(source, self._programs.acquire_compute(source, name, ask_first=ask_first))
        program = self._programs.acquire(source, name, ask_first=ask_first)
        try:
            return _Loaded(source, program, self.geometry(program))
        except BaseException:
            self._programs.release(source)
            raise

    def is_loaded(self, name: str) -> bool:
        """Reports whether the pass has a program."""
        return name in self._loaded

    def draw(self, shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> None:
        """Draws or dispatches the pass with its loaded program, and times it. Raises ShaderError on failure."""
        check()
        if shader_pass.dispatch is not None:
            self._dispatch(shader_pass, textures)
            return
        for key in shader_pass.outputs:
            self._store.twins.wrote(key)
        self._draw(shader_pass, textures, self._target(shader_pass, textures), self._timers.measure(shader_pass.name))

    def draw_into(self, target: moderngl.Framebuffer, shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> None:
        """Draws the pass with its loaded program into a target of the same kind as its own."""
        self._draw(shader_pass, textures, target, nullcontext())

    def _draw(
        self,
        shader_pass: Pass,
        textures: Mapping[str, StoredTensor],
        target: moderngl.Framebuffer,
        timer: AbstractContextManager[None],
    ) -> None:
        program, array = self._loaded[shader_pass.name].program, self._loaded[shader_pass.name].array
        assert isinstance(program, moderngl.Program)
        assert array is not None
        with debug_group(self._context, shader_pass.name), pass_state(self._context, target):
            self._restart(program)
            self.bind(shader_pass, program, textures)
            with timer:
                array.render(moderngl.TRIANGLES, vertices=3)

    def _restart(self, program: moderngl.Program | moderngl.ComputeShader) -> None:
        """Restores uniforms that another pass of the same program may have set."""
        for name, data in self._initial_uniforms[program.glo].items():
            program[name].write(data)  # type: ignore[union-attr]

    def _dispatch(self, shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> None:
        assert shader_pass.dispatch is not None
        loaded = self._loaded[shader_pass.name]
        self._check(shader_pass, loaded.source, textures)
        shader, groups = loaded.program, shader_pass.dispatch.groups
        assert isinstance(shader, moderngl.ComputeShader)
        with debug_group(self._context, shader_pass.name), drawing_state(self._context):
            self._restart(shader)
            self.bind(shader_pass, shader, textures)
            with self._timers.measure(shader_pass.name, dispatches=True):
                shader.run(*groups)
            self._context.memory_barrier()

    def _check(self, shader_pass: Pass, source: ProgramSource, textures: Mapping[str, StoredTensor]) -> None:
        """Raises ShaderError, with its line, for a dispatch that the shader or the device refuses."""
        known = self._checked.get(shader_pass.name)
        if known is not None and known[0] is shader_pass and known[1] is source:
            return
        groups = limits_of(self._context).work_groups
        for problem in dispatch_problems(shader_pass, source, textures, groups):
            raise ShaderError(*problem.line, problem.message, problem.do_next)
        self._checked[shader_pass.name] = (shader_pass, source)

    def unwritten(self, shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> dict[str, Mask]:
        """Returns by key which elements (in logical shape) no fragment or invocation of the pass writes.

        A drawn pass is drawn into separate textures; a dispatched pass leaves its outputs unchanged. A slow
        pass (see `is_long`) is not examined.
        """
        if shader_pass.name not in self._loaded or not may_leave_texels(
            shader_pass, self._loaded[shader_pass.name].source
        ):
            return {}
        if self.is_long(shader_pass.name):
            return {}
        if shader_pass.dispatch is not None:
            return self._unwritten_by_dispatch(shader_pass, textures)
        stored = [textures[key] for key in shader_pass.outputs]
        targets = [self._store.make(tensor) for tensor in stored]
        try:
            masks = unwritten_texels(
                self._context, targets, lambda target: self.draw_into(target, shader_pass, textures)
            )
        finally:
            for target in targets:
                target.release()
        return {tensor.key: elements_of(mask, tensor) for tensor, mask in zip(stored, masks, strict=True) if mask.any()}

    def _unwritten_by_dispatch(self, shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> dict[str, Mask]:
        assert shader_pass.dispatch is not None
        in_place = {binding.key for binding in shader_pass.dispatch.bound if binding.starts_as}
        stored = [textures[key] for key in shader_pass.outputs if key not in in_place]
        with self.untimed():
            masks = kept_texels(
                lambda: [self._store.texture(tensor) for tensor in stored],
                lambda: self._dispatch(shader_pass, textures),
            )
        return {tensor.key: elements_of(mask, tensor) for tensor, mask in zip(stored, masks, strict=True) if mask.any()}

    def bind(self, shader_pass: Pass, program: AnyProgram, textures: Mapping[str, StoredTensor]) -> None:
        """Binds the pass's resources and uniforms to `program`, the pass's own or a variant.

        A pass whose output is a rectangle of an atlas draws into that rectangle of a bound target of the atlas's size.

        Raises ShaderError for a sampler of another kind than the plan says.
        """
        samplers = enumerate(shader_pass.samplers)
        read = [(unit, binding) for unit, binding in samplers if program.get(binding.uniform, None) is not None]
        self._check_kinds(shader_pass, program, [binding for _, binding in read])
        bound = [self._store.sampled(textures[binding.key], binding) for _, binding in read]  # uploads use any unit
        for texture, (unit, binding) in zip(bound, read, strict=True):
            texture.use(unit)
            self._store.sampler(binding).use(unit)
            set_unit(program, binding, unit)
        if isinstance(program, moderngl.ComputeShader):
            loaded = self._loaded.get(shader_pass.name)
            source = loaded.source if loaded is not None else shader_pass.program  # a pass may be traced before it ran
            self._dispatcher.bind(shader_pass, program, source.fragment, textures)
        self._aim(textures[shader_pass.outputs[0]])
        set_uniforms(program, shader_pass.uniforms)
        self._blocks.bind(shader_pass.name, program, shader_pass.uniforms)

    def _aim(self, output: StoredTensor) -> None:
        target = self._context.fbo
        if output.layout.atlas and target.size == output.texture_shape[::-1]:
            target.viewport = output.layout.bounds(output.shape)

    def bind_in_place(
        self, shader_pass: Pass, textures: Mapping[str, StoredTensor], in_place: Mapping[str, moderngl.Texture]
    ) -> None:
        """Binds textures of floats, by key, in place of tensors that samplers of the pass read."""
        for unit, binding in enumerate(shader_pass.samplers):
            together = [each.key for each in shader_pass.samplers if each.uniform == binding.uniform]
            if len(together) > 1 and not in_place.keys().isdisjoint(together):  # the uniform has the last one's unit
                if binding.key == together[-1]:
                    stored = [textures[key] for key in together]
                    self._store.atlases.composed(self._store.read(stored[0]), stored, in_place).use(unit)
            elif binding.key in in_place:
                self._store.sampled(textures[binding.key], binding, in_place[binding.key]).use(unit)

    def _check_kinds(self, shader_pass: Pass, program: AnyProgram, bound: Collection[Sampler]) -> None:
        other = next((binding for binding in bound if not has_its_kind(program, binding)), None)
        if other is not None:
            files = shader_pass.program.files
            message = f"sampler '{other.uniform}' is no {other.kind}, which the plan binds a texture to"
            raise ShaderError(files[0].path if files else "", 1, message, "Declare it so, or open the target again.")

    def geometry(self, program: moderngl.Program) -> moderngl.VertexArray:
        """Returns three vertices that cover any target, for `program`; the caller releases it."""
        return self._geometry.vertex_array(program)

    def untimed(self) -> AbstractContextManager[None]:
        """Leaves passes drawn inside untimed; see `PassTimers.paused`."""
        return self._timers.paused()

    def milliseconds(self, name: str) -> float | None:
        """Returns GPU time of the pass's last run; see `PassTimers.milliseconds`."""
        return self._timers.milliseconds(name)

    def is_long(self, name: str) -> bool:
        """Reports whether the pass's last run was so slow that it should only run again on request."""
        return self._timers.at_least_ms(name) > LONG_MS

    @property
    def programs(self) -> ProgramCache:
        """Returns the programs, for others on this context beside the passes."""
        return self._programs

    def measured(self, name: str) -> AbstractContextManager[None]:
        """Attributes the draws inside to the pass called `name`: its time, and its debug group.

        Where passes are not timed there is a group only for a debugger that is there: a fused run of a small network
        on a large GPU takes a seventh longer with groups.
        """
        if self._timers.are_paused:
            return debug_group(self._context, name) if self._has_debugger else nullcontext()
        return self._timed(name, debug_group(self._context, name))

    @contextmanager
    def _timed(self, name: str, group: AbstractContextManager[None]) -> Iterator[None]:
        with group, self._timers.measure(name):
            yield

    def forget(self, names: Collection[str]) -> None:
        """Frees programs and timers of removed passes."""
        for name in names:
            self._unload(name)
        self._timers.forget(names)

    def _unload(self, name: str) -> None:
        if name in self._loaded:
            gone = self._loaded.pop(name)
            if gone.array is None:
                is_last = self._programs.release_compute(gone.source)
            else:
                gone.array.release()
                is_last = self._programs.release(gone.source)
            if is_last:
                self._initial_uniforms.pop(gone.program.glo, None)

    def _target(self, shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> moderngl.Framebuffer:
        return self._store.target([textures[key] for key in shader_pass.outputs])


def _text(source: ProgramSource) -> tuple[str, str, str | None]:
    return source.stage, source.fragment, source.vertex
