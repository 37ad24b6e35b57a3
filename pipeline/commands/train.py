"""What `train` does and says: a model, arrays in a folder, steps, and the model that comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import TexelscopeError
from pipeline.graph import Shape
from pipeline.outside_files.arrays import npy_values
from pipeline.target import OpenOptions
from pipeline.training.findings.registry import findings
from pipeline.training.findings.seen import StepSeen
from pipeline.training.optimisers import OPTIMISERS
from pipeline.training.trainer import Trainer, TrainerOptions
from pipeline.whole_files import write_whole

# How many times a run is told of, and looked at for findings.
_TOLD = 10

Rows = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Training:
    """What to train: the weights called `weights` (none: all), for `steps` steps, on the arrays of folder `data`."""

    model: Path
    data: Path
    loss: str
    optimiser: str
    rate: float
    steps: int
    weights: Sequence[str] = ()


def train(asked: Training, to: Path, options: OpenOptions, say: Callable[[str], None]) -> str:
    """Trains and writes the model; a line is said now and then, the last one returned, with what was found.

    Raises TexelscopeError for a model or data that do not fit, and for a loss that is not finite.
    """
    chosen = TrainerOptions(asked.weights, shapes=options.shapes, layout=options.layout)
    seen: list[StepSeen] = []
    with Trainer(asked.model, asked.loss, OPTIMISERS[asked.optimiser](asked.rate), chosen) as trainer:
        *inputs, target = trainer.takes
        rows = rows_of(asked.data, trainer.takes)
        loss = first = float("nan")
        for step in range(asked.steps):
            given = batch(rows, trainer.takes, step)
            loss = trainer.step({name: given[name] for name in inputs}, given[target])
            first = loss if step == 0 else first
            if step % max(1, asked.steps // _TOLD) == 0:
                say(f"step {step + 1} of {asked.steps}: loss {loss:.6g}")
                seen.append(trainer.look())
        data = trainer.model().SerializeToString()
    write_whole(to, lambda unfinished: unfinished.write_bytes(data))
    told = [f"{to.name}: {asked.steps} steps took the loss from {first:.6g} to {loss:.6g}.", *map(str, findings(seen))]
    return "\n".join(told)


def rows_of(folder: Path, takes: Mapping[str, Shape]) -> Rows:
    """By name, the arrays NAME.npy of a folder: of each input and of the target, all with as many rows.

    Raises TexelscopeError for one that is missing, that has other axes than the model takes, or other rows.
    """
    rows = {name: npy_values(folder / f"{name}.npy", f"{name}.npy") for name in takes}
    counts = {name: values.shape[0] if values.ndim else 0 for name, values in rows.items()}
    first = next(iter(rows))
    for name, values in rows.items():
        if not takes[name] or values.shape[1:] != takes[name][1:] or not values.size:
            expected = f"rows of shape {list(takes[name][1:])}"
            raise TexelscopeError(f"{name}.npy", expected, f"shape {list(values.shape)}", "Write it anew.")
        if counts[name] != counts[first]:
            expected = f"{counts[first]} rows, as {first}.npy has"
            raise TexelscopeError(f"{name}.npy", expected, str(counts[name]), "Write one for each.")
    return rows


def batch(rows: Rows, takes: Mapping[str, Shape], step: int) -> Rows:
    """The rows that a step, counted from 0, takes: as many as the model has, in order, round and round."""
    return {
        name: np.take(values, range(step * takes[name][0], (step + 1) * takes[name][0]), axis=0, mode="wrap")
        for name, values in rows.items()
    }
