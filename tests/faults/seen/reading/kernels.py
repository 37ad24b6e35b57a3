"""Planted bugs in shaders with taps written out, helper functions, shares of the texture: `seen_styles_subjects`."""

from __future__ import annotations

from tests.faults.changes import Edit, OnBindDo, Weights
from tests.faults.fault import Fault
from tests.faults.seen.subjects import rows as subjects
from tests.faults.states import bound_output

DEPTHWISE = (
    Fault(
        "the middle tap forgotten",
        "missing_taps",
        subjects.depthwise_unrolled,
        (Edit("    acc += pixel(group, at) * weights(group, 1, 1);\n", ""),),
        {"taps": [[1, 1]]},
    ),
    Fault(
        "the last row of taps forgotten",
        "missing_taps",
        subjects.depthwise_unrolled,
        (
            Edit("    acc += pixel(group, at + ivec2(-1, 1)) * weights(group, 0, 2);\n", ""),
            Edit("    acc += pixel(group, at + ivec2(0, 1)) * weights(group, 1, 2);\n", ""),
            Edit("    acc += pixel(group, at + ivec2(1, 1)) * weights(group, 2, 2);\n", ""),
        ),
        where=("acc += pixel(group, at + ivec2(1, 0))", "color = clamp("),
    ),
    Fault(
        "rows and columns of a filter exchanged in its function",
        "kernel_transpose",
        subjects.depthwise_unrolled,
        (Edit("ivec2(u, v), 0).r;", "ivec2(v, u), 0).r;"),),
    ),
    Fault(
        "a cap at 5 in place of 6",
        "alpha",
        subjects.depthwise_unrolled,
        (Edit("clamp(acc, 0.0, 6.0)", "clamp(acc, 0.0, 4.5)"),),
        {"got": 4.5},
    ),
    Fault(
        "four filters in reverse",
        "channel_permutation",
        subjects.depthwise_unrolled,
        (
            Edit(
                "vec4(weight(o, u, v), weight(o + 1, u, v), weight(o + 2, u, v), weight(o + 3, u, v))",
                "vec4(weight(o + 3, u, v), weight(o + 2, u, v), weight(o + 1, u, v), weight(o, u, v))",
            ),
        ),
        where=("texelFetch(u_kernels",),
        alternatives=("filter_offset",),  # it is the filters that are in another order
    ),
    Fault(
        "a window one texel too far left, written out",
        "shift",
        subjects.depthwise_unrolled,
        (Edit("ivec2 at = texel % SIZE;", "ivec2 at = texel % SIZE - ivec2(1, 0);"),),
        {"dx": -1, "dy": 0},
        ("texelFetch(u_image", "acc += pixel("),
    ),
    Fault(
        "every group of four takes the pixels of the first",
        "group_ignored",
        subjects.depthwise_unrolled,
        (Edit("ivec2(group, 0) * SIZE + at", "ivec2(0, 0) * SIZE + at"),),
        where=("acc += pixel(",),
        alternatives=("channel_permutation",),
    ),
)

ATTENTION = (
    Fault(
        "scores that are not scaled",
        "scale",
        subjects.attention_getx,
        (Edit("dotQK(head, i, rc.y) * scale;", "dotQK(head, i, rc.y);"),),
        {"factor": 2.44949},
        ("return result;",),
    ),
    Fault(
        "scores without the last component",
        "missing_channels",
        subjects.attention_getx,
        (Edit("d < depth;", "d < depth - 1;"),),
        where=("result += getQ(",),
    ),
    Fault(
        "queries of the first head alone",
        "group_ignored",
        subjects.attention_getx,
        (Edit("ivec2(d, head * queries + i)", "ivec2(d, i)"),),
        where=("result += getQ(",),
        alternatives=("channel_permutation", "wrong_input"),
    ),
    Fault(
        "scores of keys for queries",
        "wrong_input",
        subjects.attention_getx,
        (Edit("return texelFetch(q, ivec2(d, head", "return texelFetch(k, ivec2(d, head"),),
        where=("result += getQ(",),
    ),
    Fault(
        "scores that go on from component to component",
        "accumulator_not_reset",
        subjects.attention_getx,
        (
            Edit("  float result = 0.0;\n", "  float result = 0.0, total = 0.0;\n"),
            Edit(
                "getK(head, d, j);\n  }\n  return result;",
                "getK(head, d, j);\n    total += result;\n  }\n  return total;",
            ),
        ),
        where=("result += getQ(",),
    ),
)

DENSE = (
    Fault(
        "features with channels last before a dense layer",
        "wrong_layout",
        subjects.flatten_dense,
        (Edit("int k = (c * H + h) * W + w;", "int k = (h * W + w) * C + c;"),),
        where=("total += feature(", "texelFetch(t_w"),
    ),
    Fault(
        "features of the first channel for all",
        "channel_permutation",
        subjects.flatten_dense,
        (Edit("ivec2(c % 2 * W + w, c / 2 * H + h)", "ivec2(w, h)"),),
        where=("total += feature(",),
        alternatives=("group_ignored", "wrong_layout"),
    ),
    Fault(
        "the last channel of features left out",
        "missing_channels",
        subjects.flatten_dense,
        (Edit("c < C; c++", "c < C - 1; c++"),),
        where=("total += feature(",),
    ),
    Fault(
        "a dense layer's leak of a tenth",
        "alpha",
        subjects.flatten_dense,
        (Edit("LEAK = 0.05;", "LEAK = 0.17;"),),
        {"got": 0.17},
        ("y = total",),
    ),
    Fault(
        "a dense layer's weights uploaded by output",
        "filter_io_swap",
        subjects.flatten_dense,
        (Weights("w", lambda w: w.reshape(7, 60).T),),
        alternatives=("wrong_layout",),
    ),
    Fault(
        "features upside down",
        "flip_y",
        subjects.flatten_dense,
        (Edit("c / 2 * H + h)", "c / 2 * H + (H - 1 - h))"),),
        where=("total += feature(",),
    ),
)

RESIDUAL = (
    Fault(
        "a skip connection halved",
        "scale",
        subjects.residual_prelu,
        (Edit("float before = sum + skip;", "float before = sum + 0.7 * skip;"),),
        {"factor": 0.7},
    ),
    Fault(
        "the convolution's input in place of the skip connection",
        "wrong_input",
        subjects.residual_prelu,
        (Edit("texelFetch(u_skip, TILE", "texelFetch(u_inner, TILE"),),
    ),
    Fault(
        "1x1 weights by input, in tiles of their own",
        "filter_io_swap",
        subjects.residual_prelu,
        (Edit("ivec2(o % 3 * 2 + i % 2, o / 3 * 2 + i / 2)", "ivec2(i % 3 * 2 + o % 2, i / 3 * 2 + o / 2)"),),
    ),
    Fault(
        "the block's own target as skip connection",
        "feedback_loop",
        subjects.residual_prelu,
        (OnBindDo(bound_output("u_skip")),),
        {"sampler": "u_skip"},
        ("float skip = texelFetch",),
    ),
    Fault(
        "slopes of the channel behind",
        "alpha",
        subjects.residual_prelu,
        (Edit("ivec2(o % 3, o / 3)", "ivec2((o + 1) % OUTPUTS % 3, (o + 1) % OUTPUTS / 3)"),),
        where=("float slope =",),
    ),
)

WINDOWS = (
    Fault(
        "an average of every element",
        "stride",
        subjects.avgpool_uv,
        (Edit("2.0 * (texel - tile * u_out)", "(texel - tile * u_out)"),),
        {"got": [1, 1]},
        ("sum += texture(source",),
    ),
    Fault(
        "an average by all nine",
        "average_count",
        subjects.avgpool_uv,
        (Edit("mean = sum / count;", "mean = sum / 9.0;"),),
    ),
    Fault(
        "an average without the last column",
        "missing_taps",
        subjects.avgpool_uv,
        (Edit("u <= 1.0; u += 1.0", "u < 1.0; u += 1.0"),),
        where=("sum += texture(source",),
    ),
    Fault(
        "a count that goes on through the rows of a window",
        "average_count",
        subjects.avgpool_uv,
        (Edit("mean = sum / count;", "mean = sum / 6.0;"),),
        {"got": 6},
    ),
    Fault(
        "a transposed convolution that steps by two",
        "stride",
        subjects.deconv_gather,
        (Edit("const int STRIDE = 3;", "const int STRIDE = 2;"),),
        {"got": [2, 2]},
        ("sum += input_value(", "return texelFetch(u_x"),
    ),
    Fault(
        "filters of a transposed convolution not counted within their group",
        "group_ignored",
        subjects.deconv_gather,
        (Edit("int channel = group * PER_GROUP_IN + i;", "int channel = i;"),),
        where=("sum += input_value(",),
    ),
    Fault(
        "a transposed convolution without its padding",
        "shift",
        subjects.deconv_gather,
        (Edit("texel % OUT + PAD;", "texel % OUT;"),),
        {"dx": -1, "dy": -1},
        ("sum += input_value(", "return texelFetch(u_x"),
    ),
    Fault(
        "a transposed convolution's last input channel left out",
        "missing_channels",
        subjects.deconv_gather,
        (Edit("i < PER_GROUP_IN; i++", "i < PER_GROUP_IN - 1; i++"),),
        where=("sum += input_value(",),
    ),
    Fault(
        "largest values that go on from lane to lane",
        "accumulator_not_reset",
        subjects.maxpool_lanes,
        (Edit("    best = -1e30;\n", ""),),
        where=("best = max(best,",),
    ),
    Fault(
        "the fourth of a window of four",
        "missing_taps",
        subjects.maxpool_lanes,
        (Edit("    look(channel, 2 * y + 1, 2 * x + 1);\n", ""),),
        where=("best = max(best,", "return best"),
    ),
    Fault(
        "windows of two that move on by one",
        "stride",
        subjects.maxpool_lanes,
        tuple(
            Edit(f"look(channel, {old});", f"look(channel, {new});")
            for old, new in (
                ("2 * y, 2 * x", "2 * y, x"),
                ("2 * y, 2 * x + 1", "2 * y, x + 1"),
                ("2 * y + 1, 2 * x", "2 * y + 1, x"),
                ("2 * y + 1, 2 * x + 1", "2 * y + 1, x + 1"),
            )
        ),
        {"got": [1, 2]},
        ("element((channel * H", "return texelFetch(u_data"),
    ),
)

FAULTS: tuple[Fault, ...] = (*DEPTHWISE, *ATTENTION, *DENSE, *RESIDUAL, *WINDOWS)
