"""Plants bugs in channels: exchanged, left out, too many, of another group."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Padding
from tests.faults.fault import Fault
from tests.faults.models import conv_of, noise, single, whole
from tests.faults.seen.subjects import convolutions, elements, rows
from tests.faults.subjects import PACKED, RGBA, generated

CONV_READ = "sum += X(ivec4("
FETCH_READ = "acc += texelFetch(u_x"
DECONV_READ = "sum += X(ivec4(at.x, i, y / STRIDE_Y"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "red and blue swapped",
        "channel_permutation",
        elements.leaky_uv_rgba,
        (Edit("texture(u_picture, v_uv)", "texture(u_picture, v_uv).bgra"),),
    ),
    Fault(
        "channels counted from the last",
        "channel_permutation",
        lambda: generated(models.conv((1, 5, 7, 6), 4)),
        (Edit("X(ivec4(at.x, first_channel + i, y, x))", "X(ivec4(at.x, W_shape.y - 1 - i, y, x))"),),
        alternatives=("filter_offset",),  # channels in another order are the kernels of a filter in another order
    ),
    Fault(
        "the last picture's channels joined in another order",
        "channel_permutation",
        elements.concat_tiles,
        (Edit("read(u_third, channel - third,", "read(u_third, (channel - third + 1) % u_third_channels,"),),
    ),
    Fault(
        "a pool of every channel's neighbour",
        "channel_permutation",
        lambda: generated(models.pool("AveragePool", (1, 6, 6, 7), 2, pads=(0, 0, 0, 0)), PACKED),
        (Edit("see(X(ivec4(at.xy, y, x)),", "see(X(ivec4(at.x, (at.y + 1) % X_shape.y, y, x)),"),),
    ),
    Fault(
        "lanes of an enlargement in reverse",
        "channel_permutation",
        lambda: generated(models.resize((1, 8, 4, 5)), RGBA),
        (
            Edit(
                "return X(at * X_shape / Y_shape);",
                "at.y = at.y / 4 * 4 + 3 - at.y % 4;\n    return X(at * X_shape / Y_shape);",
            ),
        ),
        where=("return X(at * X_shape",),
    ),
    Fault(
        "channels of a normalisation written two further on",
        "channel_permutation",
        lambda: generated(models.pointwise("Sigmoid", (1, 6, 5, 6))),
        (Edit("return ivec4(tile / 6, tile % 6,", "return ivec4(tile / 6, (tile + 2) % 6,"),),
    ),
    Fault(
        "the second half of the channels read from the first",
        "channel_permutation",
        lambda: generated(single("Slice", (1, 8, 5, 6), {"s": whole(4), "e": whole(8), "a": whole(1)})),
        (Edit("const int OFFSET = 120;", "const int OFFSET = 0;"),),
        {"offset": -4},
        ("return X_linear(from)",),
    ),
    Fault(
        "four filters in reverse",
        "channel_permutation",
        convolutions.depthwise_unrolled,
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
        "features of the first channel for all",
        "channel_permutation",
        rows.flatten_dense,
        (Edit("ivec2(c % 2 * W + w, c / 2 * H + h)", "ivec2(w, h)"),),
        where=("total += feature(",),
        alternatives=("group_ignored", "wrong_layout"),
    ),
    Fault(
        "rows and columns of an upscaling block exchanged",
        "channel_permutation",
        lambda: generated(single("DepthToSpace", (1, 8, 4, 5), blocksize=2, mode="DCR")),
        (Edit("int[4](5, 80, 1, 40)", "int[4](5, 40, 1, 80)"),),
        where=("return X_linear(from);",),
    ),
    Fault(
        "the last channel left out",
        "missing_channels",
        lambda: generated(models.conv()),
        (Edit("for (int i = 0; i < W_shape.y; i++)", "for (int i = 0; i < W_shape.y - 1; i++)"),),
        where=(CONV_READ,),
    ),
    Fault(
        "only whole groups of four channels",
        "missing_channels",
        convolutions.conv_rgba,
        (Edit("for (int g = 0; g < u_in_groups; g++)", "for (int g = 0; g < u_in_groups - 1; g++)"),),
        where=("sum += dot(image",),
    ),
    Fault(
        "a matrix product one term short",
        "missing_channels",
        rows.gemm_flat,
        (Edit("k < u_inner;", "k < u_inner - 1;"),),
        where=("sum += element(A",),
        alternatives=("missing_taps",),  # the inner index of a matrix product is channel and tap alike
    ),
    Fault(
        "a mean over a picture that leaves out its last element",
        "missing_channels",
        lambda: generated(single("ReduceMean", (2, 5, 4, 3), {"axes": whole(2, 3)}, keepdims=1)),
        (Edit("k < REDUCED_COUNT;", "k < REDUCED_COUNT - 1;"),),
        {"count": 1},
        alternatives=("missing_taps",),  # an axis that is summed is channel and tap alike
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
        "scores without the last component",
        "missing_channels",
        rows.attention_getx,
        (Edit("d < depth;", "d < depth - 1;"),),
        where=("result += getQ(",),
    ),
    Fault(
        "the last channel of features left out",
        "missing_channels",
        rows.flatten_dense,
        (Edit("c < C; c++", "c < C - 1; c++"),),
        where=("total += feature(",),
    ),
    Fault(
        "a transposed convolution's last input channel left out",
        "missing_channels",
        convolutions.deconv_gather,
        (Edit("i < PER_GROUP_IN; i++", "i < PER_GROUP_IN - 1; i++"),),
        where=("sum += input_value(",),
    ),
    Fault(
        "a sum over channels one short",
        "missing_channels",
        lambda: generated(single("ReduceSum", (2, 5, 4, 3), {"axes": whole(1)}, keepdims=1), "tfjs_unpacked"),
        (Edit("k < REDUCED_COUNT;", "k < REDUCED_COUNT - 1;"),),
        where=("sum += X_linear(",),
        alternatives=("missing_taps",),  # an axis that is summed is channel and tap alike
    ),
    Fault(
        "lanes beyond the last channel that hold something",
        "extra_channels",
        convolutions.conv_rgba,
        (Padding("x", 0.7), Padding("w", 0.5)),
        where=("sum += dot(image", "return texelFetch(u_src", "return texelFetch(u_kernel"),
        seen_at="Paddle-Lite#6197",
    ),
    Fault(
        "one channel too many, of the next image",
        "extra_channels",
        lambda: convolutions.conv_relu_fetch(models.conv((2, 4, 7, 9), 6, 3, activation="Relu")),
        (Edit("i < u_x_shape.y; ++i", "i <= u_x_shape.y; ++i"),),
        where=(FETCH_READ,),
    ),
    Fault(
        "a softmax that also sums the next row's first element",
        "extra_channels",
        rows.softmax_flat,
        (Edit("for (int i = 0; i < u_length; i++)", "for (int i = 0; i <= u_length; i++)"),),
        where=("sum += exp(value(",),
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
        "a norm that takes in the first element twice",
        "extra_channels",
        lambda: generated(single("ReduceL2", (2, 5, 4, 3), {"axes": whole(1)}, keepdims=1), "tfjs_packed"),
        (Edit("k < REDUCED_COUNT;", "k <= REDUCED_COUNT;"),),
        {"count": 1},
        ("float x = X_linear", "sum += x * x"),
    ),
    Fault(
        "a softmax that counts the lanes without a channel",
        "extra_channels",
        rows.softmax_rgba,
        (Edit("total += group * 4 + lane < CHANNELS ? powers[lane] : 0.0;", "total += powers[lane];"),),
        where=("vec4 powers =", "return texelFetch(t_scores"),
    ),
    Fault(
        "every group reads the first group's channels",
        "group_ignored",
        convolutions.grouped_fetch,
        (Edit("int first = o / (u_out_channels / u_groups) * per_group;", "int first = 0;"),),
        where=("sum += input_at(",),
    ),
    Fault(
        "a depthwise convolution of the first channel alone",
        "group_ignored",
        lambda: generated(models.conv((1, 4, 6, 7), 4, group=4), "tfjs_packed"),
        (Edit("(at.y / OUTPUTS_PER_GROUP) * W_shape.y", "0"),),
        where=(CONV_READ,),
    ),
    Fault(
        "groups counted by outputs of a group",
        "group_ignored",
        lambda: generated(conv_of((2, 6, 6, 7), (6, 2, 3, 3), pads=(1, 1, 1, 1), group=3)),
        (Edit("(at.y / OUTPUTS_PER_GROUP) * W_shape.y", "(at.y % OUTPUTS_PER_GROUP) * W_shape.y"),),
        where=(CONV_READ,),
    ),
    Fault(
        "every group of four takes the pixels of the first",
        "group_ignored",
        convolutions.depthwise_unrolled,
        (Edit("ivec2(group, 0) * SIZE + at", "ivec2(0, 0) * SIZE + at"),),
        where=("acc += pixel(",),
        alternatives=("channel_permutation",),
    ),
    Fault(
        "queries of the first head alone",
        "group_ignored",
        rows.attention_getx,
        (Edit("ivec2(d, head * queries + i)", "ivec2(d, i)"),),
        where=("result += getQ(",),
        alternatives=("channel_permutation", "wrong_input"),
    ),
    Fault(
        "filters of a transposed convolution not counted within their group",
        "group_ignored",
        convolutions.deconv_gather,
        (Edit("int channel = group * PER_GROUP_IN + i;", "int channel = i;"),),
        where=("sum += input_value(",),
    ),
    Fault(
        "a transposed convolution whose groups all read the first",
        "group_ignored",
        lambda: generated(
            conv_of((1, 6, 4, 5), (6, 2, 2, 2), op_type="ConvTranspose", strides=(2, 2), group=3), "tfjs_packed"
        ),
        (Edit("int first_channel = at.y / OUTPUTS_PER_GROUP * CHANNELS_PER_GROUP;", "int first_channel = 0;"),),
        where=(DECONV_READ,),
    ),
    Fault(
        "statistics of the first group for both",
        "group_ignored",
        elements.group_norm_tiles,
        (Edit("int first = channel / PER_GROUP * PER_GROUP;", "int first = 0;"),),
        where=("return texelFetch(t_x", "pixel(c, k)"),
    ),
)
