"""The step that packs weights which are no constants, in the order in which a sum over a window reads them."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.layouts.channel_tiles_rgba import ChannelTilesRgba
from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.lowerings.finish import Finish, has_groups
from texelscope.pipeline.lowerings.lowering import LoweringStep, room_for
from texelscope.pipeline.lowerings.text import shape_block, step_program
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.plan import StoredTensor

# The scratch buffer between the two steps.
PACKED = "weights"
_TEXEL_BYTES = 16


def can_pack(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor]) -> bool:
    """Whether what varies of the weights is in textures that the step reads; always of constants."""
    if not sum_.varies:
        return True
    bias = textures.get(sum_.varying_bias) if sum_.varying_bias else None
    if sum_.varying_bias and (bias is None or not _elements_a_texel(bias)):
        return False
    return sum_.weight in textures and has_groups(textures[sum_.weight])


def _elements_a_texel(stored: StoredTensor) -> int:
    """Of a bias, how many elements a texel holds, one texel after the other; 0 of one stored otherwise."""
    if stored.storage != "float32" or stored.dtype != "float32" or len(stored.shape) != 1:
        return 0
    if isinstance(stored.layout, RowMajorRgba):
        return 4
    is_a_row = isinstance(stored.layout, ChannelTilesRgba) and stored.texture_shape == (1, stored.shape[0])
    return int(is_a_row)


def packed_bytes(sum_: WindowSumLowering, groups: int) -> int:
    """Of what the step writes, for blocks of `groups` groups of outputs."""
    return room_for((4 * _fours(sum_, groups) + _outputs(sum_, groups)) * _TEXEL_BYTES)


def packed_fragments(sum_: WindowSumLowering, groups: int) -> int:
    """Of the step: one for four texels of weights, one for each of the bias."""
    return _fours(sum_, groups) + (_outputs(sum_, groups) if sum_.varying_bias else 0)


def packing_step(
    sum_: WindowSumLowering, groups: int, textures: Mapping[str, StoredTensor], size: tuple[int, int], fragments: int
) -> LoweringStep:
    """The draw, of that width and height."""
    stored = textures[sum_.weight]
    n, channels, _, _ = as_nchw(stored.shape)
    own_groups = ceil_div(channels, 4)
    height, width = stored.texture_shape
    shape = [
        (*sum_.own_taps, Grid.of(n * own_groups).columns, own_groups),
        (sum_.x_groups, sum_.y_groups, sum_.channels, sum_.outputs),
        (*sum_.kernel, *sum_.spread),
        (*(sum_.pads or (0, 0)), size[0], fragments),
    ]
    bias = textures[sum_.varying_bias or sum_.weight]
    constants = {
        "BLOCK": groups,
        "TRANSPOSED": int(sum_.pads is not None),
        "BIAS_A_TEXEL": _elements_a_texel(bias) or 1,
        "BIAS_COLUMNS": bias.texture_shape[1],
    }
    return LoweringStep(
        program=step_program("pack_weights.glsl", constants, Finish(), textures, 4, more=("t_B",)),
        size=(*size, 1),
        textures=(sum_.weight, bias.key),
        images=(),
        buffers=(PACKED,),
        shape=shape_block(shape, (1 / width, 1 / height)),
    )


def _outputs(sum_: WindowSumLowering, groups: int) -> int:
    """Groups of outputs, those that fill up the last block too."""
    return ceil_div(sum_.y_groups, groups) * groups


def _fours(sum_: WindowSumLowering, groups: int) -> int:
    """Texels of weights, in fours."""
    return _outputs(sum_, groups) * sum_.x_groups * sum_.kernel[0] * sum_.kernel[1] * sum_.parities
