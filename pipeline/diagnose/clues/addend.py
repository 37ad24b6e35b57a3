"""What a pass really adds where it should add a bias: the wrong values less all the rest, element by element.

Which bias that was is told for all elements of a channel, row or column at once: a bias for each element alone would
be whichever is nearest, and with many biases one is near to anything.
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

    @property
    def own(self) -> Indices:
        """For each element, flat, the index of the bias that belongs to it."""
        return self.index.reshape(-1)

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Flat: the elements to which nothing was added, and whose bias is more than that."""
        with np.errstate(invalid="ignore"):
            return np.asarray((np.abs(self.added.reshape(-1)) <= self.slack) & self.is_more_than_nothing)

    @property
    def is_more_than_nothing(self) -> NDArray[np.bool_]:
        """Flat: the elements whose own bias can be told from nothing."""
        return np.asarray(np.abs(self.biases[self.own]) > self.slack)

    def by_channel(self) -> Indices | None:
        """[biases]: which bias each place of the bias tensor stands in for; None if that is not one for each."""
        return self._by_place(self.own, np.arange(len(self.biases)))

    def _by_place(self, place: Indices, own: Indices) -> Indices | None:
        """For each place, of which all elements have to agree, the nearest bias, its `own` before others.

        One choice for all elements of a place: `Hypothesis.fitted` counts the places against what they explain.
        """
        flat, found = self.added.reshape(-1), own.copy()
        choices = np.append(self.biases, 0.0)
        for at in range(len(own)):
            values = flat[(place == at) & np.isfinite(flat)]
            if not len(values):
                continue
            middle = float(np.median(values))
            away = np.abs(choices - middle)
            nearest = int(away.argmin())
            if away[nearest] > self.slack or np.quantile(np.abs(values - middle), 0.9) > self.slack:
                return None
            if own[at] == UNKNOWN or away[own[at]] > away[nearest] + self.slack / 100.0:
                found[at] = nearest if nearest < len(self.biases) else NONE
        return found

    def change(self, taken: Indices) -> NodeChange:
        """The node with those biases added; where they are unknown, the right ones."""
        chosen = np.where(taken == UNKNOWN, self.own, taken)
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
