"""Runs another target beside the open one, on the same inputs in the same window, as `--against` requests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import Target
from texelscope.viewer.document.comparison import Comparison
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.runs.model.kept import run_in


class OtherTarget:
    """Another target; `newest` is its last comparison on the open target's inputs. It runs again when those change."""

    def __init__(self, context: moderngl.Context, wake: Callable[[], None], target: Target) -> None:
        self._log = MessageLog()
        self._document = Document(context, self._log, wake)
        self._document.opens_on_pictures = False  # it gets the open target's inputs
        self._given: tuple[NDArray[np.float32], ...] | None = None
        self._taken: Comparison | None = None
        self.target = target
        self.problem = ""
        self._document.open(target)

    @property
    def name(self) -> str:
        """The displayed name: its file, with the folder."""
        path = Path(self.target.path)
        return f"{path.parent.name}/{path.name}" if path.parent.name else path.name

    @property
    def is_busy(self) -> bool:
        """Whether it is being opened, run or compared."""
        return not self.problem and not self._document.settled

    def close(self) -> None:
        """Closes the other target."""
        self._document.close()

    def advance(self, beside: Document, budget_ms: float) -> Comparison | None:
        """Does a piece of its work, once `beside` has compared its results; returns a new comparison if there is one.

        Uses GL: call in the window's thread.
        """
        document = self._document
        before = document.session
        document.update()
        if document.failure is not None:
            self.problem = document.failure
        elif document.comparing.ended == "failed":
            self.problem = next(
                (each.text for each in reversed(self._log.entries) if each.level == "error"), "It failed."
            )
        if self.problem or document.session is None or beside.comparison is None:
            return None
        if document.session is not before:
            document.run.stop()
            self._given = None
        comparison = beside.comparison
        given = tuple(comparison.capture.tensors[key] for key in comparison.plan.inputs)
        if not beside.run.is_live and not self._has(given):
            self._give(comparison)
        self._given = given if not beside.run.is_live else self._given
        document.run.advance(budget_ms)
        newest = document.comparison
        if newest is None or newest is self._taken or not document.is_compared or document.run.is_under_way:
            return None
        self._taken = newest
        return newest

    def _has(self, given: tuple[NDArray[np.float32], ...]) -> bool:
        """Returns whether it ran on those values; an unchanged tensor is the same array."""
        mine = self._given
        return (
            mine is not None
            and len(mine) == len(given)
            and all(
                here is there or np.array_equal(here, there, equal_nan=True)
                for here, there in zip(given, mine, strict=True)
            )
        )

    def _give(self, comparison: Comparison) -> None:
        """Runs it on the inputs of a comparison."""
        from texelscope.pipeline.runs.against import same_inputs

        document = self._document
        assert document.session is not None
        try:
            here = run_in(comparison)
            for name, key in same_inputs(document.session, here, self.target).items():
                document.session.set_input(name, here.inputs[key])
        except TexelscopeError as error:
            self.problem = str(error)
            return
        document.revision += 1
        document.run.everything()
