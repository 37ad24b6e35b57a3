"""The forms of a session's plan: which stand in for passes now, alone or fused, and running them."""

from __future__ import annotations

from typing import Any

import moderngl
from numpy.typing import NDArray

from pipeline.forms.form import Form
from pipeline.forms.fusing import Item, schedule
from pipeline.forms.solo import solo_forms
from pipeline.gl.context import limits_of
from pipeline.gl.form_runner import FormRunner
from pipeline.gl.program import ProgramCache
from pipeline.gl.textures import TextureStore
from pipeline.plan import Plan
from pipeline.planning.plan_change import PlanChange
from pipeline.planning.storage import components, values_of


class SessionForms:
    """Forms of a plan, on GL. A pass whose shader somebody changed runs as it is from then on."""

    def __init__(self, plan: Plan, context: moderngl.Context, store: TextureStore, programs: ProgramCache) -> None:
        self._plan = plan
        self._limits = limits_of(context)
        self._runner = FormRunner(context, store, programs)
        self._solo = solo_forms(plan, self._limits)
        self._edited: set[str] = set()
        self._schedules: dict[frozenset[str], tuple[Item, ...]] = {}

    def release(self) -> None:
        """Frees every GL object."""
        self._runner.release()

    def of(self, name: str) -> Form | None:
        """The form that computes the pass called `name` alone; None where its own program does."""
        return None if name in self._edited else self._solo.get(name)

    def tells_time(self, name: str) -> bool:
        """Whether the driver's timer counts what computes the pass: llvmpipe's leaves dispatches out."""
        form = self.of(name)
        return form is None or not self._limits.is_software or all(step.kind == "fragment" for step in form.steps)

    def schedule(self, keep: frozenset[str]) -> tuple[Item, ...]:
        """The whole run, fused, that leaves valid the plan's outputs and the keys of `keep`; see `forms.fusing`."""
        if keep not in self._schedules:
            self._schedules[keep] = schedule(self._plan, self._limits, keep, self._edited)
        return self._schedules[keep]

    def run(self, form: Form) -> None:
        """Runs the steps of a form; the first time it compiles and packs what they need.

        Raises ShaderError where the driver refuses a step.
        """
        self._runner.prepare(form, self._constant)
        self._runner.run(form, self._plan.textures)

    def edited(self, name: str) -> None:
        """Notes that the pass called `name` has a shader of somebody's own."""
        self._edited.add(name)
        self._schedules.clear()

    def adopt(self, plan: Plan, change: PlanChange) -> None:
        """Goes over to another version of the plan; forms that are as they were keep what they have on GL."""
        self._edited |= set(change.new_sources)
        before, forms = self._solo, solo_forms(plan, self._limits)
        self._plan = plan
        self._solo = {name: before[name] if before.get(name) == form else form for name, form in forms.items()}
        self._schedules.clear()
        if change.rewritten_constants:
            self._runner.release()
        self._runner.keep_only(self._solo.values())

    def _constant(self, name: str) -> NDArray[Any]:
        """A constant as its texture holds it."""
        value = self._plan.constant(name)
        assert value is not None, f"'{name}' is no constant"
        storage = self._plan.textures[name].storage
        return values_of(components(value, storage), storage)
