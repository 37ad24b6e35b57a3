"""Losses: one number that says how far a prediction is from its target, as nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pipeline.errors import TexelscopeError, nearest
from pipeline.graph import Shape, TensorInfo
from pipeline.model_file.contrib.writer import Writer


@dataclass(frozen=True)
class Loss:
    """`write` makes the loss, of shape (), of a prediction, input 0, and a target, input 1, as `target` describes it.

    `target` is given the prediction and returns shape and dtype of the target.
    """

    name: str
    target: Callable[[TensorInfo], tuple[Shape, str]]
    write: Callable[[Writer], str]


def loss_called(name: str) -> Loss:
    """The loss of that name. Raises TexelscopeError, with the nearest name, if there is none."""
    if name not in LOSSES:
        raise TexelscopeError("loss", f"one of {', '.join(LOSSES)}", f"'{name}'", nearest(name, [*LOSSES]))
    return LOSSES[name]


def _like(prediction: TensorInfo) -> tuple[Shape, str]:
    return prediction.shape, prediction.dtype


def _squared_error(node: Writer) -> str:
    """mean((p − t)²), torch.nn.MSELoss."""
    difference = node.add("Sub", node.x(0), node.x(1), label="difference")
    return _mean(node, node.add("Mul", difference, difference, label="square"))


def _absolute_error(node: Writer) -> str:
    """mean(|p − t|), torch.nn.L1Loss."""
    return _mean(node, node.add("Abs", node.add("Sub", node.x(0), node.x(1), label="difference"), label="distance"))


def _classes(prediction: TensorInfo) -> tuple[Shape, str]:
    """Class numbers, with the axis of classes left out: axis 1, or the only one."""
    if not prediction.shape:
        raise TexelscopeError(
            f"cross_entropy of '{prediction.name}'", "an axis of classes", "a single number", "Name another output."
        )
    axis = min(1, len(prediction.shape) - 1)
    return (*prediction.shape[:axis], *prediction.shape[axis + 1 :]), "int64"


def _cross_entropy(node: Writer) -> str:
    """−mean(log softmax(p)[t]), torch.nn.CrossEntropyLoss on class numbers."""
    shape = node.given(0).shape
    axis = min(1, len(shape) - 1)
    values = node.constant([0.0, -1.0], label="off_and_on")
    depth = node.whole(shape[axis], label="classes")
    wanted = node.add("OneHot", node.x(1), depth, values, label="wanted", axis=axis)
    logarithms = node.add("LogSoftmax", node.x(0), label="logarithms", axis=axis)
    picked = node.add("Mul", logarithms, wanted, label="picked")
    of_each = node.add("ReduceSum", picked, node.whole(axis, label="axis"), label="of_each", keepdims=0)
    return _mean(node, of_each)


def _mean(node: Writer, tensor: str) -> str:
    return node.add("ReduceMean", tensor, label="mean", keepdims=0)


LOSSES: Mapping[str, Loss] = MappingProxyType(
    {
        each.name: each
        for each in (
            Loss("mse", _like, _squared_error),
            Loss("mae", _like, _absolute_error),
            Loss("cross_entropy", _classes, _cross_entropy),
        )
    }
)
