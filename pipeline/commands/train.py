"""What `train` does without a window: so many steps, a line for each, and the model that came of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pipeline.target import Target
from pipeline.training.asked import Asked
from pipeline.training.lesson import Lesson


def train(target: Target, asked: Asked, steps: int, to: Path | None, say: Callable[[str], None]) -> None:
    """Trains and writes the model to `to`; `say` is given a line for each step.

    Raises TexelscopeError as `Lesson` and `Trainer.step` do, and for a place that cannot be written to.
    """
    with Lesson(target, asked) as lesson:
        graph = lesson.trainer.graph
        how = f"{asked.loss}, {asked.optimiser}, rate {asked.rate:g}"
        say(f"{graph.graph.name} learns {', '.join(graph.weights)}: {how}.")
        for number in range(1, steps + 1):
            say(f"step {number:5d}  loss {lesson.step():.6g}")
        if to is not None:
            lesson.trainer.save(to)
            say(f"Saved as {to}.")
