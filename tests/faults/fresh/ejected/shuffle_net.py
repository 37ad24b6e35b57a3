"""Slips in the shuffle network: loops unrolled by hand over the texels of a batch of two."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_MIDDLE = "else if (g == 1) v = vec3(a.w, b.xy);"
_BIAS_ZW = """    if (half_ == 0) {
        s.z += texelFetch(tex_b, ivec2(2, 0), 0).x;
        s.w += texelFetch(tex_b, ivec2(3, 0), 0).x;
    }
"""
_DEALT = "o_color[lane] = t[c % 3][c / 3];"
_SHARE = "o_value = exp(texelFetch(tex_in, xy, 0).x - most) / sum;"

FAULTS = (
    Planted(
        "the middle group from a texel of its own",
        "shuffle",
        "g1",
        (Swap("grouped_1x1.frag", _MIDDLE, "else if (g == 1) v = b.xyz;"),),
        ("group_ignored", "index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the second output from the first one's filter",
        "shuffle",
        "g1",
        (
            Swap(
                "grouped_1x1.frag",
                "s.y = dot(v, texelFetch(tex_w, ivec2(1, g), 0).xyz);",
                "s.y = dot(v, texelFetch(tex_w, ivec2(0, g), 0).xyz);",
            ),
        ),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "slopes of the second and third group exchanged",
        "shuffle",
        "g1",
        (Swap("grouped_1x1.frag", "ivec2(g % 2, g / 2)", "ivec2(g / 2, g % 2)"),),
        ("index_map", "wrong_partner", "alpha", "channel_permutation"),
    ),
    Planted(
        "the bias of z for w",
        "shuffle",
        "g1",
        (Swap("grouped_1x1.frag", "ivec2(g * 4 + 3, 0)", "ivec2(g * 4 + 2, 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "three lanes of four out of the first layer",
        "shuffle",
        "g1",
        (
            Swap(
                "grouped_1x1.frag",
                "o_color = max(s, 0.0) + slope * min(s, 0.0);",
                "o_color = vec4((max(s, 0.0) + slope * min(s, 0.0)).xyz, 0.0);",
            ),
        ),
        ("dropped_lane",),
    ),
    Planted(
        "a slope on the positive side as well",
        "shuffle",
        "g1",
        (Swap("grouped_1x1.frag", "slope * min(s, 0.0)", "slope * s"),),
        ("wrong_function",),
    ),
    Planted(
        "channels passed on as they were",
        "shuffle",
        "shuffled",
        (Swap("shuffle.frag", _DEALT, "o_color[lane] = t[c / 4][c % 4];"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "the shuffle's lanes from the last",
        "shuffle",
        "shuffled",
        (Swap("shuffle.frag", _DEALT, "o_color[lane] = t[c % 3][3 - c / 3];"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "the shuffle's second texel a column early",
        "shuffle",
        "shuffled",
        (Swap("shuffle.frag", "ivec2(x + 5, xy.y)", "ivec2(x + 4, xy.y)"),),
        ("shift", "tile_bleed", "index_map"),
    ),
    Planted(
        "the second layer's rows one by one",
        "shuffle",
        "g2",
        (Swap("grouped_3x3.frag", "y = xy.y % 4 * 2;", "y = xy.y % 4;"),),
        ("stride", "index_map"),
    ),
    Planted(
        "the third output from the first group",
        "shuffle",
        "g2",
        (Swap("grouped_3x3.frag", "dot(second, w(2, kx, ky))", "dot(first, w(2, kx, ky))"),),
        ("group_ignored", "index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "pictures four rows apart for the second group",
        "shuffle",
        "g2",
        (Swap("grouped_3x3.frag", "ivec2(sx + 5, n * 8 + sy)", "ivec2(sx + 5, n * 4 + sy)"),),
        ("index_map", "tile_bleed"),
    ),
    Planted(
        "a last row that is never read",
        "shuffle",
        "g2",
        (Swap("grouped_3x3.frag", "sy > 7", "sy > 6"),),
        ("missing_taps",),
    ),
    Planted(
        "two columns of filters in place of three",
        "shuffle",
        "g2",
        (Swap("grouped_3x3.frag", "o % 3 * 3 + kx", "o % 2 * 3 + kx"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "no bias for the second pair of outputs",
        "shuffle",
        "g2",
        (Swap("grouped_3x3.frag", _BIAS_ZW, ""),),
        ("bias_missing",),
    ),
    Planted(
        "a mean over a square of five",
        "shuffle",
        "features",
        (Swap("mean.frag", "sum / 20.0", "sum / 25.0"),),
        ("average_count", "scale", "wrong_literal"),
    ),
    Planted(
        "the second tile of the mean found a column on",
        "shuffle",
        "features",
        (Swap("mean.frag", "ivec2(c / 4 * 5 + x, ", "ivec2(c / 4 + x, "),),
        ("index_map", "tile_bleed"),
    ),
    Planted(
        "a row's sum that goes on in the next",
        "shuffle",
        "features",
        (
            Swap("mean.frag", "    float sum = 0.0;\n", "    float sum = 0.0, row = 0.0;\n"),
            Swap("mean.frag", "        float row = 0.0;\n", ""),
        ),
        ("accumulator_not_reset", "double_counted"),
    ),
    Planted(
        "the red lane for every feature",
        "shuffle",
        "features",
        (Swap("mean.frag", "[c % 4]", ".r"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "the second picture's features from the start of their texel",
        "shuffle",
        "logits",
        (Swap("logits.frag", "vec4(t1.zw, t2.xy)", "vec4(t1.xy, t2.xy)"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the sixth feature without its product",
        "shuffle",
        "logits",
        (Swap("logits.frag", "    s += tail.y * texelFetch(tex_w, ivec2(5, j), 0).x;\n", ""),),
        ("missing_channels",),
    ),
    Planted(
        "the fifth weight used for the sixth feature",
        "shuffle",
        "logits",
        (Swap("logits.frag", "texelFetch(tex_w, ivec2(5, j), 0)", "texelFetch(tex_w, ivec2(4, j), 0)"),),
        ("filter_offset", "wrong_partner", "index_map"),
    ),
    Planted(
        "the last class left out of the shares",
        "shuffle",
        "classes",
        (Swap("softmax.frag", "for (int k = 0; k < 7; k++)\n        sum", "for (int k = 0; k < 6; k++)\n        sum"),),
        ("missing_channels",),
    ),
    Planted(
        "powers of two above the line",
        "shuffle",
        "classes",
        (Swap("softmax.frag", _SHARE, _SHARE.replace("exp(", "exp2(")),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "shares in steps of a byte",
        "shuffle",
        "classes",
        (
            Swap(
                "pipeline.toml",
                'shader = "softmax.frag"\noutput = { shape = [2, 7], layout = "channel_tiles" }',
                'shader = "softmax.frag"\noutput = { shape = [2, 7], layout = "channel_tiles", dtype = "uint8" }',
            ),
        ),
        ("quantized_8bit",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "a row that is never read and outputs without a bias",
        "shuffle",
        "g2",
        (
            Swap("grouped_3x3.frag", "sy < 0 || sy > 7", "sy < 1 || sy > 7"),
            Swap("grouped_3x3.frag", _BIAS_ZW, ""),
        ),
        ("missing_taps",),
        others=("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "a softmax that subtracts nothing and multiplies by a logarithm",
        "shuffle",
        (
            Swap(
                "softmax.frag",
                "sum += exp(texelFetch(tex_in, ivec2(k, xy.y), 0).x - most);",
                "sum += exp2((texelFetch(tex_in, ivec2(k, xy.y), 0).x - most) * 1.44269504);",
            ),
            Swap("softmax.frag", _SHARE, "o_value = 1.0 / (sum * exp(most - texelFetch(tex_in, xy, 0).x));"),
        ),
    ),
    Healthy(
        "features as products of vectors",
        "shuffle",
        (
            Swap("logits.frag", "    s += tail.y * texelFetch(tex_w, ivec2(5, j), 0).x;\n", ""),
            Swap(
                "logits.frag",
                "s += tail.x * texelFetch(tex_w, ivec2(4, j), 0).x;",
                "s += dot(tail, vec2(texelFetch(tex_w, ivec2(4, j), 0).x, texelFetch(tex_w, ivec2(5, j), 0).x));",
            ),
        ),
    ),
)
