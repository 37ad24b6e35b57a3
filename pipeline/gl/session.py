"""Runs a plan with its GL objects: one texture per tensor, one framebuffer and program per pass."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import LAST_GOOD_STAYS, ShaderError, TexelscopeError
from texelscope.pipeline.gl.context import OnContext, on_its_context
from texelscope.pipeline.gl.passes import NO_TEXTURES, AnyProgram, PassRunner, Textures
from texelscope.pipeline.gl.session_lowerings import RUNS_BEFORE_TUNING, HeldBytes, SessionLowerings
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.inputs.values import checked_input, checked_shape
from texelscope.pipeline.lowerings.fusion.room import Share
from texelscope.pipeline.lowerings.lowering import InputRounding, Lowering
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Sampler
from texelscope.pipeline.planning.recomputing import Dependencies, PlanChange

if TYPE_CHECKING:
    from texelscope.pipeline.lowerings.fusion.buffer_reuse import Sharing
    from texelscope.pipeline.lowerings.fusion.fusing import Item

MakeRunner = Callable[[moderngl.Context, TextureStore], PassRunner]


class Session(OnContext):
    """Runs a plan's passes and holds every tensor as a texture.

    Tensors are named by key; `tensor` and the other look-ups also take a pass's name. A tensor is *valid* once it
    holds data of the present inputs and shaders; a pass runs only on valid ones. Not thread-safe: all calls must come
    from the thread of the GL context. An external context must be current; its own is made so. `runner` creates what
    binds and draws the passes and may be replaced by a more capable one.
    """

    def __init__(self, plan: Plan, context: moderngl.Context, *, runner: MakeRunner = PassRunner) -> None:
        super().__init__(context)
        self._plan, self._dependencies = plan, Dependencies(plan.passes)
        self._store = TextureStore(context)
        self._runner = runner(context, self._store)
        self._forms = SessionLowerings(plan, context, self._store, self._runner.programs)
        self._valid, self._skipped, self._injected = set[str](), set[str](), set[str]()
        self._errors, self._overrides = dict[str, ShaderError](), dict[str, ProgramSource]()
        self._put_constants(plan.textures.keys())
        for name, value in plan.initial_inputs.items():
            self.set_input(name, value)

    # -- lifetime ------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()

    @on_its_context
    def release(self) -> None:
        """Frees every GL object. The session cannot be used afterwards."""
        self._forms.release()
        self._runner.release()
        self._store.release()
        self.release_context()

    # -- what there is -------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan being run."""
        return self._plan

    def is_valid(self, key: str) -> bool:
        """Reports whether the tensor holds data of the present inputs and shaders."""
        return key in self._valid

    @property
    def made(self) -> frozenset[str]:
        """Returns keys of the tensors that take memory on the GPU: a texture is created on first use."""
        return self._store.made

    @property
    def injected(self) -> frozenset[str]:
        """Returns keys of the tensors whose values came from outside, see `inject`."""
        return frozenset(self._injected)

    def generation(self, key: str) -> int:
        """Returns a number that grows at each write to the texture of `key`, unique among all sessions' textures."""
        return self._store.generation(key)

    def has_run(self, name: str) -> bool:
        """Reports whether the pass called `name` has run on the present inputs and shaders."""
        return self._plan.pass_called(name).output in self._valid

    def shader_error(self, name: str) -> ShaderError | None:
        """Returns the error that keeps the pass's newest shader from running; None if there is none."""
        return self._errors.get(name)

    @property
    def shader_errors(self) -> Mapping[str, ShaderError]:
        """Returns by pass the error that keeps its newest shader from running."""
        return MappingProxyType(self._errors)

    @on_its_context
    def unwritten(self, name: str) -> Mapping[str, NDArray[np.bool_]]:
        """Returns by key which elements of a pass's outputs (logical shape) no fragment of its last run wrote."""
        return self._runner.unwritten(self._plan.pass_called(name), self._plan.textures)

    def program_source(self, name: str) -> ProgramSource:
        """Returns the shader that the pass called `name` runs: the planned one or its last good replacement."""
        return self._overrides.get(name, self._plan.pass_called(name).program)

    @on_its_context
    def gpu_ms(self, name: str) -> float | None:
        """Returns the GPU milliseconds of the pass's last run, by timer query (see `PassTimers`); None if unknown."""
        return self._runner.milliseconds(name) if self._forms.tells_time(name) else None

    @on_its_context
    def is_long(self, name: str) -> bool:
        """Reports whether the pass's last run was so slow that it should not run again; see `LONG_MS`."""
        return self._runner.is_long(name)

    @on_its_context
    def texture(self, key: str) -> moderngl.Texture:
        """Returns the texture of a tensor, for drawing it; created on first use."""
        return self._store.texture(self._plan.tensor_called(key))

    # -- inputs --------------------------------------------------------------------------------------------

    @on_its_context
    def set_input(self, name: str, array: NDArray[Any]) -> None:
        """Uploads a graph input (logical shape; any real dtype), rounded to its type. Earlier results become invalid.

        Raises TexelscopeError for an unknown name, a wrong shape, or numbers that the tensor's type cannot hold.
        """
        array = checked_input(self._plan, name, array)
        self._store.write(self._plan.textures[name], array)
        self._valid = {key for key in self._valid if self._plan.textures[key].role != "activation"} | {name}
        self._injected.clear()

    @on_its_context
    def inject(self, key: str, array: NDArray[Any]) -> None:
        """Puts `array` (logical shape) in place of a tensor that did not run, so that later passes can.

        The tensor counts as injected until the inputs change or its pass runs; results from another value are invalid.
        """
        stored = self._plan.tensor_called(key)
        self._store.write(stored, checked_shape(key, stored, array))
        self._valid -= self._dependencies.outdated({stored.key}, self._valid)
        self._valid.add(stored.key)
        self._injected.add(stored.key)

    # -- running -------------------------------------------------------------------------------------------

    @on_its_context
    def run(self, *, to: str | None = None, from_: str | None = None) -> None:
        """Runs all passes in order, or from the pass `from_` on, up to and with the pass `to`.

        A pass without valid inputs, or whose shader does not compile, is skipped (see `has_run`).
        """
        for each in self.steps(to=to, from_=from_):
            self.run_pass(each.name)

    def steps(self, *, to: str | None = None, from_: str | None = None) -> Sequence[Pass]:
        """Returns the passes that `run` would run, for a caller that runs them one by one with `run_pass`."""
        return self._plan.between(from_, to)

    @on_its_context
    def run_pass(self, name: str) -> bool:
        """Runs one pass; returns False if an input is not valid or its shader does not compile."""
        return self._run_pass(self._plan.pass_called(name), {})

    def _run_pass(self, shader_pass: Pass, shared: Mapping[str, Share]) -> bool:
        if not self._valid.issuperset(shader_pass.reads):
            return False
        self._place(shader_pass.outputs, shared)
        try:
            self._compute(shader_pass)
        except ShaderError as error:
            own = error.do_next != LAST_GOOD_STAYS
            do_next = error.do_next if own else "Correct it; until then the pass does not run."
            self._errors[shader_pass.name] = ShaderError(error.file, error.line, error.message, do_next)
            return False
        return self._wrote(shader_pass.outputs)

    def form(self, name: str) -> Lowering | None:
        """Returns the form that computes the pass called `name` in a run; None where its own program does."""
        return self._forms.of(self._plan.pass_called(name).name) if self._runner.takes_forms else None

    def running(self, form: Lowering) -> Lowering:
        """Returns the form that runs for a form of this session: itself, or the tuned one after some runs."""
        return self._forms.running(form)

    def rounding(self, name: str) -> InputRounding | None:
        """Returns what the form that last computed the pass called `name` rounds more than the pass, if one did."""
        return self._forms.rounding(name)

    def _compute(self, shader_pass: Pass) -> None:
        """Computes a pass by its form, if it has one and its shader was not replaced; else by its program."""
        if (form := self.form(shader_pass.name)) is not None:
            with self._runner.measured(shader_pass.name):
                if self._forms.run(form):
                    return
        if not self._runner.is_loaded(shader_pass.name):
            self._runner.load(shader_pass.name, self.program_source(shader_pass.name))
        self._runner.draw(shader_pass, self._plan.textures)
        self._forms.ran_itself(shader_pass.name)

    @on_its_context
    def run_fused(self, keep: Collection[str] = (), *, settle: bool = False) -> None:
        """Runs all passes in the fewest steps, for the plan's outputs and the tensors of `keep`, by key.

        Other tensors share textures, some freed while empty, and are computed by the passes' own forms or
        programs on demand. Each run tunes one form (see `tune`), all of them if the run is to `settle`.
        """
        self._forms.run_whole(frozenset(keep), self._run_item, self._valid.difference_update, settle=settle)

    @on_its_context
    def run_item(self, item: Item, shared: Mapping[str, Share] = MappingProxyType({})) -> bool:
        """Runs an item of `fused`; returns False as `run_pass`, or if a form is refused, which changes `fused`."""
        return self._run_item(item, shared)

    def _run_item(self, item: Item, shared: Mapping[str, Share]) -> bool:
        if isinstance(item, str):
            if shared:
                self._skipped.add(item)
            return self._run_pass(self._plan.pass_called(item), shared)
        if not self._valid.issuperset(item.reads):
            return False
        self._place((*item.writes, *item.parts), shared)
        with self._runner.measured(item.name):
            if not self._forms.run(item):
                return False
        self._skipped.update(item.covers)
        # What an earlier run stored inside rounds otherwise than what the form has computed now.
        self._valid.difference_update(item.inside)
        return self._wrote(item.writes, item.parts)

    def _place(self, keys: Collection[str], shared: Mapping[str, Share]) -> None:
        for key in keys:
            self._valid -= self._store.share(self._plan.textures[key], shared.get(key))

    def _wrote(self, whole: Collection[str], parts: Collection[str] = ()) -> bool:
        self._valid.update(whole)
        for key in (*whole, *parts):
            self._injected.discard(key)
            self._store.touch(key)
        return True

    @on_its_context
    def tune(self, after: int = RUNS_BEFORE_TUNING, items: Collection[Item] = ()) -> bool:
        """Replaces one form that ran `after` times, among `items` if any, by its tuned one; False if none is left."""
        return self._forms.tune(self._valid, after, items)

    def fused(self, keep: Collection[str] = ()) -> tuple[Item, ...]:
        """Returns what `run_fused` runs, in order: forms, and names of passes that run alone."""
        return self._forms.schedule(frozenset(keep))

    def sharing(self, keep: Collection[str] = ()) -> Sharing:
        """Returns where the tensors of such a run are, and how much memory they take."""
        return self._forms.sharing(frozenset(keep))

    def held(self) -> HeldBytes:
        """Returns the present memory use on the GPU."""
        return self._forms.held()

    @on_its_context
    def finish(self) -> None:
        """Waits until the GPU is done."""
        self._context.finish()

    def untimed(self) -> AbstractContextManager[None]:
        """Leaves passes that run inside untimed, which is faster; `gpu_ms` keeps its values."""
        return self._runner.untimed()

    def invalidate(self, name: str) -> None:
        """Marks the pass called `name` and everything after it that depends on it as not run."""
        outputs = self._plan.pass_called(name).outputs
        self._valid -= {*outputs, *self._dependencies.outdated(outputs, self._valid)}

    def replace_shader(self, name: str, text: str) -> None:
        """Compiles `text`, a whole fragment shader, to replace the pass's; invalidates later passes.

        Raises ShaderError with file, line and message; the old program then stays.
        """
        self.replace_program(name, self.program_source(name).with_fragment(text))

    @on_its_context
    def replace_program(self, name: str, source: ProgramSource) -> None:
        """Replaces the shader, as `replace_shader`, with the files that `source` came from."""
        each = self._plan.pass_called(name)
        try:
            self._runner.load(each.name, source, ask_first=True)
        except ShaderError as error:
            self._errors[each.name] = error
            raise
        self._forms.edit(each.name, self.program_source(each.name), source)
        self._overrides[each.name] = source
        self._errors.pop(each.name, None)
        self.invalidate(each.name)

    @on_its_context
    def adopt(self, plan: Plan) -> frozenset[str]:
        """Switches to another version of the plan; unchanged parts keep their data and programs.

        Returns the names of the passes without valid outputs, which are to run. If the driver refuses a
        pass's new shader the last good one stays in use, and `shader_error` gives the reason.
        """
        change = PlanChange.between(self._plan, plan)
        renewed, refused = self._forms.adopt(plan, change)
        last_good = {name: self.program_source(name) for name in change.new_sources}
        self._runner.forget(change.gone_passes)
        for key in change.restored_tensors:
            self._store.forget(key)
        self._plan, self._dependencies = plan, Dependencies(plan.passes)
        self._valid -= change.restored_tensors | change.rewritten_constants
        self._injected -= change.restored_tensors
        for name in (*change.gone_passes, *change.new_sources, *renewed):
            self._errors.pop(name, None)
            self._overrides.pop(name, None)
        self._errors |= refused
        self._put_constants(change.rewritten_constants)
        stale = renewed | change.rewired_passes
        stale |= {name for name in change.new_sources if self._renew(name, change, last_good[name])}
        for key, value in change.new_inputs.items():
            self.set_input(key, value)
        for name in stale:
            self.invalidate(name)
        return frozenset(each.name for each in plan.passes if not self._valid.issuperset(each.outputs))

    def _renew(self, name: str, change: PlanChange, last_good: ProgramSource) -> bool:
        """Compiles the plan's shader of a pass; False if unchanged, or if the last good one or form is kept."""
        try:
            is_another = self._runner.load(name, self._plan.pass_called(name).program, ask_first=True)
        except ShaderError as error:
            self._errors[name] = error
            if self._runner.is_loaded(name):
                self._overrides[name] = last_good
            return False
        if name in change.edited_passes:  # edited text runs, a form does not
            self._forms.edit(name, last_good, self._plan.pass_called(name).program)
        return is_another

    @on_its_context
    def clear(self, names: Collection[str]) -> None:
        """Sets the textures of those passes to zero, so that no data of an earlier run remains visible."""
        for name in names:
            for key in self._plan.pass_called(name).outputs:
                self._store.clear(self._plan.textures[key])

    # -- results -------------------------------------------------------------------------------------------

    def _make(self, key: str) -> None:
        """Computes a tensor that a fused run left out, and what it needs."""
        for each in self._dependencies.makers(key, self._valid) if key not in self._valid else ():
            if each.name in self._skipped:
                self.run_pass(each.name)

    @on_its_context
    def texels(self, name: str) -> NDArray[np.float32]:
        """Returns the texture as stored: float32 [height, width, lanes], row 0 first."""
        self._make(self._plan.tensor_called(name).key)
        return self._store.read(self._plan.tensor_called(name))

    def tensor(self, name: str) -> NDArray[np.float32]:
        """Returns the tensor, float32, in its logical shape. Raises TexelscopeError if it has not been computed."""
        stored = self._plan.tensor_called(name)
        self._make(stored.key)
        if stored.key not in self._valid:
            do_next = "Call run() first; see shader_error() if it was."
            raise TexelscopeError(f"tensor '{name}'", "a tensor that was computed", "one that was not run", do_next)
        return stored.decode(self.texels(stored.key))

    def vertex_text(self, name: str) -> str:
        """Returns the vertex shader of the pass called `name`: the author's or the default one."""
        source = self.program_source(name)
        return default_vertex_shader(source.fragment) if source.vertex is None else source.vertex

    @on_its_context
    def scratch_like(self, key: str) -> moderngl.Texture:
        """Returns a new texture like that of `key`, for draws that must not touch it. The caller releases it."""
        return self._store.make(self._plan.tensor_called(key))

    @on_its_context
    def bind(self, shader_pass: Pass, program: AnyProgram, in_place: Textures = NO_TEXTURES) -> None:
        """Binds the pass's resources and uniforms to `program`, its own or a variant; see also `bind_in_place`."""
        self._runner.bind(shader_pass, program, self._plan.textures)
        self._runner.bind_in_place(shader_pass, self._plan.textures, in_place)

    @on_its_context
    def sampler(self, binding: Sampler, *, nearest: bool = False) -> moderngl.Sampler:
        """Returns the sampler object of a binding, or the one with its wrap that does not filter."""
        return self._store.sampler(dataclasses.replace(binding, filter="nearest") if nearest else binding)

    @on_its_context
    def geometry(self, program: moderngl.Program) -> moderngl.VertexArray:
        """Returns three vertices that cover any target, for a program of the caller's; the caller releases it."""
        return self._runner.geometry(program)

    # -- internals -----------------------------------------------------------------------------------------

    def _put_constants(self, keys: Collection[str]) -> None:
        """Marks constants valid; each is uploaded when its texture is first used."""
        for stored in (self._plan.textures[key] for key in keys):
            if stored.role == "constant" and (value := self._plan.constant(stored.tensor)) is not None:
                self._store.put(stored, value)
                self._valid.add(stored.key)
