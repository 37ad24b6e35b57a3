"""RNN, GRU and LSTM: of PyTorch's own, with the gates in its order."""

from __future__ import annotations

from collections.abc import Callable

import torch

from tests.pure.gradients.torch_node import NothingAlikeError, Tensor, TorchNode

# PyTorch's gates, by their places in ONNX: r z n of z r h, i f g o of i o f c.
_ORDERS = {"RNN": (0,), "GRU": (1, 0, 2), "LSTM": (0, 2, 3, 1)}


def _recurrent(op_type: str, run: Callable[..., tuple[Tensor, ...]]) -> Callable[[TorchNode], tuple[Tensor, ...]]:
    order = _ORDERS[op_type]

    def gates(weights: Tensor, h: int) -> Tensor:
        return weights.reshape(len(order), h, *weights.shape[1:])[list(order)].reshape(weights.shape)

    def compute(node: TorchNode) -> tuple[Tensor, ...]:
        if op_type == "GRU" and not node.said("linear_before_reset", 0):
            raise NothingAlikeError
        batchwise, is_reverse = bool(node.said("layout", 0)), node.said("direction") == "reverse"
        x = node[0].transpose(0, 1) if batchwise else node[0]
        x = x.flip(0) if is_reverse else x
        ways, width, h = node[2].shape
        bias = node[3] if node.has(3) else torch.zeros(ways, 2 * width, dtype=x.dtype)
        weights = [
            gates(each[d], h) for d in range(ways) for each in (node[1], node[2], bias[:, :width], bias[:, width:])
        ]
        zeros = torch.zeros(ways, x.shape[1], h, dtype=x.dtype)
        h_0, c_0 = (node[place] if node.has(place) else zeros for place in (5, 6))
        state = (h_0, c_0) if op_type == "LSTM" else h_0
        y, *last = run(x, state, weights, True, 1, 0.0, False, ways == 2, False)
        y = y.reshape(*y.shape[:2], ways, h).transpose(1, 2)
        y = y.flip(0) if is_reverse else y
        return (y.permute(2, 0, 1, 3) if batchwise else y, *last)

    return compute


FUNCTIONS = {
    "RNN": _recurrent("RNN", torch.rnn_tanh),
    "GRU": _recurrent("GRU", torch.gru),
    "LSTM": _recurrent("LSTM", torch.lstm),
}
