"""Chooses the steps of a run that keeps every tensor: forms that store all they compute, and single passes.

At first passes run alone, because a driver takes long over the first run of a form. When everything is run again and
again, each run replaces some passes by one more form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.gl.session_lowerings import RUNS_BEFORE_TUNING
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import Plan

if TYPE_CHECKING:
    from texelscope.pipeline.lowerings.fusion.fusing import Item
    from texelscope.pipeline.lowerings.fusion.groups import FusedGroups


class KeptSteps:
    """The steps of each full run of one session. `groups` are those of the last run, None if passes ran alone.

    `items` are the steps of the last run, empty if passes ran alone; `is_settled` means that no further form will come.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runs = 0
        self._forms: tuple[Lowering, ...] = ()
        self._taken = 0
        self._schedule: tuple[Item, ...] = ()
        self._plan: Plan | None = None
        self._keys: frozenset[str] = frozenset()
        self._is_exact = False
        self.items: tuple[Item, ...] = ()
        self.groups: FusedGroups | None = None
        self.is_settled = True

    def step_on(self, *, alone: bool) -> tuple[Item, ...]:
        """Returns the steps of the next run; empty if each pass runs alone, which `alone` requests for this run."""
        self._runs += 1
        plan = self._session.plan
        if alone or self._runs <= RUNS_BEFORE_TUNING or not self._may_join(plan):
            self.items, self.groups, self.is_settled = (), None, True
            return ()
        schedule = self._session.fused(self._keys)
        if schedule is not self._schedule:
            self._schedule, self._taken, self.items = schedule, 0, ()
            self._forms = tuple(item for item in schedule if isinstance(item, Lowering) and len(item.covers) > 1)
        if not self.items or self._taken < len(self._forms):
            self._taken = min(self._taken + 1, len(self._forms))
            self.items = joined(plan, self._forms[: self._taken], self._forms[self._taken :])
            from texelscope.pipeline.lowerings.fusion.groups import FusedGroups

            self.groups = FusedGroups.of(plan, self.items)
        self.is_settled = self._taken == len(self._forms)
        return self.items

    def _may_join(self, plan: Plan) -> bool:
        """Returns whether forms give what passes do: storing rounds nothing, and none of their passes is left out."""
        if plan is not self._plan:
            self._plan = plan
            self._keys = frozenset(key for each in plan.passes for key in each.outputs)
            self._is_exact = all(plan.textures[key].storage == "float32" for key in self._keys)
        session = self._session
        return self._is_exact and not (session.injected or session.shader_errors or plan.not_run)


def joined(plan: Plan, forms: tuple[Lowering, ...], others: tuple[Lowering, ...]) -> tuple[Item, ...]:
    """Returns the first `forms` of a schedule and, in order, each pass they leave out or that `others` have a part in.

    Such a pass comes after all forms that compute a part of it, and overwrites what they stored.
    """
    left = {name for form in others for name in form.covers}
    begun = {form.covers[0]: form for form in forms}
    covered = {name for form in forms for name in form.covers} - left
    found: list[Item] = []
    for each in plan.passes:
        if each.name in begun:
            found.append(begun[each.name])
        if each.name not in covered:
            found.append(each.name)
    return tuple(found)
