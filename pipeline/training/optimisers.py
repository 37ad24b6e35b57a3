"""Writes optimisers as nodes, with PyTorch's formulas: the next weight, and the next state of its gradients.

Numbers that depend on the rate and the count of steps alone are computed in double outside the graph, as in PyTorch,
and are inputs of it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.model_file.contrib.writer import NodeInput, Writer


class WeightUpdate(Writer):
    """Writes the nodes of one weight's update.

    Tensors are handled by name. `kept` are the tensors of the optimiser's state for the weight, of its shape, and
    `numbers` those of the step's numbers, of shape (), each by its name in the optimiser.
    """

    def __init__(self, name: str, kind: str, given: Sequence[NodeInput], outputs: Sequence[str]) -> None:
        """`given` are the weight and its gradient, `outputs` the names of the next weight and of the next of `kept`."""
        super().__init__(name, kind, given, outputs, {})
        self.kept: dict[str, str] = {}
        self.numbers: dict[str, str] = {}

    @property
    def weight(self) -> str:
        """The weight."""
        return self.x(0)

    @property
    def gradient(self) -> str:
        """The gradient of the loss, of the weight's shape."""
        return self.x(1)

    def plus(self, tensor: str, other: str, share: float, label: str) -> str:
        """Returns tensor + share · other."""
        return self.add("Add", tensor, self.times(other, share, f"{label}_share"), label=label)

    def times(self, tensor: str, factor: float, label: str) -> str:
        """Returns tensor · factor."""
        return self.add("Mul", tensor, self.constant(factor), label=label)

    def descend(self, weight: str, direction: str, rate: str) -> None:
        """Writes the next weight: weight − rate · direction."""
        step = self.add("Mul", direction, self.numbers[rate], label="step")
        self.result(0, self.add("Sub", weight, step, label="next"))


class Optimiser(ABC):
    """Updates weights. `rate` is the initial rate. The state of a weight, `kept`, is zero at first."""

    rate: float

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the state of each weight."""
        return ()

    @abstractmethod
    def numbers(self, step: int, rate: float) -> Mapping[str, float]:
        """Returns the numbers that the step, counted from 1, takes beside tensors, by name."""

    @abstractmethod
    def write(self, node: WeightUpdate) -> None:
        """Writes the update: output 0 is the next weight, those after it the next of `kept`."""


@dataclass(frozen=True)
class SGD(Optimiser):
    """Writes torch.optim.SGD: B' = μ·B + G; W' = W − R·B', by Nesterov W − R·(G + μ·B'). G has weight_decay · W."""

    rate: float = 1e-2
    momentum: float = 0.0
    nesterov: bool = False
    weight_decay: float = 0.0

    @property
    def kept(self) -> tuple[str, ...]:
        """The sum of gradients, B."""
        return ("momentum",) if self.momentum else ()

    def numbers(self, step: int, rate: float) -> Mapping[str, float]:
        """Returns the rate."""
        return {"rate": rate}

    def write(self, node: WeightUpdate) -> None:
        """Writes W' and B'."""
        gradient = _decayed(node, self.weight_decay)
        if not self.momentum:
            node.descend(node.weight, gradient, "rate")
            return
        before = node.times(node.kept["momentum"], self.momentum, "kept")
        buffer = node.add("Add", before, gradient, label="momentum")
        ahead = node.plus(gradient, buffer, self.momentum, "ahead") if self.nesterov else buffer
        node.descend(node.weight, ahead, "rate")
        node.result(1, buffer)


@dataclass(frozen=True)
class Adam(Optimiser):
    """Writes torch.optim.Adam: M' = M + (1 − β₁)(G − M); V' = β₂·V + (1 − β₂)·G²; W' = W − R/c₁ · M' / (√V'/√c₂ + ε).

    cᵢ = 1 − βᵢᵗ at step t. G has weight_decay · W added.
    """

    rate: float = 1e-3
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 0.0

    @property
    def kept(self) -> tuple[str, ...]:
        """The means of gradients, M, and of their squares, V."""
        return ("mean", "square")

    def numbers(self, step: int, rate: float) -> Mapping[str, float]:
        """Returns R/c₁ and √c₂."""
        first, second = (1.0 - beta**step for beta in self.betas)
        return {"step_size": rate / first, "deviation_scale": math.sqrt(second)}

    def write(self, node: WeightUpdate) -> None:
        """Writes W', M' and V'."""
        self._step(node, node.weight, _decayed(node, self.weight_decay))

    def _step(self, node: WeightUpdate, weight: str, gradient: str) -> None:
        difference = node.add("Sub", gradient, node.kept["mean"], label="difference")
        mean = node.plus(node.kept["mean"], difference, 1.0 - self.betas[0], "mean")
        before = node.times(node.kept["square"], self.betas[1], "kept")
        square = node.plus(before, node.add("Mul", gradient, gradient, label="of_now"), 1.0 - self.betas[1], "square")
        root = node.add("Div", node.add("Sqrt", square), node.numbers["deviation_scale"], label="corrected")
        deviation = node.add("Add", root, node.constant(self.eps), label="deviation")
        node.descend(weight, node.add("Div", mean, deviation, label="direction"), "step_size")
        node.result(1, mean)
        node.result(2, square)


@dataclass(frozen=True)
class AdamW(Adam):
    """Writes torch.optim.AdamW: as Adam, but W is first multiplied by 1 − R · weight_decay, and G is unchanged."""

    weight_decay: float = 1e-2

    def numbers(self, step: int, rate: float) -> Mapping[str, float]:
        """Returns Adam's, and 1 − R · weight_decay."""
        return {**super().numbers(step, rate), "decay": 1.0 - rate * self.weight_decay}

    def write(self, node: WeightUpdate) -> None:
        """Writes W', M' and V'."""
        self._step(node, node.add("Mul", node.weight, node.numbers["decay"], label="decayed"), node.gradient)


def _decayed(node: WeightUpdate, weight_decay: float) -> str:
    """Returns G + weight_decay · W."""
    return node.plus(node.gradient, node.weight, weight_decay, "with_decay") if weight_decay else node.gradient


OPTIMISERS: Mapping[str, Callable[[float], Optimiser]] = {
    "sgd": lambda rate: SGD(rate, momentum=0.9),
    "adam": Adam,
    "adamw": AdamW,
}
