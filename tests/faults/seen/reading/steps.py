"""More planted bugs in where a shader reads, in operators and styles that the other `seen_` modules have not."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Sampled
from tests.faults.fault import Fault
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single, whole
from tests.faults.seen.subjects import pictures as seen_more_subjects
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("
DECONV_READ = "sum += X(ivec4(at.x, i, y / STRIDE_Y"

PLACES = (
    Fault(
        "pads of a depthwise convolution taken in the order left, top",
        "shift",
        lambda: generated(conv_of((1, 4, 8, 9), (4, 1, 3, 3), pads=(2, 0, 0, 2), group=4), "tfjs_unpacked"),
        (Edit("- ivec2(PAD_TOP, PAD_LEFT)", "- ivec2(PAD_LEFT, PAD_TOP)"),),
        {"dx": -2, "dy": 2},
        (CONV_READ, "ivec2 origin ="),
    ),
    Fault(
        "dilations of a packed convolution, x for y",
        "dilation",
        lambda: generated(
            conv_of((1, 6, 9, 10), (5, 6, 3, 3), pads=(1, 3, 1, 3), dilations=(1, 3)), "channel_tiles_rgba"
        ),
        (
            Edit("const int DILATION_X = 3;", "const int DILATION_X = 1;"),
            Edit("const int DILATION_Y = 1;", "const int DILATION_Y = 3;"),
        ),
        {"got": [1, 3]},
        ("X_group(at.x,", "int y = origin.x", "int x = origin.y"),
    ),
    Fault(
        "rows and columns of an upscaling block exchanged",
        "channel_permutation",
        lambda: generated(single("DepthToSpace", (1, 8, 4, 5), blocksize=2, mode="DCR")),
        (Edit("int[4](5, 80, 1, 40)", "int[4](5, 40, 1, 80)"),),
        where=("return X_linear(from);",),
    ),
    Fault(
        "a transposed convolution's kernel from its end",
        "kernel_flip",
        lambda: generated(
            conv_of((1, 3, 4, 5), (3, 4, 3, 3), op_type="ConvTranspose", strides=(2, 2), pads=(1, 1, 1, 1)),
            "row_major_rgba",
        ),
        (Edit("OUTPUTS_PER_GROUP, p, q))", "OUTPUTS_PER_GROUP, KERNEL_Y - 1 - p, KERNEL_X - 1 - q))"),),
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
        "one of nine taps left out",
        "missing_taps",
        seen_more_subjects.conv_macros,
        (Edit("TAP(0, 2) + TAP(1, 2) + TAP(2, 2)", "TAP(0, 2) + TAP(2, 2)"),),
        where=("#define FETCH(p)",),
    ),
    Fault(
        "a border test that lets the column past the last through",
        "tile_bleed",
        seen_more_subjects.conv_macros,
        (Edit("(p).x < W &&", "(p).x <= W &&"),),
        where=("#define FETCH(p)", "TAP(2, 0)", "TAP(2, 1)", "TAP(2, 2)", "#define PIXEL"),
    ),
    Fault(
        "a matrix of filters on the wrong side of its vector",
        "filter_io_swap",
        lambda: seen_more_subjects.pointwise_rgba(4, 4),
        (Edit("sum += v * filters;", "sum += filters * v;"),),
        where=("return texelFetch(t_w",),
    ),
    Fault(
        "a dense layer's weights read as if stored by output",
        "filter_io_swap",
        lambda: generated(single("Gemm", (3, 8), {"w": noise(8, 8, seed=1), "b": noise(8, seed=2)}), "tfjs_packed"),
        (Edit("const bool TRANSPOSE_B = false;", "const bool TRANSPOSE_B = true;"),),
        where=("B(TRANSPOSE_B ?",),
    ),
    Fault(
        "a window of four whose last lane is not looked at",
        "missing_taps",
        seen_more_subjects.maxpool_packed,
        (Edit("return max(max(q.r, q.g), max(q.b, q.a));", "return max(max(q.r, q.g), q.b);"),),
        where=("return texelFetch(A",),
        alternatives=("dropped_lane",),  # the fourth lane is the window's last tap
    ),
)

STEPS = (
    Fault(
        "a depthwise kernel by columns",
        "kernel_transpose",
        seen_more_subjects.depthwise_es,
        (Edit("(tile * 3.0 + tap + 0.5)", "(tile * 3.0 + tap.yx + 0.5)"),),
    ),
    Fault(
        "a depthwise convolution that steps by two in x alone",
        "stride",
        seen_more_subjects.depthwise_es,
        (Edit("pixel * 2.0 + tap", "pixel * vec2(2.0, 1.0) + tap"),),
        {"got": [2, 1]},
        ("float x = texture(image",),
    ),
    Fault(
        "a dense layer's weights one texel on",
        "filter_offset",
        seen_more_subjects.dense_flat,
        (Edit("quad(w, j * QUADS + k)", "quad(w, j * QUADS + k + 1)"),),
        where=("return texelFetch(data",),
    ),
    Fault(
        "a softmax that counts the lanes without a channel",
        "extra_channels",
        seen_more_subjects.softmax_rgba,
        (Edit("total += group * 4 + lane < CHANNELS ? powers[lane] : 0.0;", "total += powers[lane];"),),
        where=("vec4 powers =", "return texelFetch(t_scores"),
    ),
    Fault(
        "the last row of a picture left out of its mean",
        "missing_taps",
        seen_more_subjects.global_mean_rgba,
        (Edit("y < u_size.y; ++y", "y < u_size.y - 1; ++y"),),
        where=("total += texelFetch",),
    ),
    Fault(
        "an enlargement whose sampler repeats the picture",
        "padding_mode",
        seen_more_subjects.enlarge_rgba,
        (Sampled("t_picture", filter="linear", wrap="repeat"),),
        {"got": "wrap"},
        ("color = texture(",),
    ),
    Fault(
        "an enlargement from the corners of pixels",
        "half_texel",
        seen_more_subjects.enlarge_rgba,
        (Edit("gl_FragCoord.xy / u_target;", "(gl_FragCoord.xy - 0.5) / u_target;"),),
        where=("color = texture(",),
    ),
    Fault(
        "height and width not exchanged",
        "transpose_xy",
        lambda: generated(single("Transpose", (1, 2, 4, 4), perm=(0, 1, 3, 2)), "tfjs_unpacked"),
        (Edit("int[3](16, 1, 4)", "int[3](16, 4, 1)"),),
        where=("return X_linear(from);",),
    ),
)

PICTURES = (
    Fault(
        "a pool that looks at the picture from the right",
        "flip_x",
        lambda: generated(models.pool("MaxPool", (1, 3, 8, 9), 2, pads=(0, 0, 1, 1)), "tfjs_packed"),
        (Edit("see(X(ivec4(at.xy, y, x))", "see(X(ivec4(at.xy, y, X_shape.w - 1 - x))"),),
    ),
    Fault(
        "an image read with its texture upside down",
        "flip_y",
        lambda: generated(models.pointwise("Tanh", (1, 1, 7, 9))),
        (Edit("texelFetch(t_X, p.xy, 0).r", "texelFetch(t_X, ivec2(p.x, textureSize(t_X, 0).y - 1 - p.y), 0).r"),),
        where=("return unary(X(at));",),
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
        "statistics of the first group for both",
        "group_ignored",
        seen_more_subjects.group_norm_tiles,
        (Edit("int first = channel / PER_GROUP * PER_GROUP;", "int first = 0;"),),
        where=("return texelFetch(t_x", "pixel(c, k)"),
    ),
    Fault(
        "a depthwise convolution that samples the corners of texels",
        "texel_edge",
        seen_more_subjects.depthwise_es,
        (
            Edit(
                "(tile * inSize + at + 0.5) / (grid * inSize)",
                "(tile * inSize + at + 0.5) / (grid * inSize) - 0.5 / (grid * inSize)",
            ),
        ),
        where=("float x = texture(image",),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
    Fault(
        "a column from the fraction of a quotient, cut off",
        "float_index_precision",
        seen_more_subjects.deconv_flat,
        (Edit("int x = index % (2 * W);", "int x = int(fract(float(index) / float(2 * W)) * float(2 * W));"),),
        where=("vec4 texel = texelFetch(memory", "float value = element(data", "element(kernels"),
    ),
    Fault(
        "weights of a transposed convolution stored by output",
        "filter_io_swap",
        seen_more_subjects.deconv_flat,
        (Edit("(i * OUT + o) * 4 + tap", "(o * IN + i) * 4 + tap"),),
        where=("vec4 texel = texelFetch(memory",),
    ),
    Fault(
        "scale and shift of a normalisation exchanged",
        "wrong_input",
        lambda: generated(models.batch_norm(), "tfjs_unpacked"),
        (
            Edit("SCALE_linear(c) /", "BIAS_linear(c) /"),
            Edit("* factor + BIAS_linear(c)", "* factor + SCALE_linear(c)"),
        ),
    ),
)

ENLARGED = (
    Fault(
        "a batch of pictures three times as large, filtered",
        "linear_filtering",
        seen_more_subjects.triple_tiles,
        (Sampled("u_pixels", filter="linear"),),
        where=("color = texture(u_pixels",),
    ),
    Fault(
        "corners that are not aligned",
        "half_texel",
        seen_more_subjects.corners_tiles,
        (Edit("vec2(IN - 1) / vec2(OUT - 1)", "vec2(IN) / vec2(OUT)"),),
        {"got": "asymmetric"},
        ("return texelFetch(u_image",),
    ),
    Fault(
        "an enlargement whose rows start from the bottom of the picture",
        "flip_y",
        seen_more_subjects.corners_tiles,
        (Edit("corner + min(at, IN - 1)", "corner + ivec2(min(at.x, IN.x - 1), IN.y - 1 - min(at.y, IN.y - 1))"),),
    ),
)

FAULTS: tuple[Fault, ...] = (*PLACES, *STEPS, *PICTURES, *ENLARGED)
