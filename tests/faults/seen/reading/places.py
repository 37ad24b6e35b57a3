"""Planted bugs in where a shader reads its image: shifts, flips, tiles, padding, strides, groups."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo, Padding, Sampled, Uniform, Vertex
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions as seen_subjects
from tests.faults.states import bound_other
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("
TILES_READ = "float value = texture(u_image"
FETCH_READ = "acc += texelFetch(u_x"
BOUNDS = "if (at.x < 0.0 || at.y < 0.0 || at.x >= u_in_tile.x || at.y >= u_in_tile.y) continue;"
FETCH_BOUNDS = "if (src.x < 0 || src.x >= u_x_shape.w || src.y < 0 || src.y >= u_x_shape.z) continue;"

PLACES = (
    Fault(
        "a convolution padded by one on the right only",
        "shift",
        lambda: generated(models.conv()),
        (Edit("const int PAD_LEFT = 1;", "const int PAD_LEFT = 0;"),),
        {"dx": 1, "dy": 0},
        (CONV_READ,),
    ),
    Fault(
        "padding of a strided convolution forgotten at the head",
        "shift",
        seen_subjects.conv_tiles,
        (Uniform("u_pad", 0.0),),
        {"dx": 1, "dy": 1},
        (TILES_READ, "vec2 at = pixel"),
        seen_at="onnxruntime#26734",
    ),
    Fault(
        "a transposed convolution one pixel up and left",
        "shift",
        seen_subjects.deconv_tiles,
        (Edit("const float PAD = 1.0;", "const float PAD = 2.0;"),),
        where=("sum += texture(u_image", "vec2 scattered = pixel"),
        seen_at="MNN#951",
    ),
    Fault(
        "a pool's window one too early",
        "shift",
        seen_subjects.maxpool_rgba,
        (Uniform("u_margin", 2),),
        {"dx": -1, "dy": -1},
        ("best = max(best, texelFetch", "ivec2 origin ="),
    ),
    Fault(
        "a ReLU that reads its neighbour",
        "shift",
        lambda: generated(models.pointwise("LeakyRelu", alpha=0.1), "tfjs_unpacked"),
        (Edit("return unary(X(at));", "return unary(X(at + ivec4(0, 0, 0, 1)));"),),
        {"dx": 1, "dy": 0},
    ),
    Fault(
        "columns of the image counted from the right",
        "flip_x",
        seen_subjects.conv_relu_fetch,
        (
            Edit(
                "ivec2 from = tile_texel(", "src.x = u_x_shape.w - 1 - src.x;\n                ivec2 from = tile_texel("
            ),
        ),
        where=(FETCH_READ,),
    ),
    Fault(
        "a picture mirrored by its vertex shader",
        "flip_x",
        seen_subjects.leaky_uv,
        (Vertex("seen/uv_mirrored.vert"),),
    ),
    Fault(
        "a framebuffer upside down",
        "flip_y",
        lambda: seen_subjects.leaky_uv((1, 4, 6, 7)),
        (Vertex("seen/uv_flipped.vert"),),
        seen_at="openFrameworks#3353, tfjs#5757",
    ),
    Fault(
        "every channel's rows written from the bottom",
        "flip_y",
        lambda: generated(models.conv((1, 3, 7, 6), 5)),
        (Edit("texel.y % 7, texel.x % 6", "6 - texel.y % 7, texel.x % 6"),),
    ),
    Fault(
        "x and y of the image swapped",
        "transpose_xy",
        lambda: seen_subjects.conv_rgba(models.conv((1, 6, 7, 7), 9, 3)),
        (Edit("texelFetch(u_src, corner + p, 0)", "texelFetch(u_src, corner + p.yx, 0)"),),
    ),
    Fault(
        "rows taken for columns",
        "transpose_xy",
        lambda: generated(models.pointwise("Tanh", (2, 3, 6, 6)), "row_major_rgba"),
        (Edit("return unary(X(at));", "return unary(X(at.xywz));"),),
    ),
    Fault(
        "red and blue swapped",
        "channel_permutation",
        seen_subjects.leaky_uv_rgba,
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
        seen_subjects.concat_tiles,
        (Edit("read(u_third, channel - third,", "read(u_third, (channel - third + 1) % u_third_channels,"),),
    ),
)

EDGES = (
    Fault(
        "no test for the image's border",
        "tile_bleed",
        seen_subjects.conv_tiles,
        (Edit(BOUNDS, ""),),
        where=(TILES_READ,),
        seen_at="sdl-gpu#174",
    ),
    Fault(
        "no test for the left and right border",
        "tile_bleed",
        seen_subjects.conv_relu_fetch,
        (Edit("if (src.x < 0 || src.x >= u_x_shape.w || src.y < 0", "if (src.y < 0"),),
        where=(FETCH_READ,),
    ),
    Fault(
        "the border test one too far on the right",
        "tile_bleed",
        lambda: generated(models.conv((1, 6, 7, 9), 4)),
        (Edit("x >= X_shape.w) continue", "x > X_shape.w) continue"),),
        where=(CONV_READ,),
    ),
    Fault(
        "bilinear reads that are not held inside the tile",
        "tile_bleed",
        seen_subjects.bilinear_tiles,
        (Edit("clamp(at, vec2(0.0), u_in_tile - 1.0)", "at"),),
        where=("return texture(u_image",),
    ),
    Fault(
        "edge pixels repeated instead of zeros",
        "padding_mode",
        seen_subjects.conv_relu_fetch,
        (Edit(FETCH_BOUNDS, "src = clamp(src, ivec2(0), u_x_shape.wz - 1);"),),
        {"got": "edge"},
        (FETCH_READ,),
    ),
    Fault(
        "a sampler that repeats a picture of one channel",
        "padding_mode",
        lambda: seen_subjects.conv_tiles(models.conv((1, 1, 9, 8), 4, 3), 1, 1),
        (Edit(BOUNDS, ""), Sampled("u_image", wrap="repeat")),
        {"got": "wrap"},
        (TILES_READ,),
    ),
    Fault(
        "a reflected border repeated instead",
        "padding_mode",
        lambda: generated(models.pad(mode="reflect"), "tfjs_packed"),
        (Edit("const int MODE = 2;", "const int MODE = 1;"),),
        {"got": "edge"},
        ("FILL : X_linear(from)",),
    ),
    Fault(
        "borders reflected instead of zeros",
        "padding_mode",
        seen_subjects.conv_rgba,
        (
            Edit(
                "if (p.x < 0 || p.y < 0 || p.x >= u_in_size.x || p.y >= u_in_size.y) return vec4(0.0);",
                "p = min(abs(p), 2 * (u_in_size - 1) - p);",
            ),
        ),
        {"got": "reflect"},
        ("return texelFetch(u_src",),
    ),
)

STEPS = (
    Fault(
        "steps of one in x where two were meant",
        "stride",
        lambda: generated(models.conv((1, 4, 9, 10), 5, stride=2), "channel_tiles_rgba"),
        (Edit("const int STRIDE_X = 2;", "const int STRIDE_X = 1;"),),
        {"got": [1, 2]},
        ("X_group(", "X(ivec4("),
    ),
    Fault(
        "a pool that overlaps",
        "stride",
        seen_subjects.maxpool_rgba,
        (Uniform("u_step", 1),),
        {"got": [1, 1]},
        where=("best = max(best, texelFetch", "ivec2 origin ="),
    ),
    Fault(
        "steps of two where three were meant",
        "stride",
        lambda: generated(models.pool("MaxPool", (1, 3, 10, 13), 3, stride=3, pads=(0, 0, 0, 0)), "row_major_rgba"),
        (Edit("at.zw * ivec2(STRIDE_Y, STRIDE_X)", "at.zw * 2"),),
        {"got": [2, 2]},
        where=("see(X(ivec4(",),
    ),
    Fault(
        "dilation in one direction only",
        "dilation",
        lambda: generated(models.conv((1, 3, 9, 8), 4, dilation=2)),
        (Edit("const int DILATION_Y = 2;", "const int DILATION_Y = 1;"),),
        {"got": [2, 1]},
        where=(CONV_READ,),
        seen_at="tfjs-converter PR 363",
    ),
    Fault(
        "dilation forgotten",
        "dilation",
        lambda: seen_subjects.conv_relu_fetch(models.conv((1, 3, 8, 9), 4, dilation=3, activation="Relu"), 1, 3, 3),
        (Uniform("u_dilation", (1, 1)),),
        {"got": [1, 1]},
        where=(FETCH_READ, "ivec2 src = xy"),
    ),
)

CHANNELS = (
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
        seen_subjects.conv_rgba,
        (Edit("for (int g = 0; g < u_in_groups; g++)", "for (int g = 0; g < u_in_groups - 1; g++)"),),
        where=("sum += dot(image",),
    ),
    Fault(
        "a matrix product one term short",
        "missing_channels",
        seen_subjects.gemm_flat,
        (Edit("k < u_inner;", "k < u_inner - 1;"),),
        where=("sum += element(A",),
        alternatives=("missing_taps",),  # the inner index of a matrix product is channel and tap alike
    ),
    Fault(
        "lanes beyond the last channel that hold something",
        "extra_channels",
        seen_subjects.conv_rgba,
        (Padding("x", 0.7), Padding("w", 0.5)),
        where=("sum += dot(image", "return texelFetch(u_src", "return texelFetch(u_kernel"),
        seen_at="Paddle-Lite#6197",
    ),
    Fault(
        "one channel too many, of the next image",
        "extra_channels",
        lambda: seen_subjects.conv_relu_fetch(models.conv((2, 4, 7, 9), 6, 3, activation="Relu")),
        (Edit("i < u_x_shape.y; ++i", "i <= u_x_shape.y; ++i"),),
        where=(FETCH_READ,),
    ),
    Fault(
        "a softmax that also sums the next row's first element",
        "extra_channels",
        seen_subjects.softmax_flat,
        (Edit("for (int i = 0; i < u_length; i++)", "for (int i = 0; i <= u_length; i++)"),),
        where=("sum += exp(value(",),
    ),
    Fault(
        "every group reads the first group's channels",
        "group_ignored",
        seen_subjects.grouped_fetch,
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
)

INPUTS = (
    Fault(
        "the second picture joined twice",
        "wrong_input",
        lambda: seen_subjects.concat_tiles((2, 3, 3)),
        (Edit("read(u_third, channel - third,", "read(u_second, channel - third,"),),
    ),
    Fault(
        "a difference of one tensor and itself, scaled",
        "wrong_input",
        lambda: generated(models.binary("Mul"), "tfjs_packed"),
        (Edit("B(min(at, B_shape - 1))", "A(min(at, A_shape - 1))"),),
    ),
    Fault(
        "another branch's texture bound",
        "wrong_input",
        lambda: generated(models.branches(), name="r"),
        (OnBindDo(bound_other("t_X", "q")),),
        where=(CONV_READ,),
    ),
)

FAULTS = (*PLACES, *EDGES, *STEPS, *CHANNELS, *INPUTS)
