"""Faults of the pipeline planes: fragment kernels that read tensors by four indices."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_TOML = "pipeline.toml"


def _fault(
    name: str, culprit: str, swaps: tuple[Swap, ...], *causes: str, others: tuple[str, ...] = (), in_text: bool = True
) -> Planted:
    return Planted(name, "planes", culprit, swaps, causes, others, in_text)


_FIRST_GROUP = Swap("conv_grouped.frag", "X(at.x, first + i, h, w)", "X(at.x, i, h, w)")
_STRIDES = Swap(_TOML, "uniforms.u_stride = [2, 1]", "uniforms.u_stride = [1, 2]")
_TURNED_TAP = Swap("conv_grouped.frag", "W(at.y, i, p, q);", "W(at.y, i, q, p);")
_UNBIASED = Swap("group_norm.frag", "variance /= float(count);", "variance /= float(count - 1);")
_EPSILON = Swap(_TOML, "uniforms.u_epsilon = 0.01", "uniforms.u_epsilon = 0.001")
_BETA = Swap("group_norm.frag", "element(u_beta, at.y);", "element(u_beta, at.y / per_group);")
_SLOPE = Swap("pointwise.frag", "element(u_slope, at.y)", "element(u_slope, 0)")
_TOO_MANY = Swap("pointwise.frag", "c < u_x_shape.y; ++c", "c < u_y_shape.y; ++c")
_FROM_B = "offset(u_b_shape, at.x, c, at.z, at.w)"

FAULTS = (
    _fault("grouped: every group reads the first", "grouped", (_FIRST_GROUP,), "group_ignored"),
    _fault("grouped: outputs counted like inputs", "grouped",
           (Swap("conv_grouped.frag", "u_y_shape.y / u_groups", "u_x_shape.y / u_groups"),),
           "group_ignored", "index_map"),
    _fault("grouped: the first picture for both", "grouped",
           (Swap("conv_grouped.frag", "X(at.x, first + i", "X(0, first + i"),), "index_map"),
    _fault("grouped: no test on the left", "grouped",
           (Swap("conv_grouped.frag", "if (w < 0 || w >= u_x_shape.w)", "if (w >= u_x_shape.w)"),),
           "padding_mode", "tile_bleed"),
    _fault("grouped: columns held inside", "grouped",
           (Swap("conv_grouped.frag", "int w = at.w * u_stride.y - u_pad.y + q;",
                 "int w = max(at.w * u_stride.y - u_pad.y + q, 0);"),), "padding_mode"),
    _fault("grouped: steps across and down", "grouped", (_STRIDES,), "stride", in_text=False),
    _fault("grouped: tap by column and row", "grouped", (_TURNED_TAP,), "kernel_transpose"),
    _fault("grouped: samplers left as they are", "grouped",
           (Swap("tensor.glsl", "precision highp sampler2D;\n", ""),), "half_precision", "precision"),
    _fault("normed: number of the group for its channel", "normed",
           (Swap("group_norm.frag", "at.y / per_group * per_group, 0, 0", "at.y / per_group, 0, 0"),),
           "index_map", "group_ignored"),
    _fault("normed: one less in the count", "normed", (_UNBIASED,), "average_count"),
    _fault("normed: offset of the group", "normed", (_BETA,), "bias_offset"),
    _fault("normed: a zero too many", "normed", (_EPSILON,), "epsilon", in_text=False),
    _fault("normed: sign lost in the exponent", "normed", (Swap("group_norm.frag", "exp(-y)", "exp(y)"),),
           "wrong_function"),
    _fault("normed: curve before the offset", "normed",
           (Swap("group_norm.frag", "y = y * element(u_gamma, at.y) + element(u_beta, at.y);\n",
                 "y = y * element(u_gamma, at.y);\n"),
            Swap("group_norm.frag", "return y / (1.0 + exp(-y));",
                 "return y / (1.0 + exp(-y)) + element(u_beta, at.y);")), "activation_before_bias"),
    _fault("shuffled: blocks of the other order", "shuffled",
           (Swap("pixel_shuffle.frag", "(at.y * u_block + dy) * u_block + dx",
                 "(dy * u_block + dx) * u_y_shape.y + at.y"),), "channel_permutation", "index_map"),
    _fault("shuffled: down and across", "shuffled",
           (Swap("pixel_shuffle.frag", "(at.y * u_block + dy) * u_block + dx",
                 "(at.y * u_block + dx) * u_block + dy"),),
           "channel_permutation", "index_map"),
    _fault("shuffled: target made of tiles", "shuffled",
           (Swap(_TOML, '{ shape = [2, 2, 16, 12], layout = "row_major_rgba" }',
                 '{ shape = [2, 2, 16, 12], layout = "channel_tiles_rgba" }'),), "wrong_layout", in_text=False),
    _fault("resized: corners of the source", "resized", (Swap("resize.frag", "* scale - 0.5;", "* scale;"),),
           "half_texel", "shift"),
    _fault("resized: corners aligned", "resized",
           (Swap("resize.frag", "vec2(u_x_shape.zw) / vec2(u_y_shape.zw)",
                 "vec2(u_x_shape.zw - 1) / vec2(u_y_shape.zw - 1)"),
            Swap("resize.frag", "(vec2(at.zw) + 0.5) * scale - 0.5", "vec2(at.zw) * scale")),
           "index_map", "half_texel"),
    _fault("resized: lower row mixed by the other share", "resized",
           (Swap("resize.frag", "X(hi.x, hi.y), f.y)", "X(hi.x, hi.y), f.x)"),), "wrong_partner"),
    _fault("joined: channels counted through", "joined",
           (Swap("slice_concat.frag", "u_begin + (at.y - u_a_shape.y) * u_step", "u_begin + at.y * u_step"),),
           "index_map", "shift"),
    _fault("joined: shape of the other input", "joined",
           (Swap("slice_concat.frag", _FROM_B, _FROM_B.replace("u_b", "u_a")),), "index_map"),
    _fault("joined: step not handed over", "joined", (Swap(_TOML, "uniforms.u_step = 2\n", ""),), "unset_uniform",
           "index_map", in_text=False),
    _fault("pooled: the largest is not kept", "pooled",
           (Swap("max_pool.frag", "best = max(best, element(u_x, offset(u_x_shape, at.x, at.y, hw.x, hw.y)));",
                 "best = element(u_x, offset(u_x_shape, at.x, at.y, hw.x, hw.y));"),),
           "missing_taps", "wrong_function"),
    _fault("pooled: window on its side", "pooled",
           (Swap("max_pool.frag", "ivec2(k / u_kernel.y, k % u_kernel.y)", "ivec2(k / u_kernel.x, k % u_kernel.x)"),),
           "missing_taps", "kernel_transpose", "index_map"),
    _fault("pooled: column from a fraction", "pooled",
           (Swap("max_pool.frag", "k % u_kernel.y)", "int(fract(float(k) / float(u_kernel.y)) * float(u_kernel.y)))"),),
           "float_index_precision", "missing_taps", "index_map"),
    _fault("classes: weights uploaded inputs first", "classes",
           (Swap(_TOML, '{ tensor = "classes.w", layout = "row_major_rgba" }',
                 '{ tensor = "classes.w", layout = { name = "ordered_rgba", order = "i, o, ky, kx" } }'),),
           "wrong_layout", "filter_io_swap", "index_map", in_text=False),
    _fault("classes: one slope for all", "classes", (_SLOPE,), "alpha", "index_map", "wrong_partner"),
    _fault("classes: inputs counted like outputs", "classes", (_TOO_MANY,), "extra_channels"),
    _fault("classes: pictures a plane apart", "classes",
           (Swap("pointwise.frag", "at.x * u_x_shape.y * plane + place", "at.x * plane + place"),), "index_map"),
)  # fmt: skip

PAIRS = (
    _fault("grouped: first group and turned taps", "grouped", (_FIRST_GROUP, _TURNED_TAP), "group_ignored",
           others=("kernel_transpose",)),
    _fault("normed: count and offset", "normed", (_UNBIASED, _BETA), "average_count", others=("bias_offset",)),
    _fault("classes: slope and too many inputs", "classes", (_SLOPE, _TOO_MANY), "extra_channels",
           others=("alpha", "index_map", "wrong_partner")),
)  # fmt: skip

HEALTHY = (
    Healthy(
        "tensors: texels by shifts and masks",
        "planes",
        (
            Swap("tensor.glsl", "int texel = i / 4;", "int texel = i >> 2;"),
            Swap("tensor.glsl", "texel / width), 0)[i % 4];", "texel / width), 0)[i & 3];"),
            Swap("tensor.glsl", "if (i >= count) break;", "if (i >= count) continue;"),
        ),
    ),
    Healthy(
        "normed: mean and variance in one loop",
        "planes",
        (
            Swap(
                "group_norm.frag",
                """        mean += element(u_x, start + i);
    }
    mean /= float(count);

    float variance = 0.0;
    for (int i = 0; i < count; ++i) {
        float d = element(u_x, start + i) - mean;
        variance += d * d;
    }
    variance /= float(count);
""",
                """        float v = element(u_x, start + i);
        mean += v;
        squares += v * v;
    }
    mean /= float(count);
    float variance = squares / float(count) - mean * mean;
""",
            ),
            Swap("group_norm.frag", "    float mean = 0.0;\n", "    float mean = 0.0;\n    float squares = 0.0;\n"),
        ),
    ),
    Healthy(
        "resized: four weights",
        "planes",
        (
            Swap(
                "resize.frag",
                """    float top = mix(X(lo.x, lo.y), X(lo.x, hi.y), f.y);
    float bottom = mix(X(hi.x, lo.y), X(hi.x, hi.y), f.y);
    return mix(top, bottom, f.x);
""",
                """    vec2 g = 1.0 - f;
    vec4 corners = vec4(X(lo.x, lo.y), X(lo.x, hi.y), X(hi.x, lo.y), X(hi.x, hi.y));
    return dot(corners, vec4(g.x * g.y, g.x * f.y, f.x * g.y, f.x * f.y));
""",
            ),
        ),
    ),
    Healthy(
        "grouped: channels outermost, taps in one loop",
        "planes",
        (
            Swap(
                "conv_grouped.frag",
                """    for (int p = 0; p < u_w_shape.z; ++p) {
        int h = at.z * u_stride.x - u_pad.x + p;
        if (h < 0 || h >= u_x_shape.z) continue;
        for (int q = 0; q < u_w_shape.w; ++q) {
            int w = at.w * u_stride.y - u_pad.y + q;
            if (w < 0 || w >= u_x_shape.w) continue;
            for (int i = 0; i < u_w_shape.y; ++i) {
                sum += X(at.x, first + i, h, w) * W(at.y, i, p, q);
            }
        }
    }
""",
                """    for (int i = 0; i < u_w_shape.y; ++i) {
        for (int tap = 0; tap < u_w_shape.z * u_w_shape.w; ++tap) {
            ivec2 pq = ivec2(tap / u_w_shape.w, tap % u_w_shape.w);
            ivec2 hw = at.zw * u_stride - u_pad + pq;
            if (clamp(hw, ivec2(0), u_x_shape.zw - 1) != hw) continue;
            sum += X(at.x, first + i, hw.x, hw.y) * W(at.y, i, pq.x, pq.y);
        }
    }
""",
            ),
        ),
    ),
)
