"""The form of a sum over a window: how much a fragment computes, in how many slices, and the steps of that."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.lowerings.finish import Finish, ValueStore, places
from texelscope.pipeline.lowerings.given_weights import PACKED, packed_bytes, packed_fragments, packing_step
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, Scratch
from texelscope.pipeline.lowerings.text import shape_block, step_program, with_sizes
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.plan import StoredTensor

# A draw has so many rows of fragments: a software driver spreads blocks of 64x64 texels over its cores, and works on
# 4x4 texels at a time.
ROWS = 4
# Fewer fragments leave an H200 idle: 560 GFLOP/s with 512 of them, 670 with 1,024, 610 with 2,048.
_FRAGMENTS = 1024
# Statements that compilers take without long thought: pixels · groups · taps along x.
_MOST_UNROLLED = 192


@dataclass(frozen=True)
class SumArrangement:
    """`pixels` along x and `groups` of four output channels a fragment, `slices` of the input channels."""

    pixels: int
    groups: int
    slices: int


def arrangement(sum_: WindowSumLowering, limits: Limits) -> SumArrangement:
    """The one that measured best on the two drivers at hand, for a sum of that size.

    What a fragment reads serves all that it computes, so that more is better while registers last. On llvmpipe with two
    cores eight pixels of two groups reach 38 GFLOP/s, half as many 30. On an H200 they reach 600 too, but for windows
    whose reads serve few products: of two taps along x sixteen of two reach 740, of one tap eight of four 330, against
    280. Slices make more fragments where there are too few to fill the device.
    """
    _, along = sum_.places
    pixels, groups = (8 if along > 4 else 4), 2
    if not limits.is_software and sum_.kernel[1] <= 2:
        pixels, groups = (pixels, 4) if sum_.kernel[1] == 1 else (16 if along > 8 else pixels, 2)
    groups = min(groups, sum_.y_groups)
    while pixels * groups * sum_.kernel[1] > _MOST_UNROLLED and pixels > 1:
        pixels //= 2
    slices = min(max(_FRAGMENTS // max(fragment_count(sum_, pixels, groups), 1), 1), max(sum_.x_groups // 4, 1), 16)
    return SumArrangement(pixels, groups, slices)


def fragment_count(sum_: WindowSumLowering, pixels: int, groups: int) -> int:
    """Fragments of one slice."""
    rows, runs = _runs(sum_, pixels)
    return rows * runs * ceil_div(sum_.y_groups, groups) * sum_.parities * sum_.batch


def _runs(sum_: WindowSumLowering, pixels: int) -> tuple[int, int]:
    """Rows, and runs along x, of the outputs of one parity."""
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
    """The steps of the sum over the tensor stored as `x`, finished and stored as `finish` says.

    A fragment of it computes so little that a driver compiles it soon, and layers that differ in size share a program:
    a first result comes in half the time. The tuned one adds up the same numbers in the same order.
    """
    best = arrangement(sum_, limits)
    soon = SumArrangement(min(best.pixels, 4), 1, best.slices)
    form = partial(_form, sum_, x, finish, covers, textures)
    return dataclasses.replace(form(soon), tuned=lambda: specialised(form(best)))


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
    before, buffers = _packing(sum_, how.groups, textures)
    if how.slices == 1:
        step = _sum_step(sum_, x, finish, how, textures, height)
        return Lowering(tuple(covers), reads, writes, (*before, step), buffers=buffers)
    scratch = Scratch("slices", height * how.slices, width)
    partial_ = Finish((), (ValueStore(0, scratch.name),))
    first = _sum_step(sum_, x, partial_, how, textures, height)
    shape = (sum_.batch, sum_.outputs, *sum_.y_shape)
    second = slices_step(scratch.name, how.slices, shape, (height, width), finish, textures)
    return Lowering(tuple(covers), reads, writes, (*before, first, second), (scratch,), buffers=buffers)


def _packing(
    sum_: WindowSumLowering, groups: int, textures: Mapping[str, StoredTensor]
) -> tuple[tuple[LoweringStep, ...], tuple[tuple[str, int], ...]]:
    """The step that weights need which are no constants, and its buffer."""
    if not sum_.varies:
        return (), ()
    fragments = packed_fragments(sum_, groups)
    step = packing_step(sum_, groups, textures, draw_size(fragments), fragments)
    return (step,), ((PACKED, packed_bytes(sum_, groups)),)


def specialised(form: Lowering) -> Lowering:
    """The form with its sizes as compile-time constants: 5 to 9 % faster on llvmpipe, and no layer shares a program."""
    steps = (dataclasses.replace(step, program=with_sizes(step.program, step.shape)) for step in form.steps)
    return dataclasses.replace(form, steps=tuple(steps))


def _sum_step(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    how: SumArrangement,
    textures: Mapping[str, StoredTensor],
    height: int,
) -> LoweringStep:
    rows, runs = _runs(sum_, how.pixels)
    count = fragment_count(sum_, how.pixels, how.groups) * how.slices
    width, draw_rows = draw_size(count)
    x_height, x_width = textures[x].texture_shape
    constants = {
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
        "LAST_LANES": sum_.last_lanes,
        "BIAS_FOLLOWS": int(bool(sum_.varying_bias)),
    }
    shape = [
        (*sum_.x_shape, _columns(sum_.batch * sum_.x_groups), sum_.x_groups),
        (*sum_.y_shape, _columns(sum_.batch * sum_.y_groups), sum_.y_groups),
        (width, count, ceil_div(sum_.x_groups, how.slices), height),
        (rows, runs, *sum_.spread),
        sum_.origins,
        *places(finish, textures, (_columns(sum_.batch * sum_.y_groups), sum_.y_groups, 0, 0)),
    ]
    return LoweringStep(
        program=step_program("window_sum.glsl", constants, finish, textures, sum_.outputs, ("t_W",)),
        size=(width, draw_rows, 1),
        textures=(x, *finish.others()),
        images=finish.images(),
        packed=(*([] if sum_.varies else [sum_.packed(how.groups)]), *finish.packed(sum_.outputs)),
        read_buffers=(PACKED,) if sum_.varies else (),
        shape=shape_block(shape, (1 / x_width, 1 / x_height)),
    )


def slices_step(
    name: str,
    slices: int,
    shape: Shape,
    size: tuple[int, int],
    finish: Finish,
    textures: Mapping[str, StoredTensor],
) -> LoweringStep:
    """The sum of slices that lie below each other in a texture, each of the height and width `size` in texels.

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
    """The tensor stored as `x`, read texel by texel, finished and stored as `finish` says: the sum of one slice."""
    stored = textures[x]
    step = slices_step(x, 1, stored.shape, stored.texture_shape, finish, textures)
    return Lowering(tuple(covers), (x, *finish.others()), finish.writes(), (step,))


def draw_size(count: int) -> tuple[int, int]:
    """Width and height of a draw of at least `count` fragments."""
    rows = ROWS
    while ceil_div(count, rows) > 16384:
        rows *= 2
    return ceil_div(count, rows), rows


def _columns(count: int) -> int:
    return Grid.of(count).columns
