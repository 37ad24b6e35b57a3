"""A convolution, matrix product or pool as an explicit window of numbers, to be redone with other ones.

y[n, o, y, x] = bias[o] + Σ x[n, channels[o, i], y·s + p·d + first, …] · w[o, i, p, q]; a pool takes the largest
or the mean instead. Every field can be wrong in a shader, and every field can be replaced here. Transposed
convolutions are written as convolutions of their input with zeros between its elements.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, StoredValues, read_array
from texelscope.pipeline.diagnose.model_slice.does_not_apply import DoesNotApplyError
from texelscope.pipeline.graph import Shape

Array = NDArray[Any]
Pair = tuple[int, int]
Margin = tuple[int, int, int, int]
# Reads the source at n, c, y, x that lie inside it: for a source that is itself changed.
Reader = Callable[[Array, Array, Array, Array], Array]

# 1 GiB of float32; a window that needs more at once is judged by samples alone.
_MOST_HELD = 1 << 28


@dataclass(frozen=True)
class Sides:
    """Which sides of a tile are open to reads, and how far at most."""

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
    """See the module. `channels` int [O, I], `weights` [O, I, P, Q] or None for a pool; pairs are (y, x).

    `first` is where tap 0 of output 0 falls (minus the padding), `inner` how many zeros follow each element of the
    source (a transposed convolution's stride less one). `size` is the output's, `shape` its logical shape.
    `outside` is what `beyond` = "zero" gives, minus infinity for the largest of a window. `count` says what an
    average divides by: the taps inside, or all. Taps (p, q) in `left_out` are not read. `stored` is the source
    in its texture, needed for what lies beyond by `texel` and `fetch`, there through `sides` alone.
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
    sides: Sides = Sides()
    left_out: frozenset[Pair] = frozenset()

    def replaced(self, **changes: Any) -> WindowSum:
        """A copy with some fields replaced."""
        return dataclasses.replace(self, **changes)

    @property
    def products(self) -> int:
        """Products for one output element."""
        return int(self.channels.shape[1]) * math.prod(self.kernel)

    @property
    def held(self) -> int:
        """Numbers that `evaluate` holds at once: what each tap reads of the source."""
        return len(self.source) * int(self.channels.max() + 1) * math.prod(self.size) * math.prod(self.kernel)

    def evaluate(self) -> Array:
        """The whole output, float32 [N, O, y, x]. Raises DoesNotApplyError where that takes too much memory."""
        if self.held > _MOST_HELD:
            raise DoesNotApplyError(f"{self.node}: {self.held:,} numbers")
        ys = [
            np.arange(self.size[0]) * self.stride[0] + p * self.dilation[0] + self.first[0]
            for p in range(self.kernel[0])
        ]
        xs = [
            np.arange(self.size[1]) * self.stride[1] + q * self.dilation[1] + self.first[1]
            for q in range(self.kernel[1])
        ]
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
        """The output elements at linear `places`, float32 [m]; `reader` in place of the source's own values."""
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
        """Source elements wherever they lie, `beyond` deciding outside."""
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
        """The source with a margin as wide as the taps reach, and the margin before its first row and column."""
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
            # Zeros after the last element too: taps may reach there.
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
        """How many taps fall inside the source, [rows, columns]."""
        H, W = self.source.shape[2:]
        across = [(x >= 0) & (x < W) for x in xs]
        down = [(y >= 0) & (y < H) for y in ys]
        count = np.outer(np.sum(down, axis=0), np.sum(across, axis=0))
        for p, q in self.left_out:
            count = count - np.outer(down[p], across[q])
        return np.asarray(count)


def _reach(places: Sequence[Array], size: int) -> Pair:
    """How far places go before 0 and past the end."""
    return max(0, -min(int(at.min()) for at in places)), max(0, max(int(at.max()) for at in places) - size + 1)


def _same_channels(channels: NDArray[np.int64]) -> list[tuple[Array, Array | None]]:
    """Rows of `channels` that are alike, together; None for the rows where each has a single channel."""
    if channels.shape[1] == 1:
        return [(np.arange(len(channels)), None)]
    unique, which = np.unique(channels, axis=0, return_inverse=True)
    which = which.reshape(-1)
    return [(np.flatnonzero(which == i), row) for i, row in enumerate(unique)]
