"""Windows and products: convolutions, pools, matrices."""

from __future__ import annotations

import itertools

import torch
import torch.nn.functional as F  # noqa: N812

from tests.pure.gradients.torch_node import NothingAlikeError, Tensor, TorchNode

_CONV = (F.conv1d, F.conv2d, F.conv3d)
_CONV_TRANSPOSE = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)
_MAX_POOL = (F.max_pool1d, F.max_pool2d, F.max_pool3d)
_MAX_UNPOOL = (F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)


class _Windows:
    """Holds a node's windows."""

    def __init__(self, node: TorchNode) -> None:
        self.node = node
        self.axes = node.rank - 2
        self.kernel = list(node.said("kernel_shape", node[1].shape[2:] if node.has(1) else None))
        self.strides = list(node.said("strides", [1] * self.axes))
        self.dilations = list(node.said("dilations", [1] * self.axes))
        self.span = [d * (k - 1) + 1 for k, d in zip(self.kernel, self.dilations, strict=True)]
        self.pads = self._pads()

    def _pads(self) -> list[tuple[int, int]]:
        """Returns the padding before and after, so that the last window lies inside; by `auto_pad`, or `pads`."""
        said = list(self.node.said("pads", [0] * 2 * self.axes))
        auto = self.node.said("auto_pad", "NOTSET")
        pads = []
        for axis in range(self.axes):
            size = self.node[0].shape[2 + axis]
            total = max((-(-size // self.strides[axis]) - 1) * self.strides[axis] + self.span[axis] - size, 0)
            less, more = total // 2, total - total // 2
            known = {"SAME_UPPER": (less, more), "SAME_LOWER": (more, less)}
            pads.append(known.get(auto, (said[axis], said[self.axes + axis])))
        return pads

    def padded(self, x: Tensor, value: float = 0.0) -> Tensor:
        flat = [side for pair in reversed(self.pads) for side in pair]
        return F.pad(x, flat, value=value)

    def elements(self, x: Tensor, value: float) -> Tensor:
        """Returns [n, c, …, k]: the elements of each window, `value` outside."""
        sizes = self.node.shape[2:]
        x = self.padded(x, value)
        reach = [(size - 1) * stride + span for size, stride, span in zip(sizes, self.strides, self.span, strict=True)]
        over = [max(need - have, 0) for need, have in zip(reach, x.shape[2:], strict=True)]
        x = F.pad(x, [side for end in reversed(over) for side in (0, end)], value=value)
        taken = []
        for offset in itertools.product(*(range(size) for size in self.kernel)):
            starts = [at * dilation for at, dilation in zip(offset, self.dilations, strict=True)]
            each = zip(starts, sizes, self.strides, strict=True)
            cut = [slice(start, start + (size - 1) * stride + 1, stride) for start, size, stride in each]
            taken.append(x[(slice(None), slice(None), *cut)])
        return torch.stack(taken, -1)


def _conv(node: TorchNode) -> Tensor:
    windows = _Windows(node)
    bias = node[2] if node.has(2) else None
    x = windows.padded(node[0])
    return _CONV[windows.axes - 1](
        x, node[1], bias, windows.strides, 0, windows.dilations, int(node.said("group"))
    )  # fmt: skip


def _conv_transpose(node: TorchNode) -> Tensor:
    """The whole of it, cut to the size that comes out."""
    windows = _Windows(node)
    groups = int(node.said("group"))
    whole = _CONV_TRANSPOSE[windows.axes - 1](
        node[0], node[1], None, windows.strides, 0, 0, groups, windows.dilations
    )  # fmt: skip
    is_sized = node.said("output_shape") is not None or node.said("auto_pad") != "NOTSET"
    more = list(node.said("output_padding", [0] * windows.axes))
    whole = F.pad(whole, [side for end in reversed(more) for side in (0, end)])
    for axis, size in enumerate(node.shape[2:]):
        cut = whole.shape[2 + axis] - size
        if cut < 0:
            whole = F.pad(whole, [0, 0] * (windows.axes - axis - 1) + [0, -cut])
        half = cut // 2 if node.said("auto_pad") == "SAME_UPPER" else cut - cut // 2
        start = max(half, 0) if is_sized else windows.pads[axis][0]
        whole = whole.narrow(2 + axis, start, size)
    return whole + node[2].reshape(-1, *(1,) * windows.axes) if node.has(2) else whole


def _average_pool(node: TorchNode) -> Tensor:
    windows = _Windows(node)
    ones = torch.ones_like(node[0])
    if node.said("count_include_pad"):
        ones = windows.padded(ones, 1.0)
        inside = _Windows(TorchNode(node.case, {0: ones}, node.shape))
        inside.pads = [(0, 0)] * windows.axes
        return windows.elements(node[0], 0.0).sum(-1) / inside.elements(ones, 0.0).sum(-1)
    return windows.elements(node[0], 0.0).sum(-1) / windows.elements(ones, 0.0).sum(-1)


def _max_pool(node: TorchNode) -> Tensor:
    windows = _Windows(node)
    x = windows.padded(node[0], float("-inf"))
    return _MAX_POOL[windows.axes - 1](
        x, windows.kernel, windows.strides, 0, windows.dilations, bool(node.said("ceil_mode"))
    )  # fmt: skip


def _lp_pool(node: TorchNode) -> Tensor:
    return torch.linalg.vector_norm(_Windows(node).elements(node[0], 0.0), float(node.said("p")), dim=-1)


def _over_all(node: TorchNode) -> tuple[int, ...]:
    return tuple(range(2, node.rank))


def _max_unpool(node: TorchNode) -> Tensor:
    """ONNX counts places over the whole tensor, PyTorch within a channel."""
    windows = _Windows(node)
    plane = int(torch.tensor(node.shape[2:]).prod())
    return _MAX_UNPOOL[windows.axes - 1](
        node[0], node[1] % plane, windows.kernel, windows.strides, output_size=node.shape
    )  # fmt: skip


def _col2im(node: TorchNode) -> Tensor:
    """Folded with its padding, which is cut off."""
    image, block = node.whole(1), node.whole(2)
    if len(image) != 2:
        raise NothingAlikeError
    pads = list(node.said("pads", [0] * 4))
    size = [each + pads[axis] + pads[2 + axis] for axis, each in enumerate(image)]
    folded = F.fold(node[0], size, block, node.said("dilations", 1), 0, node.said("strides", 1))
    return folded[..., pads[0] : pads[0] + image[0], pads[1] : pads[1] + image[1]]


def _gemm(node: TorchNode) -> Tensor:
    a, b = (node[i].T if node.said(name) else node[i] for i, name in ((0, "transA"), (1, "transB")))
    product = node.said("alpha") * (a @ b)
    return product + node.said("beta") * node[2] if node.has(2) else product


def _lrn(node: TorchNode) -> Tensor:
    """An even window leans to the other side there."""
    size = int(node.said("size"))
    x = node[0] if size % 2 else node[0].flip(1)
    y = F.local_response_norm(x, size, node.said("alpha"), node.said("beta"), node.said("bias"))
    return y if size % 2 else y.flip(1)


FUNCTIONS = {
    "AveragePool": _average_pool,
    "Col2Im": _col2im,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "Det": lambda node: torch.linalg.det(node[0]),
    "Einsum": lambda node: torch.einsum(node.said("equation"), *node.tensors),
    "Gemm": _gemm,
    "GlobalAveragePool": lambda node: node[0].mean(_over_all(node), keepdim=True),
    "GlobalLpPool": lambda node: torch.linalg.vector_norm(
        node[0], float(node.said("p")), _over_all(node), keepdim=True
    ),
    "GlobalMaxPool": lambda node: node[0].amax(_over_all(node), keepdim=True),
    "LRN": _lrn,
    "LpPool": _lp_pool,
    "MatMul": lambda node: node[0] @ node[1],
    "MaxPool": _max_pool,
    "MaxUnpool": _max_unpool,
}
