"""Lets a sum read weights that are no constants: from a buffer that holds the texels of their texture.

To put weights into the order in which a sum reads them took a software driver 25 ns a texel, a copy less than one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from texelscope.layouts.channel_tiles_rgba import ChannelTilesRgba
from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.finish import has_groups
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.plan import StoredTensor

# The scratch buffers of the weights, of what they are multiplied with, and of what lies beside that.
WEIGHTS, INPUT, BESIDE = "weights", "input of a sum", "beside the input of a sum"
# Shaders divide smaller numbers of tiles by a product with the inverse.
_MOST_TILES = 1 << 22


def can_read(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor], limits: Limits) -> bool:
    """Reports whether the sum can read its weights, and a bias that is no constant, in their layouts.

    The driver has to read the weights, and what they are multiplied with, from one buffer each.
    """
    if sum_.varying_bias and not bias_a_texel(sum_, textures):
        return False
    stored = textures.get(sum_.weight)
    if stored is None or not has_groups(stored) or _tiles(stored) > _MOST_TILES:
        return False
    x_shape = stored.layout.texture_shape((sum_.batch, sum_.channels, *sum_.x_shape))
    return max(math.prod(stored.texture_shape), math.prod(x_shape)) <= limits.max_buffer_texels


def bias_a_texel(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor]) -> int:
    """Counts elements of the bias per texel, in consecutive texels; 0 for other layouts."""
    stored = textures.get(sum_.varying_bias)
    if stored is None or stored.storage != "float32" or stored.dtype != "float32" or len(stored.shape) != 1:
        return 0
    if isinstance(stored.layout, RowMajorRgba):
        return 4
    is_a_row = isinstance(stored.layout, ChannelTilesRgba) and stored.texture_shape == (1, stored.shape[0])
    return int(is_a_row)


def weights_row(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor]) -> tuple[int, ...]:
    """Returns the row `u_w` of a block of uniforms: columns of the grid of tiles, groups, first axis, width."""
    stored = textures[sum_.weight]
    first, second, _, _ = as_nchw(stored.shape)
    return Grid.of(_tiles(stored)).columns, ceil_div(second, 4), first, stored.texture_shape[1]


def _tiles(stored: StoredTensor) -> int:
    first, second, _, _ = as_nchw(stored.shape)
    return first * ceil_div(second, 4)
