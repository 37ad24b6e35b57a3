"""Manages the forms of a session's plan: which replace passes now, alone, fused or tuned, and runs them.

A general program is ready at once; a tuned one takes longer to compile and only pays off in many runs. It replaces a
form that ran often, once the results are found to agree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.lowering_runner import LoweringRunner
from texelscope.pipeline.gl.own_programs import own_programs
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.gl.state import flush, is_llvmpipe
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.lowerings.fusion.room import Share
from texelscope.pipeline.lowerings.lowering import InputRounding, Lowering
from texelscope.pipeline.lowerings.solo import solo_forms, with_workspace
from texelscope.pipeline.plan import Plan, ProgramSource, StoredTensor
from texelscope.pipeline.planning.recomputing import PlanChange
from texelscope.pipeline.planning.storage import as_stored
from texelscope.pipeline.workers.cores import cores

if TYPE_CHECKING:
    from texelscope.pipeline.gl.compiling_ahead import CompilingAhead
    from texelscope.pipeline.lowerings.fusion.buffer_reuse import Sharing
    from texelscope.pipeline.lowerings.fusion.fusing import Item

# After this many runs a longer compilation pays off.
RUNS_BEFORE_TUNING = 4
# A driver collects calls before it hands them to the GPU, which has nothing to do until then.
_ITEMS_A_FLUSH = 8
# Relative to the largest number: far above rounding in another order, far below the effect of a wrong index.
_ALIKE = 1e-3
# A draw for which the processor needs so long was compiled in it: others wait for the GPU, or for the driver's threads.
COMPILES_SECONDS = 0.015
# A window shows its first picture after the first.
_COMPILES_BEFORE_AHEAD = 2
# Fewer forms are compiled before a second context is made.
FEWEST_AHEAD = 3
_LOG = logger(__name__)

Texels = NDArray[np.float32]


@dataclass
class _Use:
    """Holds a form, its number of runs, and its replacement; `settled`: no further attempt."""

    form: Lowering
    taken: Lowering
    runs: int = 0
    settled: bool = False


class Tuning:
    """Chooses what runs in place of each form of a session."""

    def __init__(self, runner: LoweringRunner, store: TextureStore) -> None:
        self._runner = runner
        self._store = store
        self._uses: dict[int, _Use] = {}  # by identity: equal forms at two places are two

    def taken(self, form: Lowering) -> Lowering:
        """Returns the form that runs in place of `form`: itself, or its tuned one."""
        use = self._uses.get(id(form))
        return form if use is None else use.taken

    def count(self, form: Lowering) -> None:
        """Counts a run of the form."""
        use = self._uses.get(id(form))
        if use is None:
            use = self._uses[id(form)] = _Use(form, form, settled=form.tuned is None)
        use.runs += 1

    def keep_only(self, forms: Collection[Lowering]) -> list[Lowering]:
        """Forgets all other forms; returns what runs in place of these."""
        kept = {id(form) for form in forms}
        self._uses = {key: use for key, use in self._uses.items() if key in kept}
        return [self.taken(form) for form in forms]

    def step(
        self,
        valid: Set[str],
        after: int,
        textures: Mapping[str, StoredTensor],
        constant: Callable[[str], NDArray[Any]],
        among: Collection[Lowering | None] = (),
    ) -> bool:
        """Tries a tuned form, of one that ran `after` times and whose tensors are all `valid`; False if none waits.

        It replaces the other one if results agree within rounding in another order. If forms are given, it is one
        of them (`among`).
        """
        given = {id(form) for form in among if form is not None}
        for key, use in self._uses.items():
            if use.settled or (among and key not in given):
                continue
            tensors = {*use.form.reads, *use.form.writes, *use.form.parts}
            if valid >= tensors and self.attempt(use.form, after, textures, constant):
                return True
        return False

    def attempt(
        self,
        form: Lowering,
        after: int,
        textures: Mapping[str, StoredTensor],
        constant: Callable[[str], NDArray[Any]],
    ) -> bool:
        """Tries, as `step`, that form, whose tensors are unchanged since it ran; False if it is not pending."""
        use = self._uses.get(id(form))  # None: it could not run
        if use is None or use.settled or use.runs < after or form.tuned is None:
            return False
        use.settled = True
        tuned = replace(form.tuned(), writes=form.writes, parts=form.parts)
        if self._is_as(form, tuned, textures, constant):
            use.taken = tuned
        return True

    def _is_as(
        self,
        form: Lowering,
        tuned: Lowering,
        textures: Mapping[str, StoredTensor],
        constant: Callable[[str], NDArray[Any]],
    ) -> bool:
        """Whether both give the same; if not, the first one's results are restored."""
        stored = [textures[key] for key in (*form.writes, *form.parts)]
        before = [self._store.read(each) for each in stored]
        try:
            self._runner.prepare(tuned, textures, constant)
        except ShaderError as error:
            _LOG.info("%s keeps its general program: %s", form.covers[0], error)
            return False
        self._runner.run(tuned, textures)
        if all(map(_alike, before, map(self._store.read, stored))):
            self._runner.forget(form)
            return True
        _LOG.warning("%s keeps its general program: on this driver the tuned one gives other numbers.", form.covers[0])
        self._runner.forget(tuned)
        self._runner.run(form, textures)
        return False


def _alike(a: Texels, b: Texels) -> bool:
    finite = np.abs(a[np.isfinite(a)])
    bound = _ALIKE * float(finite.max()) if finite.size else 0.0
    return bool(np.allclose(a, b, rtol=0.0, atol=bound, equal_nan=True))


@dataclass(frozen=True)
class HeldBytes:
    """Counts bytes on the GPU: inputs and activations; scratch of forms; weights, in textures and packed."""

    tensors: int
    scratch: int
    weights: int


class SessionLowerings:
    """Manages forms of a plan on GL. A pass with an edited shader, or a refused form, runs by its own program."""

    def __init__(self, plan: Plan, context: moderngl.Context, store: TextureStore, programs: ProgramCache) -> None:
        self._plan = plan
        self._limits = with_workspace(limits_of(context), plan)
        self._store = store
        self._runner = LoweringRunner(context, store, programs)
        self._tuning = Tuning(self._runner, store)
        self._solo = solo_forms(plan, self._limits)
        self._as_they_are: set[str] = set()
        self._before_edits: dict[str, ProgramSource] = {}
        self._schedules: dict[frozenset[str], tuple[Item, ...]] = {}
        self._fused: dict[str, Lowering] = {}
        self._sharing: dict[frozenset[str], Sharing] = {}
        self._taken_up: Sharing | None = None
        self._ran: dict[str, Lowering] = {}  # by pass, what last computed it
        self._dispatched = _dispatched(plan)
        self._ahead: CompilingAhead | None = None
        self._compiles_before_ahead = _COMPILES_BEFORE_AHEAD if is_llvmpipe(context) else 0

    def release(self) -> None:
        """Frees every GL object, and ends what compiles ahead."""
        self._leave_compiling()
        self._runner.release()

    def _leave_compiling(self) -> None:
        if self._ahead is not None:
            self._ahead.close()
            self._ahead = None

    def of(self, name: str) -> Lowering | None:
        """Returns the form that computes the pass called `name` alone; None where its own program does."""
        return None if name in self._as_they_are else self._solo.get(name)

    def running(self, form: Lowering) -> Lowering:
        """Returns what runs in place of the form: itself, or the tuned one after some runs."""
        return self._tuning.taken(form)

    def tells_time(self, name: str) -> bool:
        """Reports whether the driver's timer counts the pass or fused form: llvmpipe's ignores dispatches."""
        form = self._fused.get(name) or self.of(name)
        if form is None:
            return not (self._limits.is_software and name in self._dispatched)
        return not self._limits.is_software or all(step.kind != "compute" for step in form.steps)

    def schedule(self, keep: frozenset[str]) -> tuple[Item, ...]:
        """Returns the whole run, fused, that computes the plan's outputs and the keys of `keep`; see `forms.fusing`."""
        from texelscope.pipeline.lowerings.fusion.fusing import schedule

        if keep not in self._schedules:
            items = self._schedules[keep] = schedule(self._plan, self._limits, keep, self._as_they_are)
            self._fused.update(
                {item.name: item for item in items if isinstance(item, Lowering) and len(item.covers) > 1}
            )
        return self._schedules[keep]

    def sharing(self, keep: frozenset[str]) -> Sharing:
        """Returns where the tensors of that run are; see `pipeline.lowerings.fusion.buffer_reuse`."""
        from texelscope.pipeline.lowerings.fusion.buffer_reuse import sharing

        if keep not in self._sharing:
            solo = {name: form for name, form in self._solo.items() if name not in self._as_they_are}
            self._sharing[keep] = sharing(self._plan, self.schedule(keep), keep, solo=solo, plain=self._as_they_are)
        return self._sharing[keep]

    def run_whole(
        self,
        keep: frozenset[str],
        run_item: Callable[[Item, Mapping[str, Share]], bool],
        gone: Callable[[Set[str]], None],
        *,
        settle: bool,
    ) -> None:
        """Runs fused, by `run_item` for each item, and frees empty textures between items; `gone` gets their keys.

        If a form is refused it starts again with another schedule. One form is tuned, or all if it is to `settle`.
        """
        items, sharing, waits = self.schedule(keep), self.sharing(keep), True
        if sharing is not self._taken_up:  # textures that only runs with other sharing needed
            self._taken_up = sharing
            self._runner.reserve(sharing.buffers)
            gone(self._store.free(self._store.shares.difference(sharing.textures.values())))
        with self._runner.drawing():
            for number, (item, freed) in enumerate(zip((*items, None), sharing.freed, strict=True)):
                if freed:
                    self._runner.free(freed)
                    gone(self._store.free(freed))
                if item is None:
                    break
                if not run_item(item, sharing.textures) and self.schedule(keep) is not items:
                    self.run_whole(keep, run_item, gone, settle=settle)
                    break
                if isinstance(item, Lowering) and (waits or settle):
                    waits = not self.tune_now(item, 1 if settle else RUNS_BEFORE_TUNING)
                if number % _ITEMS_A_FLUSH == 0 and not self._limits.is_software:
                    flush()

    def held(self) -> HeldBytes:
        """Returns the present bytes of textures and packed numbers."""
        own = self._store.own_bytes
        weights = sum(size for key, size in own.items() if self._plan.textures[key].role == "constant")
        tensors = sum(own.values()) - weights + self._store.shared_bytes
        return HeldBytes(tensors, self._runner.scratch_bytes, weights + self._runner.packed_bytes)

    def run(self, form: Lowering) -> bool:
        """Runs the steps of a form; the first time it compiles and packs what they need.

        Returns False if the driver refuses a step: from then on the passes run by their own programs.
        """
        check()
        taken = self._tuning.taken(form)
        try:
            self._runner.prepare(taken, self._plan.textures, self._constant)
        except ShaderError as error:
            without = f"These run without it from now on: {', '.join(repr(name) for name in form.covers)}."
            _LOG.warning("%s", ShaderError(error.file, error.line, error.message, without))
            for name in form.covers:
                self._run_as_it_is(name)
            return False
        self._draw(form, taken)
        self._tuning.count(form)
        self._ran.update(dict.fromkeys(form.covers, form))
        return True

    def _draw(self, form: Lowering, taken: Lowering) -> None:
        """Draws what is `taken` for the form. If the driver compiles it meanwhile, a thread begins with later forms."""
        if self._ahead is not None:
            self._ahead.reach(form)
        self._runner.lets_others_run = self._ahead is not None and self._ahead.is_running
        began = time.thread_time()
        self._runner.run(taken, self._plan.textures)
        if self._compiles_before_ahead and time.thread_time() - began > COMPILES_SECONDS:
            self._compiles_before_ahead -= 1
            if not self._compiles_before_ahead:
                self._compile_ahead(form)

    def _compile_ahead(self, form: Lowering) -> None:
        """Starts compiling the forms that come after this one, where another core can do it."""
        from texelscope.pipeline.gl.compiling_ahead import CompilingAhead

        for run in (*self._schedules.values(), [self.of(each.name) for each in self._plan.passes]):
            forms = [each for each in run if isinstance(each, Lowering)]
            if any(each is form for each in forms):
                ahead = self._with_new_programs(forms, form)
                if len(ahead) >= FEWEST_AHEAD and cores() > 1:
                    self._ahead = CompilingAhead(ahead, self._plan.textures)
                return

    def _with_new_programs(self, forms: Sequence[Lowering], last: Lowering) -> list[Lowering]:
        """Returns the forms after `last` that have a program which none before them has."""
        known: set[str] = set()
        found: list[Lowering] = []
        is_after = False
        for form in forms:
            steps = own_programs(form, self._plan.textures)
            texts = {step.program.fragment for step in steps}
            if is_after and not texts <= known:
                found.append(form)
            known |= texts
            is_after |= form is last
        return found

    def rounding(self, name: str) -> InputRounding | None:
        """Returns what the form that last computed the pass called `name` rounds more than the pass, if one did."""
        form = self._ran.get(name)
        return None if form is None else self._tuning.taken(form).rounding

    def ran_itself(self, name: str) -> None:
        """Notes that the pass called `name` was computed by its own program."""
        self._ran.pop(name, None)

    def tune(self, valid: Set[str], after: int, items: Collection[Item] = ()) -> bool:
        """Replaces one form that ran `after` times, among `items` if there are any, by its tuned one."""
        among = [item if isinstance(item, Lowering) else self.of(item) for item in items]
        return self._tuning.step(valid, after, self._plan.textures, self._constant, among)

    def tune_now(self, form: Lowering, after: int) -> bool:
        """Tunes, as `tune`, a form that has just run; see `Tuning.attempt`."""
        return self._tuning.attempt(form, after, self._plan.textures, self._constant)

    def edit(self, name: str, was: ProgramSource, now: ProgramSource) -> None:
        """Replaces the shader of the pass called `name`, which gets no form until its first text is restored.

        A form that was refused stays off.
        """
        if name in self._as_they_are and name not in self._before_edits:
            return
        first = self._before_edits.setdefault(name, was)
        self._run_as_it_is(name)
        if _text(first) == _text(now) != _text(was):
            del self._before_edits[name]
            self._as_they_are.discard(name)

    def _run_as_it_is(self, name: str) -> None:
        self._as_they_are.add(name)
        self._schedules.clear()
        self._sharing.clear()

    def adopt(self, plan: Plan, change: PlanChange) -> tuple[frozenset[str], Mapping[str, ShaderError]]:
        """Switches to another version of the plan; unchanged forms keep their GL objects.

        Returns the names of the passes with a changed form, and by pass why the driver refused a new form: the
        last good one then stays in use.
        """
        self._leave_compiling()
        self._limits = with_workspace(self._limits, plan)
        before, forms = self._solo, solo_forms(plan, self._limits)
        self._plan = plan
        self._dispatched = _dispatched(plan)
        self._solo = {name: before[name] if before.get(name) == form else form for name, form in forms.items()}
        refused: dict[str, ShaderError] = {}
        self._schedules.clear()
        self._sharing.clear()
        if change.rewritten_constants:
            self._runner.release()
        changed = {name for name in before.keys() & forms.keys() - self._as_they_are if before[name] != forms[name]}
        for name in changed:
            try:
                self._runner.prepare(forms[name], plan.textures, self._constant)
            except ShaderError as error:
                refused[name] = error
                if name in change.rewired_passes:  # the former form would write another tensor
                    self._run_as_it_is(name)
                else:
                    self._solo[name] = before[name]
        self._runner.keep_only(self._tuning.keep_only(self._solo.values()))
        return frozenset(changed - refused.keys()), refused

    def _constant(self, name: str) -> NDArray[Any]:
        """Returns a constant as its texture holds it."""
        value = self._plan.constant(name)
        assert value is not None, f"'{name}' is no constant"
        return as_stored(value, self._plan.textures[name])


def _text(source: ProgramSource) -> tuple[str, str | None]:
    return source.fragment, source.vertex


def _dispatched(plan: Plan) -> frozenset[str]:
    return frozenset(each.name for each in plan.passes if each.dispatch is not None)
