"""Passes on GL: a program and a timer each, framebuffers by what they write; drawing one leaves nothing behind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

import moderngl

from pipeline.gl.coverage import Mask, elements_of, may_leave_texels, unwritten_texels
from pipeline.gl.geometry import TargetGeometry
from pipeline.gl.program import ProgramCache
from pipeline.gl.state import pass_state
from pipeline.gl.textures import TextureStore
from pipeline.gl.timers import PassTimers
from pipeline.gl.uniforms import initial_uniforms, set_uniforms
from pipeline.plan import Pass, ProgramSource, StoredTensor


class PassRunner:
    """Draws passes of a plan into textures of `store`. One that does not draw them as planned takes no forms."""

    takes_forms = True

    def __init__(self, context: moderngl.Context, store: TextureStore) -> None:
        self._context = context
        self._store = store
        self._programs = ProgramCache(context)
        self._geometry = TargetGeometry(context)
        self._timers = PassTimers(context)
        self._loaded: dict[str, tuple[ProgramSource, moderngl.Program, moderngl.VertexArray]] = {}
        self._initial_uniforms: dict[int, dict[str, bytes]] = {}

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
        if loaded is not None and (loaded[0].fragment, loaded[0].vertex) == (source.fragment, source.vertex):
            self._loaded[name] = (source, *loaded[1:])
            return False
        program = self._programs.acquire(source, name, ask_first=ask_first)
        try:
            array = self.geometry(program)
        except BaseException:
            self._programs.release(source)
            raise
        self._unload(name)
        self._loaded[name] = (source, program, array)
        if program.glo not in self._initial_uniforms:
            self._initial_uniforms[program.glo] = initial_uniforms(program)
        return True

    def is_loaded(self, name: str) -> bool:
        """Whether the pass has a program."""
        return name in self._loaded

    def draw(self, each: Pass, textures: Mapping[str, StoredTensor]) -> None:
        """Draws the pass with its loaded program, and times it."""
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
        _, program, array = self._loaded[each.name]
        with self._debug_group(each.name), pass_state(self._context, target):
            # A pass of the same program may have set uniforms that this one leaves as they are.
            for name, data in self._initial_uniforms[program.glo].items():
                program[name].write(data)  # type: ignore[union-attr]
            self.bind(each, program, textures)
            with timer:
                array.render(moderngl.TRIANGLES, vertices=3)

    def unwritten(self, each: Pass, textures: Mapping[str, StoredTensor]) -> dict[str, Mask]:
        """By key, which elements (in logical shape) no fragment of the pass writes; draws into textures of its own."""
        if each.name not in self._loaded or not may_leave_texels(each, self._loaded[each.name][0]):
            return {}
        stored = [textures[key] for key in each.outputs]
        targets = [self._store.make(tensor) for tensor in stored]
        try:
            masks = unwritten_texels(self._context, targets, lambda target: self.draw_into(target, each, textures))
        finally:
            for target in targets:
                target.release()
        return {tensor.key: elements_of(mask, tensor) for tensor, mask in zip(stored, masks, strict=True) if mask.any()}

    def bind(self, each: Pass, program: moderngl.Program, textures: Mapping[str, StoredTensor]) -> None:
        """Binds the pass's textures, samplers and uniforms to `program`, which may be a variant of its own."""
        read = [(unit, binding) for unit, binding in enumerate(each.samplers) if binding.uniform in program]
        bound = [self._store.texture(textures[binding.key]) for _, binding in read]  # an upload may use any unit
        for texture, (unit, binding) in zip(bound, read, strict=True):
            texture.use(unit)
            self._store.sampler(binding).use(unit)
            program[binding.uniform].value = unit  # type: ignore[union-attr]
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

    @property
    def programs(self) -> ProgramCache:
        """The programs, for others who run on this context beside the passes."""
        return self._programs

    @contextmanager
    def measured(self, name: str) -> Iterator[None]:
        """What is drawn inside is the pass called `name`: its time, and its debug group."""
        with self._debug_group(name), self._timers.measure(name):
            yield

    def forget(self, names: Collection[str]) -> None:
        """Frees programs and timers of passes that are gone."""
        for name in names:
            self._unload(name)
        self._timers.forget(names)

    def _unload(self, name: str) -> None:
        if name in self._loaded:
            source, program, array = self._loaded.pop(name)
            array.release()
            if self._programs.release(source):
                self._initial_uniforms.pop(program.glo, None)

    def _target(self, each: Pass, textures: Mapping[str, StoredTensor]) -> moderngl.Framebuffer:
        return self._store.target([textures[key] for key in each.outputs])

    @contextmanager
    def _debug_group(self, name: str) -> Iterator[None]:
        scope = self._context.debug_scope(name) if self._context.supports_debug_scopes else nullcontext()
        with scope:
            yield
