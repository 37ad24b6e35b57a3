"""Planted bugs that no cause describes, in where a shader reads."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "one tap written twice and its neighbour never",
        "",
        convolutions.conv_macros,
        (Edit("TAP(0, 2) + TAP(1, 2) + TAP(2, 2)", "TAP(0, 2) + TAP(1, 1) + TAP(2, 2)"),),
        alternatives=("missing_taps", "double_counted", "index_map"),  # the neighbour is missing, its own comes twice
    ),
    Fault(
        "every picture of a batch convolved from the first",
        "",
        convolutions.conv_macros,
        (Edit("TILE(n * IN + i, 3, ivec2(W, H))", "TILE(i, 3, ivec2(W, H))"),),
        alternatives=("wrong_input", "index_map"),  # what the second reads is another picture, 0 for n
    ),
    Fault(
        "a softmax of columns instead of rows",
        "",
        lambda: generated(models.softmax((5, 5)), "tfjs_unpacked"),
        (
            Edit("const int INNER_COUNT = 1;", "const int INNER_COUNT = 5;"),
            Edit("index / (AXIS_COUNT * INNER_COUNT) * (AXIS_COUNT * INNER_COUNT) + index % INNER_COUNT", "index % 5"),
        ),
        alternatives=("wrong_function",),  # along the other axis
    ),
    Fault(
        "a depthwise kernel turned by a quarter",
        "",
        convolutions.depthwise_es,
        (Edit("(tile * 3.0 + tap + 0.5)", "(tile * 3.0 + vec2(tap.y, 2.0 - tap.x) + 0.5)"),),
        alternatives=("kernel_transpose", "index_map"),  # with a mirror, which the map says
    ),
)
