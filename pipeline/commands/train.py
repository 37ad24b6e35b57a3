"""What `train` does and says without a window: so many steps, findings, and the model that came of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from texelscope.pipeline.target import Target
from texelscope.pipeline.training.findings.registry import findings
from texelscope.pipeline.training.lesson import Lesson
from texelscope.pipeline.training.request import TrainingRequest

# How many times a run is looked at for findings.
_LOOKS = 10


def train(target: Target, asked: TrainingRequest, steps: int, to: Path | None, say: Callable[[str], None]) -> None:
    """Trains and writes the model to `to`; `say` is given a line for each step, and for each finding at the end.

    Raises TexelscopeError as `Lesson` and `Trainer.step` do, and for a place that cannot be written to.
    """
    with Lesson(target, asked) as lesson:
        graph, losses, seen = lesson.trainer.graph, [], []
        how = f"{asked.loss}, {asked.optimiser}, rate {asked.rate:g}"
        say(f"{graph.graph.name} learns {', '.join(graph.weights)}: {how}.")
        for number in range(1, steps + 1):
            losses.append(lesson.step())
            say(f"step {number:5d}  loss {losses[-1]:.6g}")
            if number % max(1, steps // _LOOKS) == 0:
                seen.append(lesson.trainer.look())
        if to is not None:
            lesson.trainer.save(to)
        if losses:
            written = f"{to.name}: " if to is not None else ""
            say(f"{written}{steps} steps took the loss from {losses[0]:.6g} to {losses[-1]:.6g}.")
        for finding in findings(seen):
            say(str(finding))
