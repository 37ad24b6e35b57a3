"""Defines reductions, normalisations, softmax."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F  # noqa: N812

from tests.pure.gradients.torch_node import Tensor, TorchNode


def _prod(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    for axis in axes:
        x = x.prod(axis, keepdim=True)
    return x


_JOINED: dict[str, Callable[[Tensor, tuple[int, ...]], Tensor]] = {
    "ReduceL1": lambda x, axes: x.abs().sum(axes),
    "ReduceL2": lambda x, axes: torch.linalg.vector_norm(x, 2, axes),
    "ReduceLogSum": lambda x, axes: x.sum(axes).log(),
    "ReduceLogSumExp": torch.logsumexp,
    "ReduceMax": torch.amax,
    "ReduceMean": torch.mean,
    "ReduceMin": torch.amin,
    "ReduceProd": _prod,
    "ReduceSum": torch.sum,
    "ReduceSumSquare": lambda x, axes: (x * x).sum(axes),
}


def _reduced(name: str) -> Callable[[TorchNode], Tensor]:
    def reduce(node: TorchNode) -> Tensor:
        said = node.whole(1) if node.has(1) else list(node.said("axes", []))
        axes = tuple(axis % node.rank for axis in said) or tuple(range(node.rank))
        if not said and node.said("noop_with_empty_axes", 0):
            x = node[0].unsqueeze(-1)
            return _JOINED[name](x, (node.rank,)).reshape(node.shape)
        return _JOINED[name](node[0], axes).reshape(node.shape)

    return reduce


def _batch_normalization(node: TorchNode) -> Tensor:
    """y; in training also the running mean and variance, and those of the batch."""
    x, scale, shift, mean, variance = (node[i] for i in range(5))
    epsilon, momentum = node.said("epsilon"), node.said("momentum")
    if not node.said("training_mode", node.case.outputs > 1):
        # F.batch_norm has no gradients for the mean and variance that it is given.
        after = () if mean.ndim > 1 else (-1, *(1,) * (node.rank - 2))
        mean, variance, scale, shift = (each.reshape(after or each.shape) for each in (mean, variance, scale, shift))
        return (x - mean) / torch.sqrt(variance + epsilon) * scale + shift
    axes = (0, *range(2, node.rank))
    y = F.batch_norm(x, None, None, scale, shift, True, 0.0, epsilon)
    new = (x.mean(axes), x.var(axes, correction=0))
    kept = (old * momentum + each * (1.0 - momentum) for old, each in zip((mean, variance), new, strict=True))
    return (y, *kept, *new)


def _group_normalization(node: TorchNode) -> Tensor:
    groups = int(node.said("num_groups"))
    each = node[0].shape[1] // groups if node.case.opset < 21 else 1
    scale, shift = (node[i].repeat_interleave(each) for i in (1, 2))
    return F.group_norm(node[0], groups, scale, shift, node.said("epsilon"))


def _layer_normalization(node: TorchNode) -> Tensor:
    """Also the mean and one over the deviation."""
    axes = tuple(range(node.axis, node.rank))
    y = F.layer_norm(node[0], node[0].shape[node.axis :], None, None, node.said("epsilon")) * node[1]
    variance = node[0].var(axes, keepdim=True, correction=0)
    return (
        y + node[2] if node.has(2) else y,
        node[0].mean(axes, keepdim=True),
        1.0 / torch.sqrt(variance + node.said("epsilon")),
    )


def _mean_variance(node: TorchNode) -> Tensor:
    axes = tuple(node.said("axes", (0, 2, 3)))
    centred = node[0] - node[0].mean(axes, keepdim=True)
    return centred / (torch.sqrt((centred**2).mean(axes, keepdim=True)) + 1e-9)


def _softmax(node: TorchNode) -> Tensor:
    """Computes a softmax, before opset 13 over all axes from `axis` on."""
    function = F.log_softmax if node.case.op_type == "LogSoftmax" else F.softmax
    if node.case.opset >= 13:
        return function(node[0], int(node.said("axis")))
    rows = node[0].reshape(-1, int(torch.tensor(node[0].shape[node.axis :]).prod()))
    return function(rows, 1).reshape(node.shape)


FUNCTIONS = {
    **{name: _reduced(name) for name in _JOINED},
    "BatchNormalization": _batch_normalization,
    "GroupNormalization": _group_normalization,
    "InstanceNormalization": lambda node: F.instance_norm(
        node[0], weight=node[1], bias=node[2], eps=node.said("epsilon")
    ),
    "LayerNormalization": _layer_normalization,
    "LogSoftmax": _softmax,
    "LpNormalization": lambda node: F.normalize(node[0], float(node.said("p")), int(node.said("axis")), eps=0.0),
    "MeanVarianceNormalization": _mean_variance,
    "RMSNormalization": lambda node: (
        F.rms_norm(node[0], node[0].shape[node.axis :], None, node.said("epsilon")) * node[1]
    ),
    "Softmax": _softmax,
}
