"""Builds the form of a convolution of what a Resize repeats: one sum over its elements, with fewer products.

Along an axis, y[u] = Σ_k x[(u − before + k) div r] · w[k]. With u = r·j + s, tap k reads element j − ceil(before / r) +
(s + shift + k) div r, where shift = r · ceil(before / r) − before: taps of one element are one product with the sum of
their weights. Of four taps over doubled elements two or three products remain, of 4x4 taps 6.25 in place of 16.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.lowerings.buffered import Buffered, buffered, buffered_scratch, together
from texelscope.pipeline.lowerings.finish import Finish, ValueStore, places
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, Scratch
from texelscope.pipeline.lowerings.stored_weights import (
    BESIDE,
    INPUT,
    WEIGHTS,
    bias_a_texel,
    weights_row,
)
from texelscope.pipeline.lowerings.sums import draw_size, slices_step, specialised
from texelscope.pipeline.lowerings.text import BufferedNames, buffered_program, drawn_program, shape_block
from texelscope.pipeline.lowerings.window_sum import Pair, WindowSumLowering
from texelscope.pipeline.plan import StoredTensor

# The scratch texture of merged rows of weights. It pays where so many fragments or more read a weight.
_MERGED, _MANY_USES = "merged weights", 32
# Fewer fragments leave cores of a software driver idle, more slices cost more than they gain.
_FRAGMENTS, _MOST_SLICES = 512, 16
# Elements of x that a fragment multiplies: 4 and 16 take up to 1.25 and 1.15 times as long, two groups of four outputs
# 1.2 times.
_RUN = 8
# Compilers handle this many statements quickly: pixels · columns.
_MOST_UNROLLED = 96


@dataclass(frozen=True)
class RepeatedSum:
    """Describes y[n, o, u, v] = Σ x[n, i, (u − before + k) div r, …] · w[o, i, k, l]; pairs are (y, x).

    `sum_` has the shapes of x before the repeats and of y, and the rows of weights as they are packed: those of each
    remainder of u by r, one after the other. `taps` are the convolution's own. With `beside`, channels of the tensor
    stored as `b` come after those of x.
    """

    sum_: WindowSumLowering
    repeats: Pair
    taps: Pair
    before: Pair
    beside: WindowSumLowering | None = None
    b: str = ""

    @property
    def outputs(self) -> int:
        """Channels of y."""
        return self.sum_.outputs

    @property
    def bias(self) -> str:
        """The constant that is added by channel, if there is one."""
        return self.sum_.bias

    @property
    def given(self) -> tuple[str, ...]:
        """Returns keys of the tensors that are read beside x, but for constants."""
        return (*self.sum_.given, *([self.b] if self.b else []))

    @property
    def shift(self) -> Pair:
        """How much the first tap lies behind the beginning of an element at output 0."""
        return (-self.before[0]) % self.repeats[0], (-self.before[1]) % self.repeats[1]

    @property
    def columns(self) -> int:
        """Elements along x below the outputs of one element."""
        return (self.repeats[1] + self.shift[1] + self.taps[1] - 2) // self.repeats[1] + 1

    @property
    def merged_rows(self) -> int:
        """Rows of elements that outputs of each remainder read, of all remainders together."""
        repeat, shift, taps = self.repeats[0], self.shift[0], self.taps[0]
        return sum((r + shift + taps - 1) // repeat - (r + shift) // repeat + 1 for r in range(repeat))

    @property
    def places(self) -> Pair:
        """Rows and columns of the outputs of one remainder."""
        return ceil_div(self.sum_.y_shape[0], self.repeats[0]), ceil_div(self.sum_.y_shape[1], self.repeats[1])


def repeated_sum(window: WindowSumLowering, repeats: Pair, b: str = "", channels_of_b: int = 0) -> RepeatedSum | None:
    """Returns the sum over a window of what is repeated, as one over the elements; None for steps or gaps.

    With `b` the last channels are those of the tensor of that key; the others are whole groups of four.
    """
    if (*window.stride, *window.dilation, *window.spread) != (1,) * 6 or window.operator != "Conv":
        return None
    taps, before = window.kernel, (-window.origins[0], -window.origins[2])
    if min(before) < 0:
        return None
    sum_ = dataclasses.replace(
        window,
        x_shape=(window.x_shape[0] // repeats[0], window.x_shape[1] // repeats[1]),
        channels=window.channels - channels_of_b,
        origins=(-ceil_div(before[0], repeats[0]), 0, -ceil_div(before[1], repeats[1]), 0),
    )
    beside = dataclasses.replace(window, channels=channels_of_b) if b else None
    return RepeatedSum(sum_, repeats, taps, before, beside, b)


@dataclass(frozen=True)
class RepeatedArrangement:
    """Chooses a `run` of elements of x a fragment, `slices` of the input channels, and whether a draw `merges` rows."""

    run: int
    slices: int
    merges: bool


def repeated_arrangement(sum_: RepeatedSum) -> RepeatedArrangement:
    """Returns the arrangement that measured best on llvmpipe with two cores."""
    _, along = sum_.places
    run = min(_RUN, along)
    while run * sum_.repeats[1] * sum_.columns > _MOST_UNROLLED and run > 1:
        run //= 2
    slices = min(max(_FRAGMENTS // _fragments(sum_, run), 1), max(sum_.sum_.x_groups // 4, 1), _MOST_SLICES)
    merges = sum_.repeats[0] > 1 and _fragments(sum_, run) >= _MANY_USES * sum_.sum_.y_groups
    return RepeatedArrangement(run, slices, merges)


def _fragments(sum_: RepeatedSum, run: int) -> int:
    """Counts the fragments of one slice."""
    rows, columns = sum_.places
    return rows * ceil_div(columns, run) * sum_.sum_.y_groups * sum_.repeats[0] * sum_.sum_.batch


def repeated_form(
    sum_: RepeatedSum,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
) -> Lowering:
    """Returns the steps of the sum over the tensor stored as `x`, finished and stored as `finish` says.

    As with `pipeline.lowerings.sums`, a form that compiles quickly runs at first.
    """
    best = repeated_arrangement(sum_)
    form = partial(_form, sum_, x, finish, covers, textures)
    soon = RepeatedArrangement(min(best.run, 2), best.slices, best.merges)
    return dataclasses.replace(form(soon), tuned=lambda: specialised(form(best)))


def _form(
    sum_: RepeatedSum,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    how: RepeatedArrangement,
) -> Lowering:
    own = sum_.sum_
    shape = (own.batch, own.outputs, *own.y_shape)
    height, width = textures[x].layout.texture_shape(shape)
    reads, writes = (x, *sum_.given, *finish.others()), finish.writes()
    inputs = [buffered(x, INPUT, textures), _weights(sum_, how, textures)]
    copies = together([*inputs, *([buffered(sum_.b, BESIDE, textures)] if sum_.b else [])])
    if how.slices == 1:
        steps = (*copies.steps, _step(sum_, x, finish, how, textures, height))
        return Lowering(tuple(covers), reads, writes, steps, copies.scratch, buffers=copies.buffers)
    scratch = Scratch("slices", height * how.slices, width)
    first = _step(sum_, x, Finish((), (ValueStore(0, scratch.name),)), how, textures, height)
    second = slices_step(scratch.name, how.slices, shape, (height, width), finish, textures)
    steps, used = (*copies.steps, first, second), (*copies.scratch, scratch)
    return Lowering(tuple(covers), reads, writes, steps, used, buffers=copies.buffers)


def _weights(sum_: RepeatedSum, how: RepeatedArrangement, textures: Mapping[str, StoredTensor]) -> Buffered:
    """Returns the steps that put weights into the buffer."""
    stored = textures[sum_.sum_.weight]
    height, width = stored.texture_shape
    if not how.merges:
        return buffered(stored.key, WEIGHTS, textures)
    scratch = Scratch(_MERGED, height // sum_.taps[0] * sum_.merged_rows, width)
    columns, groups, _, _ = weights_row(sum_.sum_, textures)
    shape = [(*sum_.taps, columns, groups), (sum_.merged_rows, sum_.sum_.x_groups, 0, 0)]
    constants = {"REPEATS_Y": sum_.repeats[0], "SHIFT_Y": sum_.shift[0]}
    merge = LoweringStep(
        program=drawn_program("merged_rows.glsl", constants, ("t_X",)),
        size=(scratch.width, scratch.height, 1),
        textures=(stored.key,),
        images=(),
        shape=shape_block(shape, (1 / width, 1 / height)),
        targets=(scratch.name,),
    )
    copy = buffered_scratch(scratch, WEIGHTS)
    return dataclasses.replace(copy, steps=(merge, *copy.steps), scratch=(scratch,))


def _step(
    sum_: RepeatedSum,
    x: str,
    finish: Finish,
    how: RepeatedArrangement,
    textures: Mapping[str, StoredTensor],
    height: int,
) -> LoweringStep:
    own, beside, pixels = sum_.sum_, sum_.beside, how.run * sum_.repeats[1]
    count = _fragments(sum_, how.run) * how.slices
    width, draw_rows = draw_size(count)
    constants = {
        "RUN": how.run,
        "PIXELS": pixels,
        "SPAN": how.run + sum_.columns - 1,
        "ELEMENTS": sum_.columns,
        "KERNEL_X": sum_.taps[1],
        "REPEATS_Y": sum_.repeats[0],
        "REPEATS_X": sum_.repeats[1],
        "SHIFT_Y": sum_.shift[0],
        "SHIFT_X": sum_.shift[1],
        "IS_MERGED": int(how.merges),
        "ROWS_AT_ONCE": 1 if how.merges else sum_.repeats[0],
        "WEIGHT_ROWS": sum_.merged_rows if how.merges else sum_.taps[0],
        "KERNEL_Y": sum_.taps[0],
        "KERNEL_X_B": sum_.taps[1] if beside else 0,
        "SPAN_B": pixels + sum_.taps[1] - 1 if beside else 1,
        "LAST_LANES_B": beside.last_lanes if beside else 4,
        "BATCH": own.batch,
        "LAST_LANES": own.last_lanes,
        "KERNEL_X_OF_PART": sum_.taps[1] if own.last_lanes < 4 else 0,
        "HAS_BIAS": int(bool(own.varying_bias)),
        "BIAS_A_TEXEL": bias_a_texel(own, textures),
    }
    x_tiles, y_tiles = own.batch * own.x_groups, own.batch * own.y_groups
    places_y, places_x = sum_.places
    shape = [
        (*own.x_shape, Grid.of(x_tiles).columns, own.x_groups),
        (*own.y_shape, Grid.of(y_tiles).columns, own.y_groups),
        (width, count, ceil_div(own.x_groups, how.slices), height),
        (places_y, ceil_div(places_x, how.run), own.origins[0], own.origins[2]),
        *_beside(sum_),
        weights_row(own, textures),
        *places(finish, textures, (Grid.of(y_tiles).columns, own.y_groups, 0, 0)),
        (textures[x].texture_shape[1], textures[sum_.b or x].texture_shape[1], 0, 0),
    ]
    names = BufferedNames(("t_X", "t_W", "t_B"), ("t_C",))
    return LoweringStep(
        program=buffered_program("repeated_sum.glsl", constants, finish, textures, own.outputs, names),
        size=(width, draw_rows, 1),
        textures=(own.varying_bias or own.weight, *finish.others()),
        images=finish.images(),
        packed=finish.packed(own.outputs),
        read_buffers=(INPUT, WEIGHTS, BESIDE if beside else INPUT),
        shape=shape_block(shape, ()),
    )


def _beside(sum_: RepeatedSum) -> list[tuple[int, ...]]:
    """Returns the rows of the block of uniforms about b."""
    beside = sum_.beside
    if beside is None:
        return [(0, 0, 1, 0), (0, 0, 0, 0)]
    columns = Grid.of(beside.batch * beside.x_groups).columns
    return [(*beside.x_shape, columns, beside.x_groups), (beside.origins[0], beside.origins[2], 0, 0)]
