"""Planted bugs that no cause describes, in what it computes."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import elements, pictures, rows
from tests.faults.models import single
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "shares of rows and columns exchanged",
        "",
        pictures.stretch_getx,
        (
            Edit("(topRight - topLeft) * fracRC.y", "(topRight - topLeft) * fracRC.x"),
            Edit("(bottomRight - bottomLeft) * fracRC.y", "(bottomRight - bottomLeft) * fracRC.x"),
            Edit("(bottom - top) * fracRC.x", "(bottom - top) * fracRC.y"),
        ),
    ),
    Fault(
        "a response with the exponent of a root",
        "",
        elements.lrn_tiles,
        (Edit("#define BETA 0.75", "#define BETA 0.5"),),
        alternatives=("alpha",),  # a constant of the function, whatever its name
    ),
    Fault(
        "a ramp of another width",
        "",
        elements.hardswish_uv,
        (Edit("x / 6.0 + 0.5", "x / 5.0 + 0.5"),),
    ),
    Fault(
        "every second product taken away",
        "",
        rows.scores_geta,
        (Edit("score = (a + b) * share;", "score = (a - b) * share;"),),
    ),
    Fault(
        "the largest where the mean was meant",
        "",
        lambda: generated(models.pool("AveragePool", (1, 3, 7, 8), pads=(0, 0, 0, 0)), "tfjs_unpacked"),
        (
            Edit("return sum / float(COUNT_PADDING ? taps : count);", "return largest;"),
            Edit("float sum;", "float sum;\nfloat largest;"),
            Edit("    row += x;", "    largest = count == 0 ? x : max(largest, x);\n    row += x;"),
        ),
        alternatives=("wrong_function",),  # of all that a window joins, another function
    ),
    Fault(
        "a hyperbolic sine where a tangent was meant",
        "",
        lambda: generated(single("Tanh", (1, 3, 5, 6), scale=0.8), "channel_tiles_rgba"),
        (Edit("return hyperbolic_tangent(x);", "return sinh(x);"),),
    ),
)
