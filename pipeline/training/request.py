"""What somebody wants trained, and how: plain data, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

# Those of `pipeline.training.optimisers`, which the command line need not load to name them.
OPTIMISER_NAMES = ("adam", "adamw", "sgd")


class Wishes(TypedDict, total=False):
    """Fields of `TrainingRequest` as keyword arguments, the rate aside."""

    data: str
    target: str
    weights: str
    loss: str
    optimiser: str


@dataclass(frozen=True)
class TrainingRequest:
    """`data` is a folder of examples; empty, the open input is brought to `target`, a file or a pattern.

    `weights` are names, or how they begin, with commas between; empty, those of the last layer that has any.
    """

    data: str = ""
    target: str = "zeros"
    weights: str = ""
    loss: str = "mse"
    optimiser: str = "adam"
    rate: float = 1e-3
