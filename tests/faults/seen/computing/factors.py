"""Planted bugs in factors and shifts of all values."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, elements, rows
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "half of everything",
        "scale",
        lambda: generated(models.conv((1, 3, 6, 7), 5, bias=False)),
        (Edit("return sum;", "return sum * 0.5;"),),
        {"factor": 0.5},
    ),
    Fault(
        "bytes where shares were meant",
        "scale",
        elements.leaky_uv,
        (Edit("texture(u_picture, v_uv).r;", "texture(u_picture, v_uv).r * 255.0;"),),
        {"factor": 255.0},
        ("color = x > 0.0",),
    ),
    Fault(
        "a matrix product scaled twice",
        "scale",
        lambda: generated(models.gemm(bias=False), "tfjs_unpacked"),
        (Edit("const float ALPHA = 1.0;", "const float ALPHA = 3.0;"),),
        {"factor": 3.0},
        ("sum *= ALPHA;", "return sum;"),
    ),
    Fault(
        "the argument of a hyperbolic tangent",
        "scale",
        lambda: generated(models.pointwise("Tanh")),
        (Edit("unary(X(at))", "unary(1.7 * X(at))"),),
        {"factor": 1.7},
    ),
    Fault(
        "scores that are not scaled",
        "scale",
        rows.attention_getx,
        (Edit("dotQK(head, i, rc.y) * scale;", "dotQK(head, i, rc.y);"),),
        {"factor": 2.44949},
        ("return result;",),
    ),
    Fault(
        "a skip connection halved",
        "scale",
        elements.residual_prelu,
        (Edit("float before = sum + skip;", "float before = sum + 0.7 * skip;"),),
        {"factor": 0.7},
    ),
    Fault(
        "a dense layer divided by the root of its width",
        "scale",
        rows.dense_flat,
        (
            Edit(
                "return dot(sum, vec4(1.0)) + quad(b, j >> 2)[j & 3];",
                "return (dot(sum, vec4(1.0)) + quad(b, j >> 2)[j & 3]) / sqrt(12.0);",
            ),
        ),
        {"factor": 12.0**-0.5},
    ),
    Fault(
        "−1 … 1 shown as 0 … 1",
        "affine",
        lambda: generated(models.pointwise("Tanh")),
        (Edit("return hyperbolic_tangent(x);", "return hyperbolic_tangent(x) * 0.5 + 0.5;"),),
        {"scale": 0.5, "offset": 0.5},
    ),
    Fault(
        "an output normalised once more",
        "affine",
        convolutions.conv_rgba,
        (Edit("result = total;", "result = (total - 0.45) / 0.225;"),),
        {"scale": 1.0 / 0.225, "offset": -2.0},
    ),
    Fault(
        "a resized picture brought to -1 ... 1",
        "affine",
        lambda: generated(models.resize((1, 3, 4, 5)), "tfjs_packed"),
        (Edit("return X(at * X_shape / Y_shape);", "return X(at * X_shape / Y_shape) / 127.5 - 1.0;"),),
        {"scale": 1.0 / 127.5, "offset": -1.0},
    ),
)
