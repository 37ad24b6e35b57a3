"""Sums over images and places in a plan, as the gradient of a bias is one: four channels a fragment."""

from __future__ import annotations

from collections.abc import Collection

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.pipeline.lowerings.finish import has_groups
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.text import drawn_program, shape_block
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Pass, StoredTensor


def channel_forms(passes: Matching) -> list[Lowering]:
    """A form for each, by itself."""
    found = (_form(passes, each) for each in passes.passes if passes.node(each).op_type == "ReduceSum")
    return [form for form in found if form is not None]


def _form(passes: Matching, each: Pass) -> Lowering | None:
    call, textures = passes.call(each), passes.plan.textures
    if call.node.domain or call.node.inputs[0] not in textures or not _sums_channels(call):
        return None
    x, y = textures[call.node.inputs[0]], textures[each.output]
    if not has_groups(x) or not _holds_four(y):
        return None
    n, channels, *spatial = x.shape
    groups = ceil_div(channels, 4)
    (x_height, x_width), (height, width) = x.texture_shape, y.texture_shape
    shape = [(spatial[0], spatial[1], Grid.of(n * groups).columns, groups), (width, channels, n, 0)]
    step = LoweringStep(
        program=drawn_program("channel_sum.glsl", {}, ("t_X",)),
        size=(width, height, 1),
        textures=(x.key,),
        images=(),
        shape=shape_block(shape, (1 / x_width, 1 / x_height)),
        targets=(y.key,),
    )
    return Lowering((each.name,), (x.key,), (y.key,), (step,))


def _sums_channels(call: Call) -> bool:
    """Whether the node sums over all axes but the second of four."""
    axes: Collection[int] = () if (given := call.constant(1)) is None else given.reshape(-1).tolist()
    return len(call.shape(0)) == 4 and sorted(axis % 4 for axis in axes) == [0, 2, 3]


def _holds_four(stored: StoredTensor) -> bool:
    """Whether a texel holds four neighbouring channels, one texel after the other."""
    if isinstance(stored.layout, RowMajorRgba):
        return stored.storage == "float32" and stored.dtype == "float32"
    return has_groups(stored) and stored.storage == "float32"
