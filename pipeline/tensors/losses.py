"""Losses, as in torch.nn.functional."""

from __future__ import annotations

import numpy as np

from pipeline.errors import TexelscopeError
from pipeline.tensors.apply import apply
from pipeline.tensors.core import REAL
from pipeline.tensors.tensor import Tensor

_REDUCTIONS = ("mean", "sum", "none")


def mse_loss(x: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """(x − target)², the mean of all, their sum, or each."""
    away = x - target
    return _reduced("mse_loss", away * away, reduction)


def cross_entropy(logits: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """−log of what softmax along axis 1 of `logits` [N, C, …] gives the class.

    `target` are classes, whole numbers [N, …], or probabilities of the shape of `logits`. A class outside of 0 to C − 1
    counts nothing.
    """
    if logits.ndim < 2:
        raise TexelscopeError("cross_entropy", "logits [N, C, ...]", str(list(logits.shape)), "Unsqueeze them.")
    classes = logits.shape[1]
    labels = (logits.shape[0], *logits.shape[2:])
    if target.dtype != REAL and target.shape == labels:
        depth, values = np.array([classes], np.int64), np.array([0.0, 1.0], np.float32)
        target = apply("OneHot", target, depth, values, axis=1)
    elif target.dtype != REAL or target.shape != logits.shape:
        expected = f"classes {list(labels)}, or probabilities {list(logits.shape)}"
        got, do_next = f"{target.dtype}{list(target.shape)}", "Correct the target."
        raise TexelscopeError("cross_entropy", expected, got, do_next)
    return _reduced("cross_entropy", -(logits.log_softmax(1) * target).sum(1), reduction)


def _reduced(who: str, losses: Tensor, reduction: str) -> Tensor:
    if reduction not in _REDUCTIONS:
        raise TexelscopeError(who, ", ".join(_REDUCTIONS), f"'{reduction}'", "Use one of them.")
    return losses.mean() if reduction == "mean" else losses.sum() if reduction == "sum" else losses
