"""RoiAlign: means of samples, each between four elements, spread over these again."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward

_DO_NEXT = "Ask for gradients with respect to tensors after it."


def roi_align(node: Backward) -> None:
    """y = D · x · Rᵀ for each region, D [cells, height] and R [cells, width] the samples' mean weights along an axis.

    So dx = Dᵀ · dy · R, added up over the regions of an image. Regions get no gradient, as in torchvision.
    """
    if str(node.attribute("mode", "avg")) != "avg":
        raise node.refusal("mode avg where gradients flow back", "max", _DO_NEXT)
    if int(node.attribute("sampling_ratio", 0)) < 1:
        got = "as many as the regions' sizes say"
        raise node.refusal("a sampling_ratio where gradients flow back", got, _DO_NEXT)
    if not node.wants(0):
        return
    n, c, height, width = node.shape(0)
    count, _, rows, columns = node.y_info().shape
    down = node.transposed(_weights(node, 1, height, rows), (0, 1, 3, 2), label="weights_down")
    across = _weights(node, 0, width, columns)
    spread = node.add("MatMul", node.add("MatMul", down, node.dy(), label="spread_down"), across, label="spread")
    images = node.to_shape(node.x(2), (1, count), label="image_of_region")
    numbers = node.constant(np.arange(n).reshape(n, 1), "int64", "images")
    is_own = node.add("Equal", numbers, images, label="is_own")
    own = node.add("Where", is_own, node.constant(1.0, label="one"), node.constant(0.0, label="zero"), label="own")
    in_rows = node.to_shape(spread, (count, c * height * width), label="spread_rows")
    node.result(0, node.to_shape(node.add("MatMul", own, in_rows, label="dx_rows"), node.shape(0), label="dx"))


def _weights(node: Backward, axis: int, size: int, cells: int) -> str:
    """[regions, 1, cells, size]: what each cell takes of each element along x (`axis` 0) or y; both of a sample's."""
    ratio = int(node.attribute("sampling_ratio", 0))
    half = node.opset >= 16 and node.attribute("coordinate_transformation_mode", "half_pixel") == "half_pixel"
    ends = []
    for place in (axis, axis + 2):
        end = node.add("Gather", node.x(1), node.whole(place, label="which"), label="end", axis=1)
        end = node.scaled(end, float(node.attribute("spatial_scale", 1.0)), label="end_in_elements")
        ends.append(node.add("Sub", end, node.constant(0.5, label="half"), label="end_of_middles") if half else end)
    extent = node.add("Sub", ends[1], ends[0], label="extent")
    if not half:
        extent = node.add("Max", extent, node.constant(1.0, label="one"), label="extent_of_one")
    # Sample k of the whole region, of all its cells, lies (k + ½) / (cells · ratio) on.
    share = (np.arange(cells * ratio) + 0.5) / (cells * ratio)
    along = node.add("Mul", extent, node.constant(share[None], label="shares"), label="along")
    at = node.add("Add", ends[0], along, label="places")
    zero, last = node.constant(0.0, label="zero"), node.constant(float(size - 1), label="last")
    after = node.add("GreaterOrEqual", at, node.constant(-1.0, label="before"), label="is_after")
    before = node.add("LessOrEqual", at, node.constant(float(size), label="beyond"), label="is_before")
    is_inside = node.add("And", after, before, label="is_inside")
    inside = node.add("Where", is_inside, node.constant(1.0 / ratio, label="of_samples"), zero, label="inside")
    clipped = node.add("Clip", at, zero, last, label="clipped")
    count = node.shape(1)[0]
    column, counted = ((count, cells * ratio, 1), node.constant(np.arange(size, dtype=float), label="elements"))
    away = node.add("Sub", node.to_shape(clipped, column, label="place_of_sample"), counted, label="away")
    near = node.add("Sub", node.constant(1.0, label="one"), node.add("Abs", away, label="distance"), label="near")
    weight = node.add("Max", near, zero, label="weight_of_one")
    weight = node.add("Mul", weight, node.to_shape(inside, column, label="inside_of_sample"), label="weight")
    of_cells = node.to_shape(weight, (count * cells, ratio, size), label="weights_of_cell")
    summed = node.reduced("ReduceSum", of_cells, (1,), label="weights_summed")
    return node.to_shape(summed, (count, 1, cells, size), label="weights")


DERIVATIVES = {"RoiAlign": roi_align}
FLAT = ()
