"""Planted bugs in the target's format: bytes, halves, the curve of sRGB."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Kept, StoredAs, Weights, bytes_of, half, srgb
from tests.faults.fault import Fault
from tests.faults.faulty_session import Texels
from tests.faults.models import noise, single, whole
from tests.faults.seen.subjects import convolutions, layers, pictures, rows
from tests.faults.subjects import FLAT, PACKED, RGBA, UNPACKED, generated


def colours(texels: Texels) -> Texels:
    """Converts as a target of sRGB does: alpha is no colour."""
    return np.concatenate([srgb(texels[..., :3]), texels[..., 3:]], axis=2)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "probabilities in bytes",
        "quantized_8bit",
        rows.softmax_flat,
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
        "a hyperbolic tangent in signed bytes",
        "quantized_8bit",
        lambda: generated(models.pointwise("Tanh", (1, 3, 5, 7)), "channel_tiles_rgba"),
        (Kept(lambda texels: (np.rint(texels * 127.0) / 127.0).astype(np.float32)),),
    ),
    Fault(
        "a sampler of low precision, as GLSL ES has it by default",
        "half_precision",
        convolutions.conv_relu_fetch,
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
        "floats of medium precision in a depthwise convolution",
        "half_precision",
        convolutions.depthwise_es,
        (
            Edit("precision highp float;", "precision mediump float;"),
            Edit("precision highp sampler2D;", "precision mediump sampler2D;"),
        ),
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
    Fault(
        "a sum of squares beyond what halves hold",
        "half_overflow",
        lambda: generated(
            single("ReduceSumSquare", (1, 4, 5, 6), {"axes": whole(1)}, scale=150.0, keepdims=1), "tfjs_unpacked"
        ),
        (Kept(half),),
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
        rows.softmax_flat,
        (
            Edit(
                "return exp(value(index) - largest) / sum;", "return pow(exp(value(index) - largest) / sum, 1.0 / 2.2);"
            ),
        ),
    ),
    Fault(
        "an image decoded as sRGB by the sampler of a resize",
        "srgb_encoded",
        pictures.upsample_srgb,
        (
            Edit(
                "color = texture(u_picture, uv).r;",
                "float x = texture(u_picture, uv).r;\n"
                "    color = x < 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;",
            ),
        ),
    ),
    Fault("a target of sRGB with alpha", "srgb_encoded", layers.conv_rgba, (Kept(colours),)),
    Fault(
        "a convolution shown by a monitor's gamma",
        "srgb_encoded",
        lambda: generated(models.conv((1, 3, 5, 6), 4)),
        (Edit("    return sum;", "    return pow(max(sum, 0.0), 1.0 / 2.2);"),),
    ),
    Fault(
        "a pool of pictures that are decoded first",
        "srgb_encoded",
        lambda: layers.shown(generated(models.pool("AveragePool", (1, 3, 6, 7), 2, pads=(0, 0, 0, 0)), FLAT)),
        (Edit("see(X(ivec4(at.xy, y, x)),", "see(pow(X(ivec4(at.xy, y, x)), 2.2),"),),
    ),
    Fault(
        "bytes of sRGB",
        "srgb_encoded",
        lambda: layers.shown(generated(models.resize((1, 3, 4, 5)), RGBA)),
        (Kept(lambda texels: bytes_of(srgb(np.clip(texels, 0.0, 1.0)))),),
        alternatives=("quantized_8bit",),  # bytes round as well
    ),
    Fault(
        "weights uploaded as colours",
        "srgb_encoded",
        lambda: generated(models.gemm(), UNPACKED),
        (Weights("w", lambda w: np.sign(w) * np.abs(w) ** 2.2),),
    ),
    Fault(
        "a linear picture encoded before a convolution",
        "srgb_encoded",
        lambda: layers.shown(convolutions.conv_relu_fetch()),
        (Edit("texelFetch(u_x, from, 0).r *", "pow(texelFetch(u_x, from, 0).r, 1.0 / 2.2) *"),),
    ),
    Fault(
        "a root in place of a gamma",
        "srgb_encoded",
        lambda: generated(models.pointwise("Sigmoid"), PACKED),
        (Edit("return sigmoid(x);", "return pow(sigmoid(x), 1.0 / 2.4);"),),
    ),
    Fault(
        "four lanes decoded, capped before",
        "srgb_encoded",
        layers.conv_rgba,
        (Edit("    return sum;", "    return pow(clamp(sum, 0.0, 1.0), vec4(2.2));"),),
    ),
    Fault(
        "shares of a mean encoded for a screen",
        "srgb_encoded",
        lambda: pictures.global_mean_rgba().fed(x=np.random.default_rng(3).random((1, 6, 5, 7), np.float32)),
        (Kept(srgb),),
    ),
)
