"""Builds the form of a sum over a window by Winograd's products, in three steps a number of tiles.

Inputs are transformed into a buffer, multiplied with the transformed weights into another, and the products added up
where each tensor that is stored is drawn. As many tiles at a time as the two buffers have room for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.lowerings.finish import Finish, places
from texelscope.pipeline.lowerings.lowering import InputRounding, Lowering, LoweringStep, room_for
from texelscope.pipeline.lowerings.sums import draw_size, fits_buffer, one_step_form
from texelscope.pipeline.lowerings.text import BufferedNames, buffered_program, drawn_program, shape_block, with_sizes
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.lowerings.winograd_tiles import OUTPUTS, WinogradTiles, winograd_tiles
from texelscope.pipeline.lowerings.work_groups import TEXEL_BYTES
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF, gamma
from texelscope.pipeline.plan import StoredTensor

# The scratch buffers between the steps.
_INPUTS, _PRODUCTS = "transformed inputs", "products"
# Tiles and groups of four output channels that a fragment multiplies, the best first.
_BLOCKS = ((16, 2), (8, 2))
# Fewer fragments leave cores idle; more slices of the inputs make more of them.
_FRAGMENTS, _MOST_SLICES = 1024, 16
# Nanoseconds on llvmpipe, of two cores together: a product of four inputs by four outputs, in a plain sum and in a
# tile; the weights of one, which come from memory; a texel of transformed inputs; four outputs of a plain sum, and of
# products that are added up; and a draw, whatever it computes. Fitted to 25 layers, whose products are estimated within
# 15 %; the time of weights to two further ones, of few places.
_SUM_NS, _PRODUCT_NS, _WEIGHTS_NS, _INPUT_NS = 0.45, 0.456, 4.0, 2.4
_PLAIN_OUTPUT_NS, _OUTPUT_NS, _DRAW_NS = 8.0, 17.4, 58e3
_DRAWS_A_PART = 3
_LEAST_GAIN, _LEAST_TILES = 1.15, 4
# How much larger than an input times its weight the products become of which an output is the sum, along one axis, for
# inputs of the same magnitude, by taps: 2 · |g0| + |g0 + g1| and so on.
_GROWTH = {2: 3.0, 3: 4.0}


def is_faster(tiles: WinogradTiles, how: WinogradArrangement) -> bool:
    """Reports whether a software driver saves more time by fewer products than it takes for the transformations.

    Where little memory is alive there is room for few tiles at a time, and most of the time would go into draws.
    """
    sum_ = tiles.sum_
    pairs = tiles.groups * sum_.y_groups * sum_.parities
    taps, outputs = tiles.taps[0] * tiles.taps[1], OUTPUTS * OUTPUTS * sum_.parities * sum_.y_groups * tiles.count
    plain = pairs * taps * (_SUM_NS * OUTPUTS * OUTPUTS * tiles.count + _WEIGHTS_NS) + _PLAIN_OUTPUT_NS * outputs
    products = pairs * tiles.places * (_PRODUCT_NS * tiles.count + _WEIGHTS_NS)
    around = _INPUT_NS * tiles.texels_a_tile[0] * tiles.count + _OUTPUT_NS * outputs
    draws = _DRAWS_A_PART * ceil_div(tiles.count, how.room)
    return tiles.count >= _LEAST_TILES and plain + _DRAW_NS > _LEAST_GAIN * (products + around + draws * _DRAW_NS)


def rounding_of(tiles: WinogradTiles, x: str) -> InputRounding:
    """Returns what the products round more than the sum itself.

    Each output is a sum of at most γ(k) · growth · Σ |x| · |w| off, where each |x| counts as the largest of its tile,
    and k counts the products that are added up, the roundings of inputs and of a weight before them, and the additions
    of products after them.
    """
    terms = 4 * tiles.groups + len(tiles.taps) + 1 + sum(taps - 1 for taps in tiles.taps)
    growth = _GROWTH[tiles.taps[0]] * _GROWTH[tiles.taps[1]]
    y, x_ = ((of - 1) * stride for of, stride in zip(tiles.inputs, tiles.sum_.stride, strict=True))
    return InputRounding(x, growth * gamma(terms, UNIT_ROUNDOFF["float32"]), (y, x_))


@dataclass(frozen=True)
class WinogradArrangement:
    """Holds the `tiles` and `groups` of a fragment, slices of the input channels, tiles that there is `room` for."""

    tiles: int
    groups: int
    slices: int
    room: int

    def buffers(self, tiles: WinogradTiles) -> tuple[tuple[str, int], ...]:
        """Returns the scratch buffers: name and bytes."""
        inputs, products = tiles.texels_a_tile
        return (
            (_INPUTS, room_for(inputs * self.room * TEXEL_BYTES)),
            (_PRODUCTS, room_for(products * self.room * self.slices * TEXEL_BYTES)),
        )


def winograd_arrangement(tiles: WinogradTiles, most_bytes: int | None) -> WinogradArrangement:
    """Returns what a fragment computes, and as many tiles at a time as fit into `most_bytes`.

    It takes more if not even the tiles of one fragment fit.
    """
    sum_ = tiles.sum_
    for at_once, groups in _BLOCKS:
        count = ceil_div(tiles.count, at_once)
        fragments = count * tiles.places * sum_.parities * ceil_div(sum_.y_groups, groups)
        if fragments >= _FRAGMENTS:
            break
    slices = min(max(_FRAGMENTS // fragments, 1), max(tiles.groups // 4, 1), _MOST_SLICES)
    if most_bytes is not None:
        inputs, products = tiles.texels_a_tile
        room = most_bytes - 2 * room_for(0)
        fits = room // ((inputs + products * slices) * TEXEL_BYTES * at_once)
        parts = ceil_div(count, max(fits, 1))
        count = ceil_div(count, parts)
    return WinogradArrangement(at_once, groups, slices, count * at_once)


def winograd_form(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
) -> Lowering | None:
    """Returns a form of the sum over the tensor stored as `x` whose tuned form has Winograd's products.

    None where these are not faster: on a GPU, whose draws wait for inputs that serve fewer products then, and for
    windows of other sizes or few channels; and where they have no room. `finish` says how the sum is finished and
    stored.
    """
    tiles = winograd_tiles(sum_) if limits.is_software else None
    if tiles is None:
        return None
    how = winograd_arrangement(tiles, limits.workspace_bytes)
    if not is_faster(tiles, how):
        return None
    buffers, most_bytes = how.buffers(tiles), limits.workspace_bytes
    too_large = most_bytes is not None and sum(size for _, size in buffers) > most_bytes
    if too_large or tiles.weight_texels(how.groups) > limits.max_buffer_texels or not fits_buffer(sum_, limits):
        return None
    writer = _Writer(tiles, x, finish, textures, how)
    # The one that runs at first has the buffers too, so that room for them is left from the beginning.
    at_first = replace(one_step_form(sum_, x, finish, covers, textures, limits), buffers=buffers)
    return replace(
        at_first,
        tuned=lambda: replace(
            at_first,
            steps=tuple(step for first in range(0, tiles.count, how.room) for step in writer.steps(first)),
            rounding=rounding_of(tiles, x),
        ),
    )


@dataclass(frozen=True)
class _Writer:
    """Writes the steps of one form."""

    tiles: WinogradTiles
    x: str
    finish: Finish
    textures: Mapping[str, StoredTensor]
    how: WinogradArrangement

    def steps(self, first: int) -> tuple[LoweringStep, ...]:
        """Returns the steps for the tiles from number `first` on."""
        count = min(self.how.room, self.tiles.count - first)
        return self._inputs(first, count), self._products(), self._outputs(first, count)

    def _inputs(self, first: int, count: int) -> LoweringStep:
        tiles, sum_ = self.tiles, self.tiles.sum_
        fragments = self.how.room * tiles.groups
        size = draw_size(fragments)
        height, width = self.textures[self.x].texture_shape
        constants = {
            "STRIDE_Y": sum_.stride[0],
            "STRIDE_X": sum_.stride[1],
            "INPUTS_Y": tiles.inputs[0],
            "INPUTS_X": tiles.inputs[1],
            "PLACES_Y": tiles.transformed[0],
            "PLACES_X": tiles.transformed[1],
            "LAST_LANES": sum_.last_lanes,
        }
        shape = [
            (first, count, fragments, 0),
            (*sum_.x_shape, Grid.of(sum_.batch * sum_.x_groups).columns, sum_.x_groups),
            (size[0], self.how.room, *tiles.along),
            (sum_.origins[0], sum_.origins[2], 0, 0),
        ]
        program = drawn_program("winograd.inputs.glsl", constants, ["t_X"], lines=_lines(tiles, "INPUTS"))
        step = LoweringStep(
            program=program,
            size=(*size, 1),
            textures=(self.x,),
            images=(),
            buffers=(_INPUTS,),
            shape=shape_block(shape, (1 / width, 1 / height)),
        )
        return _specialised(step)

    def _products(self) -> LoweringStep:
        tiles, sum_, how = self.tiles, self.tiles.sum_, self.how
        runs, blocks = how.room // how.tiles, ceil_div(sum_.y_groups, how.groups)
        fragments = runs * blocks * tiles.places * sum_.parities * how.slices
        size = draw_size(fragments)
        constants = {
            "TILES": how.tiles,
            "GROUPS": how.groups,
            "SUMS": how.tiles * how.groups,
            "SIDE_Y": tiles.side[0],
            "SIDE_X": tiles.side[1],
            "PLACES_X": tiles.transformed[1],
            "PARITIES": sum_.parities,
            "SPREAD_X": sum_.spread[1],
            "SHIFT_Y": OUTPUTS * tiles.shift[0],
            "SHIFT_X": OUTPUTS * tiles.shift[1],
        }
        shape = [
            (size[0], fragments, runs, how.room),
            (tiles.groups, sum_.y_groups, ceil_div(tiles.groups, how.slices), 0),
        ]
        return LoweringStep(
            program=drawn_program("winograd.products.glsl", constants, [], ["t_V", "t_W"]),
            size=(*size, 1),
            textures=(),
            images=(),
            packed=(tiles.packed(how.groups),),
            read_buffers=(_INPUTS,),
            buffers=(_PRODUCTS,),
            shape=shape_block(shape, ()),
        )

    def _outputs(self, first: int, count: int) -> LoweringStep:
        tiles, sum_, finish = self.tiles, self.tiles.sum_, self.finish
        fragments = self.how.room * sum_.y_groups * sum_.parities
        size = draw_size(fragments)
        constants = {
            "SIDE_Y": tiles.side[0],
            "SIDE_X": tiles.side[1],
            "PLACES": tiles.places,
            "ROWS": tiles.side[0] * OUTPUTS,
            "PARITIES": sum_.parities,
            "SPREAD_Y": sum_.spread[0],
            "SPREAD_X": sum_.spread[1],
        }
        shape = [
            (first, count, fragments, 0),
            (*sum_.y_shape, Grid.of(sum_.batch * sum_.y_groups).columns, sum_.y_groups),
            (size[0], self.how.slices, 0, 0),
            (self.how.room, *tiles.along, 0),
            *places(finish, self.textures),
        ]
        lines = _lines(tiles, "SUMS")
        file = "winograd.outputs.glsl"
        program = buffered_program(file, constants, finish, self.textures, sum_.outputs, BufferedNames(("t_M",)), lines)
        step = LoweringStep(
            program=program,
            size=(*size, 1),
            textures=finish.others(),
            images=finish.images(),
            packed=finish.packed(sum_.outputs),
            read_buffers=(_PRODUCTS,),
            shape=shape_block(shape, ()),
        )
        return _specialised(step)


def _lines(tiles: WinogradTiles, *kinds: str) -> list[str]:
    """Returns the sums along one axis, and which of them are those along y and x."""
    own = [
        f"#define {kind}_ALONG_{axis} {kind}_OF_{taps}"
        for kind in kinds
        for axis, taps in zip("YX", tiles.taps, strict=True)
    ]
    return [read_shader("lowerings/winograd.lines.glsl").rstrip(), *own]


def _specialised(step: LoweringStep) -> LoweringStep:
    """Returns the step with sizes as compile-time constants, but for its tiles: other tiles share the program."""
    return replace(step, program=with_sizes(step.program, step.shape, varying=1), shape=step.shape[:16])
