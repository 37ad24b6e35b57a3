"""Gradients of convolutions by their weights in a plan: a convolution between transpositions as one sum."""

from __future__ import annotations

from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.finish import has_groups
from texelscope.pipeline.lowerings.fusion.box_form import BOXES, Boxes, after_boxes
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.fusion.repeats import repeats_of
from texelscope.pipeline.lowerings.fusion.weight_form import WeightSum, weight_form
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.window_sum import pair
from texelscope.pipeline.operators.windows import window
from texelscope.pipeline.plan import Pass

_CHANNELS_FIRST = (1, 0, 2, 3)


def weight_forms(passes: Matching, limits: Limits) -> list[Lowering]:
    """A form for each, whose last pass makes what it writes; nobody else reads what the passes before that make."""
    found = (_form(passes, each, limits) for each in passes.passes if passes.node(each).op_type == "Conv")
    return [form for form in found if form is not None]


def _form(passes: Matching, each: Pass, limits: Limits) -> Lowering | None:
    call = passes.call(each)
    if call.node.domain or len(each.reads) != 2 or int(call.attribute("group", 1)) > 1:
        return None
    before = [passes.inner(key, "Transpose") for key in call.node.inputs[:2]]
    after = passes.reader(each.output, "Transpose")
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
    covers = (swaps[0].name, swaps[1].name, each.name, swaps[2].name)
    if (fewer := _of_repeats(passes, sum_)) is None:
        return weight_form(sum_, output, covers, textures, limits)
    boxes, turned = fewer
    return after_boxes(boxes, lambda known: weight_form(turned, output, covers, known, limits), textures)


def _is_swap(passes: Matching, each: Pass) -> bool:
    """Whether the pass swaps the first two axes."""
    return tuple(passes.node(each).attributes.get("perm", ())) == _CHANNELS_FIRST


def _of_repeats(passes: Matching, sum_: WeightSum) -> tuple[Boxes, WeightSum] | None:
    """The sum over what x repeats; None where it repeats nothing, or is passed over in steps."""
    maker = passes.maker(sum_.x, "Resize") or passes.maker(sum_.x, "Upsample")
    repeats = repeats_of(passes.call(maker)) if maker is not None and sum_.step == (1, 1) else None
    if maker is None or repeats is None:
        return None
    few = passes.node(maker).inputs[0]
    boxes = Boxes(sum_.d, sum_.d_shape, repeats)
    axes = zip(sum_.taps, sum_.gap, sum_.before, repeats, strict=True)
    before = pair([(taps - 1) * gap - before - (repeat - 1) for taps, gap, before, repeat in axes])
    turned = WeightSum(
        BOXES, few, boxes.own_shape, passes.shape(few), sum_.taps, repeats, sum_.gap, before, is_turned=True
    )
    return (boxes, turned) if turned.is_known and has_groups(passes.plan.textures[few]) else None
