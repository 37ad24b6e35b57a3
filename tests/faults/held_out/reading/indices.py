"""Planted bugs in indices worked out in floats."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions
from tests.faults.models import single
from tests.faults.subjects import generated

FLAT_READ = "float pixel = get(memory,"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a remainder in floats",
        "float_index_precision",
        convolutions.conv_flat,
        (Edit("float row = floor((index + 0.5) / u_out.z);", "float row = floor(index * 0.19999);"),),
        where=(FLAT_READ,),
        seen_at="gpu.js#470, ipyvolume#386",
    ),
    Fault(
        "coordinates in half precision on a long texture",
        "float_index_precision",
        lambda: generated(models.pointwise("Tanh", (1, 25, 100, 3)), "tfjs_unpacked"),
        (
            Edit(
                "return ivec3(at.w, (at.x * 25 + at.y) * 100 + at.z, 0);",
                "float row = float((at.x * 25 + at.y) * 100 + at.z);\n"
                "    float step = exp2(max(floor(log2(row + 0.5)) - 10.0, 0.0));\n"
                "    return ivec3(at.w, int(floor(row / step) * step), 0);",
            ),
        ),
        where=("return unary(X(at));",),
        seen_at="tfjs#510, tfjs PR 6808",
    ),
    Fault(
        "a plane's number by a rounded reciprocal",
        "float_index_precision",
        convolutions.pointwise_flat,
        (Edit("int plane = row / outShape.z;", "int plane = int(float(row) * 0.333333);"),),
        where=("return texelFetch(data", "float x = load(X", "float w = load(W", "float acc = load(B"),
    ),
    Fault(
        "a long picture's rows in half precision",
        "float_index_precision",
        lambda: generated(
            single("Clip", (1, 22, 110, 2), {"low": np.array(-1.0, np.float32), "high": np.array(2.0, np.float32)}),
            "tfjs_unpacked",
        ),
        (
            Edit(
                "return ivec3(at.w, (at.x * 22 + at.y) * 110 + at.z, 0);",
                "int row = (at.x * 22 + at.y) * 110 + at.z;\n"
                "    return ivec3(at.w, row < 2048 ? row : row / 2 * 2, 0);",
            ),
        ),
        where=("X(at)",),
    ),
)
