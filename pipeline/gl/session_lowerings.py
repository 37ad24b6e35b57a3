"""The forms of a session's plan: which stand in for passes now, alone or fused, and running them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import dataclass
from typing import Any

import moderngl
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.lowering_runner import FormRunner
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.gl.tuning import RUNS_BEFORE_TUNING, Tuning
from texelscope.pipeline.lowerings.backend import with_workspace
from texelscope.pipeline.lowerings.fusion.buffer_reuse import Sharing, sharing
from texelscope.pipeline.lowerings.fusion.fusing import Item, schedule
from texelscope.pipeline.lowerings.fusion.room import Share
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.solo import solo_forms
from texelscope.pipeline.plan import Plan, ProgramSource
from texelscope.pipeline.planning.plan_change import PlanChange
from texelscope.pipeline.planning.storage import components, values_of


@dataclass(frozen=True)
class HeldBytes:
    """Bytes on the GPU: inputs and activations; scratch of forms; weights, in textures and packed."""

    tensors: int
    scratch: int
    weights: int


_LOG = logger(__name__)


class SessionForms:
    """Forms of a plan, on GL. A pass whose shader somebody changed, or whose form is refused, runs as it is."""

    def __init__(self, plan: Plan, context: moderngl.Context, store: TextureStore, programs: ProgramCache) -> None:
        self._plan = plan
        self._limits = with_workspace(limits_of(context), plan)
        self._store = store
        self._runner = FormRunner(context, store, programs)
        self._tuning = Tuning(self._runner, store)
        self._solo = solo_forms(plan, self._limits)
        self._as_they_are: set[str] = set()
        self._before_edits: dict[str, ProgramSource] = {}
        self._schedules: dict[frozenset[str], tuple[Item, ...]] = {}
        self._fused: dict[str, Lowering] = {}
        self._sharing: dict[frozenset[str], Sharing] = {}
        self._taken_up: Sharing | None = None
        self._dispatched = _dispatched(plan)

    def release(self) -> None:
        """Frees every GL object."""
        self._runner.release()

    def of(self, name: str) -> Lowering | None:
        """The form that computes the pass called `name` alone; None where its own program does."""
        return None if name in self._as_they_are else self._solo.get(name)

    def running(self, form: Lowering) -> Lowering:
        """What runs in place of the form: itself, or the tuned one that took over after some runs."""
        return self._tuning.taken(form)

    def tells_time(self, name: str) -> bool:
        """Whether the driver's timer counts what computes the pass or fused form: llvmpipe's leaves dispatches out."""
        form = self._fused.get(name) or self.of(name)
        if form is None:
            return not (self._limits.is_software and name in self._dispatched)
        return not self._limits.is_software or all(step.kind == "fragment" for step in form.steps)

    def schedule(self, keep: frozenset[str]) -> tuple[Item, ...]:
        """The whole run, fused, that leaves valid the plan's outputs and the keys of `keep`; see `forms.fusing`."""
        if keep not in self._schedules:
            items = self._schedules[keep] = schedule(self._plan, self._limits, keep, self._as_they_are)
            self._fused.update(
                {item.name: item for item in items if isinstance(item, Lowering) and len(item.covers) > 1}
            )
        return self._schedules[keep]

    def sharing(self, keep: frozenset[str]) -> Sharing:
        """Where the tensors of that run are; see `pipeline.lowerings.fusion.buffer_reuse`."""
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
        """A fused run, by `run_item` for each item, freeing between items what holds nothing. `gone` are told then.

        Where a form is refused it begins again, by another schedule. A form is tuned, or all if it is to `settle`.
        """
        items, sharing, waits = self.schedule(keep), self.sharing(keep), True
        if sharing is not self._taken_up:  # what only runs need that shared otherwise
            self._taken_up = sharing
            self._runner.reserve(sharing.buffers)
            gone(self._store.free(self._store.shares.difference(sharing.textures.values())))
        for item, freed in zip((*items, None), sharing.freed, strict=True):
            self._runner.free(freed)
            gone(self._store.free(freed))
            if item is None:
                break
            if not run_item(item, sharing.textures) and self.schedule(keep) is not items:
                self.run_whole(keep, run_item, gone, settle=settle)
                break
            if isinstance(item, Lowering) and (waits or settle):
                waits = not self.tune_now(item, 1 if settle else RUNS_BEFORE_TUNING)

    def held(self) -> HeldBytes:
        """What textures and packed numbers take now."""
        own = self._store.own_bytes
        weights = sum(size for key, size in own.items() if self._plan.textures[key].role == "constant")
        tensors = sum(own.values()) - weights + self._store.shared_bytes
        return HeldBytes(tensors, self._runner.scratch_bytes, weights + self._runner.packed_bytes)

    def run(self, form: Lowering) -> bool:
        """Runs the steps of a form; the first time it compiles and packs what they need.

        False where the driver refuses a step: from then on the passes run as they are.
        """
        check()
        taken = self._tuning.taken(form)
        try:
            self._runner.prepare(taken, self._constant)
        except ShaderError as error:
            without = f"Without it from now on: {', '.join(repr(name) for name in form.covers)}."
            _LOG.warning("%s", ShaderError(error.file, error.line, error.message, without))
            for name in form.covers:
                self._run_as_it_is(name)
            return False
        self._runner.run(taken, self._plan.textures)
        self._tuning.count(form)
        return True

    def tune(self, valid: Set[str], after: int, items: Collection[Item] = ()) -> bool:
        """Takes one form that ran `after` times, for one of `items` if there are any, over to its tuned one."""
        among = [item if isinstance(item, Lowering) else self.of(item) for item in items]
        return self._tuning.step(valid, after, self._plan.textures, self._constant, among)

    def tune_now(self, form: Lowering, after: int) -> bool:
        """As `tune`, of a form that has just run; see `Tuning.attempt`."""
        return self._tuning.attempt(form, after, self._plan.textures, self._constant)

    def edit(self, name: str, was: ProgramSource, now: ProgramSource) -> None:
        """The pass called `name` has a shader put in its place, and no form, until an edit brings the first text back.

        A form that was refused does not come back.
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
        """Goes over to another version of the plan; forms that are as they were keep what they have on GL.

        Returns the names of the passes that have another form, and by pass what the driver refuses of a new one: the
        last good one goes on then.
        """
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
                self._runner.prepare(forms[name], self._constant)
            except ShaderError as error:
                refused[name] = error
                if name in change.rewired_passes:  # what it was would write something else
                    self._run_as_it_is(name)
                else:
                    self._solo[name] = before[name]
        self._runner.keep_only(self._tuning.keep_only(self._solo.values()))
        return frozenset(changed - refused.keys()), refused

    def _constant(self, name: str) -> NDArray[Any]:
        """A constant as its texture holds it."""
        value = self._plan.constant(name)
        assert value is not None, f"'{name}' is no constant"
        storage = self._plan.textures[name].storage
        return values_of(components(value, storage), storage)


def _text(source: ProgramSource) -> tuple[str, str | None]:
    return source.fragment, source.vertex


def _dispatched(plan: Plan) -> frozenset[str]:
    return frozenset(each.name for each in plan.passes if each.dispatch is not None)
