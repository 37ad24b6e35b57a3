"""Finds gradients of a convolution after repeats, and builds their form: one sum, with a fraction of the products.

With x̂[u] = x[u div r] along an axis, y[p] = Σ_k x̂[p − before + k·gap] · w[k] and D[u] = Σ_{s<r} dy[u + s],

    dx[j] = Σ_s dx̂[r·j + s] = Σ_k D[r·j + before − k·gap] · w[k]
    dw[k] = Σ_p dy[p] · x̂[p − before + k·gap] = Σ_j x[j] · D[r·j + before − k·gap]

so that both are sums over the elements of x, in steps of r over D, the sums over boxes of dy.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.lowerings.finish import MAX_STORES, Finish, ValueStore, has_groups
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, Scratch
from texelscope.pipeline.lowerings.repeated_sum import RepeatedSum, repeated_sum
from texelscope.pipeline.lowerings.sums import can_sum, sum_form
from texelscope.pipeline.lowerings.text import drawn_program, shape_block
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering, pair
from texelscope.pipeline.operators.base import Array, Call
from texelscope.pipeline.operators.families.convolution import window_of
from texelscope.pipeline.operators.resampling import axis_taps
from texelscope.pipeline.plan import Pass, StoredTensor

Pair = tuple[int, int]
# The scratch texture of D.
BOXES = "sums over boxes"


@dataclass(frozen=True)
class Boxes:
    """Is D of the tensor stored as `key`, of `shape` [N, C, H, W], over `repeats` along y and x; D starts at 1 − r."""

    key: str
    shape: Shape
    repeats: Pair

    @property
    def own_shape(self) -> Shape:
        """The shape of D."""
        n, channels, height, width = self.shape
        return (n, channels, height + self.repeats[0] - 1, width + self.repeats[1] - 1)


def after_boxes(
    boxes: Boxes, make: Callable[[Mapping[str, StoredTensor]], Lowering], textures: Mapping[str, StoredTensor]
) -> Lowering:
    """Returns the form from `make`, which reads D as the tensor `BOXES` of its textures."""
    stored = dataclasses.replace(textures[boxes.key], key=BOXES, shape=boxes.own_shape)
    return _joined(boxes, make({**textures, BOXES: stored}), stored, textures)


def _joined(boxes: Boxes, form: Lowering, stored: StoredTensor, textures: Mapping[str, StoredTensor]) -> Lowering:
    height, width = stored.texture_shape
    tuned = form.tuned
    return dataclasses.replace(
        form,
        reads=tuple(dict.fromkeys(boxes.key if key == BOXES else key for key in form.reads)),
        steps=(_step(boxes, textures[boxes.key], stored), *form.steps),
        scratch=(Scratch(BOXES, height, width), *form.scratch),
        tuned=None if tuned is None else lambda: _joined(boxes, tuned(), stored, textures),
    )


def _step(boxes: Boxes, x: StoredTensor, stored: StoredTensor) -> LoweringStep:
    n, channels, *spatial = boxes.shape
    tiles = n * ceil_div(channels, 4)
    columns = Grid.of(tiles).columns
    (x_height, x_width), (height, width) = x.texture_shape, stored.texture_shape
    constants = {"REPEATS_Y": boxes.repeats[0], "REPEATS_X": boxes.repeats[1]}
    shape = [(spatial[0], spatial[1], columns, tiles), (*boxes.own_shape[2:], columns, tiles)]
    return LoweringStep(
        program=drawn_program("box_sum.glsl", constants, ("t_X",)),
        size=(width, height, 1),
        textures=(boxes.key,),
        images=(),
        shape=shape_block(shape, (1 / x_width, 1 / x_height)),
        targets=(BOXES,),
    )


# More repeats than this make the text of a step too long.
_MOST = 4
# The most columns of D below neighbouring outputs, each read in a separate statement.
_MOST_SPAN, _PIXELS = 64, 4


def repeats_of(call: Call) -> Pair | None:
    """Returns how often a Resize or Upsample repeats elements along the last two axes; None if it does not."""
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


@dataclass(frozen=True)
class RepeatedTensor:
    """Describes a tensor that repeats elements of the tensor `few`; its channels may go on with those of `beside`.

    `makers` are the names of the passes that make it from these.
    """

    few: str
    repeats: Pair
    makers: tuple[str, ...]
    beside: str = ""


def repeated(passes: Matching, key: str) -> RepeatedTensor | None:
    """Returns what the tensor repeats; None for another tensor."""
    textures = passes.plan.textures
    maker = passes.maker(key, "Resize") or passes.maker(key, "Upsample")
    if maker is not None:
        few, repeats = passes.node(maker).inputs[0], repeats_of(passes.call(maker))
        return RepeatedTensor(few, repeats, (maker.name,)) if repeats and has_groups(textures[few]) else None
    maker = passes.maker(key, "Concat")
    if maker is None or len(passes.node(maker).inputs) != 2 or passes.call(maker).axis(default=1) != 1:
        return None
    first, beside = passes.node(maker).inputs
    found = repeated(passes, first)
    if found is None or found.beside or passes.shape(first)[1] % 4 or not has_groups(textures[beside]):
        return None
    return dataclasses.replace(found, makers=(*found.makers, maker.name), beside=beside)


@dataclass(frozen=True)
class OverRepeats:
    """Holds a sum over the elements of the tensor `few`, in place of what the passes `makers` make of it."""

    sum_: RepeatedSum
    few: str
    makers: tuple[str, ...]


def over_repeats(passes: Matching, x: str, sum_: object, limits: Limits) -> OverRepeats | None:
    """Returns a convolution of `x` as a sum over what `x` repeats; None if `x` repeats nothing."""
    if not isinstance(sum_, WindowSumLowering) or sum_.parts > 1 or (of := repeated(passes, x)) is None:
        return None
    sum_ = dataclasses.replace(sum_, varies=True)  # of constants too, the sum reads the texture
    channels = passes.shape(of.beside)[1] if of.beside else 0
    found = repeated_sum(sum_, of.repeats, of.beside, channels)
    if found is None or not can_sum(sum_, passes.plan.textures, limits):
        return None
    return OverRepeats(found, of.few, of.makers)


def repeat_forms(passes: Matching, limits: Limits) -> list[Lowering]:
    """Returns a form for each match: its last pass writes the result; only these passes read the inner tensors."""
    found = (_form(passes, each, limits) for each in passes.passes if passes.node(each).op_type == "ReduceSum")
    return [form for form in found if form is not None]


def _form(passes: Matching, shader_pass: Pass, limits: Limits) -> Lowering | None:
    """Returns the form of a pass that adds up repeats, if its input comes from a transposed convolution."""
    apart = passes.inner(passes.node(shader_pass).inputs[0], "Reshape")
    repeats = _added_up(passes.call(apart), passes.call(shader_pass)) if apart is not None else None
    if apart is None or repeats is None:
        return None
    spread, covers = passes.node(apart).inputs[0], [apart.name, shader_pass.name]
    if (cut := passes.inner(spread, "Slice")) is not None:
        if _first_channel(passes.call(cut)) != 0:
            return None
        spread, covers = passes.node(cut).inputs[0], [cut.name, *covers]
    maker = passes.inner(spread, "ConvTranspose")
    sum_ = _sum(passes.call(maker), repeats, passes.shape(shader_pass.output)) if maker is not None else None
    if maker is None or sum_ is None or not can_sum(sum_, passes.plan.textures, limits):
        return None
    textures, dy = passes.plan.textures, passes.node(maker).inputs[0]
    if not all(has_groups(textures[key]) for key in (dy, shader_pass.output)):
        return None
    cuts = passes.cut_up(shader_pass.output, "Slice")
    parts = _stores(passes, shader_pass.output, cuts)
    names = (maker.name, *covers, *(cut.name for cut in cuts if parts))
    finish = Finish((), parts or (ValueStore(0, shader_pass.output),))
    return after_boxes(
        Boxes(dy, passes.shape(dy), repeats),
        lambda known: sum_form(sum_, BOXES, finish, names, known, limits),
        textures,
    )


def _stores(passes: Matching, key: str, cuts: Sequence[Pass]) -> tuple[ValueStore, ...]:
    """Returns where the slices of the tensor go; nothing if any is not of whole groups of channels."""
    channels, found = passes.shape(key)[1], []
    for cut in cuts:
        first, count = _first_channel(passes.call(cut)), passes.shape(cut.output)[1]
        is_whole = first is not None and first % 4 == 0 and (count % 4 == 0 or first + count == channels)
        if first is None or not is_whole or not has_groups(passes.plan.textures[cut.output]):
            return ()
        found.append(ValueStore(0, cut.output, -first // 4, ceil_div(count, 4)))
    return tuple(found) if len(found) <= MAX_STORES else ()


def _added_up(apart: Call, sum_: Call) -> Pair | None:
    """Returns how many neighbours along the last two of four axes the two nodes add up; None for other nodes."""
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
    """Returns the first channel that the node keeps, if it removes only channels; None otherwise."""
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
    """Returns dx over D, of as many channels as are `kept`; None with groups, steps or a bias."""
    if len(call.shape(0)) != 4 or int(call.attribute("group", 1)) > 1 or call.has(2):
        return None
    found = window_of(call)
    if max(found.stride) > 1:
        return None
    n, channels, *_ = call.shape(0)
    kernel, gap, outputs = pair(found.kernel), pair(found.dilation), kept[1]
    axes = zip(kernel, gap, pair(found.pad_before), repeats, strict=True)
    origins = [before - (taps - 1) * gap + (repeat - 1) for taps, gap, before, repeat in axes]

    def weights(weight: Array) -> tuple[Array, ...]:
        """Reorders [input channel, output channel, tap, tap]; taps are reversed, so that places ascend."""
        return (weight[:, :outputs, ::-1, ::-1].transpose(1, 0, 2, 3),)

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
