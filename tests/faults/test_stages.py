"""Two or three bugs in one pass, of which one hides behind another: all are named, with what each explains."""

from __future__ import annotations

import moderngl
import pytest

from tests.faults import models
from tests.faults.changes import Edit, Kept, OnBindDo, Sampled, half
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, pictures
from tests.faults.states import blend, scissor
from tests.faults.subjects import generated
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import diagnose

LOW = Edit("precision highp sampler2D;\n", "")
FETCH_BOUNDS = "if (src.x < 0 || src.x >= u_x_shape.w || src.y < 0 || src.y >= u_x_shape.z) continue;"
TILE_BOUNDS = "if (at.x < 0.0 || at.y < 0.0 || at.x >= u_in_tile.x || at.y >= u_in_tile.y) continue;"
TEXEL = "(u_in_tile * u_in_grid)"
ON_EDGES = Edit(f"(image_corner + at + 0.5) / {TEXEL}", f"(image_corner + at + 0.5) / {TEXEL} - 0.5 / {TEXEL}")
SUM = blend(moderngl.ONE, moderngl.ONE)

# The first cause is the fault's own, the others are its alternatives.
FAULTS = (
    Fault(
        "a sampler of low precision and no test for the border",
        "half_precision",
        convolutions.conv_relu_fetch,
        (LOW, Edit(FETCH_BOUNDS, "")),
        alternatives=("tile_bleed",),
    ),
    Fault(
        "a sampler of low precision and no ReLU",
        "half_precision",
        convolutions.conv_relu_fetch,
        (LOW, Edit("y_out = max(acc, 0.0);", "y_out = acc;")),
        alternatives=("activation_missing",),
    ),
    Fault(
        "samples on texel corners and no test for the border",
        "texel_edge",
        lambda: convolutions.conv_tiles(models.conv((1, 4, 10, 12), 3, 3), 1, 1),
        (ON_EDGES, Edit(TILE_BOUNDS, "")),
        alternatives=("tile_bleed",),
    ),
    Fault(
        "blending left on and no bias",
        "blend_enabled",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (OnBindDo(SUM), Edit("    sum += B(ivec4(0, 0, 0, at.y));\n", "")),
        runs=2,
        alternatives=("bias_missing",),
    ),
    Fault(
        "a scissor rectangle left on and a kernel turned around",
        "unwritten_texels",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (
            OnBindDo(scissor(0.0, 0.0, 0.7, 1.0)),
            Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, W_shape.z - 1 - p, W_shape.w - 1 - q))"),
        ),
        alternatives=("kernel_flip",),
    ),
    Fault(
        "a target of half precision and no bias",
        "half_precision",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (Kept(half), Edit("    sum += B(ivec4(0, 0, 0, at.y));\n", "")),
        alternatives=("bias_missing",),
    ),
    Fault(
        "enlarging with a filter on, and halved",
        "linear_filtering",
        pictures.upsample_uv,
        (Sampled("u_picture", filter="linear"), Edit("texture(u_picture, uv).r;", "0.5 * texture(u_picture, uv).r;")),
        alternatives=("scale",),
    ),
    Fault(
        "logarithms of negative sums and a kernel read by columns",
        "nan_source",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (
            Edit("return sum;", "return sum < -3.0 ? log(sum) : sum;"),
            Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, q, p))"),
        ),
        alternatives=("kernel_transpose",),
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_all_are_named_with_their_shares(fault: Fault, gl: moderngl.Context) -> None:
    planted = fault.plant(gl)
    with planted.session as session:
        found = diagnose(session, Comparer(session.plan), session.capture(), planted.name)
    assert found.unexplained == "", [each.evidence for each in found.findings]
    assert {each.cause for each in found.findings} == {fault.cause, *fault.alternatives}
    assert all(0.0 <= each.explained <= 1.0 for each in found.findings)
    assert sum(each.explained for each in found.findings) >= 0.99
    assert all(each.residual < 1e-3 for each in found.findings)
