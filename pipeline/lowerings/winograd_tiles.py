"""Divides a sum over a window into tiles of 2x2 outputs, for Winograd's products: pure data, and the weights' part.

Lavin and Gray 2016, 'Fast Algorithms for Convolutional Neural Networks': 2x2 outputs of a window of 2x2 taps take 9
products of an input and a weight, not 16; of 3x3 taps 16, not 36. Inputs, weights and products are added up instead. A
window of 4x4 taps and stride 2 is the sum of four windows of 2x2 taps, one over each phase of the input: each second
row and column from the first or the second on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.lowerings.lowering import Constants, Numbers, PackedConstants
from texelscope.pipeline.lowerings.window_sum import Pair, WindowSumLowering

# Outputs of a tile along each axis.
OUTPUTS = 2
# The factors of a tile's products, from the taps, along one axis: [place, tap].
_FACTORS: Mapping[int, NDArray[np.float64]] = {
    2: np.array([[1, 0], [1, 1], [0, 1]], dtype=np.float64),
    3: np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], dtype=np.float64),
}


@dataclass(frozen=True)
class WinogradTiles:
    """Describes the tiles of a sum; pairs are (y, x).

    `taps` are those of a phase along each axis. `shift` says how many inputs later the second parity's window begins.
    """

    sum_: WindowSumLowering
    taps: Pair
    shift: Pair

    @property
    def side(self) -> Pair:
        """Places of a tile; each has one product for every pair of an input channel and an output channel."""
        return self.taps[0] + OUTPUTS - 1, self.taps[1] + OUTPUTS - 1

    @property
    def places(self) -> int:
        """Places of a tile, along both axes."""
        return self.side[0] * self.side[1]

    @property
    def inputs(self) -> Pair:
        """Inputs of one phase below a tile's outputs, those of both parities."""
        return self.side[0] + self.shift[0], self.side[1] + self.shift[1]

    @property
    def transformed(self) -> Pair:
        """Transformed inputs of a tile and phase. Parities share those where their windows overlap."""
        return self.side[0] + OUTPUTS * self.shift[0], self.side[1] + OUTPUTS * self.shift[1]

    @property
    def phases(self) -> int:
        """Phases of the input, along both axes."""
        return self.sum_.stride[0] * self.sum_.stride[1]

    @property
    def groups(self) -> int:
        """Groups of four input channels, those of each phase."""
        return self.phases * self.sum_.x_groups

    @property
    def along(self) -> Pair:
        """Tiles of one image and parity along y and x."""
        rows, columns = self.sum_.places
        return ceil_div(rows, OUTPUTS), ceil_div(columns, OUTPUTS)

    @property
    def count(self) -> int:
        """Tiles of one parity, of all images."""
        return self.along[0] * self.along[1] * self.sum_.batch

    @property
    def texels_a_tile(self) -> Pair:
        """Texels of transformed inputs, and of products that are added up over all inputs."""
        inputs = self.transformed[0] * self.transformed[1] * self.groups
        return inputs, self.places * self.sum_.parities * self.sum_.y_groups

    def weight_texels(self, groups: int) -> int:
        """Counts the texels of transformed weights, four outputs each, in blocks of `groups` groups of outputs."""
        outputs = ceil_div(self.sum_.y_groups, groups) * groups
        return outputs * self.groups * 4 * self.places * self.sum_.parities

    def packed(self, groups: int) -> PackedConstants:
        """Packs four outputs a texel, by parity, place, block of `groups` groups, phase, input group, channel."""
        sum_, (taps_y, taps_x), (side_y, side_x) = self.sum_, self.taps, self.side

        def make(constant: Constants) -> Numbers:
            weights = np.asarray(sum_.weights(constant(sum_.weight)), dtype=np.float64)
            parities, outputs, channels = weights.shape[:3]
            blocks = ceil_div(sum_.y_groups, groups)
            whole = np.zeros((parities, blocks * groups * 4, sum_.x_groups * 4, *sum_.kernel))
            whole[:, :outputs, :channels] = weights
            by_phase = whole.reshape(*whole.shape[:3], taps_y, sum_.stride[0], taps_x, sum_.stride[1])
            factors = np.einsum("yp,xq,roipfqg->ryxofgi", _FACTORS[taps_y], _FACTORS[taps_x], by_phase, optimize=True)
            parted = factors.reshape(parities, side_y * side_x, blocks, groups, 4, self.phases, sum_.x_groups, 4)
            return np.ascontiguousarray(parted.transpose(0, 1, 2, 5, 6, 3, 7, 4), dtype=np.float32).reshape(-1, 4)

        return PackedConstants(
            f"{sum_.operator}|{sum_.weight}|winograd|{sum_.spread}|{sum_.stride}|{sum_.origins}|{groups}", make
        )


def winograd_tiles(sum_: WindowSumLowering) -> WinogradTiles | None:
    """Returns the tiles of a sum; None if its window has not 2 or 3 taps along each axis of each phase.

    None also for weights that are no constants: transforming them in each run is not worth it.
    """
    if sum_.varies or sum_.parts > 1:
        return None
    taps, shift = [], []
    for axis in (0, 1):
        kernel, stride = sum_.kernel[axis], sum_.stride[axis]
        first, second = sum_.origins[2 * axis : 2 * axis + 2]
        later = second - first if sum_.spread[axis] > 1 else 0
        if kernel % stride or kernel // stride not in _FACTORS or sum_.dilation[axis] > 1:
            return None
        if later not in (0, 1) or (later and kernel // stride != OUTPUTS):
            return None  # parities would share no transformed inputs
        taps.append(kernel // stride)
        shift.append(later)
    return WinogradTiles(sum_, (taps[0], taps[1]), (shift[0], shift[1]))
