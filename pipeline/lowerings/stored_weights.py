"""Lets a sum read weights that are no constants: from a buffer that holds the texels of their texture.

A software driver reads a buffer in 8 ns and a texture in 13. It copies a texel of the one into the other in less than a
nanosecond; to put weights into the order in which a sum reads them took it 25.
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
from texelscope.pipeline.lowerings.lowering import LoweringStep, room_for
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.plan import ProgramSource, StoredTensor

# The scratch buffer.
WEIGHTS = "weights"
_TEXEL_BYTES = 16
# Shaders divide smaller numbers of tiles by a product with the inverse.
_MOST_TILES = 1 << 22


def can_read(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor], limits: Limits) -> bool:
    """Reports whether the sum can read its weights, and a bias that is no constant, in their layouts."""
    if sum_.varying_bias and not bias_a_texel(sum_, textures):
        return False
    stored = textures.get(sum_.weight)
    if stored is None or not has_groups(stored) or _tiles(stored) > _MOST_TILES:
        return False
    return math.prod(stored.texture_shape) <= limits.max_buffer_texels


def bias_a_texel(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor]) -> int:
    """Counts elements of the bias per texel, in consecutive texels; 0 for other layouts."""
    stored = textures.get(sum_.varying_bias)
    if stored is None or stored.storage != "float32" or stored.dtype != "float32" or len(stored.shape) != 1:
        return 0
    if isinstance(stored.layout, RowMajorRgba):
        return 4
    is_a_row = isinstance(stored.layout, ChannelTilesRgba) and stored.texture_shape == (1, stored.shape[0])
    return int(is_a_row)


def weights_step(key: str) -> LoweringStep:
    """Returns the copy into the buffer, of the texture of that key or a scratch texture."""
    return LoweringStep(ProgramSource("", ()), (0, 0, 0), (key,), (), kind="copy", buffers=(WEIGHTS,))


def weights_buffer(texture_shape: tuple[int, int]) -> tuple[str, int]:
    """Returns the name and the bytes of the buffer, for a texture of that height and width in texels."""
    return WEIGHTS, room_for(math.prod(texture_shape) * _TEXEL_BYTES)


def weights_row(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor]) -> tuple[int, ...]:
    """Returns the row `u_w` of a block of uniforms: columns of the grid of tiles, groups, first axis, width."""
    stored = textures[sum_.weight]
    first, second, _, _ = as_nchw(stored.shape)
    return Grid.of(_tiles(stored)).columns, ceil_div(second, 4), first, stored.texture_shape[1]


def _tiles(stored: StoredTensor) -> int:
    first, second, _, _ = as_nchw(stored.shape)
    return first * ceil_div(second, 4)
