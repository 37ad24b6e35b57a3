"""Planted bugs in weights: turned or exchanged kernels, other filters, taps left out."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Uniform, Weights
from tests.faults.fault import Fault
from tests.faults.models import conv_of, noise, single
from tests.faults.seen.subjects import convolutions, elements, pictures, rows
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("
TILES_READ = "float value = texture(u_image"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a kernel from its last weight to its first",
        "kernel_flip",
        lambda: generated(models.conv(), "tfjs_unpacked"),
        (Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, W_shape.z - 1 - p, W_shape.w - 1 - q))"),),
    ),
    Fault(
        "a transposed convolution's kernel turned once too often",
        "kernel_flip",
        convolutions.deconv_tiles,
        (Edit("kernel_cell * KERNEL + tap;", "kernel_cell * KERNEL + KERNEL - 1.0 - tap;"),),
        where=("texture(u_filters",),
        seen_at="TVM#9336",
    ),
    Fault(
        "7x7 weights exported for true convolution",
        "kernel_flip",
        lambda: generated(models.conv((1, 2, 9, 10), 4, 7)),
        (Weights("w", lambda w: w[:, :, ::-1, ::-1]),),
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
        "a kernel's rows read as columns",
        "kernel_transpose",
        convolutions.conv_tiles,
        (Edit("(kernel_corner + vec2(kx, ky)", "(kernel_corner + vec2(ky, kx)"),),
        where=("texture(u_filters",),
    ),
    Fault(
        "weights stored with x before y",
        "kernel_transpose",
        lambda: generated(models.conv((1, 4, 8, 7), 6), "row_major_rgba"),
        (Weights("w", lambda w: np.swapaxes(w, 2, 3)),),
    ),
    Fault(
        "rows and columns of a filter exchanged in its function",
        "kernel_transpose",
        convolutions.depthwise_unrolled,
        (Edit("ivec2(u, v), 0).r;", "ivec2(v, u), 0).r;"),),
    ),
    Fault(
        "a depthwise kernel by columns",
        "kernel_transpose",
        convolutions.depthwise_es,
        (Edit("(tile * 3.0 + tap + 0.5)", "(tile * 3.0 + tap.yx + 0.5)"),),
    ),
    Fault(
        "inputs and outputs of the weights swapped",
        "filter_io_swap",
        lambda: generated(models.conv((1, 6, 7, 8), 6)),
        (Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(i, at.y, p, q))"),),
    ),
    Fault(
        "a transposed convolution with a convolution's weights",
        "filter_io_swap",
        lambda: generated(models.conv_transpose((1, 5, 5, 4), 5), "tfjs_unpacked"),
        (Weights("w", lambda w: np.swapaxes(w, 0, 1)),),
        seen_at="tt-metal#19183",
    ),
    Fault(
        "a dense layer's weights uploaded by output",
        "filter_io_swap",
        rows.flatten_dense,
        (Weights("w", lambda w: w.reshape(7, 60).T),),
        alternatives=("wrong_layout",),
    ),
    Fault(
        "1x1 weights by input, in tiles of their own",
        "filter_io_swap",
        elements.residual_prelu,
        (Edit("ivec2(o % 3 * 2 + i % 2, o / 3 * 2 + i / 2)", "ivec2(i % 3 * 2 + o % 2, i / 3 * 2 + o / 2)"),),
        alternatives=("index_map",),  # of tiles of four, the formula says which of the other grid it takes
    ),
    Fault(
        "a matrix of filters on the wrong side of its vector",
        "filter_io_swap",
        lambda: convolutions.pointwise_rgba(4, 4),
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
        "weights of a transposed convolution stored by output",
        "filter_io_swap",
        convolutions.deconv_flat,
        (Edit("(i * OUT + o) * 4 + tap", "(o * IN + i) * 4 + tap"),),
        where=("vec4 texel = texelFetch(memory",),
    ),
    Fault(
        "every output with the next one's filter",
        "filter_offset",
        lambda: generated(models.conv(), "row_major_rgba"),
        (Edit("W(ivec4(at.y, i, p, q))", "W(ivec4((at.y + 1) % W_shape.x, i, p, q))"),),
    ),
    Fault(
        "kernels one tile further on",
        "filter_offset",
        convolutions.conv_rgba,
        (Edit("feature * u_in_groups + group;", "feature * u_in_groups + group + 1;"),),
        where=("return texelFetch(u_kernel", "sum += dot("),
        alternatives=("index_map",),  # with padding between filters it is no number of places
    ),
    Fault(
        "weights uploaded with the last filter first",
        "filter_offset",
        lambda: generated(models.conv((1, 3, 7, 8), 5, 1, pads=(0, 0, 0, 0))),
        (Weights("w", lambda w: np.roll(w, 1, axis=0)),),
    ),
    Fault(
        "a dense layer's weights one texel on",
        "filter_offset",
        rows.dense_flat,
        (Edit("quad(w, j * QUADS + k)", "quad(w, j * QUADS + k + 1)"),),
        where=("return texelFetch(data",),
    ),
    Fault(
        "the last column of a kernel left out",
        "missing_taps",
        lambda: generated(models.conv((1, 4, 9, 8), 5, 4, pads=(1, 1, 2, 2))),
        (Edit("q < W_shape.w; q++", "q < W_shape.w - 1; q++"),),
        where=(CONV_READ,),
    ),
    Fault(
        "a pool of 2x2 that should be 3x3",
        "missing_taps",
        pictures.maxpool_rgba,
        (Uniform("u_window", 2),),
        where=("best = max(best, texelFetch", "dx < u_window", "dy < u_window"),
    ),
    Fault(
        "a kernel's first row left out",
        "missing_taps",
        convolutions.conv_tiles,
        (Edit("for (float ky = 0.0;", "for (float ky = 1.0;"),),
        where=(TILES_READ,),
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
        "the middle tap forgotten",
        "missing_taps",
        convolutions.depthwise_unrolled,
        (Edit("    acc += pixel(group, at) * weights(group, 1, 1);\n", ""),),
        {"taps": [[1, 1]]},
    ),
    Fault(
        "the last row of taps forgotten",
        "missing_taps",
        convolutions.depthwise_unrolled,
        (
            Edit("    acc += pixel(group, at + ivec2(-1, 1)) * weights(group, 0, 2);\n", ""),
            Edit("    acc += pixel(group, at + ivec2(0, 1)) * weights(group, 1, 2);\n", ""),
            Edit("    acc += pixel(group, at + ivec2(1, 1)) * weights(group, 2, 2);\n", ""),
        ),
        where=("acc += pixel(group, at + ivec2(1, 0))", "color = clamp("),
    ),
    Fault(
        "an average without the last column",
        "missing_taps",
        pictures.avgpool_uv,
        (Edit("u <= 1.0; u += 1.0", "u < 1.0; u += 1.0"),),
        where=("sum += texture(source",),
    ),
    Fault(
        "the fourth of a window of four",
        "missing_taps",
        pictures.maxpool_lanes,
        (Edit("    look(channel, 2 * y + 1, 2 * x + 1);\n", ""),),
        where=("best = max(best,", "return best"),
    ),
    Fault(
        "one of nine taps left out",
        "missing_taps",
        convolutions.conv_macros,
        (Edit("TAP(0, 2) + TAP(1, 2) + TAP(2, 2)", "TAP(0, 2) + TAP(2, 2)"),),
        where=("#define FETCH(p)",),
    ),
    Fault(
        "a window of four whose last lane is not looked at",
        "missing_taps",
        pictures.maxpool_packed,
        (Edit("return max(max(q.r, q.g), max(q.b, q.a));", "return max(max(q.r, q.g), q.b);"),),
        where=("return texelFetch(A",),
        alternatives=("dropped_lane",),  # the fourth lane is the window's last tap
    ),
    Fault(
        "the last row of a picture left out of its mean",
        "missing_taps",
        pictures.global_mean_rgba,
        (Edit("y < u_size.y; ++y", "y < u_size.y - 1; ++y"),),
        where=("total += texelFetch",),
    ),
)
