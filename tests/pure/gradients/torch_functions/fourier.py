"""The discrete Fourier transform."""

from __future__ import annotations

import torch

from tests.pure.gradients.torch_node import Tensor, TorchNode


def _dft(node: TorchNode) -> Tensor:
    """Complex numbers are pairs along the last axis."""
    x, inverse, onesided = node[0], node.said("inverse", 0), node.said("onesided", 0)
    axis = node.axis
    if node.case.opset >= 20:
        axis = (node.whole(2)[0] if node.has(2) else -2) % node.rank
    length = node.whole(1)[0] if node.has(1) else None
    parts = x[..., 0], x[..., 1] if x.shape[-1] == 2 else torch.zeros_like(x[..., 0])
    if inverse and onesided:
        return torch.fft.irfft(torch.complex(*parts), length, axis).unsqueeze(-1)
    if onesided:
        return torch.view_as_real(torch.fft.rfft(parts[0], length, axis))
    transform = torch.fft.ifft if inverse else torch.fft.fft
    return torch.view_as_real(transform(torch.complex(*parts), length, axis))


FUNCTIONS = {"DFT": _dft}
