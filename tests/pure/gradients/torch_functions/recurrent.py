"""Recurrent networks and Fourier transforms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

from tests.pure.gradients.torch_node import NothingAlikeError, Tensor, TorchNode

# Where the gates that PyTorch wants in turn stand in ONNX's weights.
_GATES = {"RNN": (0,), "GRU": (1, 0, 2), "LSTM": (0, 2, 3, 1)}


def _turned(weights: Tensor, gates: Sequence[int], size: int) -> Tensor:
    return torch.cat([weights[gate * size : (gate + 1) * size] for gate in gates])


def _parameters(node: TorchNode) -> Iterator[Tensor]:
    """Returns each direction's parameters: by input, by state, and the two biases."""
    gates, size = _GATES[node.case.op_type], int(node.said("hidden_size"))
    for way in range(node[1].shape[0]):
        yield from (_turned(node[i][way], gates, size) for i in (1, 2))
        if node.has(3):
            yield from (_turned(each, gates, size) for each in node[3][way].chunk(2))


def _recurrent(node: TorchNode) -> tuple[Tensor, ...]:
    """All states, and the last; before opset 14, and by default since, steps are the first axis."""
    is_batch_first, is_reverse = bool(node.said("layout", 0)), node.said("direction") == "reverse"
    if node.has(7) or node.said("clip") is not None:
        raise NothingAlikeError
    x = node[0].transpose(0, 1) if is_batch_first else node[0]
    x = x.flip(0) if is_reverse else x
    ways, size = node[1].shape[0], int(node.said("hidden_size"))
    zeros = torch.zeros(ways, x.shape[1], size, dtype=x.dtype)
    start = [node[i].transpose(0, 1) if is_batch_first else node[i] for i in (5, 6) if node.has(i)]
    start += [zeros] * (2 - len(start))
    given = (list(_parameters(node)), node.has(3), 1, 0.0, False, ways == 2, False)
    if node.case.op_type == "LSTM":
        y, *last = torch.lstm(x, start, *given)
    elif node.case.op_type == "RNN":
        y, *last = torch.rnn_tanh(x, start[0], *given)
    elif node.said("linear_before_reset"):
        y, *last = torch.gru(x, start[0], *given)
    else:
        y, *last = _gru_reset_first(node, x, start[0])
    y = y.reshape(*y.shape[:2], ways, size).transpose(1, 2)
    y = y.flip(0) if is_reverse else y
    if is_batch_first:
        return (y.permute(2, 0, 1, 3), *(each.transpose(0, 1) for each in last))
    return (y, *last)


def _gru_reset_first(node: TorchNode, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    """Computes a GRU with the reset before the product, in one direction: PyTorch has only the other one."""
    if node[1].shape[0] > 1:
        raise NothingAlikeError
    by_input, by_state = (node[i][0].chunk(3) for i in (1, 2))
    bias = node[3][0].chunk(6) if node.has(3) else [torch.zeros((), dtype=x.dtype)] * 6
    h, made = state[0], []
    for step in x:
        z, r = (torch.sigmoid(step @ by_input[i].T + h @ by_state[i].T + bias[i] + bias[3 + i]) for i in (0, 1))
        new = torch.tanh(step @ by_input[2].T + (r * h) @ by_state[2].T + bias[2] + bias[5])
        h = (1.0 - z) * new + z * h
        made.append(h)
    return torch.stack(made), h.unsqueeze(0)


def _dft(node: TorchNode) -> Tensor:
    axis = node.whole(2)[0] if node.has(2) else int(node.said("axis", -2))
    axis = axis % node.rank
    length = node.whole(1)[0] if node.has(1) else None
    is_real = node[0].shape[-1] == 1
    x = node[0][..., 0] if is_real else torch.view_as_complex(node[0])
    if node.said("inverse") and node.said("onesided"):
        return torch.fft.irfft(x, length, axis).unsqueeze(-1)
    if node.said("inverse"):
        return torch.view_as_real(torch.fft.ifft(x, length, axis))
    transform = torch.fft.rfft if node.said("onesided") else torch.fft.fft
    return torch.view_as_real(transform(x, length, axis))


def _stft(node: TorchNode) -> Tensor:
    """Frames before terms."""
    is_complex = node.rank == 3 and node[0].shape[2] == 2
    x = torch.view_as_complex(node[0]) if is_complex else node[0].reshape(node[0].shape[:2])
    length = node[2].shape[0] if node.has(2) else node.whole(3)[0]
    window = node[2] if node.has(2) else torch.ones(length, dtype=node[0].dtype)
    onesided = bool(node.said("onesided", 1))
    made = torch.stft(
        x, length, node.whole(1)[0], window=window, center=False, onesided=onesided, return_complex=True
    )  # fmt: skip
    return torch.view_as_real(made).transpose(1, 2)


FUNCTIONS = {"DFT": _dft, "GRU": _recurrent, "LSTM": _recurrent, "RNN": _recurrent, "STFT": _stft}
