"""Writes a convolution, matrix product or pool as an explicit window of numbers, to recompute it with other ones.

y[n, o, y, x] = bias[o] + Σ x[n, channels[o, i], y·s + p·d + first, …] · w[o, i, p, q]; a pool has the largest or the
mean instead. Every field can be wrong in a shader, and every field can be replaced here. Transposed convolutions are
written as convolutions of their input with zeros between its elements.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, StoredValues, read_array
from texelscope.pipeline.graph import Graph, Node, Shape
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.facts import WindowKind
from texelscope.pipeline.operators.families.convolution import window_of
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.operators.windows import Window, window

Array = NDArray[Any]
Pair = tuple[int, int]
Margin = tuple[int, int, int, int]
# Reads the source at n, c, y, x inside it: for a source that is itself edited.
Reader = Callable[[Array, Array, Array, Array], Array]

# 1 GiB of float32; a window that needs more at once is judged by samples alone.
_MOST_HELD = 1 << 28
Values = Sequence[Array | None]


class DoesNotApplyError(Exception):
    """The edit cannot be made to this part of the model."""


@dataclass(frozen=True)
class OpenSides:
    """The sides of a tile without a border test, and how far reads go there at most."""

    top: bool = True
    bottom: bool = True
    left: bool = True
    right: bool = True
    reach: int = 1 << 20

    def closed(self, y: Array, x: Array, size: Pair) -> NDArray[np.bool_]:
        """Whether reads at y, x (which broadcast) fall on a closed side of a picture of `size`."""
        held = np.zeros(np.broadcast_shapes(y.shape, x.shape), dtype=bool)
        past = ((self.top, -y), (self.bottom, y - size[0] + 1), (self.left, -x), (self.right, x - size[1] + 1))
        for is_open, distance in past:
            held = held | (distance > (self.reach if is_open else 0))
        return held


@dataclass(frozen=True)
class WindowSum:
    """A window sum, see the module: `channels` int [O, I], `weights` [O, I, P, Q], None for a pool; pairs are (y, x).

    `first` is the position of tap 0 of output 0 (minus the padding), `inner` how many zeros follow each element of the
    source (a transposed convolution's stride less one). `size` is the output's, `shape` its logical shape. `outside` is
    the value for `beyond` = "zero", minus infinity for the largest of a window. `count` is an average's divisor: the
    taps inside, or all. Taps (p, q) in `left_out` are not read. `stored` is the source in its texture, needed by
    `texel` and `fetch` for reads beyond it, which pass through open `sides` only.
    """

    node: str
    kind: Literal["sum", "largest", "mean"]
    source: Array
    channels: NDArray[np.int64]
    weights: Array | None
    bias: Array | None
    kernel: Pair
    stride: Pair
    dilation: Pair
    first: Pair
    size: Pair
    shape: Shape
    groups: int = 1
    beyond: Beyond = "zero"
    outside: float = 0.0
    count: Literal["inside", "all"] | float = "inside"
    inner: Pair = (0, 0)
    stored: StoredValues | None = None
    sides: OpenSides = OpenSides()
    left_out: frozenset[Pair] = frozenset()

    def replaced(self, **changes: Any) -> WindowSum:
        """Returns a copy with some fields replaced."""
        return dataclasses.replace(self, **changes)

    @property
    def products(self) -> int:
        """Returns the number of products for one output element."""
        return int(self.channels.shape[1]) * math.prod(self.kernel)

    @property
    def held(self) -> int:
        """Returns how many numbers `evaluate` holds at once: what each tap reads of the source."""
        return len(self.source) * int(self.channels.max() + 1) * math.prod(self.size) * math.prod(self.kernel)

    def places(self, axis: int) -> list[Array]:
        """Returns for each tap along rows (0) or columns (1) its place in the source, for each output position."""
        positions = np.arange(self.size[axis]) * self.stride[axis] + self.first[axis]
        return [positions + tap * self.dilation[axis] for tap in range(self.kernel[axis])]

    def reads(self, y: Array, x: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Returns the source at rows y and columns x, [N, C, y, x], the nearest outside; and which are inside."""
        H, W = self.source.shape[2:]
        inside = ((y >= 0) & (y < H))[:, None] & ((x >= 0) & (x < W))
        return self.source[:, :, np.clip(y, 0, H - 1)][..., np.clip(x, 0, W - 1)], inside

    def evaluate(self) -> Array:
        """Returns the whole output, float32 [N, O, y, x]. Raises DoesNotApplyError if that takes too much memory."""
        if self.held > _MOST_HELD:
            raise DoesNotApplyError(f"{self.node}: {self.held:,} numbers")
        ys, xs = self.places(0), self.places(1)
        around, (top, left) = self._around(ys, xs)
        rows_of = [around[:, :, y + top] for y in ys]
        taps = [
            (p, q, rows_of[p][:, :, :, x + left])
            for p in range(len(ys))
            for q, x in enumerate(xs)
            if (p, q) not in self.left_out
        ]
        with np.errstate(all="ignore"):
            return self._sum(taps) if self.kind == "sum" else self._pool(taps, self._inside(ys, xs))

    def evaluate_at(self, places: NDArray[np.int64], reader: Reader | None = None) -> Array:
        """Returns output elements at linear `places`, float32 [m]; `reader` replaces the source's own values.

        Raises DoesNotApplyError for weights of another number of channels than are read.
        """
        if self.weights is not None and self.weights.shape[1] != self.channels.shape[1]:
            raise DoesNotApplyError(f"{self.node}: {self.weights.shape[1]} channels of {self.channels.shape[1]}")
        n, o, row, column = np.unravel_index(places, (self.source.shape[0], len(self.channels), *self.size))
        y = (row * self.stride[0] + self.first[0])[:, None] + np.arange(self.kernel[0]) * self.dilation[0]
        x = (column * self.stride[1] + self.first[1])[:, None] + np.arange(self.kernel[1]) * self.dilation[1]
        y, x = y[:, None, :, None], x[:, None, None, :]
        at_y, at_x = y // (self.inner[0] + 1), x // (self.inner[1] + 1)
        channels = self.channels[o][:, :, None, None] if self.kind == "sum" else self.channels[o][:, :1, None, None]
        values = self._read(n[:, None, None, None], channels, at_y, at_x, reader)
        used = np.ones((self.kernel[0], self.kernel[1]), dtype=bool)
        for p, q in self.left_out:
            used[p, q] = False
        used = used & (y % (self.inner[0] + 1) == 0) & (x % (self.inner[1] + 1) == 0)
        with np.errstate(all="ignore"):
            if self.kind == "sum":
                assert self.weights is not None
                sums = np.einsum("mipq,mipq->m", np.where(used, values, 0.0), self.weights[o].astype(np.float32))
                return np.asarray(sums if self.bias is None else sums + self.bias.reshape(-1)[o], dtype=np.float32)
            if self.kind == "largest":
                return np.asarray(np.where(used, values, -np.inf).max(axis=(1, 2, 3)), dtype=np.float32)
            H, W = self.source.shape[2:]
            inside = used & (y >= 0) & (y < H) & (x >= 0) & (x < W)
            count = inside.sum(axis=(1, 2, 3)) if self.count == "inside" else self._count()
            return np.asarray(np.where(used, values, 0.0).sum(axis=(1, 2, 3)) / count, dtype=np.float32)

    def _count(self) -> float:
        return float(math.prod(self.kernel) - len(self.left_out)) if self.count == "all" else float(self.count)

    def _read(self, n: Array, c: Array, y: Array, x: Array, reader: Reader | None) -> Array:
        """Reads source elements anywhere; `beyond` decides outside."""
        H, W = self.source.shape[2:]
        inside = (y >= 0) & (y < H) & (x >= 0) & (x < W)
        if reader is not None:
            held = np.where(inside, reader(n, c, np.clip(y, 0, H - 1), np.clip(x, 0, W - 1)), np.float32(self.outside))
            return held if self.beyond == "zero" else np.where(inside, held, self._read(n, c, y, x, None))
        if self.beyond in ("texel", "fetch") and self.stored is not None:
            values = self.stored.read(n, c, y, x, self.beyond)
            return np.where(self.sides.closed(y, x, (H, W)), np.float32(self.outside), values)
        values = read_array(
            self.source, n, c, y, x, self.beyond if self.beyond in ("edge", "wrap", "reflect") else "edge"
        )
        return (
            values if self.beyond in ("edge", "wrap", "reflect") else np.where(inside, values, np.float32(self.outside))
        )

    # -- the whole output ----------------------------------------------------------------------------------

    def _around(self, ys: Sequence[Array], xs: Sequence[Array]) -> tuple[Array, Pair]:
        """Returns the source with a margin as wide as the taps reach, and its margin before row and column 0."""
        H, W = (
            (self.source.shape[2] - 1) * (self.inner[0] + 1) + 1,
            (self.source.shape[3] - 1) * (self.inner[1] + 1) + 1,
        )
        top, bottom = (-(-reach // (self.inner[0] + 1)) for reach in _reach(ys, H))
        left, right = (-(-reach // (self.inner[1] + 1)) for reach in _reach(xs, W))
        padded = self._padded((top, bottom, left, right))
        if self.inner != (0, 0):
            step_y, step_x = self.inner[0] + 1, self.inner[1] + 1
            height, width = (padded.shape[2] - 1) * step_y + 1, (padded.shape[3] - 1) * step_x + 1
            # Zeros follow the last element too: taps may reach there.
            wide = np.zeros((*padded.shape[:2], height + step_y, width + step_x), dtype=np.float32)
            wide[:, :, :height:step_y, :width:step_x] = padded
            padded, top, left = wide, top * step_y, left * step_x
        return padded, (top, left)

    def _padded(self, margin: Margin) -> Array:
        top, bottom, left, right = margin
        if not any(margin):
            return self.source
        H, W = self.source.shape[2:]
        if self.beyond in ("texel", "fetch") and self.stored is not None:
            values = np.array(self.stored.surrounded(margin, self.beyond))
            closed = self.sides.closed(np.arange(-top, H + bottom)[:, None], np.arange(-left, W + right), (H, W))
            values[:, :, closed] = self.outside
            values[:, :, top : top + H, left : left + W] = self.source
            return values
        pads = ((0, 0), (0, 0), (top, bottom), (left, right))
        mode = {"edge": "edge", "wrap": "wrap", "reflect": "reflect"}.get(self.beyond)
        if mode is None or (mode == "reflect" and min(H, W) < 2):
            return np.pad(self.source, pads, constant_values=self.outside)
        return np.asarray(np.pad(self.source, pads, mode=mode))  # type: ignore[call-overload]

    def _sum(self, taps: Sequence[tuple[int, int, Array]]) -> Array:
        assert self.weights is not None
        weights = self.weights.astype(np.float32)
        N = self.source.shape[0]
        total = np.zeros((N, len(self.channels), *self.size), dtype=np.float32)
        for rows, read in _same_channels(self.channels):
            for p, q, patch in taps:
                factors = weights[rows, :, p, q]
                if not factors.any():
                    continue
                if read is None:  # one input channel for each output
                    total[:, rows] += factors[:, 0, None, None] * patch[:, self.channels[rows, 0]]
                else:
                    flat = patch[:, read].reshape(N, len(read), -1)
                    total[:, rows] += (factors @ flat).reshape(N, -1, *self.size)
        if self.bias is not None:
            total += self.bias.astype(np.float32).reshape(-1)[:, None, None]
        return total

    def _pool(self, taps: Sequence[tuple[int, int, Array]], inside: Array) -> Array:
        patches = np.stack([patch[:, self.channels[:, 0]] for _, _, patch in taps])
        if self.kind == "largest":
            return np.asarray(patches.max(axis=0), dtype=np.float32)
        return np.asarray(patches.sum(axis=0) / (inside if self.count == "inside" else self._count()), dtype=np.float32)

    def _inside(self, ys: Sequence[Array], xs: Sequence[Array]) -> Array:
        """Returns how many taps fall inside the source, [rows, columns]."""
        H, W = self.source.shape[2:]
        across = [(x >= 0) & (x < W) for x in xs]
        down = [(y >= 0) & (y < H) for y in ys]
        count = np.outer(np.sum(down, axis=0), np.sum(across, axis=0))
        for p, q in self.left_out:
            count = count - np.outer(down[p], across[q])
        return np.asarray(count)


def _reach(places: Sequence[Array], size: int) -> Pair:
    """Returns how far positions go before 0 and past the end."""
    return max(0, -min(int(at.min()) for at in places)), max(0, max(int(at.max()) for at in places) - size + 1)


def _same_channels(channels: NDArray[np.int64]) -> list[tuple[Array, Array | None]]:
    """Groups equal rows of `channels`; None for the rows that have a single channel each."""
    if channels.shape[1] == 1:
        return [(np.arange(len(channels)), None)]
    unique, which = np.unique(channels, axis=0, return_inverse=True)
    which = which.reshape(-1)
    return [(np.flatnonzero(which == i), row) for i, row in enumerate(unique)]


def window_sum(node: Node, graph: Graph, inputs: Values) -> WindowSum | None:
    """Returns the window of a node over its input values; None for an operator, or a rank, without one."""
    kind = facts_of(node).window
    return None if kind is None else _MADE[kind](Call(node, graph), inputs)


def in_view(value: Array, shape: Shape) -> Array:
    """Returns a window's result [N, O, y, x] in the 4-d view of the output's shape (a product has [M, N, 1, 1])."""
    return value.reshape(as_nchw(shape))


def _conv(call: Call, inputs: Values) -> WindowSum | None:
    x, w = inputs[0], inputs[1]
    if x is None or w is None or x.ndim != 4:
        return None
    own, groups = window(call, w.shape[2:]), int(call.attribute("group", 1))
    outputs, per_group = w.shape[:2]
    return WindowSum(
        weights=w, bias=inputs[2] if len(inputs) > 2 else None, channels=_grouped(outputs, per_group, groups),
        kind="sum", source=x, groups=groups, **_geometry(call, own),
    )  # fmt: skip


def _geometry(call: Call, window: Window) -> dict[str, Any]:
    shape = call.output_shape()
    return {
        "node": call.node.name,
        "kernel": (window.kernel[0], window.kernel[1]),
        "stride": (window.stride[0], window.stride[1]),
        "dilation": (window.dilation[0], window.dilation[1]),
        "first": (-window.pad_before[0], -window.pad_before[1]),
        "size": (shape[2], shape[3]),
        "shape": shape,
    }


def _grouped(outputs: int, inputs: int, groups: int) -> NDArray[np.int64]:
    """Returns int [O, I]: the input channels of each output channel."""
    group = np.arange(outputs) // max(outputs // groups, 1)
    return np.asarray(group[:, None] * inputs + np.arange(inputs))


def _conv_transpose(call: Call, inputs: Values) -> WindowSum | None:
    x, w = inputs[0], inputs[1]
    if x is None or w is None or x.ndim != 4:
        return None
    window = window_of(call)  # its padding may follow from the output's shape
    groups = int(call.attribute("group", 1))
    per_input, per_output = w.shape[0] // groups, w.shape[1]
    turned = w.reshape(groups, per_input, per_output, *w.shape[2:]).transpose(0, 2, 1, 3, 4)[..., ::-1, ::-1]
    geometry = _geometry(call, window)
    first = [pad - (k - 1) * d for pad, k, d in zip(window.pad_before, w.shape[2:], window.dilation, strict=True)]
    geometry |= {"stride": (1, 1), "first": (first[0], first[1])}
    outputs = groups * per_output
    return WindowSum(
        kind="sum", source=x, weights=turned.reshape(outputs, per_input, *w.shape[2:]), groups=groups,
        bias=inputs[2] if len(inputs) > 2 else None, channels=_grouped(outputs, per_input, groups),
        inner=(window.stride[0] - 1, window.stride[1] - 1), **geometry,
    )  # fmt: skip


def _pool(kind: Literal["largest", "mean"]) -> Callable[[Call, Values], WindowSum | None]:
    def make(call: Call, inputs: Values) -> WindowSum | None:
        x = inputs[0]
        if x is None or x.ndim != 4:
            return None
        own = window(call, tuple(call.attribute("kernel_shape") or x.shape[2:]))
        return WindowSum(
            kind=kind, source=x, weights=None, bias=None, channels=np.arange(x.shape[1])[:, None], groups=x.shape[1],
            outside=-np.inf if kind == "largest" else 0.0,
            count="all" if call.attribute("count_include_pad", 0) else "inside", **_geometry(call, own),
        )  # fmt: skip

    return make


def _product(call: Call, inputs: Values) -> WindowSum | None:
    """Returns rows of A [M, K] times columns of B [K, N] as a 1x1 convolution of M pictures of one element."""
    a, b = inputs[0], inputs[1]
    if a is None or b is None or a.ndim != 2 or b.ndim != 2:
        return None
    a = a.T if call.attribute("transA", 0) else a
    b = b if call.attribute("transB", 0) else b.T
    bias = inputs[2] if len(inputs) > 2 else None
    outputs = b.shape[0]
    if bias is not None and bias.size not in (1, outputs):
        return None
    factor = np.float32(call.attribute("beta", 1.0))
    row = None if bias is None else np.broadcast_to(bias.reshape(-1), (outputs,)) * factor
    weights = b * np.float32(call.attribute("alpha", 1.0))
    return WindowSum(
        node=call.node.name, kind="sum", source=a[:, :, None, None], channels=_grouped(outputs, b.shape[1], 1),
        weights=weights[:, :, None, None], bias=row, kernel=(1, 1), stride=(1, 1), dilation=(1, 1), first=(0, 0),
        size=(1, 1), shape=call.output_shape(),
    )  # fmt: skip


_MADE: Mapping[WindowKind, Callable[[Call, Values], WindowSum | None]] = MappingProxyType(
    {
        "convolution": _conv,
        "transposed": _conv_transpose,
        "largest": _pool("largest"),
        "mean": _pool("mean"),
        "product": _product,
    }
)
