"""Gradients by what is repeated before a convolution: a transposed one and a sum over repeats as one sum over few."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.finish import MAX_STORES, Finish, ValueStore, has_groups
from texelscope.pipeline.lowerings.fusion.box_form import BOXES, Boxes, after_boxes
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.given_weights import can_pack
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.sums import sum_form
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering, pair
from texelscope.pipeline.operators.base import Array, Call
from texelscope.pipeline.operators.families.conv_transpose import window_of
from texelscope.pipeline.operators.resampling import axis_taps
from texelscope.pipeline.plan import Pass

Pair = tuple[int, int]
# Of more repeats than that the text of a step is too long.
_MOST = 4
# Columns of D below a few outputs side by side, each read in a statement of its own.
_MOST_SPAN, _PIXELS = 64, 4


def repeats_of(call: Call) -> Pair | None:
    """How often a Resize or Upsample has each element of the last two axes side by side; None if it is another."""
    if len(call.shape(0)) != 4 or len(call.output_shape()) != 4:
        return None
    taps = axis_taps(call)
    found = []
    for axis, (size, large) in enumerate(zip(call.shape(0), call.output_shape(), strict=True)):
        each = taps[axis]
        if each is None:
            found.append(1)
        elif large % size == 0 and each.is_proportional(size):
            found.append(large // size)
        else:
            return None
    return pair(found[2:]) if found[:2] == [1, 1] and 1 < max(found) <= _MOST else None


def repeat_forms(passes: Matching, limits: Limits) -> list[Lowering]:
    """A form for each, whose last pass makes what it writes; nobody else reads what the passes before that make."""
    found = (_form(passes, each, limits) for each in passes.passes if passes.node(each).op_type == "ReduceSum")
    return [form for form in found if form is not None]


def _form(passes: Matching, each: Pass, limits: Limits) -> Lowering | None:
    """Of the pass that adds up repeats, if what it adds up comes from a transposed convolution."""
    apart = passes.inner(passes.node(each).inputs[0], "Reshape")
    repeats = _added_up(passes.call(apart), passes.call(each)) if apart is not None else None
    if apart is None or repeats is None:
        return None
    spread, covers = passes.node(apart).inputs[0], [apart.name, each.name]
    if (cut := passes.inner(spread, "Slice")) is not None:
        if _first_channel(passes.call(cut)) != 0:
            return None
        spread, covers = passes.node(cut).inputs[0], [cut.name, *covers]
    maker = passes.inner(spread, "ConvTranspose")
    sum_ = _sum(passes.call(maker), repeats, passes.shape(each.output)) if maker is not None else None
    if maker is None or sum_ is None or not can_pack(sum_, passes.plan.textures):
        return None
    textures, dy = passes.plan.textures, passes.node(maker).inputs[0]
    if not all(has_groups(textures[key]) for key in (dy, each.output)):
        return None
    cuts = passes.cut_up(each.output, "Slice")
    parts = _stores(passes, each.output, cuts)
    names = (maker.name, *covers, *(cut.name for cut in cuts if parts))
    finish = Finish((), parts or (ValueStore(0, each.output),))
    return after_boxes(
        Boxes(dy, passes.shape(dy), repeats),
        lambda known: sum_form(sum_, BOXES, finish, names, known, limits),
        textures,
    )


def _stores(passes: Matching, key: str, cuts: Sequence[Pass]) -> tuple[ValueStore, ...]:
    """Where the parts go that the passes cut out of the tensor; nothing if any is not of whole groups of channels."""
    channels, found = passes.shape(key)[1], []
    for cut in cuts:
        first, count = _first_channel(passes.call(cut)), passes.shape(cut.output)[1]
        is_whole = first is not None and first % 4 == 0 and (count % 4 == 0 or first + count == channels)
        if first is None or not is_whole or not has_groups(passes.plan.textures[cut.output]):
            return ()
        found.append(ValueStore(0, cut.output, -first // 4, ceil_div(count, 4)))
    return tuple(found) if len(found) <= MAX_STORES else ()


def _added_up(apart: Call, sum_: Call) -> Pair | None:
    """How many neighbours along the last two of four axes the two nodes add up; None if they do something else."""
    large, few, axes = apart.shape(0), sum_.output_shape(), sum_.constant(1)
    if axes is None or len(large) != 4 or len(few) != 4 or large[:2] != few[:2]:
        return None
    repeats = (large[2] // few[2], large[3] // few[3])
    parts, added = [*few[:2]], []
    for size, count in zip(few[2:], repeats, strict=True):
        parts.append(size)
        if count > 1:
            added.append(len(parts))
            parts.append(count)
    is_so = tuple(parts) == apart.output_shape() and sorted(axes.reshape(-1).tolist()) == added
    return repeats if is_so and 1 < max(repeats) <= _MOST else None


def _first_channel(call: Call) -> int | None:
    """The first channel that the node keeps, if it cuts off nothing but channels; None if it does something else."""
    whole, kept = call.shape(0), call.output_shape()
    starts, axes = call.constant(1), call.constant(3)
    steps = call.constant(4) if call.has(4) else None
    if starts is None or axes is None or len(whole) != 4 or (call.has(4) and steps is None):
        return None
    if (whole[0], *whole[2:]) != (kept[0], *kept[2:]) or (steps is not None and any(steps.reshape(-1) != 1)):
        return None
    begins = dict(zip((axes.reshape(-1) % 4).tolist(), starts.reshape(-1).tolist(), strict=True))
    first = int(begins.get(1, 0))
    return first if 0 <= first < whole[1] else None


def _sum(call: Call, repeats: Pair, kept: tuple[int, ...]) -> WindowSumLowering | None:
    """dx over D, of as many channels as are `kept`; None of groups, steps and a bias."""
    if len(call.shape(0)) != 4 or int(call.attribute("group", 1)) > 1 or call.has(2):
        return None
    found = window_of(call)
    if max(found.stride) > 1:
        return None
    n, channels, *_ = call.shape(0)
    kernel, gap, outputs = pair(found.kernel), pair(found.dilation), kept[1]
    axes = zip(kernel, gap, pair(found.pad_before), repeats, strict=True)
    origins = [before - (taps - 1) * gap + (repeat - 1) for taps, gap, before, repeat in axes]

    def weights(weight: Array) -> Array:
        """From [input channel, output channel, tap, tap]; taps go backwards, so that places go forwards."""
        return weight[None, :, :outputs, ::-1, ::-1].transpose(0, 2, 1, 3, 4)

    sum_ = WindowSumLowering(
        batch=n,
        x_shape=pair(Boxes("", call.shape(0), repeats).own_shape[2:]),
        y_shape=pair(kept[2:]),
        channels=channels,
        outputs=outputs,
        kernel=kernel,
        stride=repeats,
        dilation=gap,
        spread=(1, 1),
        origins=(origins[0], 0, origins[1], 0),
        operator=f"ConvTranspose over repeats, {outputs} channels",
        weight=call.node.inputs[1],
        bias="",
        weights=weights,
        own_taps=kernel,
        pads=(0, 0),
        varies=call.constant(1) is None,
    )
    return sum_ if sum_.span(_PIXELS) <= _MOST_SPAN else None
