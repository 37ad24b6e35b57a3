"""Planted bugs in generated shaders of operators that other `seen_` modules have not: a line changed in each."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single, whole
from tests.faults.states import bound_output
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("

WINDOWS = (
    Fault(
        "a stride of five for three",
        "stride",
        lambda: generated(models.conv((1, 2, 12, 16), 3, stride=3)),
        (Edit("const int STRIDE_X = 3;", "const int STRIDE_X = 5;"),),
        {"got": [5, 3]},
        (CONV_READ,),
    ),
    Fault(
        "a slice without its step",
        "stride",
        lambda: generated(
            single("Slice", (2, 5, 6, 7), {"s": whole(1, 2), "e": whole(5, 6), "a": whole(2, 3), "t": whole(1, 2)})
        ),
        (Edit("7, 2);", "7, 1);"),),
        {"got": 1},
        ("return X_linear(from)",),
    ),
    Fault(
        "the padding of a large window forgotten",
        "shift",
        lambda: generated(models.conv((1, 2, 12, 14), 2, 9)),
        (Edit(" - ivec2(PAD_TOP, PAD_LEFT)", ""),),
        {"dx": 4, "dy": 4},
        (CONV_READ,),
    ),
    Fault(
        "half of a transposed convolution's taps",
        "missing_taps",
        lambda: generated(models.conv_transpose(), "channel_tiles_rgba"),
        (Edit("b < TAPS_X;", "b < TAPS_X - 1;"),),
        where=("sum += v.", "sum += v."),
    ),
    Fault(
        "a window of channels one short",
        "missing_taps",
        lambda: generated(single("LRN", (1, 5, 6, 7), size=3, alpha=0.3, beta=0.6, bias=1.2)),
        (Edit("tap < WINDOW;", "tap < WINDOW - 1;"),),
        where=("float x = X_linear", "sum += x * x"),
    ),
    Fault(
        "rows of a pool that go on from row to row",
        "accumulator_not_reset",
        lambda: generated(models.pool("AveragePool", (1, 3, 9, 10))),
        (Edit("    sum += row;\n    row = 0.0;", "    sum += row;"),),
        {"of": "rows"},
    ),
    Fault(
        "averages divided by seven",
        "average_count",
        lambda: generated(models.pool("AveragePool"), "tfjs_unpacked"),
        (Edit("float(COUNT_PADDING ? taps : count)", "7.0"),),
        {"got": 7},
    ),
    Fault(
        "groups counted by outputs of a group",
        "group_ignored",
        lambda: generated(conv_of((2, 6, 6, 7), (6, 2, 3, 3), pads=(1, 1, 1, 1), group=3)),
        (Edit("(at.y / OUTPUTS_PER_GROUP) * W_shape.y", "(at.y % OUTPUTS_PER_GROUP) * W_shape.y"),),
        where=(CONV_READ,),
    ),
    Fault(
        "the next group's first channel taken in as well",
        "extra_channels",
        lambda: generated(models.conv_transpose((1, 6, 4, 5), 4, group=2)),
        (Edit("i < first_channel + CHANNELS_PER_GROUP;", "i <= first_channel + CHANNELS_PER_GROUP;"),),
        {"count": 1},
        ("sum += X(ivec4(at.x, i, y / STRIDE_Y",),
    ),
    Fault(
        "weights with outputs last in memory",
        "wrong_layout",
        lambda: generated(conv_of((1, 4, 6, 7), (4, 4, 3, 3), pads=(1, 1, 1, 1)), "row_major_rgba"),
        (
            Edit("W(ivec4(at.y, i, p, q))", "W_at(((p * 3 + q) * 4 + i) * 4 + at.y)"),
            Edit(
                "float compute(ivec4 at) {",
                "float W_at(int k) { return W(ivec4(k / 36, k / 9 % 4, k / 3 % 3, k % 3)); }\n"
                "float compute(ivec4 at) {",
            ),
        ),
        {"order": "h, w, i, o"},
    ),
)

SUMS = (
    Fault(
        "a mean over a picture that leaves out its last element",
        "missing_channels",
        lambda: generated(single("ReduceMean", (2, 5, 4, 3), {"axes": whole(2, 3)}, keepdims=1)),
        (Edit("k < REDUCED_COUNT;", "k < REDUCED_COUNT - 1;"),),
        {"count": 1},
        alternatives=("missing_taps",),  # an axis that is summed is channel and tap alike
    ),
    Fault(
        "a norm that takes in the first element twice",
        "extra_channels",
        lambda: generated(single("ReduceL2", (2, 5, 4, 3), {"axes": whole(1)}, keepdims=1), "tfjs_packed"),
        (Edit("k < REDUCED_COUNT;", "k <= REDUCED_COUNT;"),),
        {"count": 1},
        ("float x = X_linear", "sum += x * x"),
    ),
    Fault(
        "matrices of a batch multiplied but for the last terms",
        "missing_channels",
        lambda: generated(single("MatMul", (2, 4, 6), {"w": noise(2, 6, 3, seed=1)}), "tfjs_unpacked"),
        (Edit("for (; k < INNER_COUNT;", "for (; k < INNER_COUNT - 2;"),),
        {"count": 2},
        ("sum += product",),
    ),
    Fault(
        "an einsum one term short",
        "missing_channels",
        lambda: generated(
            single("Einsum", (2, 4, 6), {"w": noise(2, 6, 3, seed=1)}, equation="bij,bjk->bik"), "row_major_rgba"
        ),
        (Edit("for (; k < SUM_COUNT;", "for (; k < SUM_COUNT - 1;"),),
        {"count": 1},
        ("sum += term",),
    ),
    Fault(
        "a sum kept from lane to lane under a root",
        "accumulator_not_reset",
        lambda: generated(single("ReduceL2", (2, 5, 4, 6), {"axes": whole(1)}, keepdims=1), "row_major_rgba"),
        (
            Edit(
                "float compute(ivec4 at) {\n    int first", "float sum = 0.0;\nfloat compute(ivec4 at) {\n    int first"
            ),
            Edit("    float sum = 0.0;\n    for", "    for"),
        ),
        {"of": "lanes"},
        ("sum += x * x",),
    ),
)

VALUES = (
    Fault(
        "a threshold of 0.37",
        "alpha",
        lambda: generated(single("ThresholdedRelu", (1, 5, 6, 7), alpha=0.75)),
        (Edit("ALPHA = 0.75;", "ALPHA = 0.37;"),),
        {"expected": 0.75},
    ),
    Fault(
        "the offset of a hard sigmoid",
        "alpha",
        lambda: generated(single("HardSigmoid", (1, 5, 6, 7), alpha=0.25, beta=0.5), "tfjs_packed"),
        (Edit("BETA = 0.5;", "BETA = 0.43;"),),
        {"got": 0.43},
    ),
    Fault(
        "another power of a local response",
        "alpha",
        lambda: generated(single("LRN", (1, 5, 6, 7), size=3, alpha=0.3, beta=0.75, bias=1.0), "channel_tiles_rgba"),
        (Edit("BETA = 0.75;", "BETA = 0.85;"),),
        {"got": 0.85},
    ),
    Fault(
        "the argument of a hyperbolic tangent",
        "scale",
        lambda: generated(models.pointwise("Tanh")),
        (Edit("unary(X(at))", "unary(1.7 * X(at))"),),
        {"factor": 1.7},
    ),
    Fault(
        "a rectifier that reads its own target",
        "feedback_loop",
        lambda: generated(models.pointwise("Relu")),
        (OnBindDo(bound_output("t_X")),),
    ),
    Fault(
        "the second half of the channels read from the first",
        "channel_permutation",
        lambda: generated(single("Slice", (1, 8, 5, 6), {"s": whole(4), "e": whole(8), "a": whole(1)})),
        (Edit("const int OFFSET = 120;", "const int OFFSET = 0;"),),
        {"offset": -4},
        ("return X_linear(from)",),
    ),
)

FAULTS: tuple[Fault, ...] = (*WINDOWS, *SUMS, *VALUES)
