"""Losses, as in torch.nn.functional."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.class_loss import IGNORED, check_classes, losses_of_classes
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.core import REAL
from texelscope.pipeline.tensors.tensor import Tensor

_REDUCTIONS = ("mean", "sum", "none")


def mse_loss(x: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """(x − target)², the mean of all, their sum, or each."""
    _check_reduction("mse_loss", reduction)
    away = x - target
    return _reduced(away * away, reduction)


def cross_entropy(logits: Tensor, target: Tensor, reduction: str = "mean", ignore_index: int = IGNORED) -> Tensor:
    """−log of what softmax along axis 1 of `logits` [N, C, …] gives the class.

    `target` are classes, whole numbers [N, …], or probabilities of the shape of `logits`. The class `ignore_index`
    counts nothing, in the mean neither. Classes are read back to be checked: TexelscopeError says which is none.
    """
    _check_reduction("cross_entropy", reduction)
    if logits.ndim < 2:
        raise TexelscopeError("cross_entropy", "logits [N, C, ...]", str(list(logits.shape)), "Unsqueeze them.")
    labels = (logits.shape[0], *logits.shape[2:])
    if target.dtype in ("int64", "int32") and target.shape == labels:
        check_classes("cross_entropy", target.numpy(), logits.shape[1], ignore_index)
        picked, counted = losses_of_classes(_run, logits, target, logits.shape[1], 1, ignore_index)
        return picked.sum(1) if reduction == "none" else picked.sum() / counted if reduction == "mean" else picked.sum()
    if target.dtype != REAL or target.shape != logits.shape:
        expected = f"classes {list(labels)}, or probabilities {list(logits.shape)}"
        got, do_next = f"{target.dtype}{list(target.shape)}", "Correct the target."
        raise TexelscopeError("cross_entropy", expected, got, do_next)
    return _reduced(-(logits.log_softmax(1) * target).sum(1), reduction)


def _run(op_type: str, *inputs: Tensor | NDArray[Any], label: str, **attributes: Any) -> Tensor:  # noqa: ARG001
    return apply(op_type, *inputs, **attributes)


def _check_reduction(who: str, reduction: str) -> None:
    if reduction not in _REDUCTIONS:
        raise TexelscopeError(who, ", ".join(_REDUCTIONS), f"'{reduction}'", "Use one of them.")


def _reduced(losses: Tensor, reduction: str) -> Tensor:
    return losses.mean() if reduction == "mean" else losses.sum() if reduction == "sum" else losses
