"""Builds the form of a sum over a window: how much a fragment computes, in how many slices, and the steps.

Weights that are no constants are read as they are stored: see `pipeline.lowerings.stored_weights`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.lowerings.buffered import buffered, together
from texelscope.pipeline.lowerings.finish import Finish, ValueStore, places
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, Scratch
from texelscope.pipeline.lowerings.stored_weights import (
    INPUT,
    WEIGHTS,
    bias_a_texel,
    can_read,
    weights_row,
)
from texelscope.pipeline.lowerings.text import BufferedNames, buffered_program, shape_block, step_program, with_sizes
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.plan import StoredTensor


def fits_buffer(sum_: WindowSumLowering, limits: Limits) -> bool:
    """Reports whether the driver reads all weights of the sum, in the order of the step, from one buffer."""
    outputs = ceil_div(sum_.y_groups, groups := arrangement(sum_, limits).groups) * groups
    taps = sum_.kernel[0] * sum_.kernel[1] * sum_.parities
    return 4 * outputs * sum_.part_groups * taps <= limits.max_buffer_texels


def can_sum(sum_: WindowSumLowering, textures: Mapping[str, StoredTensor], limits: Limits) -> bool:
    """Reports whether the step can read the weights, from a buffer."""
    return can_read(sum_, textures, limits) if sum_.varies else fits_buffer(sum_, limits)


# A draw has this many rows of fragments: a software driver spreads blocks of 64x64 texels over its cores, and works on
# 4x4 texels at a time.
ROWS = 4
# Fewer fragments leave an H200 idle: 560 GFLOP/s with 512 of them, 670 with 1,024, 610 with 2,048. On llvmpipe with two
# cores slices for more than 512 cost more than they gain: MobileNetV2 and ResNet-50 take a tenth longer with 1,024.
_FRAGMENTS, _FRAGMENTS_ON_SOFTWARE = 1024, 512
# Groups of outputs from which on more pixels a fragment are faster.
_MANY_GROUPS = 16
# Compilers handle this many statements quickly: pixels · groups · taps along x.
_MOST_UNROLLED = 192


@dataclass(frozen=True)
class SumArrangement:
    """Chooses `pixels` along x and `groups` of four output channels a fragment, `slices` of the input channels.

    `one_loop` says that tiles and rows of the window are one loop.
    """

    pixels: int
    groups: int
    slices: int
    one_loop: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """Returns the lines before the text of `window_sum.glsl`."""
        return ("#define ONE_LOOP",) if self.one_loop else ()


def arrangement(sum_: WindowSumLowering, limits: Limits) -> SumArrangement:
    """Returns the arrangement that measured best on the two test drivers, for a sum of that size.

    A fragment's reads serve all that it computes, so that more is better while registers last. On llvmpipe with two
    cores eight pixels of two groups reach 38 GFLOP/s, half as many 30. Of one tap, where a read serves fewer products,
    sixteen of four take 0.65 to 0.95 times as long as these. On an H200 they reach 600 too, but for windows whose reads
    serve few products: of two taps along x sixteen of two reach 740, of one tap eight of four 330, against 280. Slices
    make more fragments where there are too few to fill the device.
    """
    _, along = sum_.places
    pixels, groups = (8 if along > 4 else 4), 2
    if limits.is_software and sum_.kernel == (1, 1) and sum_.y_groups % 4 == 0:
        pixels, groups = (16 if along > 8 and sum_.y_groups >= _MANY_GROUPS else pixels), 4
    if not limits.is_software and sum_.kernel[1] <= 2:
        pixels, groups = (pixels, 4) if sum_.kernel[1] == 1 else (16 if along > 8 else pixels, 2)
    groups = math.gcd(groups, sum_.y_groups // sum_.parts) if sum_.parts > 1 else min(groups, sum_.y_groups)
    while pixels * groups * sum_.kernel[1] > _MOST_UNROLLED and pixels > 1:
        pixels //= 2
    most = _FRAGMENTS_ON_SOFTWARE if limits.is_software else _FRAGMENTS
    slices = min(max(most // max(fragment_count(sum_, pixels, groups), 1), 1), max(sum_.part_groups // 4, 1), 16)
    return SumArrangement(pixels, groups, slices, limits.is_software)


def fragment_count(sum_: WindowSumLowering, pixels: int, groups: int) -> int:
    """Counts the fragments of one slice."""
    rows, runs = runs_of(sum_, pixels)
    return rows * runs * ceil_div(sum_.y_groups, groups) * sum_.parities * sum_.batch


def runs_of(sum_: WindowSumLowering, pixels: int) -> tuple[int, int]:
    """Returns rows, and runs along x, of the outputs of one parity."""
    rows, columns = sum_.places
    return rows, ceil_div(columns, pixels)


def sum_form(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
) -> Lowering:
    """Returns the steps of the sum over the tensor stored as `x`, finished and stored as `finish` says.

    Its fragments compute so little that drivers compile them quickly, and layers that differ in size share a program:
    a first result takes half the time. The tuned form adds up the same numbers in the same order.
    """
    best = arrangement(sum_, limits)
    form = partial(_form, sum_, x, finish, covers, textures)
    return dataclasses.replace(form(_at_first(best)), tuned=lambda: specialised(form(best)))


def one_step_form(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
) -> Lowering:
    """Returns what `sum_form` runs at first, without slices and their scratch, and without a tuned form."""
    soon = dataclasses.replace(_at_first(arrangement(sum_, limits)), slices=1)
    return _form(sum_, x, finish, covers, textures, soon)


def _at_first(best: SumArrangement) -> SumArrangement:
    return dataclasses.replace(best, pixels=min(best.pixels, 4), groups=1)


def _form(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    how: SumArrangement,
) -> Lowering:
    height, width = textures[x].layout.texture_shape((sum_.batch, sum_.outputs, *sum_.y_shape))
    reads, writes = (x, *sum_.given, *finish.others()), finish.writes()
    inputs = ((x, INPUT), (sum_.weight, WEIGHTS)) if sum_.varies else ()
    copies = together([buffered(key, name, textures) for key, name in inputs])
    if how.slices == 1:
        step = _sum_step(sum_, x, finish, how, textures, height)
        return Lowering(tuple(covers), reads, writes, (*copies.steps, step), copies.scratch, buffers=copies.buffers)
    scratch = Scratch("slices", height * how.slices, width)
    partial_ = Finish((), (ValueStore(0, scratch.name),))
    first = _sum_step(sum_, x, partial_, how, textures, height)
    shape = (sum_.batch, sum_.outputs, *sum_.y_shape)
    second = slices_step(scratch.name, how.slices, shape, (height, width), finish, textures)
    steps, used = (*copies.steps, first, second), (*copies.scratch, scratch)
    return Lowering(tuple(covers), reads, writes, steps, used, buffers=copies.buffers)


def specialised(form: Lowering) -> Lowering:
    """Returns the form with sizes as compile-time constants: 5 to 9 % faster on llvmpipe, but no shared programs."""
    steps = (
        dataclasses.replace(step, program=with_sizes(step.program, step.shape)) if step.shape else step
        for step in form.steps
    )
    return dataclasses.replace(form, steps=tuple(steps))


def _sum_step(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    how: SumArrangement,
    textures: Mapping[str, StoredTensor],
    height: int,
) -> LoweringStep:
    width, draw_rows = draw_size(fragment_count(sum_, how.pixels, how.groups) * how.slices)
    x_height, x_width = textures[x].texture_shape
    sizes = sum_sizes(sum_, how, height)
    stores = places(finish, textures, (_columns(sum_.batch * sum_.y_groups), sum_.y_groups, 0, 0))
    texel, constants = (1 / x_width, 1 / x_height), sum_constants(sum_, how)
    if not sum_.varies:
        return LoweringStep(
            program=step_program(
                "window_sum.glsl", constants, finish, textures, sum_.outputs, ("t_W",), lines=how.lines
            ),
            size=(width, draw_rows, 1),
            textures=(x, *finish.others()),
            images=finish.images(),
            packed=(sum_.packed(how.groups), *finish.packed(sum_.outputs)),
            shape=shape_block([*sizes, *stores], texel),
        )
    more = {
        "WEIGHTS": 4 * how.groups,
        "TRANSPOSED": int(sum_.pads is not None),
        "HAS_BIAS": int(bool(sum_.varying_bias)),
        "BIAS_A_TEXEL": bias_a_texel(sum_, textures),
    }
    known = {**constants, **more}
    names = BufferedNames(("t_X", "t_W"), ("t_C",))
    rows = [weights_row(sum_, textures), (*sum_.own_taps, *(sum_.pads or (0, 0)))]
    return LoweringStep(
        program=buffered_program("stored_sum.glsl", known, finish, textures, sum_.outputs, names),
        size=(width, draw_rows, 1),
        textures=(sum_.varying_bias or sum_.weight, *finish.others()),
        images=finish.images(),
        packed=finish.packed(sum_.outputs),
        read_buffers=(INPUT, WEIGHTS),
        shape=shape_block([*sizes, *rows, *stores, (x_width, 0, 0, 0)], ()),
    )


def sum_constants(sum_: WindowSumLowering, how: SumArrangement) -> Mapping[str, int]:
    """Returns the compile-time constants of `window_sum.glsl`."""
    return {
        "PIXELS": how.pixels,
        "GROUPS": how.groups,
        "SUMS": how.pixels * how.groups,
        "SPAN": sum_.span(how.pixels),
        "KERNEL_Y": sum_.kernel[0],
        "KERNEL_X": sum_.kernel[1],
        "STRIDE_Y": sum_.stride[0],
        "STRIDE_X": sum_.stride[1],
        "DILATION_Y": sum_.dilation[0],
        "DILATION_X": sum_.dilation[1],
        "PARITIES": sum_.parities,
        "BATCH": sum_.batch,
        "PARTS": sum_.parts,
        "LAST_LANES": sum_.last_lanes,
    }


def sum_sizes(sum_: WindowSumLowering, how: SumArrangement, height: int) -> list[tuple[int, ...]]:
    """Returns the rows of its block up to `u_origins`; slices lie `height` rows of texels below each other."""
    count = fragment_count(sum_, how.pixels, how.groups) * how.slices
    return [
        (*sum_.x_shape, _columns(sum_.batch * sum_.x_groups), sum_.x_groups),
        (*sum_.y_shape, _columns(sum_.batch * sum_.y_groups), sum_.y_groups),
        (draw_size(count)[0], count, ceil_div(sum_.part_groups, how.slices), height),
        (*runs_of(sum_, how.pixels), *sum_.spread),
        sum_.origins,
    ]


def slices_step(
    name: str,
    slices: int,
    shape: Shape,
    size: tuple[int, int],
    finish: Finish,
    textures: Mapping[str, StoredTensor],
) -> LoweringStep:
    """Returns the sum of slices that lie below each other in a texture, each of the height and width `size` in texels.

    `shape` is that of the tensor that a slice holds.
    """
    n, channels, *spatial = shape
    groups = ceil_div(channels, 4)
    height, width = size
    block = [
        (0, 0, 0, 0),
        (spatial[0], spatial[1], _columns(n * groups), groups),
        (width, slices, 0, height),
        (0, 0, 0, 0),
        (0, 0, 0, 0),
        *places(finish, textures),
    ]
    return LoweringStep(
        program=step_program("slice_sum.glsl", {"BATCH": n}, finish, textures, channels),
        size=(width, height, 1),
        textures=(name, *finish.others()),
        images=finish.images(),
        packed=finish.packed(channels),
        shape=shape_block(block, (1 / width, 1 / (height * slices))),
    )


def texel_form(x: str, finish: Finish, covers: Sequence[str], textures: Mapping[str, StoredTensor]) -> Lowering:
    """Reads the tensor stored as `x` texel by texel, and finishes and stores it by `finish`: the sum of one slice."""
    stored = textures[x]
    step = slices_step(x, 1, stored.shape, stored.texture_shape, finish, textures)
    return Lowering(tuple(covers), (x, *finish.others()), finish.writes(), (step,))


def draw_size(count: int) -> tuple[int, int]:
    """Returns width and height of a draw of at least `count` fragments."""
    rows = ROWS
    while ceil_div(count, rows) > 16384:
        rows *= 2
    return ceil_div(count, rows), rows


def _columns(count: int) -> int:
    return Grid.of(count).columns
