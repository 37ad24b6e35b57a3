"""Runs the passes of the open session: all, up to one, step by step, or continuously.

Normally every tensor is stored: each pass runs alone or, in repeated runs, in forms that store all they compute
(`keeping.py`). A *fused* run takes as few steps as possible, and does not store what is used only inside a form,
unless the user has *opened* that pass.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.lowerings.lowering import Lowering, form_words
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.start_marks import mark
from texelscope.viewer.document.keeping import KeptSteps
from texelscope.viewer.document.log import MessageLog

if TYPE_CHECKING:
    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.lowerings.fusion.fusing import Item
    from texelscope.pipeline.lowerings.fusion.groups import FusedGroups

# Passes have this part of a frame, or longer where frames take long.
RUN_BUDGET_MS = 12.0
# Where a frame takes long, passes run for as many frames' time: drawing should take a third of a run at most.
FRAMES_A_BUDGET, MOST_BUDGET_MS = 2.0, 60.0


def budget_beside(frame_ms: float) -> float:
    """Returns how long passes run between two frames of that duration; both in milliseconds."""
    return min(max(RUN_BUDGET_MS, FRAMES_A_BUDGET * frame_ms), MOST_BUDGET_MS)


class DocumentRun:
    """The progress of a run: `position` counts the passes that have run. Only `advance` runs passes.

    `is_live` says that runs follow each other: continuously, or for played frames. `changes` grows whenever results
    become stale: earlier knowledge is about others. `milliseconds` is the duration of the last run. With `fused`, full
    runs are fused; single steps, and runs with an injected value, are not. `groups` are those of the last run, None if
    it was not fused; `items` are the last fused run's steps. `untimed` are the passes whose times are from an earlier
    run; with `wants_times` the next full run goes pass by pass, and is timed.
    """

    def __init__(self, log: MessageLog, before: Callable[[], None], go_on: Callable[[], bool]) -> None:
        """Starts without a session; `before` is called whenever passes are about to run.

        `go_on` begins the next frame of a continuous run; False if there can be none.
        """
        self._log = log
        self._before = before
        self._go_on = go_on
        self._session: Session | None = None
        self._wanted = 0
        self._only_stale = self._shows_save = self._one_of_many = False
        self._started: float | None = None
        self.position = 0
        self.continuous = False
        self.changes = 0
        self.milliseconds: float | None = None
        self.fused = False
        self.items: tuple[Item, ...] = ()
        self.groups: FusedGroups | None = None
        self._groups_of_items: FusedGroups | None = None
        self._with_run: tuple[Capture, FusedGroups, Capture] | None = None
        self._opened: set[str] = set()
        self._waiting: deque[Item] = deque()
        self._keeping: KeptSteps | None = None
        self._kept: FusedGroups | None = None
        self.untimed: set[str] = set()
        self.wants_times = False

    def take_up(self, session: Session | None) -> None:
        """Switches to another session, or none, of which nothing has run."""
        self._session = session
        self.position = self._wanted = 0
        self.items, self.groups, self._groups_of_items, self._with_run = (), None, None, None
        self._opened.clear()
        self._waiting.clear()
        self._keeping, self._kept = KeptSteps(session) if session is not None else None, None
        self.untimed.clear()
        self.milliseconds = None
        self.changes += 1

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The plan's passes; empty without a session."""
        return self._session.plan.passes if self._session is not None else ()

    @property
    def is_under_way(self) -> bool:
        """Whether passes will run in the coming frames."""
        return self.position < self._wanted

    @property
    def is_live(self) -> bool:
        """Whether another run is likely to follow at once."""
        return self.continuous or self._one_of_many

    def everything(self, *, one_of_many: bool = False) -> None:
        """Runs every pass, from the first."""
        if self._fuses:
            self._start_fused()
        else:
            self._start_kept()
        self._one_of_many = one_of_many

    def rest(self) -> None:
        """Ends a series of runs: work postponed for the next run is done now."""
        self._one_of_many = False

    def stop(self) -> None:
        """Stops after the passes that have run."""
        self.continuous, self._wanted = False, self.position
        self._waiting.clear()

    def on_from(self, index: int) -> None:
        """Runs the pass at `index` and what follows, up to where passes had run or at least that pass."""
        if self._fuses:
            self._start_fused()
            return
        end = max(self._wanted, self.position)  # a run under way keeps its end
        self._start(min(index, self.position), max(end, index + 1))

    def up_to(self, index: int) -> None:
        """Runs from the first pass up to and including the one at `index`; later passes count as not run."""
        self._rewind(index + 1)
        self._start(0, index + 1)

    def what_is_stale(self) -> None:
        """Runs the stale passes among those that had run; the others wait for a step, as before."""
        assert self._session is not None
        self.position, self._wanted = (min(count, len(self.passes)) for count in (self.position, self._wanted))
        self.changes += 1
        if self._fuses and max(self.position, self._wanted) == len(self.passes):
            self._start_fused()
            return
        stale = [index for index, each in enumerate(self.passes) if not self._session.has_run(each.name)]
        if stale and stale[0] < max(self.position, self._wanted):
            self.on_from(stale[0])
            self._only_stale = self._shows_save = True

    def to_the_end(self) -> None:
        """Runs the passes after those that have run."""
        if self._fuses:
            self._start_fused()
        else:
            self._start(self.position, len(self.passes))

    def forward(self) -> None:
        """Runs the next pass."""
        if self.position < len(self.passes):
            self._start(self.position if self.groups is None else 0, self.position + 1)

    def back(self) -> None:
        """Takes back the last pass that ran: it and what follows count as not run."""
        if self.position > 0:
            self._rewind(self.position - 1)
            self.position = self._wanted = self.position - 1
            self.changes += 1

    def advance(self, budget_ms: float) -> bool:
        """Runs passes for about `budget_ms`, after a save one pass; True if any ran. A pass is the smallest step."""
        if self._session is not None and self.continuous and not self.is_under_way:
            if self._go_on():
                self.everything()
            else:
                self.stop()
        if self._session is None or not self.is_under_way:
            return False
        end = time.perf_counter() + (0.0 if self._shows_save else budget_ms) / 1e3
        self._shows_save = False
        with self._session.untimed() if self._kept is not None else nullcontext():
            self._steps(self._session, end, self._at_once(budget_ms))
        if not self.is_under_way and self._started is not None:
            self.milliseconds = (time.perf_counter() - self._started) * 1e3
            mark("ran")
            if self._keeping is None or self._keeping.is_settled:
                self._session.tune(items=self._keeping.items if self._keeping is not None and self._kept else ())
        return True

    def _steps(self, session: Session, end: float, at_once: int) -> None:
        """Runs at least one step, until `end`; waits for the GPU after each `at_once` steps."""
        count, kept = 0, self._kept
        while self.is_under_way and self._kept is kept and (not count or time.perf_counter() <= end):
            name = self.passes[self.position].name
            if self._waiting:
                self._run_item(session, self._waiting.popleft())
            elif self._only_stale and session.has_run(name):
                self.position += 1
                continue
            else:
                self._run_pass(session, name)
                self.position += 1
            count += 1
            if count % at_once == 0:
                session.finish()
        session.finish()

    def _at_once(self, budget_ms: float) -> int:
        """Returns how many steps took half of the budget in the last run: submitted steps cannot be cancelled."""
        if not self.milliseconds:
            return 1
        return max(int(len(self.passes) * budget_ms / (2.0 * self.milliseconds)), 1)

    # -- fused ---------------------------------------------------------------------------------------------

    @property
    def _fuses(self) -> bool:
        return self.fused and self._session is not None and not self._session.injected

    @property
    def opened(self) -> frozenset[str]:
        """Keys of the tensors that fused runs store because the user opened them."""
        known = self._session.plan.textures if self._session is not None else {}
        return frozenset(key for key in self._opened if key in known)

    def go_fused(self, *, fused: bool) -> None:
        """Makes full runs fused, or not; the first one follows at once."""
        self.fused = fused
        if self.passes:
            self.everything()

    def open_up(self, name: str, *, is_open: bool = True) -> None:
        """Makes fused runs store the output of the pass called `name`, or, unless `is_open`, no longer."""
        assert self._session is not None
        outputs = self._session.plan.pass_called(name).outputs
        self._opened = self._opened.union(outputs) if is_open else self._opened.difference(outputs)
        if self.groups is not None:
            self._start_fused()

    def is_inside(self, name: str) -> bool:
        """Returns whether the pass called `name` was computed inside a form, and its tensor not stored."""
        return (
            self.groups is not None
            and name in self.groups.inside
            and self._session is not None
            and not self._session.has_run(name)
        )

    def place(self, name: str) -> str:
        """Returns where a fused run computed the pass called `name`, as `FusedGroups.place`; empty if it ran alone."""
        return self.groups.place(name) if self.groups is not None else ""

    def together(self, name: str) -> str:
        """Returns how a run in forms computed the pass called `name`, as `FusedGroups.together`."""
        return self.steps.together(name) if self.steps is not None else "by itself"

    @property
    def steps(self) -> FusedGroups | None:
        """The groups of the last run, fused or not; None if each pass ran alone."""
        return self.groups or self._kept

    def form_of(self, name: str) -> Lowering | None:
        """Returns the form that computed the pass called `name`, fused or alone; None if its own program did."""
        if self._session is None or self._session.plan.find(name) is None:
            return None
        steps = self.steps
        forms = steps.forms.get(name) if steps is not None else None
        form = forms[0] if forms else self._session.form(name)
        return self._session.running(form) if form is not None else None

    def timer_of(self, name: str) -> str:
        """Returns the session's name for the time of what computed the pass; empty if that was no separate step."""
        if self.groups is None or name not in self.groups.forms:
            return name
        return next((form.name for form in self.groups.forms[name] if form.covers[0] == name), "")

    def as_run(self, capture: Capture) -> Capture:
        """Adds this run's knowledge to a capture: passes inside forms have neither values nor times.

        Returns the same object for the same capture of a run of the same steps.
        """
        steps = self.steps
        if steps is None or self._session is None:
            return capture
        if self._with_run is not None and self._with_run[0] is capture and self._with_run[1] is steps:
            return self._with_run[2]
        forms, inside = steps.forms, {}
        for each in self.passes:
            if each.name in steps.inside and each.output not in capture.tensors:
                inside[each.name] = f"Computed {self.together(each.name)}: a fused run does not store it."
        times: Mapping[str, float | None] = {
            name: None if name in forms or name in self.untimed else took for name, took in capture.gpu_ms.items()
        }
        runs_as = {
            name: f"{steps.together(name)}, {form_words(self._session.running(found[0]))}"
            for name, found in forms.items()
        }
        with_run = replace(capture, inside=inside, gpu_ms=times, runs_as={**capture.runs_as, **runs_as})
        self._with_run = (capture, steps, with_run)
        return with_run

    def _start_fused(self) -> None:
        from texelscope.pipeline.lowerings.fusion.groups import FusedGroups

        assert self._session is not None
        plan, items = self._session.plan, self._session.fused(self.opened)
        known = self._groups_of_items if items is self.items else None
        groups = known or FusedGroups.of(plan, items)
        for each in plan.passes:  # left over from a run that stored it
            if each.name in groups.inside and self._session.is_valid(each.output):
                self._session.invalidate(each.name)
        self._start(0, len(plan.passes))
        self.items, self.groups, self._groups_of_items, self._waiting = items, groups, groups, deque(items)

    def _run_item(self, session: Session, item: Item) -> None:
        if isinstance(item, str):
            self._run_pass(session, item)
        else:
            done = session.run_item(item)
            if not done and self._kept is not None:  # rejected, or its inputs are missing: some passes may run
                live = self._one_of_many
                self._start_kept(alone=True)
                self._one_of_many = live
                return
            if not done and session.fused(self.opened) is not self.items:
                self._start_fused()  # the driver rejected a form: use another schedule
                return
        following = self._waiting[0] if self._waiting else None
        name = following.covers[0] if isinstance(following, Lowering) else following
        while self.position < len(self.passes) and self.passes[self.position].name != name:
            self.position += 1

    # -- everything kept -----------------------------------------------------------------------------------

    def _start_kept(self, *, alone: bool = False) -> None:
        """Starts a run that keeps every tensor, in forms, or with each pass alone."""
        self._start(0, len(self.passes))
        items = self._keeping.step_on(alone=alone or self.wants_times) if self._keeping is not None else ()
        self.wants_times = False
        if items and self._keeping is not None:
            self._kept = self._keeping.groups
            self._waiting.extend(items)
            self.untimed.update(each.name for each in self.passes)

    def _run_pass(self, session: Session, name: str) -> None:
        before = session.shader_error(name)
        session.run_pass(name)
        if self._kept is None:
            self.untimed.discard(name)
        if (after := session.shader_error(name)) not in (None, before):
            self._log.add(str(after), error=True)

    def _start(self, first: int, end: int) -> None:
        self._before()
        self.groups = self._kept = None
        self._waiting.clear()
        self._only_stale = self._shows_save = self._one_of_many = False
        self.position, self._wanted = first, end
        self._started = time.perf_counter()
        self.changes += 1

    def _rewind(self, index: int) -> None:
        if self._session is not None and index < len(self.passes):
            for each in self.passes[index:]:
                self._session.invalidate(each.name)
