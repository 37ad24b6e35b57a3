"""Planted bugs in how values are stored: caps, bytes, halves, GL state, old textures, other layouts."""

from __future__ import annotations

import moderngl
import numpy as np

from tests.faults import models
from tests.faults.changes import (
    DrawnUntil,
    Edit,
    EncodedAs,
    Kept,
    OnBindDo,
    OneRunBehind,
    StoredAs,
    Uniform,
    bytes_of,
    half,
    srgb,
)
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions as seen_subjects
from tests.faults.states import blend, bound_output, mask, scissor, viewport
from tests.faults.subjects import generated

# Old and new mixed by the new one's alpha, as windows draw.
OVER = blend(moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)
SUM = blend(moderngl.ONE, moderngl.ONE)

VALUES = (
    Fault(
        "an output capped to what a screen shows",
        "clamped_0_1",
        seen_subjects.conv_tiles,
        (Edit("color = sum + bias;", "color = clamp(sum + bias, 0.0, 1.0);"),),
    ),
    Fault(
        "a normalised target of 16 bits",
        "clamped_0_1",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "channel_tiles_rgba"),
        (Kept(lambda texels: np.clip(texels, 0.0, 1.0)),),
        seen_at="moderngl#395",
    ),
    Fault(
        "a target without a sign",
        "clamped_nonnegative",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "tfjs_packed"),
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # no trace in the values tells a cap at zero from a ReLU
    ),
    Fault(
        "negatives cut off after a batch normalisation",
        "clamped_nonnegative",
        seen_subjects.batchnorm_tiles,
        (Edit("y = shifted < 0.0 ? shifted * u_slope : shifted;", "y = max(shifted, 0.0);"),),
        alternatives=("activation_extra", "alpha"),  # a leaky ReLU of slope 0
    ),
    Fault(
        "probabilities in bytes",
        "quantized_8bit",
        seen_subjects.softmax_flat,
        (StoredAs(storage="uint8"),),
    ),
    Fault(
        "an activation rounded to 255 steps",
        "quantized_8bit",
        lambda: generated(models.pointwise("Sigmoid"), "row_major_rgba"),
        (Edit("return sigmoid(x);", "return floor(sigmoid(x) * 255.0 + 0.5) / 255.0;"),),
    ),
    Fault(
        "a convolution read back from bytes",
        "quantized_8bit",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (Kept(bytes_of),),
        alternatives=("clamped_0_1",),  # bytes cap as well
        seen_at="moderngl#395",
    ),
    Fault(
        "a sampler of low precision, as GLSL ES has it by default",
        "half_precision",
        seen_subjects.conv_relu_fetch,
        (Edit("precision highp sampler2D;\n", ""),),
        where=(),
    ),
    Fault(
        "a target of half precision",
        "half_precision",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "channel_tiles_rgba"),
        (Kept(half),),
    ),
    Fault(
        "an output planned in half precision",
        "half_precision",
        lambda: generated(models.batch_norm()),
        (StoredAs(storage="float16"),),
        alternatives=("precision",),  # what was asked for: no bug of the shader
    ),
    Fault(
        "sums too large for half precision",
        "half_overflow",
        lambda: generated(models.conv((1, 4, 6, 7), 5, scale=5e4)),
        (StoredAs(storage="float16"),),
        seen_at="tfjs#4408, onnxruntime#29130",
    ),
    Fault(
        "a few values beyond 65504",
        "half_overflow",
        lambda: generated(models.conv((1, 4, 6, 7), 5, scale=1.5e4), "tfjs_packed"),
        (Kept(half),),
        seen_at="ncnn#1797",
    ),
    Fault(
        "an sRGB target",
        "srgb_encoded",
        lambda: generated(models.pointwise("Sigmoid")),
        (Kept(srgb),),
    ),
    Fault(
        "gamma of 2.2 in the shader",
        "srgb_encoded",
        seen_subjects.softmax_flat,
        (
            Edit(
                "return exp(value(index) - largest) / sum;", "return pow(exp(value(index) - largest) / sum, 1.0 / 2.2);"
            ),
        ),
    ),
    Fault(
        "an image decoded as sRGB by the sampler of a resize",
        "srgb_encoded",
        seen_subjects.upsample_srgb,
        (
            Edit(
                "color = texture(u_picture, uv).r;",
                "float x = texture(u_picture, uv).r;\n"
                "    color = x < 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;",
            ),
        ),
    ),
)

STATE = (
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
        seen_subjects.conv_rgba,
        (OnBindDo(OVER),),
        runs=2,
        seen_at="imgui#347, magnum-examples#68",
    ),
    Fault(
        "a scissor rectangle left on",
        "unwritten_texels",
        seen_subjects.conv_tiles,
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
        seen_subjects.leaky_uv,
        (Edit("    color = x > 0.0", "    if (abs(x) < 0.5) discard;\n    color = x > 0.0"),),
    ),
    Fault(
        "a pass that is not drawn again",
        "stale_tensor",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (DrawnUntil(1),),
        earlier=1,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
        seen_at="tfjs PR 5264",
    ),
    Fault(
        "an input one run behind",
        "stale_tensor",
        seen_subjects.conv_tiles,
        (OneRunBehind("u_image"),),
        earlier=2,
    ),
    Fault(
        "one of two inputs one run behind",
        "stale_tensor",
        lambda: generated(models.binary("Sub"), "channel_tiles_rgba"),
        (OneRunBehind("t_B"),),
        earlier=2,
    ),
    Fault(
        "a ReLU that reads its own target",
        "feedback_loop",
        seen_subjects.leaky_uv,
        (OnBindDo(bound_output("u_picture")),),
        runs=2,
        where=("texture(u_picture",),
        seen_at="godot#81527",
    ),
    Fault(
        "a convolution in place",
        "feedback_loop",
        lambda: generated(models.conv((1, 4, 6, 7), 4, 3)),
        (OnBindDo(bound_output("t_X")),),
        runs=3,
        where=("sum += X(ivec4(",),
        seen_at="godot#81527",
    ),
    Fault(
        "the viewport of a smaller target",
        "viewport_mismatch",
        seen_subjects.leaky_uv,
        (OnBindDo(viewport(0.5, 0.5)),),
    ),
    Fault(
        "the viewport of a larger target",
        "viewport_mismatch",
        lambda: seen_subjects.leaky_uv((1, 4, 8, 8)),
        (OnBindDo(viewport(2.0, 1.0)),),
    ),
    Fault(
        "a viewport three quarters as wide, texels by their number",
        "viewport_mismatch",
        lambda: generated(models.conv((1, 3, 6, 8), 4)),
        (OnBindDo(viewport(0.75, 1.0)),),
        alternatives=("unwritten_texels",),  # a shader that counts texels computes the rest right
    ),
)

LAYOUTS = (
    Fault(
        "weights uploaded as channel tiles",
        "wrong_layout",
        lambda: generated(models.conv((1, 4, 6, 7), 4)),
        (EncodedAs("w", "channel_tiles"),),
    ),
    Fault(
        "flat elements taken for packed channels",
        "wrong_layout",
        lambda: generated(models.pointwise("Tanh", (1, 4, 6, 6)), "row_major_rgba"),
        (StoredAs(layout="channel_tiles_rgba"),),
        {"layout": "row_major_rgba"},
    ),
    Fault(
        "an input read by another packing",
        "wrong_layout",
        lambda: generated(models.pointwise("LeakyRelu", (1, 1, 8, 8), alpha=0.1), "tfjs_packed"),
        (StoredAs("x", layout="row_major_rgba"),),
        seen_at="onnxruntime#7689",
    ),
    Fault(
        "a row as wide as that of another shape",
        "wrong_layout",
        seen_subjects.gemm_flat,
        (Uniform("u_width", 2),),
        where=("int first = (int(gl_FragCoord.y) * u_width",),
        seen_at="tfjs#6787",
    ),
    Fault(
        "the fourth lane of every texel dropped",
        "dropped_lane",
        lambda: seen_subjects.conv_rgba(models.conv((1, 8, 6, 7), 8)),
        (Edit("result = total;", "result = vec4(total.xyz, 0.0);"),),
        {"lane": 3},
        seen_at="ArtCNN#2",
    ),
    Fault(
        "dot products of three lanes",
        "dropped_lane",
        lambda: seen_subjects.conv_rgba(models.conv((1, 8, 6, 7), 5)),
        (
            Edit(
                "sum += dot(image(g, p * u_step - u_margin + k), kernel(feature, g, k));",
                "sum += dot(image(g, p * u_step - u_margin + k).xyz, kernel(feature, g, k).xyz);",
            ),
        ),
        {"lane": 3},
        alternatives=("missing_channels",),  # the fourth lane holds channels 3 and 7
    ),
    Fault(
        "a colour mask without blue",
        "dropped_lane",
        lambda: generated(models.conv((1, 3, 6, 7), 6), "channel_tiles_rgba"),
        (OnBindDo(mask((True, True, False, True))),),
        {"lane": 2},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
)

FAULTS = (*VALUES, *STATE, *LAYOUTS)
