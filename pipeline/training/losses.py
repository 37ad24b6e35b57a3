"""Losses: one number that says how far a prediction is from its target, as nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.class_loss import check_classes, losses_of_classes
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Shape, TensorInfo
from texelscope.pipeline.model_file.contrib.writer import Writer


@dataclass(frozen=True)
class Loss:
    """`write` makes the loss, of shape (), of a prediction, input 0, and a target, input 1, as `target` describes it.

    `target` is given the prediction and returns shape and dtype of the target; `check`, given both, raises
    TexelscopeError for numbers that are no target.
    """

    name: str
    target: Callable[[TensorInfo], tuple[Shape, str]]
    write: Callable[[Writer], str]
    check: Callable[[TensorInfo, NDArray[Any]], None] = lambda prediction, target: None


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
    axis = _class_axis(prediction.shape)
    return (*prediction.shape[:axis], *prediction.shape[axis + 1 :]), "int64"


def _class_axis(shape: Shape) -> int:
    return min(1, len(shape) - 1)


def _check_classes(prediction: TensorInfo, target: NDArray[Any]) -> None:
    count = prediction.shape[_class_axis(prediction.shape)]
    check_classes(f"cross_entropy of '{prediction.name}'", target, count)


def _cross_entropy(node: Writer) -> str:
    """−mean(log softmax(p)[t]) over what is not ignored, torch.nn.CrossEntropyLoss on class numbers."""
    prediction, target, shape = node.x(0), node.x(1), node.given(0).shape
    if len(shape) == 1:
        shape = (1, *shape)
        prediction = node.add("Reshape", prediction, node.whole(*shape, label="row"), label="one_row")
        target = node.add("Reshape", target, node.whole(1, label="one"), label="its_class")

    def run(op_type: str, *inputs: str | NDArray[Any], label: str, **attributes: Any) -> str:
        names = (each if isinstance(each, str) else node.constant(each, each.dtype.name) for each in inputs)
        return node.add(op_type, *names, label=label, **attributes)

    picked, counted = losses_of_classes(run, prediction, target, shape[1], axis=1)
    return node.add("Div", node.add("ReduceSum", picked, label="total", keepdims=0), counted, label="mean")


def _mean(node: Writer, tensor: str) -> str:
    return node.add("ReduceMean", tensor, label="mean", keepdims=0)


LOSSES: Mapping[str, Loss] = MappingProxyType(
    {
        each.name: each
        for each in (
            Loss("mse", _like, _squared_error),
            Loss("mae", _like, _absolute_error),
            Loss("cross_entropy", _classes, _cross_entropy, _check_classes),
        )
    }
)
