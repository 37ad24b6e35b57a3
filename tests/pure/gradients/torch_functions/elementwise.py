"""Defines functions of elements that meet."""

from __future__ import annotations

from functools import reduce

import torch
import torch.nn.functional as F  # noqa: N812 - so it is called everywhere

from tests.pure.gradients.torch_node import Tensor, TorchNode

_BY_NAME = {
    "Abs": torch.abs, "Acos": torch.acos, "Acosh": torch.acosh, "Asin": torch.asin, "Asinh": torch.asinh,
    "Atan": torch.atan, "Atanh": torch.atanh, "Cos": torch.cos, "Cosh": torch.cosh, "Erf": torch.erf, "Exp": torch.exp,
    "HardSwish": F.hardswish, "Log": torch.log, "Mish": F.mish, "Neg": torch.neg, "Reciprocal": torch.reciprocal,
    "Relu": F.relu, "Sigmoid": torch.sigmoid, "Sin": torch.sin, "Sinh": torch.sinh, "Softplus": F.softplus,
    "Softsign": F.softsign, "Sqrt": torch.sqrt, "Tan": torch.tan, "Tanh": torch.tanh,
}  # fmt: skip


def _named(name: str) -> object:
    return lambda node: _BY_NAME[name](node[0])


def second(node: TorchNode) -> Tensor:
    """The second operand; before opset 7 its axes are lined up with those of the first at `axis`."""
    axis = node.said("axis") if node.case.opset < 7 else None
    after = 0 if axis is None else node.rank - int(axis) - node[1].ndim
    return node[1].reshape((*node[1].shape, *(1,) * after))


def _clip(node: TorchNode) -> Tensor:
    if node.case.opset < 11:
        return torch.clamp(node[0], node.said("min"), node.said("max"))
    return torch.clamp(node[0], *(node[i] if node.has(i) else None for i in (1, 2)))


def _dequantize(node: TorchNode) -> Tensor:
    """Blocks are slices that are repeated, and cut where the axis ends."""
    axis, block = int(node.said("axis")) % node.rank, int(node.said("block_size", 0) or 0)
    scale, zero_point = (node[i] if node.has(i) else torch.zeros(()) for i in (1, 2))
    if block:
        size = node[0].shape[axis]
        repeated = (each.repeat_interleave(block, axis) if each.ndim else each for each in (scale, zero_point))
        scale, zero_point = (each.narrow(axis, 0, size) if each.ndim else each for each in repeated)
    elif scale.ndim:
        along = [-1 if i == axis else 1 for i in range(node.rank)]
        scale, zero_point = (each.reshape(along) if each.ndim else each for each in (scale, zero_point))
    return scale * (node[0].to(scale.dtype) - zero_point.to(scale.dtype))


def _prelu(node: TorchNode) -> Tensor:
    if node.case.opset < 7:
        return F.prelu(node[0], node[1])
    return torch.where(node[0] > 0, node[0], node[0] * node[1])


def _shrink(node: TorchNode) -> Tensor:
    bias, limit = node.said("bias"), node.said("lambd")
    return F.hardshrink(node[0], limit) if bias == 0.0 else F.softshrink(node[0], limit)


FUNCTIONS = {
    **{name: _named(name) for name in _BY_NAME},
    "Add": lambda node: node[0] + second(node),
    "Cast": lambda node: node[0].double(),
    "CastLike": lambda node: node[0].to(node[1].dtype),
    "Celu": lambda node: F.celu(node[0], node.said("alpha")),
    "Clip": _clip,
    "DequantizeLinear": _dequantize,
    "Div": lambda node: node[0] / second(node),
    "Dropout": lambda node: F.dropout(node[0], training=False),
    "Elu": lambda node: F.elu(node[0], node.said("alpha")),
    "Gelu": lambda node: F.gelu(node[0], approximate=node.said("approximate")),
    "HardSigmoid": lambda node: torch.clamp(node[0] * node.said("alpha") + node.said("beta"), 0.0, 1.0),
    "Identity": lambda node: node[0].clone(),
    "LeakyRelu": lambda node: F.leaky_relu(node[0], node.said("alpha")),
    "Max": lambda node: reduce(torch.maximum, node.tensors),
    "Mean": lambda node: sum(node.tensors) / len(node.tensors),
    "Min": lambda node: reduce(torch.minimum, node.tensors),
    "Mod": lambda node: torch.fmod(node[0], node[1]),
    "Mul": lambda node: node[0] * second(node),
    "PRelu": _prelu,
    "Pow": lambda node: torch.pow(node[0], second(node)),
    "Selu": lambda node: node.said("gamma") * F.elu(node[0], node.said("alpha")),
    "Shrink": _shrink,
    "Sub": lambda node: node[0] - second(node),
    "Sum": lambda node: sum(node.tensors),
    "Swish": lambda node: node[0] * torch.sigmoid(node[0] * node.said("alpha")),
    "ThresholdedRelu": lambda node: F.threshold(node[0], node.said("alpha"), 0.0),
    "Where": lambda node: torch.where(*node.tensors),
}
