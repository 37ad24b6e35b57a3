"""Plants bugs in GL state that another pass left behind: blending, scissors, viewports."""

from __future__ import annotations

import moderngl

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.models import conv_of
from tests.faults.seen.subjects import convolutions, elements, rows
from tests.faults.states import blend, scissor, viewport
from tests.faults.subjects import UNPACKED, generated

SUM = blend(moderngl.ONE, moderngl.ONE)
# Old and new mixed by the new one's alpha, as windows draw.
OVER = blend(moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)

FAULTS: tuple[Fault, ...] = (
    Fault(
        "blending left on: new plus old",
        "blend_enabled",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (OnBindDo(SUM),),
        runs=2,
    ),
    Fault(
        "blending left on by the interface, four lanes",
        "blend_enabled",
        convolutions.conv_rgba,
        (OnBindDo(OVER),),
        runs=2,
        seen_at="imgui#347, magnum-examples#68",
    ),
    Fault(
        "blending left on in a normalisation",
        "blend_enabled",
        lambda: generated(models.batch_norm(), UNPACKED),
        (OnBindDo(blend(moderngl.ONE, moderngl.ONE)),),
        runs=2,
    ),
    Fault(
        "sums of rows added to the draw before",
        "blend_enabled",
        rows.dense_flat,
        (OnBindDo(blend(moderngl.ONE, moderngl.ONE)),),
        runs=2,
    ),
    Fault(
        "a scissor rectangle left on",
        "unwritten_texels",
        convolutions.conv_tiles,
        (OnBindDo(scissor(0.0, 0.2, 0.7, 1.0)),),
        seen_at="imgui#347",
    ),
    Fault(
        "lower rows never drawn",
        "unwritten_texels",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "tfjs_unpacked"),
        (Edit("void main() {", "void main() {\n    if (gl_FragCoord.y > 20.0) discard;"),),
        seen_at="tfjs#4660, tfjs#381",
    ),
    Fault(
        "small values thrown away",
        "unwritten_texels",
        elements.leaky_uv,
        (Edit("    color = x > 0.0", "    if (abs(x) < 0.5) discard;\n    color = x > 0.0"),),
    ),
    Fault(
        "a scissor rectangle left on in a matrix product",
        "unwritten_texels",
        lambda: generated(models.gemm(6, 5, 8), UNPACKED),
        (OnBindDo(scissor(0.2, 0.0, 1.0, 1.0)),),
    ),
    Fault(
        "the upper rows of a pool cut off by a scissor",
        "unwritten_texels",
        lambda: generated(models.pool("MaxPool", (1, 5, 9, 12)), "tfjs_unpacked"),
        (OnBindDo(scissor(0.0, 0.2, 1.0, 1.0)),),
    ),
    Fault(
        "texels that come to zero thrown away",
        "unwritten_texels",
        convolutions.depthwise_es,
        (Edit("    result = max(sum, 0.0);", "    if (sum <= 0.0) discard;\n    result = sum;"),),
    ),
    Fault(
        "the viewport of a smaller target",
        "viewport_mismatch",
        elements.leaky_uv,
        (OnBindDo(viewport(0.5, 0.5)),),
    ),
    Fault(
        "the viewport of a larger target",
        "viewport_mismatch",
        lambda: elements.leaky_uv((1, 4, 8, 8)),
        (OnBindDo(viewport(2.0, 1.0)),),
    ),
    Fault(
        "a viewport three quarters as wide, texels by their number",
        "viewport_mismatch",
        lambda: generated(models.conv((1, 3, 6, 8), 4)),
        (OnBindDo(viewport(0.75, 1.0)),),
        alternatives=("unwritten_texels",),  # a shader that counts texels computes the rest right
    ),
    Fault(
        "the viewport of a smaller target, by interpolated coordinates",
        "viewport_mismatch",
        lambda: elements.leaky_uv_rgba((1, 8, 6, 8)),
        (OnBindDo(viewport(0.75, 0.5)),),
    ),
    Fault(
        "a transposed convolution in the viewport of its input",
        "viewport_mismatch",
        lambda: generated(conv_of((1, 3, 4, 5), (3, 4, 2, 2), op_type="ConvTranspose", strides=(2, 2))),
        (OnBindDo(viewport(0.5, 0.5)),),
        alternatives=("unwritten_texels",),  # a shader that counts texels computes the rest right
    ),
)
