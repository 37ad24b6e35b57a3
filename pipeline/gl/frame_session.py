"""Runs a plan frame by frame: each frame runs all passes, with its own uniforms and with tensors of the one before."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import moderngl
from numpy.typing import NDArray

from texelscope.pipeline.deadline import check
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frames import Mouse
from texelscope.pipeline.gl.context import on_its_context
from texelscope.pipeline.gl.passes import PassRunner
from texelscope.pipeline.gl.session import MakeRunner, Session
from texelscope.pipeline.lowerings.fusion.room import Share
from texelscope.pipeline.plan import Pass, Plan

if TYPE_CHECKING:
    from texelscope.pipeline.lowerings.fusion.fusing import Item


class FrameSession(Session):
    """A `Session` that goes from frame to frame; `plan` is always that of the present frame.

    A tensor of the frame before is a stored tensor of its own, so that every pass of a frame, and whoever draws it
    again, reads the same values. It is copied on the GPU when the next frame begins, and stays when an input is set:
    the frames go on with the new input. Only `restart` goes back to frame 0.
    """

    def __init__(self, plan: Plan, context: moderngl.Context, *, runner: MakeRunner = PassRunner) -> None:
        self._moment = plan.frames.moment
        self._mouse: Mouse = self._moment.mouse
        # Whether no pass of the present frame was run yet, and the keys of what its passes computed.
        self._is_new, self._computed = True, set[str]()
        super().__init__(plan, context, runner=runner)
        self._fill_first()

    @property
    def frame(self) -> int:
        """The number of the present frame, from 0."""
        return self._moment.frame

    @property
    def can_go_on(self) -> bool:
        """Whether the present frame computed all that the next one reads."""
        return all(each.of in self._computed for each in self._plan.frames.carried)

    def run(self, *, to: str | None = None, from_: str | None = None, frames: int | None = None) -> None:
        """Runs the present frame, as `Session.run`; with `frames` so many further whole frames, one after another.

        The first of them is the present frame if nothing of it was run. Raises TexelscopeError as `next_frame`, and for
        `frames` beside a part of the passes.
        """
        if frames is None:
            super().run(to=to, from_=from_)
            return
        if to is not None or from_ is not None:
            raise TexelscopeError("frames", "whole frames", "a part of the passes too", "Leave 'to' and 'from_' out.")
        for _ in range(frames):
            check()
            if not self._is_new:
                self.next_frame()
            super().run()

    @on_its_context
    def next_frame(self) -> None:
        """Begins the next frame, of which nothing has run.

        Raises TexelscopeError if the present frame did not compute what the next one reads, or if a uniform has no
        value then; the present frame stays.
        """
        plan = self._plan
        missing = next((each.of for each in plan.frames.carried if each.of not in self._computed), None)
        if missing is not None:
            expected, do_next = f"'{missing}' of frame {self.frame}", "Run the whole frame; see shader_error()."
            raise TexelscopeError(f"frame {self.frame + 1}", expected, "one that was not computed", do_next)
        self._begin(self.frame + 1)
        for each in plan.frames.carried:
            self._store.copy(plan.textures[each.of], plan.textures[each.key])
            self._valid.add(each.key)

    @on_its_context
    def restart(self) -> None:
        """Goes back to frame 0, of which nothing has run. Inputs stay."""
        self._begin(0)
        self._fill_first()

    @property
    def mouse(self) -> Mouse:
        """The mouse of the frames to come, as `point` set it."""
        return self._mouse

    def point(self, mouse: Mouse) -> None:
        """Sets the mouse of the frames to come, in texels: where it is, and where it was pressed last."""
        self._mouse = mouse

    @on_its_context
    def set_input(self, name: str, array: NDArray[Any]) -> None:
        """Sets an input like `Session.set_input`. The present frame and the state that it read stay."""
        super().set_input(name, array)
        if self.frame == 0:
            self._fill_first(name)

    @on_its_context
    def inject(self, key: str, array: NDArray[Any]) -> None:
        """Injects like `Session.inject`; the next frame reads the injected values."""
        super().inject(key, array)
        self._computed.add(self._plan.tensor_called(key).key)

    @on_its_context
    def adopt(self, plan: Plan) -> frozenset[str]:
        """Adopts, like `Session.adopt`, the plan's present frame; goes back to frame 0 if another state is read."""
        before = self._plan
        self._moment = dataclasses.replace(self._moment, per_second=plan.frames.moment.per_second)
        waiting = super().adopt(plan.at(self._moment))
        self._computed = {key for key in self._computed if before.textures.get(key) == plan.textures.get(key)}
        if before.frames.carried != plan.frames.carried or not self._valid.issuperset(plan.frames.keys):
            self.restart()
            return frozenset(each.name for each in plan.passes)
        return waiting

    # -- internals -----------------------------------------------------------------------------------------

    def _begin(self, frame: int) -> None:
        """Switches to another frame; nothing has changed if it raises."""
        moment = dataclasses.replace(self._moment, frame=frame, mouse=self._mouse)
        self._plan = self._plan.at(moment)
        self._moment, self._is_new = moment, True
        self._valid = {key for key in self._valid if self._plan.textures[key].role != "activation"}
        self._injected.clear()
        self._computed.clear()

    def _fill_first(self, of: str | None = None) -> None:
        """Gives the tensors of the frame before their values in frame 0: all, or those of the input `of`."""
        for each in self._plan.frames.carried:
            stored = self._plan.textures[each.key]
            if of is None and not each.first:
                self._store.clear(stored)
                self._valid.add(each.key)
            elif each.first and of in (None, each.first) and each.first in self._valid:
                self._store.write(stored, self.tensor(each.first))
                self._valid.add(each.key)

    def _run_pass(self, shader_pass: Pass, shared: Mapping[str, Share]) -> bool:
        self._is_new = False
        return super()._run_pass(shader_pass, shared)

    def _run_item(self, item: Item, shared: Mapping[str, Share]) -> bool:
        self._is_new = False
        return super()._run_item(item, shared)

    def _wrote(self, whole: Collection[str], parts: Collection[str] = ()) -> bool:
        self._computed.update(whole)
        return super()._wrote(whole, parts)
