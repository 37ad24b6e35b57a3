"""Finds gradients of convolutions by their weights in a plan, and builds their form.

A convolution between transpositions is one sum over images and places, in slices of their rows.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.lowerings.buffered import buffered, together
from texelscope.pipeline.lowerings.finish import has_groups
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.fusion.repeats import BOXES, Boxes, after_boxes, repeated
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, room_for
from texelscope.pipeline.lowerings.stored_weights import BESIDE, INPUT
from texelscope.pipeline.lowerings.sums import draw_size, specialised
from texelscope.pipeline.lowerings.text import drawn_program, shape_block
from texelscope.pipeline.lowerings.window_sum import pair
from texelscope.pipeline.operators.windows import window
from texelscope.pipeline.plan import Pass, StoredTensor

Pair = tuple[int, int]
# The scratch buffer for the results of slices.
_PARTS, _TEXEL_BYTES = "parts of weights", 16
# Those of the tensors that are multiplied.
_FACTORS = (INPUT, BESIDE)
# A fragment sums this many taps along x: its reads serve 16 · taps products per column of d.
_MOST_TAPS = 4
# It processes this many columns of d at a time, of many and of few: the fastest on llvmpipe.
_MANY, _PIXELS = 16, (8, 4)
# The most columns of x below them, each read in a separate statement.
_MOST_SPAN = 32
# As many fragments as keep the cores of a software driver busy; 2,048 and 4,096 took a tenth and a fifth longer.
_FRAGMENTS = 1024


@dataclass(frozen=True)
class WeightSum:
    """Describes w[o, c, p, q] = Σ_{n,i,j} d[n, o, i, j] · x[n, c, i·step + p·gap − before, j·step + q·gap − before].

    `x` and `d` are keys of tensors of the shapes [N, C, H, W] and [N, O, H', W']; `taps` the sizes P and Q of p and q.
    Pairs are (along y, along x). A sum that `is_turned` is w[c, o, P − 1 − p, Q − 1 − q] instead.
    """

    x: str
    d: str
    x_shape: Shape
    d_shape: Shape
    taps: Pair
    step: Pair
    gap: Pair
    before: Pair
    is_turned: bool = False

    @property
    def shape(self) -> Shape:
        """The shape of w."""
        first, second = (self.x_shape[1], self.d_shape[1]) if self.is_turned else (self.d_shape[1], self.x_shape[1])
        return (first, second, *self.taps)

    @property
    def taps_at_once(self) -> int:
        """Returns the taps along x that a fragment sums."""
        return min(self.taps[1], _MOST_TAPS)

    @property
    def pixels(self) -> int:
        """Returns the columns of d that a fragment processes at a time."""
        many, few = _PIXELS
        return many if self.d_shape[3] >= _MANY else few

    @property
    def span(self) -> int:
        """Returns the columns of x below the columns of d that a fragment processes at a time."""
        return (self.pixels - 1) * self.step[1] + (self.taps_at_once - 1) * self.gap[1] + 1

    @property
    def is_known(self) -> bool:
        """Reports whether the steps' text stays short enough."""
        return self.span <= _MOST_SPAN


@dataclass(frozen=True)
class WeightPart:
    """Holds a sum that makes a part of a tensor of weights, from group `group` of its second axis on."""

    sum_: WeightSum
    group: int = 0


def weight_form(
    parts: Sequence[WeightPart],
    output: str,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
) -> Lowering:
    """Returns the steps of the sums into the tensor stored as `output`, in place of the passes `covers`."""
    stored, first = textures[output], parts[0].sum_
    rows = min(_rows(part.sum_) for part in parts)
    turns = max(_rows(part.sum_) * ceil_div(part.sum_.d_shape[3], part.sum_.pixels) for part in parts)
    slices = max(_FRAGMENTS // _fragments(first), ceil_div(turns, limits.max_loop_turns), 1)
    slices = ceil_div(rows, ceil_div(rows, min(slices, rows)))
    copies, steps = [], []
    for part in parts:
        factors = zip((part.sum_.x, part.sum_.d), _FACTORS, strict=True)
        own = together([buffered(key, name, textures) for key, name in factors])
        copies.append(own)
        steps += [*own.steps, _step(part, textures, slices, stored)]
    sizes = [max(sizes) for sizes in zip(*([size for _, size in own.buffers] for own in copies), strict=True)]
    byte_count = room_for(math.prod(stored.texture_shape) * slices * _TEXEL_BYTES)
    form = Lowering(
        tuple(covers),
        tuple(dict.fromkeys(key for part in parts for key in (part.sum_.x, part.sum_.d))),
        (output,),
        (*steps, _parts_step(slices, stored)),
        tuple(dict.fromkeys(scratch for own in copies for scratch in own.scratch)),
        buffers=((_PARTS, byte_count), *zip(_FACTORS, sizes, strict=True)),
    )
    return dataclasses.replace(form, tuned=lambda: specialised(form))


def _rows(sum_: WeightSum) -> int:
    """Counts the rows of d."""
    return sum_.d_shape[0] * sum_.d_shape[2]


def _fragments(sum_: WeightSum) -> int:
    """Counts the fragments of one slice."""
    blocks = ceil_div(sum_.taps[1], sum_.taps_at_once)
    return ceil_div(sum_.d_shape[1], 4) * ceil_div(sum_.x_shape[1], 4) * sum_.taps[0] * blocks


def _step(part: WeightPart, textures: Mapping[str, StoredTensor], slices: int, output: StoredTensor) -> LoweringStep:
    """Returns the draw of a part. It writes every slice, those without rows too."""
    sum_ = part.sum_
    count = _fragments(sum_) * slices
    width, draw_rows = draw_size(count)
    batch, rows = sum_.x_shape[0], _rows(sum_)
    x_groups, d_groups = ceil_div(sum_.x_shape[1], 4), ceil_div(sum_.d_shape[1], 4)
    first, second = output.shape[:2]
    groups = ceil_div(second, 4)
    w_height, w_width = output.texture_shape
    constants = {
        "PIXELS": sum_.pixels,
        "TAPS": sum_.taps_at_once,
        "TAP_BLOCKS": ceil_div(sum_.taps[1], sum_.taps_at_once),
        "SUMS": 4 * sum_.taps_at_once,
        "SPAN": sum_.span,
        "STEP_Y": sum_.step[0],
        "STEP_X": sum_.step[1],
        "GAP_Y": sum_.gap[0],
        "GAP_X": sum_.gap[1],
        "TURNED": int(sum_.is_turned),
        "IS_WHOLE": int(sum_.d_shape[3] % sum_.pixels == 0),
    }
    shape = [
        (*sum_.x_shape[2:], Grid.of(batch * x_groups).columns, x_groups),
        (*sum_.taps, Grid.of(first * groups).columns, groups),
        (width, count, ceil_div(rows, slices), w_height),
        (*sum_.d_shape[2:], Grid.of(batch * d_groups).columns, d_groups),
        (-sum_.before[0], -sum_.before[1], first, rows),
        (w_width, second, part.group, 0),
        (textures[sum_.x].texture_shape[1], textures[sum_.d].texture_shape[1], 0, 0),
    ]
    return LoweringStep(
        program=drawn_program("weight_sum.glsl", constants, (), ("t_X", "t_D")),
        size=(width, draw_rows, 1),
        textures=(),
        images=(),
        read_buffers=_FACTORS,
        buffers=(_PARTS,),
        shape=shape_block(shape, ()),
    )


def _parts_step(slices: int, output: StoredTensor) -> LoweringStep:
    """Returns a draw that adds the slices' results: a software driver writes a texel so in half an image's time."""
    first, second, *taps = output.shape
    tiles = first * ceil_div(second, 4)
    height, width = output.texture_shape
    shape = [(*taps, Grid.of(tiles).columns, tiles), (slices, height, width, 0)]
    return LoweringStep(
        program=drawn_program("weight_parts.glsl", {}, (), ("t_S",)),
        size=(width, height, 1),
        textures=(),
        images=(),
        read_buffers=(_PARTS,),
        shape=shape_block(shape, ()),
        targets=(output.key,),
    )


_CHANNELS_FIRST = (1, 0, 2, 3)


def weight_forms(passes: Matching, limits: Limits) -> list[Lowering]:
    """Returns a form for each match: its last pass writes the result; only these passes read the inner tensors.

    What is added up in parts has to fit into a buffer that the driver's shaders can read.
    """
    most = limits.max_buffer_texels * _TEXEL_BYTES
    found = (_form(passes, each, limits) for each in passes.passes if passes.node(each).op_type == "Conv")
    return [form for form in found if form is not None and all(size <= most for _, size in form.buffers)]


def _form(passes: Matching, shader_pass: Pass, limits: Limits) -> Lowering | None:
    call = passes.call(shader_pass)
    if call.node.domain or len(shader_pass.reads) != 2 or int(call.attribute("group", 1)) > 1:
        return None
    before = [passes.inner(key, "Transpose") for key in call.node.inputs[:2]]
    after = passes.reader(shader_pass.output, "Transpose")
    swaps = [swap for swap in (*before, after) if swap is not None and _is_swap(passes, swap)]
    if len(swaps) < 3:
        return None
    x, d = (passes.node(swap).inputs[0] for swap in swaps[:2])
    found = window(call, call.shape(1)[2:])
    sum_ = WeightSum(
        x=x,
        d=d,
        x_shape=passes.shape(x),
        d_shape=passes.shape(d),
        taps=pair(call.output_shape()[2:]),
        step=pair(found.dilation),
        gap=pair(found.stride),
        before=pair(found.pad_before),
    )
    output = swaps[2].output
    textures = passes.plan.textures
    if not sum_.is_known or not all(has_groups(textures[key]) for key in (x, d, output)):
        return None
    covers = (swaps[0].name, swaps[1].name, shader_pass.name, swaps[2].name)
    if (fewer := _of_repeats(passes, sum_)) is None:
        return weight_form((WeightPart(sum_),), output, covers, textures, limits)
    boxes, parts = fewer
    return after_boxes(boxes, lambda known: weight_form(parts, output, covers, known, limits), textures)


def _is_swap(passes: Matching, shader_pass: Pass) -> bool:
    """Whether the pass swaps the first two axes."""
    return tuple(passes.node(shader_pass).attributes.get("perm", ())) == _CHANNELS_FIRST


def _of_repeats(passes: Matching, sum_: WeightSum) -> tuple[Boxes, tuple[WeightPart, ...]] | None:
    """Returns the sum over what x repeats, and that over what lies beside it; None where x repeats nothing, or is read
    in strides."""
    of = repeated(passes, sum_.x) if sum_.step == (1, 1) else None
    if of is None:
        return None
    boxes, few = Boxes(sum_.d, sum_.d_shape, of.repeats), passes.shape(of.few)
    axes = zip(sum_.taps, sum_.gap, sum_.before, of.repeats, strict=True)
    before = pair([(taps - 1) * gap - before - (repeat - 1) for taps, gap, before, repeat in axes])
    turned = WeightSum(BOXES, of.few, boxes.own_shape, few, sum_.taps, of.repeats, sum_.gap, before, is_turned=True)
    parts = [WeightPart(turned)]
    if of.beside:
        beside = dataclasses.replace(sum_, x=of.beside, x_shape=passes.shape(of.beside))
        parts.append(WeightPart(beside, few[1] // 4))
    return (boxes, tuple(parts)) if all(part.sum_.is_known for part in parts) else None
