"""Causes of places and of storing in other operators and layouts: flips, orders, caps, bytes, halves, state."""

from __future__ import annotations

import moderngl
import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Kept, OnBindDo, StoredAs, bytes_of, half
from tests.faults.fault import Fault
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single
from tests.faults.seen.subjects import convolutions as seen_subjects
from tests.faults.seen.subjects import pictures as seen_more_subjects
from tests.faults.states import blend, mask, scissor, viewport
from tests.faults.subjects import generated

RGBA = "channel_tiles_rgba"
FLAT = "row_major_rgba"
UNPACKED = "tfjs_unpacked"
PACKED = "tfjs_packed"
CONV_READ = "sum += X(ivec4("

PLACES = (
    Fault(
        "a pool of mirrored pictures",
        "flip_x",
        lambda: generated(models.pool("MaxPool", (1, 3, 7, 8), 3, stride=1), UNPACKED),
        (Edit("see(X(ivec4(at.xy, y, x)),", "see(X(ivec4(at.xy, y, X_shape.w - 1 - x)),"),),
    ),
    Fault(
        "a sum with one picture mirrored",
        "flip_x",
        lambda: generated(models.binary("Add"), FLAT),
        (Edit("B(min(at, B_shape - 1))", "B(ivec4(at.xyz, B_shape.w - 1 - at.w))"),),
    ),
    Fault(
        "columns written from the right, packed",
        "flip_x",
        lambda: generated(models.pointwise("Tanh", (1, 3, 6, 8)), RGBA),
        (Edit("texel.y % 6, texel.x % 8", "texel.y % 6, 7 - texel.x % 8"),),
    ),
    Fault(
        "an enlargement upside down",
        "flip_y",
        lambda: generated(models.resize((1, 3, 4, 5)), UNPACKED),
        (
            Edit(
                "return X(at * X_shape / Y_shape);",
                "return X((at * X_shape / Y_shape) * ivec4(1, 1, -1, 1) + ivec4(0, 0, X_shape.z - 1, 0));",
            ),
        ),
    ),
    Fault(
        "a convolution of pictures upside down, four lanes",
        "flip_y",
        lambda: generated(conv_of((1, 5, 7, 6), (6, 5, 3, 3), pads=(1, 1, 1, 1)), RGBA),
        (Edit("X_group(at.x, first + i, y, x)", "X_group(at.x, first + i, X_shape.z - 1 - y, x)"),),
        where=("vec4 v = of_channels(",),
    ),
    Fault(
        "a normalisation of rows as columns",
        "transpose_xy",
        lambda: generated(models.batch_norm((1, 4, 6, 6)), UNPACKED),
        (Edit("(X(at) - MEAN", "(X(at.xywz) - MEAN"),),
    ),
    Fault(
        "a sum written by columns",
        "transpose_xy",
        lambda: generated(models.binary("Mul", (1, 3, 7, 7))),
        (Edit("texel.y % 7, texel.x % 7", "texel.x % 7, texel.y % 7"),),
    ),
    Fault(
        "a pool of every channel's neighbour",
        "channel_permutation",
        lambda: generated(models.pool("AveragePool", (1, 6, 6, 7), 2, pads=(0, 0, 0, 0)), PACKED),
        (Edit("see(X(ivec4(at.xy, y, x)),", "see(X(ivec4(at.x, (at.y + 1) % X_shape.y, y, x)),"),),
    ),
    Fault(
        "lanes of an enlargement in reverse",
        "channel_permutation",
        lambda: generated(models.resize((1, 8, 4, 5)), RGBA),
        (
            Edit(
                "return X(at * X_shape / Y_shape);",
                "at.y = at.y / 4 * 4 + 3 - at.y % 4;\n    return X(at * X_shape / Y_shape);",
            ),
        ),
        where=("return X(at * X_shape",),
    ),
    Fault(
        "channels of a normalisation written two further on",
        "channel_permutation",
        lambda: generated(models.pointwise("Sigmoid", (1, 6, 5, 6))),
        (Edit("return ivec4(tile / 6, tile % 6,", "return ivec4(tile / 6, (tile + 2) % 6,"),),
    ),
    Fault(
        "one operand twice",
        "wrong_input",
        lambda: generated(models.binary("Sub"), RGBA),
        (Edit("A(min(at, A_shape - 1)), B(min(at, B_shape - 1))", "B(min(at, B_shape - 1)), A(min(at, A_shape - 1))"),),
    ),
    Fault(
        "mean and shift of a normalisation exchanged",
        "wrong_input",
        lambda: generated(models.batch_norm(), FLAT),
        (
            Edit("(X(at) - MEAN_linear(c))", "(X(at) - BIAS_linear(c))"),
            Edit("* factor + BIAS_linear(c);", "* factor + MEAN_linear(c);"),
        ),
    ),
)

VALUES = (
    Fault(
        "a normalisation capped to 0 ... 1",
        "clamped_0_1",
        lambda: generated(models.batch_norm(), PACKED),
        (
            Edit("* factor + BIAS_linear(c);", "* factor + clamp(BIAS_linear(c), -9.0, 9.0);"),
            Kept(lambda t: np.clip(t, 0.0, 1.0)),
        ),
    ),
    Fault(
        "a sum's operand capped",
        "clamped_0_1",
        lambda: generated(models.binary("Add"), UNPACKED),
        (Edit("A(min(at, A_shape - 1))", "clamp(A(min(at, A_shape - 1)), 0.0, 1.0)"),),
    ),
    Fault(
        "a convolution's input without negatives",
        "clamped_nonnegative",
        lambda: generated(conv_of((1, 5, 5, 6), (4, 5, 1, 1)), RGBA),
        (
            Edit(
                "vec4 v = of_channels(X_group(at.x, first + i, y, x), channels);",
                "vec4 v = max(of_channels(X_group(at.x, first + i, y, x), channels), 0.0);",
            ),
        ),
        alternatives=("activation_extra",),  # the same function of the same values
    ),
    Fault(
        "a matrix product in bytes between -1 and 1",
        "quantized_8bit",
        lambda: generated(models.gemm(), UNPACKED),
        (Edit("    return sum;", "    return floor(clamp(sum, -1.0, 1.0) * 127.0 + 0.5) / 127.0;"),),
    ),
    Fault(
        "an operand in bytes",
        "quantized_8bit",
        lambda: generated(models.binary("Mul"), RGBA),
        (Edit("A(min(at, A_shape - 1))", "floor(A(min(at, A_shape - 1)) * 255.0 + 0.5) / 255.0"),),
        where=("return binary(",),
    ),
    Fault(
        "a pool in bytes",
        "quantized_8bit",
        lambda: generated(models.pool("MaxPool"), FLAT),
        (Kept(bytes_of),),
        alternatives=("clamped_0_1",),  # bytes cap as well
    ),
    Fault(
        "a matrix product kept as halves",
        "half_precision",
        lambda: generated(single("MatMul", (2, 4, 5), {"w": noise(5, 6, seed=1)}), UNPACKED),
        (Kept(half),),
    ),
    Fault(
        "a normalisation kept as halves",
        "half_precision",
        lambda: generated(models.instance_norm((1, 3, 6, 7), epsilon=1e-3), PACKED),
        (Kept(half),),
    ),
    Fault(
        "products beyond the largest half",
        "half_overflow",
        lambda: generated(models.binary("Mul", (1, 3, 4, 5)), RGBA).fed(
            a=noise(1, 3, 4, 5, seed=1, scale=400.0), b=noise(1, 3, 4, 5, seed=2, scale=400.0)
        ),
        (Kept(half),),
    ),
    Fault(
        "a mean capped at the largest half",
        "half_overflow",
        lambda: generated(models.pool("AveragePool", (1, 3, 6, 7), 2, pads=(0, 0, 0, 0)), FLAT).fed(
            x=noise(1, 3, 6, 7, scale=9e4)
        ),
        (Kept(lambda texels: np.clip(texels, -65504.0, 65504.0)),),
    ),
)

STATE = (
    Fault(
        "blending left on in a normalisation",
        "blend_enabled",
        lambda: generated(models.batch_norm(), UNPACKED),
        (OnBindDo(blend(moderngl.ONE, moderngl.ONE)),),
        runs=2,
    ),
    Fault(
        "a scissor rectangle left on in a matrix product",
        "unwritten_texels",
        lambda: generated(models.gemm(6, 5, 8), UNPACKED),
        (OnBindDo(scissor(0.2, 0.0, 1.0, 1.0)),),
    ),
    Fault(
        "the viewport of a smaller target, by interpolated coordinates",
        "viewport_mismatch",
        lambda: seen_subjects.leaky_uv_rgba((1, 8, 6, 8)),
        (OnBindDo(viewport(0.75, 0.5)),),
    ),
    Fault(
        "a colour mask without red and green",
        "dropped_lane",
        lambda: generated(models.pointwise("Sigmoid", (1, 8, 5, 6)), RGBA),
        (OnBindDo(mask((True, False, True, True))),),
        {"lane": 1},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
    Fault(
        "a sum whose fourth lane is 1, as in a picture",
        "dropped_lane",
        lambda: generated(models.binary("Add", (1, 8, 5, 6)), RGBA),
        (Kept(lambda texels: np.concatenate([texels[..., :3], np.ones_like(texels[..., 3:])], axis=2)),),
        {"lane": 3},
    ),
    Fault(
        "an operand packed otherwise",
        "wrong_layout",
        lambda: generated(models.binary("Add", (1, 4, 6, 6)), FLAT),
        (StoredAs("b", layout=RGBA),),
    ),
    Fault(
        "a pool written by another packing",
        "wrong_layout",
        lambda: generated(models.pool("MaxPool", (1, 4, 12, 12)), RGBA),
        (StoredAs(layout=FLAT),),
    ),
    Fault(
        "a dense layer's result four outputs further on",
        "wrong_layout",
        seen_more_subjects.dense_flat,
        (StoredAs("w", layout=RGBA),),
    ),
)

FAULTS: tuple[Fault, ...] = (*PLACES, *VALUES, *STATE)
