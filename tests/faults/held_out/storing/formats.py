"""Planted bugs in the target's format: bytes, halves, the curve of sRGB."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Kept, StoredAs, half
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, pictures, rows
from tests.faults.models import noise, single
from tests.faults.subjects import Subject, generated


def shares(subject: Subject) -> Subject:
    """Returns the subject fed with values from 0 to 1."""
    return subject.fed(x=(1.0 / (1.0 + np.exp(-subject.inputs["x"]))).astype(np.float32))


FAULTS: tuple[Fault, ...] = (
    Fault(
        "a softmax of tiles in bytes",
        "quantized_8bit",
        rows.softmax_tiles,
        (Kept(lambda texels: (np.rint(texels * 255.0) / 255.0).astype(np.float32)),),
    ),
    Fault(
        "shares stretched in steps of a byte",
        "quantized_8bit",
        lambda: shares(pictures.stretch_getx()),
        (Kept(lambda texels: (np.rint(texels * 255.0) / 255.0).astype(np.float32)),),
    ),
    Fault(
        "medium precision in generated code",
        "half_precision",
        convolutions.conv_getx,
        (Edit("precision highp sampler2D;", "precision mediump sampler2D;"),),
        seen_at="webml-polyfill#297",
    ),
    Fault(
        "a matrix product stored in halves",
        "half_precision",
        rows.gemm_blocks,
        (StoredAs(storage="float16"),),
        alternatives=("precision",),  # what was asked for: no bug of the shader
    ),
    Fault(
        "a response stored in halves",
        "half_precision",
        elements.lrn_tiles,
        (Kept(half),),
    ),
    Fault(
        "floats of medium precision in a gradient",
        "half_precision",
        convolutions.deconv_getdy,
        (
            Edit("precision highp float;", "precision mediump float;"),
            Edit("precision highp sampler2D;", "precision mediump sampler2D;"),
        ),
    ),
    Fault(
        "squares too large for halves",
        "half_overflow",
        lambda: generated(models.binary("Mul", (1, 3, 6, 7)), "row_major_rgba").fed(
            a=models.noise(1, 3, 6, 7, seed=8, scale=300.0), b=models.noise(1, 3, 6, 7, seed=9, scale=300.0)
        ),
        (Kept(half),),
    ),
    Fault(
        "products too large for halves",
        "half_overflow",
        lambda: generated(single("MatMul", (1, 5, 6), {"w": noise(6, 7, seed=1, scale=200.0)}, scale=200.0)),
        (StoredAs(storage="float16"),),
    ),
    Fault(
        "probabilities with gamma",
        "srgb_encoded",
        rows.softmax_tiles,
        (
            Edit(
                "probability = exp(texelFetch(t_x, here, 0).r - top) / total;",
                "probability = pow(exp(texelFetch(t_x, here, 0).r - top) / total, 0.4545);",
            ),
        ),
    ),
    Fault(
        "a repeated picture with the gamma of a screen",
        "srgb_encoded",
        lambda: shares(pictures.triple_rgba()),
        (Edit("repeated = texture(picture, uv);", "repeated = pow(texture(picture, uv), vec4(1.0 / 2.2));"),),
    ),
)
