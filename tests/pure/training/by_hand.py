"""A perceptron trained by hand in double: its gradients, and PyTorch's optimisers as its documentation writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# (weight, gradient, what is remembered, step from 1) → the next weight; what is remembered is changed in place.
Rule = Callable[[Array, Array, dict[str, Array], int], Array]


def gradients(weights: Mapping[str, Array], x: Array, target: Array) -> tuple[float, dict[str, Array]]:
    """Returns the mean squared error and its gradients."""
    layers = len(weights) // 2
    seen, sums = [x], []
    for number in range(layers):
        sums.append(seen[-1] @ weights[f"{number}.weight"].T + weights[f"{number}.bias"])
        seen.append(np.maximum(sums[-1], 0.0) if number < layers - 1 else sums[-1])
    error = seen[-1] - target
    flowing, found = 2.0 * error / error.size, dict[str, Array]()
    for number in reversed(range(layers)):
        if number < layers - 1:
            flowing = flowing * (sums[number] > 0.0)
        found[f"{number}.weight"], found[f"{number}.bias"] = flowing.T @ seen[number], flowing.sum(axis=0)
        flowing = flowing @ weights[f"{number}.weight"]
    return float(np.mean(error**2)), found


def losses(
    rule: Rule, weights: Mapping[str, Array], x: NDArray[Any], target: NDArray[Any], learned: str = ""
) -> Iterator[float]:
    """The loss before each step; only weights whose names begin with `learned` change."""
    values = dict(weights)
    kept: dict[str, dict[str, Array]] = {name: {} for name in values}
    step = 0
    while True:
        loss, slopes = gradients(values, x.astype(np.float64), target.astype(np.float64))
        yield loss
        step += 1
        for name in values:
            if name.startswith(learned):
                values[name] = rule(values[name], slopes[name], kept[name], step)


def sgd(rate: float, momentum: float = 0.0, decay: float = 0.0, *, nesterov: bool = False) -> Rule:
    """Follows https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html"""

    def rule(weight: Array, gradient: Array, kept: dict[str, Array], step: int) -> Array:
        gradient = gradient + decay * weight
        kept["b"] = gradient if step == 1 else momentum * kept["b"] + gradient
        return weight - rate * (gradient + momentum * kept["b"] if nesterov else kept["b"])

    return rule


def adam(rate: float, decay: float = 0.0, *, is_apart: bool = False) -> Rule:
    """https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html; `is_apart` for AdamW's decay."""

    def rule(weight: Array, gradient: Array, kept: dict[str, Array], step: int) -> Array:
        if is_apart:
            weight = weight - rate * decay * weight
        else:
            gradient = gradient + decay * weight
        kept["m"] = 0.9 * kept.get("m", 0.0) + 0.1 * gradient
        kept["v"] = 0.999 * kept.get("v", 0.0) + 0.001 * gradient**2
        mean, square = kept["m"] / (1 - 0.9**step), kept["v"] / (1 - 0.999**step)
        return weight - rate * mean / (np.sqrt(square) + 1e-8)

    return rule
