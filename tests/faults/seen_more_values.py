"""More planted bugs in what is computed and stored, in operators and styles that the other `seen_` modules have not."""

from __future__ import annotations

from tests.faults import seen_more_subjects
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single
from tests.faults.subjects import generated

COMPUTING = (
    Fault(
        "biases counted anew in every group",
        "bias_offset",
        lambda: generated(conv_of((1, 4, 6, 7), (6, 2, 3, 3), pads=(1, 1, 1, 1), group=2)),
        (Edit("sum += B(ivec4(0, 0, 0, at.y));", "sum += B(ivec4(0, 0, 0, at.y % OUTPUTS_PER_GROUP));"),),
    ),
    Fault(
        "epsilon outside of the root",
        "epsilon",
        lambda: generated(
            single(
                "LayerNormalization",
                (2, 3, 4, 10),
                {"s": noise(10, seed=1), "b": noise(10, seed=2)},
                scale=0.3,
                axis=-1,
                epsilon=1e-2,
            ),
            "row_major_rgba",
        ),
        (Edit("const bool OUTSIDE = false;", "const bool OUTSIDE = true;"),),
        where=("y /= OUTSIDE",),
    ),
    Fault(
        "an exponential unit with the default alpha",
        "alpha",
        lambda: generated(single("Elu", (1, 5, 6, 7), alpha=1.3), "tfjs_unpacked"),
        (Edit("const float ALPHA = 1.29999995;", "const float ALPHA = 1.0;"),),
        {"got": 1.0},
        ("return x < 0.0 ? ALPHA",),
    ),
    Fault(
        "a variance divided by one less",
        "average_count",
        seen_more_subjects.layernorm_getx,
        (Edit("squares / float(rowLength);", "squares / float(rowLength - 1);"),),
        where=("float normal =",),
    ),
    Fault(
        "a layer normalisation without its beta",
        "bias_missing",
        seen_more_subjects.layernorm_getx,
        (Edit("normal * getGamma(rc.y) + getBeta(rc.y);", "normal * getGamma(rc.y);"),),
    ),
)

FAULTS: tuple[Fault, ...] = (*COMPUTING,)
