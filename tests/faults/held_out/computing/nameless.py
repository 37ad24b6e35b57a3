"""More planted bugs that no cause describes, in other shaders than those of `seen_more_nameless`."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import pictures as subjects
from tests.faults.models_more import single
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "shares of rows and columns exchanged",
        "",
        subjects.stretch_getx,
        (
            Edit("(topRight - topLeft) * fracRC.y", "(topRight - topLeft) * fracRC.x"),
            Edit("(bottomRight - bottomLeft) * fracRC.y", "(bottomRight - bottomLeft) * fracRC.x"),
            Edit("(bottom - top) * fracRC.x", "(bottom - top) * fracRC.y"),
        ),
    ),
    Fault(
        "a response with the exponent of a root",
        "",
        subjects.lrn_tiles,
        (Edit("#define BETA 0.75", "#define BETA 0.5"),),
        alternatives=("alpha",),  # a constant of the function, whatever its name
    ),
    Fault(
        "a ramp of another width",
        "",
        subjects.hardswish_uv,
        (Edit("x / 6.0 + 0.5", "x / 5.0 + 0.5"),),
    ),
    Fault(
        "the second picture convolved from the first",
        "",
        subjects.conv_relu_unpacked,
        (Edit("s += x_at(n, c,", "s += x_at(0, c,"),),
        alternatives=("wrong_input",),  # what the second reads is another picture
    ),
    Fault(
        "every second product taken away",
        "",
        subjects.scores_geta,
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
    ),
    Fault(
        "a grouped convolution's kernels turned by a quarter",
        "",
        subjects.grouped_rgba,
        (Edit("corner + k, 0)", "corner + ivec2(2 - k.y, k.x), 0)"),),
    ),
    Fault(
        "a hyperbolic sine where a tangent was meant",
        "",
        lambda: generated(single("Tanh", (1, 3, 5, 6), scale=0.8), "channel_tiles_rgba"),
        (Edit("return hyperbolic_tangent(x);", "return sinh(x);"),),
    ),
)
