"""Passes on GL: a program and a timer each, framebuffers by what they write; running one leaves nothing behind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

import moderngl

from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.coverage import Mask, elements_of, kept_texels, may_leave_texels, unwritten_texels
from texelscope.pipeline.gl.dispatching.dispatcher import Dispatcher
from texelscope.pipeline.gl.geometry import TargetGeometry
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.gl.state import drawing_state, pass_state
from texelscope.pipeline.gl.textures import TextureStore, debug_group
from texelscope.pipeline.gl.timers import PassTimers
from texelscope.pipeline.gl.uniforms import initial_uniforms, set_uniforms
from texelscope.pipeline.plan import Pass, ProgramSource, StoredTensor
from texelscope.pipeline.planning.dispatches import dispatch_problems
from texelscope.pipeline.shader_trials.trying import hold_harmless

# A pass that takes longer is run once: a loop that hardly ends takes a driver in software many seconds each time.
LONG_MS = 2500.0


@dataclass(frozen=True)
class _Loaded:
    """The program of a pass; `array` draws it, a compute shader has none."""

    source: ProgramSource
    program: moderngl.Program | moderngl.ComputeShader
    array: moderngl.VertexArray | None = None


class PassRunner:
    """Draws or dispatches passes of a plan into textures of `store`.

    One that does not draw them as planned takes no forms.
    """

    takes_forms = True

    def __init__(self, context: moderngl.Context, store: TextureStore, programs: ProgramCache | None = None) -> None:
        """`programs` are those of the context that others share; without them it has its own."""
        self._context = context
        self._store = store
        self._programs = programs or ProgramCache(context)
        self._geometry = TargetGeometry(context)
        self._timers = PassTimers(context)
        self._loaded: dict[str, _Loaded] = {}
        self._initial_uniforms: dict[int, dict[str, bytes]] = {}
        self._dispatcher = Dispatcher(context, store.twins, store.as_it_is)
        self._checked: dict[str, tuple[Pass, ProgramSource]] = {}

    def release(self) -> None:
        """Frees every GL object."""
        for name in [*self._loaded]:
            self._unload(name)
        self._timers.release()
        self._geometry.release()

    def load(self, name: str, source: ProgramSource, *, ask_first: bool = False) -> bool:
        """Compiles `source` for the pass called `name`; False if it has that very text already.

        `ask_first` as for `ProgramCache.acquire`.

        Raises ShaderError with file, line and message; the program that the pass had stays then.
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
        if ask_first:  # what somebody edits was not tried when it was opened
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
        """Whether the pass has a program."""
        return name in self._loaded

    def draw(self, each: Pass, textures: Mapping[str, StoredTensor]) -> None:
        """Draws or dispatches the pass with its loaded program, and times it. Raises ShaderError if it cannot be."""
        check()
        if each.dispatch is not None:
            self._dispatch(each, textures)
            return
        for key in each.outputs:
            self._store.twins.wrote(key)
        self._draw(each, textures, self._target(each, textures), self._timers.measure(each.name))

    def draw_into(self, target: moderngl.Framebuffer, each: Pass, textures: Mapping[str, StoredTensor]) -> None:
        """Draws the pass with its loaded program into a target that is like its own."""
        self._draw(each, textures, target, nullcontext())

    def _draw(
        self,
        each: Pass,
        textures: Mapping[str, StoredTensor],
        target: moderngl.Framebuffer,
        timer: AbstractContextManager[None],
    ) -> None:
        program, array = self._loaded[each.name].program, self._loaded[each.name].array
        assert isinstance(program, moderngl.Program)
        assert array is not None
        with debug_group(self._context, each.name), pass_state(self._context, target):
            self._restart(program)
            self.bind(each, program, textures)
            with timer:
                array.render(moderngl.TRIANGLES, vertices=3)

    def _restart(self, program: moderngl.Program | moderngl.ComputeShader) -> None:
        """A pass of the same program may have set uniforms that this one leaves as they are."""
        for name, data in self._initial_uniforms[program.glo].items():
            program[name].write(data)  # type: ignore[union-attr]

    def _dispatch(self, each: Pass, textures: Mapping[str, StoredTensor]) -> None:
        assert each.dispatch is not None
        loaded = self._loaded[each.name]
        self._check(each, loaded.source, textures)
        shader, groups = loaded.program, each.dispatch.groups
        assert isinstance(shader, moderngl.ComputeShader)
        with debug_group(self._context, each.name), drawing_state(self._context):
            self._restart(shader)
            self.bind(each, shader, textures)
            with self._timers.measure(each.name, dispatches=True):
                shader.run(*groups)
            self._context.memory_barrier()

    def _check(self, each: Pass, source: ProgramSource, textures: Mapping[str, StoredTensor]) -> None:
        """Raises ShaderError, with the line that it is about, for a dispatch that the shader or the device refuses."""
        known = self._checked.get(each.name)
        if known is not None and known[0] is each and known[1] is source:
            return
        groups = limits_of(self._context).work_groups
        for problem in dispatch_problems(each, source, textures, groups):
            raise ShaderError(*problem.line, problem.message, problem.do_next)
        self._checked[each.name] = (each, source)

    def unwritten(self, each: Pass, textures: Mapping[str, StoredTensor]) -> dict[str, Mask]:
        """By key, which elements (in logical shape) no fragment or invocation of the pass writes.

        A drawn pass is drawn into textures of its own; a dispatched one leaves its outputs as they were. Of one that
        took long (see `is_long`) nothing is known.
        """
        if each.name not in self._loaded or not may_leave_texels(each, self._loaded[each.name].source):
            return {}
        if self.is_long(each.name):
            return {}
        if each.dispatch is not None:
            return self._unwritten_by_dispatch(each, textures)
        stored = [textures[key] for key in each.outputs]
        targets = [self._store.make(tensor) for tensor in stored]
        try:
            masks = unwritten_texels(self._context, targets, lambda target: self.draw_into(target, each, textures))
        finally:
            for target in targets:
                target.release()
        return {tensor.key: elements_of(mask, tensor) for tensor, mask in zip(stored, masks, strict=True) if mask.any()}

    def _unwritten_by_dispatch(self, each: Pass, textures: Mapping[str, StoredTensor]) -> dict[str, Mask]:
        assert each.dispatch is not None
        in_place = {binding.key for binding in each.dispatch.bound if binding.starts_as}
        stored = [textures[key] for key in each.outputs if key not in in_place]
        with self.untimed():
            masks = kept_texels(
                lambda: [self._store.texture(tensor) for tensor in stored], lambda: self._dispatch(each, textures)
            )
        return {tensor.key: elements_of(mask, tensor) for tensor, mask in zip(stored, masks, strict=True) if mask.any()}

    def bind(
        self, each: Pass, program: moderngl.Program | moderngl.ComputeShader, textures: Mapping[str, StoredTensor]
    ) -> None:
        """Binds what the pass has bound, and its uniforms, to `program`, which may be a variant of its own."""
        samplers = enumerate(each.samplers)
        read = [(unit, binding) for unit, binding in samplers if program.get(binding.uniform, None) is not None]
        bound = [self._store.for_reading(textures[binding.key]) for _, binding in read]  # an upload may use any unit
        for texture, (unit, binding) in zip(bound, read, strict=True):
            texture.use(unit)
            self._store.sampler(binding).use(unit)
            program[binding.uniform].value = unit  # type: ignore[union-attr]
        if isinstance(program, moderngl.ComputeShader):
            self._dispatcher.bind(each, program, self._loaded[each.name].source.fragment, textures)
        set_uniforms(program, each.uniforms)

    def geometry(self, program: moderngl.Program) -> moderngl.VertexArray:
        """Three vertices that cover any target, for `program`; the caller releases it."""
        return self._geometry.vertex_array(program)

    def untimed(self) -> AbstractContextManager[None]:
        """Passes drawn inside are not timed; see `PassTimers.paused`."""
        return self._timers.paused()

    def milliseconds(self, name: str) -> float | None:
        """GPU time of the pass's last run; see `PassTimers.milliseconds`."""
        return self._timers.milliseconds(name)

    def is_long(self, name: str) -> bool:
        """Whether the pass's last run took so long that nobody should run it again without being asked."""
        return self._timers.at_least_ms(name) > LONG_MS

    @property
    def programs(self) -> ProgramCache:
        """The programs, for others who run on this context beside the passes."""
        return self._programs

    @contextmanager
    def measured(self, name: str) -> Iterator[None]:
        """What is drawn inside is the pass called `name`: its time, and its debug group."""
        with debug_group(self._context, name), self._timers.measure(name):
            yield

    def forget(self, names: Collection[str]) -> None:
        """Frees programs and timers of passes that are gone."""
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

    def _target(self, each: Pass, textures: Mapping[str, StoredTensor]) -> moderngl.Framebuffer:
        return self._store.target([textures[key] for key in each.outputs])


def _text(source: ProgramSource) -> tuple[str, str, str | None]:
    return source.stage, source.fragment, source.vertex
