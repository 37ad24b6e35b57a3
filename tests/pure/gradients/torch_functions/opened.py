"""Operators that become several others when a model is read: losses, attention."""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812

from tests.pure.gradients.torch_node import Tensor, TorchNode


def _loss(node: TorchNode) -> Tensor:
    function = F.cross_entropy if node.case.op_type == "SoftmaxCrossEntropyLoss" else F.nll_loss
    ignored, reduction = int(node.said("ignore_index", -100)), node.said("reduction")
    if not node.has(2):
        return function(node[0], node[1], ignore_index=ignored, reduction=reduction)
    # With respect to the weights of classes PyTorch has no gradient by itself.
    weights = node[2][node[1]]
    each = weights * function(node[0], node[1], reduction="none")
    return {"none": each, "sum": each.sum(), "mean": each.sum() / weights.sum()}[reduction]


FUNCTIONS = {
    "Attention": lambda node: F.scaled_dot_product_attention(*node.tensors),
    "NegativeLogLikelihoodLoss": _loss,
    "SoftmaxCrossEntropyLoss": _loss,
}
