"""Describes what to train, and how: plain data, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

# Those of `pipeline.training.optimisers`, which the command line need not load to name them.
OPTIMISER_NAMES = ("adam", "adamw", "sgd")


class TrainingOptions(TypedDict, total=False):
    """Mirrors fields of `TrainingRequest` as keyword arguments, the rate aside."""

    data: str
    target: str
    weights: str
    loss: str
    optimiser: str


@dataclass(frozen=True)
class TrainingRequest:
    """Defines a request: `data` is a folder of examples; empty, the open input is trained to `target`, a source.

    `weights` are names, or prefixes, with commas between; empty, those of the last layer that has any.
    """

    data: str = ""
    target: str = "zeros"
    weights: str = ""
    loss: str = "mse"
    optimiser: str = "adam"
    rate: float = 1e-3
