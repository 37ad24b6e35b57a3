"""What a pass really adds where it should add a bias: the wrong values less all the rest, element by element.

Whatever the bias is read by, what was added is then one of the biases, a multiple of its own, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.parts import Bias, undone_to
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.graph import Node

Array = NDArray[Any]
Indices = NDArray[np.int64]

# Nothing added.
NONE = -1
# Not to be told, as where an activation cuts the sum off.
UNKNOWN = -2
_MOST_BIASES = 4096


@dataclass(frozen=True)
class Addend:
    """`without` is the node's result with nothing added, `added` what was found to be added, NaN where unknown.

    `index` says which of `biases` belongs to each element. All in the node's shape.
    """

    bias: Bias
    without: Array
    added: Array
    index: Indices
    biases: Array
    slack: float

    def taken(self) -> Indices:
        """For each element the index of the bias that was added, its own before others; NONE; UNKNOWN."""
        flat = self.added.reshape(-1)
        known = np.isfinite(flat)
        order = np.argsort(self.biases)
        sizes = self.biases[order]
        place = np.clip(np.searchsorted(sizes, flat), 1, max(len(sizes) - 1, 1)) if len(sizes) > 1 else 0 * self._own
        lower, upper = np.maximum(place - 1, 0), np.minimum(place, len(sizes) - 1)
        with np.errstate(invalid="ignore"):
            nearest = np.where(np.abs(flat - sizes[lower]) <= np.abs(flat - sizes[upper]), lower, upper)
            found = order[nearest]
            found = np.where(np.abs(flat - self.biases[found]) <= self.slack, found, UNKNOWN)
            found = np.where(np.abs(flat) <= self.slack, NONE, found)
            own = np.abs(flat - self.biases[self._own]) <= self.slack
        found = np.where(own, self._own, found)
        return np.asarray(np.where(known, found, UNKNOWN), dtype=np.int64)

    @property
    def _own(self) -> Indices:
        return self.index.reshape(-1)

    def by_channel(self) -> Indices | None:
        """[biases]: which bias each place of the bias tensor stands in for; None if that is not one for each."""
        flat, found = self.added.reshape(-1), np.arange(len(self.biases))
        for place in range(len(found)):
            values = flat[(self._own == place) & np.isfinite(flat)]
            if not len(values):
                continue
            middle = float(np.median(values))
            away = np.abs(np.append(self.biases, 0.0) - middle)
            nearest = int(away.argmin())
            if away[nearest] > self.slack or np.quantile(np.abs(values - middle), 0.9) > self.slack:
                return None
            if away[place] > away[nearest] + self.slack / 100.0:
                found[place] = nearest if nearest < len(found) else NONE
        return found

    def change(self, taken: Indices) -> NodeChange:
        """The node with those biases added; where they are unknown, the right ones."""
        chosen = np.where(taken == UNKNOWN, self._own, taken)
        added = np.where(chosen == NONE, 0.0, self.biases[np.maximum(chosen, 0)])
        result = (self.without + added.reshape(self.without.shape)).astype(np.float32)

        def change(_node: Node, _inputs: Sequence[Array | None]) -> Array:
            return result

        return NodeChange(self.bias.node.name, change)


def addend(case: Case, bias: Bias) -> Addend | None:
    """What is added in the place of `bias`; None where the nodes behind it cannot be undone."""
    biases = np.asarray(case.redo.values[bias.tensor], dtype=np.float64).reshape(-1)
    if not 0 < len(biases) <= _MOST_BIASES or case.redo.graph is None or not np.isfinite(biases).all():
        return None
    made = bias.node.outputs[0]
    without = np.asarray(case.whole([constant_as(bias.tensor, np.zeros_like)], made), dtype=np.float64)
    one = np.asarray(case.whole([constant_as(bias.tensor, np.ones_like)], made), dtype=np.float64) - without
    counted = constant_as(bias.tensor, lambda value: np.arange(value.size, dtype=np.float32))
    counts = np.asarray(case.whole([counted], made), dtype=np.float64) - without
    factor = float(np.median(one))
    if factor == 0.0:
        return None
    index = np.rint(counts / factor)
    values = undone_to(case, case.actual, bias.node)
    if values is None or values.size != without.size or index.max(initial=0) >= len(biases):
        return None
    with np.errstate(all="ignore"):
        added = values.reshape(without.shape) - without
    slack = 16.0 * float(np.max(case.bound[np.isfinite(case.bound)], initial=0.0)) + 1e-5 * float(np.abs(without).max())
    held = np.clip(index, 0, len(biases) - 1).astype(np.int64)
    return Addend(bias, without, added, held, biases * factor, max(slack, 1e-6))
