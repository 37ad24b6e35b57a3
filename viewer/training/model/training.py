"""Trains the open session in the window: a few passes between two frames, and states to go back to."""

from __future__ import annotations

import math
import time
from array import array
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.training.request import TrainingRequest
from texelscope.viewer.document.comparing import COMPARE_EVERY_SECONDS
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.key_names import with_keys

if TYPE_CHECKING:
    from texelscope.pipeline.training.findings.registry import StepSeen, TrainingFinding
    from texelscope.pipeline.training.lesson import Lesson
    from texelscope.pipeline.training.trainer import Trainer, TrainerState

# The most points to draw: more than a plot has pixels across.
MOST_DRAWN = 2000
# The margin above and below the line, as a part of its height.
_MARGIN = 0.08
_MOST_TICKS, _MOST_DIGITS = 6, 6


def few_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Returns at most nine ticks and labels for an axis of less than a decade: multiples of 1, 2 or 5."""
    power = 10.0 ** math.floor(math.log10((high - low) / 2.0))
    step = next(step for step in (power, 2.0 * power, 5.0 * power, 10.0 * power) if (high - low) / step <= _MOST_TICKS)
    digits = max(-math.floor(math.log10(step) + 1e-9), 0)
    ticks = [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return ticks, [f"{tick:.{digits}f}" if digits < _MOST_DIGITS else f"{tick:.3g}" for tick in ticks]


@dataclass
class LossBranch:
    """Losses of consecutive steps, the first of which is step number `first`, counted from 1."""

    first: int
    losses: array[float] = field(default_factory=lambda: array("d"))

    @property
    def last(self) -> int:
        """The number of its last step; one less than `first` while it has none."""
        return self.first + len(self.losses) - 1

    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns steps and losses; of many, the first of each stretch of equal length, and the last."""
        losses = np.frombuffer(self.losses, dtype=np.float64) if self.losses else np.zeros(0)
        every = len(losses) // MOST_DRAWN + 1
        places = np.arange(0, len(losses), every)
        if len(losses) and places[-1] != len(losses) - 1:
            places = np.append(places, len(losses) - 1)
        return (places + self.first).astype(np.float64), losses[places].copy()


@dataclass
class LossCurve:
    """The loss curve: the last of `branches` grows; others ended where training went back."""

    branches: list[LossBranch] = field(default_factory=lambda: [LossBranch(1)])
    newest: float | None = None

    def limits(self, *, logarithmic: bool) -> tuple[float, float]:
        """Returns the lowest and the highest loss, with a margin; for a logarithmic curve of those above zero."""
        found = np.concatenate([branch.drawn()[1] for branch in self.branches])
        found = found[found > 0.0] if logarithmic else found
        if not len(found):
            return 0.1, 1.0
        low, high = float(found.min()), float(found.max())
        if logarithmic:
            margin = max(high / low, 1.01) ** _MARGIN
            return low / margin, high * margin
        margin = max(high - low, 0.01 * abs(high), 1e-9) * _MARGIN
        return low - margin, high + margin

    def add(self, loss: float) -> None:
        """Adds the loss of the next step."""
        self.branches[-1].losses.append(loss)
        self.newest = loss

    def go_back(self, step: int, loss: float | None) -> None:
        """Continues after `step`, whose loss was `loss`; the losses so far stay as a branch."""
        self.newest = loss
        if not self.branches[-1].losses:
            self.branches.pop()
        self.branches.append(LossBranch(step + 1))

    @property
    def steps(self) -> int:
        """The number of all losses."""
        return sum(len(branch.losses) for branch in self.branches)


# The time of a step is the mean over this many.
_TIMED_STEPS = 20
# Findings need this many samples. A sample reads tensors back: it may take only this part of the time.
_LOOKS, _LOOK_SHARE = 10, 0.1


@dataclass(frozen=True)
class SavedState:
    """Holds a state to go back to, and the loss of the step before it, None at the start."""

    number: int
    state: TrainerState
    loss: float | None


class Training:
    """The wishes, `asked`, and the training of the open session, if it is one.

    `save_as` is the path to save the model to; it `is_unsaved` if its weights are in no file. `findings` are those of
    the last samples. `is_wanted` shows the panel; with `starts` training begins as soon as a
    target is open. Only `advance` does steps, by the document's run: whatever shows a run shows them.
    """

    def __init__(self) -> None:
        self.asked = TrainingRequest()
        self.is_wanted = self.starts = self.is_running = False
        self.curve = LossCurve()
        self.kept: list[SavedState] = []
        self.findings: tuple[TrainingFinding, ...] = ()
        self.save_as = self._saved_for = ""
        self.is_unsaved = False
        self._looks: deque[StepSeen] = deque(maxlen=_LOOKS)
        self._next_look = self._next_comparison = 0.0
        self._lesson: Lesson | None = None
        self._is_begun = False
        self._steps_due = 0
        self._seconds: deque[float] = deque(maxlen=_TIMED_STEPS)
        self._began = 0.0

    # -- what is known -------------------------------------------------------------------------------------

    @property
    def trainer(self) -> Trainer | None:
        """The open training; None before the first step, and once another target is open."""
        return self._lesson.trainer if self._lesson is not None else None

    @property
    def is_under_way(self) -> bool:
        """Whether there are steps to do."""
        return self.is_running or self._is_begun or self._steps_due > 0 or self.starts

    @property
    def milliseconds(self) -> float | None:
        """The recent time per step."""
        return 1e3 * sum(self._seconds) / len(self._seconds) if self._seconds else None

    # -- commands ---------------------------------------------------------------------------------

    def ask(self, asked: TrainingRequest, *, starts: bool = False) -> None:
        """Shows the panel with these wishes; with `starts`, trains as soon as a target is open."""
        self.asked, self.is_wanted, self.starts = asked, True, starts

    def run(self, document: Document, log: MessageLog) -> None:
        """Starts or resumes training. Raises TexelscopeError if that is impossible."""
        self._open(document, log)
        self.is_running = True

    def pause(self, document: Document) -> None:
        """Stops after the step in progress, if there is one."""
        self.is_running, self._steps_due = False, 0
        if not self._is_begun:
            document.run.rest()

    def step(self, document: Document, log: MessageLog) -> None:
        """Does one step, then pauses. Raises TexelscopeError if training is impossible."""
        self._open(document, log)
        self.is_running, self._steps_due = False, self._steps_due + 1

    def keep(self) -> SavedState:
        """Keeps the present state. Raises TexelscopeError if nothing is trained."""
        kept = SavedState(len(self.kept), self._learning().trainer.keep(), self.curve.newest)
        self.kept.append(kept)
        return kept

    def rewind(self, document: Document, number: int) -> None:
        """Goes back, or forward, to a kept state, and pauses there."""
        trainer, kept = self._learning().trainer, self.kept[number]
        self._rest(document)
        document.before_change()
        trainer.rewind(kept.state)
        self._forget_looks()
        self.curve.go_back(kept.state.step, kept.loss)
        self.is_unsaved = kept.state.step > 0
        document.revision += 1
        document.run.everything()

    def save(self, path: Path) -> None:
        """Writes the model with the present weights. Raises TexelscopeError if it cannot be written."""
        self._learning().trainer.save(path)
        self.is_unsaved = False

    def follow_target(self, path: str) -> None:
        """Proposes a file beside another model to save it to."""
        if self._saved_for != path:
            self._saved_for = path
            self.save_as = str(Path(path).with_name(f"{Path(path).stem}.trained.onnx"))

    def set_rate(self, rate: float) -> None:
        """Sets the rate from the next step on."""
        self.asked = replace(self.asked, rate=rate)
        if self._lesson is not None:
            self._lesson.trainer.rate = rate

    # -- between frames ------------------------------------------------------------------------------------

    def advance(self, document: Document, log: MessageLog, budget_ms: float) -> bool:
        """Does steps, or a part of one, for about `budget_ms`; True if it did anything. Errors go to the log."""
        self._follow(document)
        if not self.is_under_way or document.opening or document.session is None:
            return False
        try:
            if self.starts:
                self.starts = False
                self.run(document, log)
            self._advance(document, time.perf_counter() + budget_ms / 1e3)
        except TexelscopeError as error:
            self._rest(document)
            log.add(str(error), error=True)
        except Exception:
            self._rest(document)
            raise
        return True

    def _rest(self, document: Document) -> None:
        self.is_running, self._is_begun, self._steps_due = False, False, 0
        document.run.rest()

    def _advance(self, document: Document, end: float) -> None:
        while self.is_under_way:
            if not self._is_begun:
                self._begin(document)
            left = (end - time.perf_counter()) * 1e3
            if document.run.is_under_way:
                if left <= 0.0:
                    return
                document.run.advance(left)
            if document.run.is_under_way:
                return
            self._end(document)
            if time.perf_counter() >= self._next_comparison:  # comparisons start between steps, when no passes run
                self._next_comparison = time.perf_counter() + COMPARE_EVERY_SECONDS
                return

    def _begin(self, document: Document) -> None:
        lesson = self._learning()
        self._began = time.perf_counter()
        document.comparing.before_run()
        lesson.begin()
        document.revision += 1
        self._is_begun = True
        document.run.everything(one_of_many=self.is_running)

    def _end(self, document: Document) -> None:
        trainer = self._learning().trainer
        self._is_begun, self._steps_due = False, max(self._steps_due - 1, 0)
        missing = [each for each in document.passes if not trainer.session.has_run(each.name)]
        if missing and document.run.groups is None:
            do_next = "Correct its shader, or run all passes; then continue."
            raise TexelscopeError("a step of training", "all passes to run", f"'{missing[0].name}' did not", do_next)
        self.curve.add(trainer.end())
        self.is_unsaved = True
        self._seconds.append(time.perf_counter() - self._began)
        self._look(trainer)
        if not self.is_running:
            document.run.rest()

    def _look(self, trainer: Trainer) -> None:
        """Samples the step just done, unless the last sample was too recent for its cost."""
        from texelscope.pipeline.training.findings.registry import findings

        start = time.perf_counter()
        if start < self._next_look:
            return
        self._looks.append(trainer.look())
        self.findings = findings(tuple(self._looks))
        end = time.perf_counter()
        self._next_look = end + (end - start) / _LOOK_SHARE

    def _forget_looks(self) -> None:
        self._looks.clear()
        self.findings, self._next_look = (), 0.0

    def _follow(self, document: Document) -> None:
        """Drops a training whose session is no longer open."""
        if self._lesson is not None and document.session is not self._lesson.trainer.session:
            self._lesson = None
            self._is_begun = self.is_running = False
            self._steps_due = 0
            self.kept.clear()
            self.curve, self.is_unsaved = LossCurve(), False
            self._seconds.clear()
            self._forget_looks()

    # -- opening -------------------------------------------------------------------------------------------

    def _learning(self) -> Lesson:
        if self._lesson is None:
            raise TexelscopeError("Training", "a model that is trained", "none", "Press Start, or One step.")
        return self._lesson

    def _open(self, document: Document, log: MessageLog) -> None:
        """Replaces the window's session by that of a training step, if needed."""
        from texelscope.pipeline.training.lesson import Lesson

        self._follow(document)
        if self._lesson is not None:
            return
        target, session = document.target, document.session
        if target is None or session is None:
            raise TexelscopeError("Training", "a model", "nothing open", with_keys("Open one first (Ctrl+O)."))
        lesson = Lesson(target, self.asked, session.context)
        trainer = lesson.trainer
        document.show(trainer.session)
        self._lesson, self.curve, self.kept = lesson, LossCurve(), []
        self.follow_target(target.path)
        self._seconds.clear()
        self._forget_looks()
        self.keep()
        names = ", ".join(trainer.graph.weights)
        log.add(f"Training {Path(target.path).name}: {len(document.passes)} passes per step; it learns {names}.")
