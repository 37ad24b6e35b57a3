"""Planted bugs in factors and shifts of all values."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, pictures, rows
from tests.faults.models import noise, single
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a depthwise result of a third",
        "scale",
        convolutions.deconv_fetch,
        (Edit("value = gathered;", "value = gathered / 3.0;"),),
        {"factor": 1.0 / 3.0},
    ),
    Fault(
        "a difference halved",
        "scale",
        elements.subtract_uv,
        (Edit("difference = a - b;", "difference = (a - b) * 0.5;"),),
        {"factor": 0.5},
    ),
    Fault(
        "scores that are not divided by a root",
        "scale",
        rows.scores_geta,
        (Edit("score = (a + b) * share;", "score = a + b;"),),
        {"factor": 8.0**0.5},
    ),
    Fault(
        "a matrix product without its alpha",
        "scale",
        lambda: generated(single("Gemm", (3, 7), {"w": noise(7, 5, seed=1)}, alpha=0.25), "channel_tiles_rgba"),
        (Edit("const float ALPHA = 0.25;", "const float ALPHA = 1.0;"),),
        {"factor": 4.0},
        ("sum *= ALPHA;", "return sum;"),
    ),
    Fault(
        "an image not brought to −1 … 1",
        "affine",
        lambda: generated(models.conv_transpose((1, 4, 5, 6), 3, bias=False), "row_major_rgba"),
        (Edit("return sum;", "return sum * 2.0 - 1.0;"),),
        {"scale": 2.0, "offset": -1.0},
    ),
    Fault(
        "a stretched picture brought back to bytes around 128",
        "affine",
        pictures.stretch_getx,
        (
            Edit(
                "outputValue = top + (bottom - top) * fracRC.x;",
                "outputValue = (top + (bottom - top) * fracRC.x) * 127.5 + 127.5;",
            ),
        ),
        {"scale": 127.5, "offset": 127.5},
    ),
)
