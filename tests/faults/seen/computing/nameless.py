"""Planted bugs that no cause of the vocabulary describes: what a diagnosis says of one has to be true all the same.

Their `cause` is empty; `alternatives` are the causes that are true of a part, with the reason beside each.
"""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import pictures as seen_more_subjects
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "one tap written twice and its neighbour never",
        "",
        seen_more_subjects.conv_macros,
        (Edit("TAP(0, 2) + TAP(1, 2) + TAP(2, 2)", "TAP(0, 2) + TAP(1, 1) + TAP(2, 2)"),),
        alternatives=("missing_taps",),  # the neighbour is missing
    ),
    Fault(
        "every picture of a batch convolved from the first",
        "",
        seen_more_subjects.conv_macros,
        (Edit("TILE(n * IN + i, 3, ivec2(W, H))", "TILE(i, 3, ivec2(W, H))"),),
        alternatives=("wrong_input",),  # what the second reads is another picture
    ),
    Fault(
        "a softmax of columns instead of rows",
        "",
        lambda: generated(models.softmax((5, 5)), "tfjs_unpacked"),
        (
            Edit("const int INNER_COUNT = 1;", "const int INNER_COUNT = 5;"),
            Edit("index / (AXIS_COUNT * INNER_COUNT) * (AXIS_COUNT * INNER_COUNT) + index % INNER_COUNT", "index % 5"),
        ),
    ),
    Fault(
        "a shift taken away instead of added",
        "",
        seen_more_subjects.scale_shift_es,
        (Edit("color = x * factor + shift;", "color = x * factor - shift;"),),
    ),
    Fault(
        "a depthwise kernel turned by a quarter",
        "",
        seen_more_subjects.depthwise_es,
        (Edit("(tile * 3.0 + tap + 0.5)", "(tile * 3.0 + vec2(tap.y, 2.0 - tap.x) + 0.5)"),),
    ),
    Fault(
        "a normalisation divided by its variance",
        "",
        seen_more_subjects.layernorm_getx,
        (Edit("/ sqrt(variance + epsilon);", "/ (variance + epsilon);"),),
    ),
    Fault(
        "a mean over a group that is normalised by one channel's variance",
        "",
        seen_more_subjects.group_norm_tiles,
        (
            Edit(
                "float d = pixel(c, k) - mean;\n",
                "float d = pixel(channel, k) - mean;\n",
            ),
        ),
        alternatives=("missing_channels",),  # the second loop reads one channel of three
    ),
    Fault(
        "weights without their sign",
        "",
        seen_more_subjects.dense_flat,
        (Edit("* quad(w, j * QUADS + k);", "* abs(quad(w, j * QUADS + k));"),),
    ),
)
