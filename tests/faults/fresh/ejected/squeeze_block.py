"""Slips in the squeeze-excite block: macros over elements that lie one behind the other."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_STORED = "acc += AT(X, (i * H + yy) * W + xx) * AT(K, ((o * 5 + i) * 3 + p) * 3 + q);"
_FOUR = "vec4(AT(E, first / AREA), AT(E, (first + 1) / AREA), AT(E, (first + 2) / AREA), AT(E, (first + 3) / AREA));"
_COLUMNS = """        for (int x = max(x0, 0); x < min(x0 + 3, W); x++) {
            total += AT(X, (c * H + y) * W + x);
            n += 1.0;
        }"""

FAULTS = (
    Planted(
        "a step of two along both axes of the stem",
        "squeeze",
        "stem",
        (Swap("stem.frag", "xx = x - 1 + q;", "xx = x * 2 - 1 + q;"),),
        ("stride", "index_map"),
    ),
    Planted(
        "the gate of the stem without its minus",
        "squeeze",
        "stem",
        (Swap("stem.frag", "exp(-(v))", "exp(v)"),),
        ("wrong_function", "activation_missing", "scale"),
    ),
    Planted(
        "the stem's kernels as columns of rows",
        "squeeze",
        "stem",
        (Swap("stem.frag", "((o * 5 + i) * 3 + p) * 3 + q);", "((o * 5 + i) * 3 + q) * 3 + p);"),),
        ("kernel_transpose", "index_map", "wrong_partner"),
    ),
    Planted(
        "height and width of the flat index exchanged",
        "squeeze",
        "stem",
        (Swap("stem.frag", "AT(X, (i * H + yy) * W + xx)", "AT(X, (i * W + yy) * H + xx)"),),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "the right border not tested",
        "squeeze",
        "stem",
        (Swap("stem.frag", "xx < 0 || xx >= W) continue;", "xx < 0) continue;"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "only the gate of the stem stored",
        "squeeze",
        "stem",
        (Swap("stem.frag", "#define SILU(v) ((v) / ", "#define SILU(v) (1.0 / "),),
        ("wrong_function",),
    ),
    Planted(
        "a mean over the area before the stride",
        "squeeze",
        "squeezed",
        (Swap("squeeze.frag", "total / float(AREA)", "total / 99.0"),),
        ("average_count", "scale", "wrong_literal"),
    ),
    Planted(
        "the total outside the lanes",
        "squeeze",
        "squeezed",
        (
            Swap("squeeze.frag", "    EACH_LANE {", "    float total = 0.0;\n    EACH_LANE {"),
            Swap("squeeze.frag", "        float total = 0.0;\n        for", "        for"),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "channels taken for the innermost axis",
        "squeeze",
        "squeezed",
        (Swap("squeeze.frag", "AT(X, c * AREA + k)", "AT(X, k * C + c)"),),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "a row short in the squeezed sum",
        "squeeze",
        "squeezed",
        (Swap("squeeze.frag", "k < AREA; k++", "k < AREA - 9; k++"),),
        ("missing_taps",),
    ),
    Planted(
        "the first layer's weights with four outputs a texel",
        "squeeze",
        "fc1",
        (Swap("fc1.frag", "vec4(AT(K, i), AT(K, 10 + i), AT(K, 20 + i), AT(K, 30 + i))", "TEXEL(K, i)"),),
        ("filter_io_swap", "index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "only the squeezed texels that are full",
        "squeeze",
        "fc1",
        (Swap("fc1.frag", "i < 10", "i < 8"),),
        ("missing_channels",),
    ),
    Planted(
        "the first layer's bias behind its bend",
        "squeeze",
        "fc1",
        (
            Swap("fc1.frag", "vec4 acc = TEXEL(B, 0);", "vec4 acc = vec4(0.0);"),
            Swap("fc1.frag", "LEAKY(acc[l], 0.15);", "LEAKY(acc[l], 0.15) + AT(B, l);"),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "a zero too many in the slope",
        "squeeze",
        "fc1",
        (Swap("fc1.frag", "LEAKY(acc[l], 0.15)", "LEAKY(acc[l], 0.015)"),),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "the first layer's weights bound as tiles",
        "squeeze",
        "fc1",
        (
            Swap(
                "pipeline.toml",
                '{ tensor = "fc1_w", layout = "row_major_rgba" }',
                '{ tensor = "fc1_w", layout = "channel_tiles_rgba" }',
            ),
        ),
        ("wrong_layout", "filter_offset", "index_map", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "another framework's slope of the hard sigmoid",
        "squeeze",
        "excite",
        (Swap("pipeline.toml", "uniforms.SLOPE = 0.3", "uniforms.SLOPE = 0.1666667"),),
        ("alpha",),
        in_text=False,
    ),
    Planted(
        "the second layer's biases by lane",
        "squeeze",
        "excite",
        (Swap("fc2.frag", "AT(B, o)", "AT(B, l)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "the first four filters for every texel of the second layer",
        "squeeze",
        "excite",
        (Swap("fc2.frag", "TEXEL(K, o)", "TEXEL(K, l)"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "a smooth sigmoid for the hard one",
        "squeeze",
        "excite",
        (
            Swap(
                "fc2.frag",
                "#define HARD(v) clamp(SLOPE * (v) + MIDDLE, 0.0, 1.0)",
                "#define HARD(v) (1.0 / (1.0 + exp(-(v))))",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "one gate for the four lanes of a texel",
        "squeeze",
        "scaled",
        (Swap("rescale.frag", _FOUR, "AT(E, first / AREA);"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "gates dealt out as if channels were innermost",
        "squeeze",
        "scaled",
        (
            Swap(
                "rescale.frag",
                _FOUR,
                "vec4(AT(E, first % 10), AT(E, (first + 1) % 10), AT(E, (first + 2) % 10), AT(E, (first + 3) % 10));",
            ),
        ),
        ("wrong_partner", "index_map", "wrong_layout"),
    ),
    Planted(
        "scaled by what was squeezed",
        "squeeze",
        "scaled",
        (Swap("pipeline.toml", 'textures.E = "excite"', 'textures.E = "squeezed"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "nine texels counted at the borders too",
        "squeeze",
        "pool",
        (Swap("pool.frag", "total / n", "total / 9.0"),),
        ("average_count",),
    ),
    Planted(
        "a window of two columns",
        "squeeze",
        "pool",
        (Swap("pool.frag", "min(x0 + 3, W)", "min(x0 + 2, W)"),),
        ("missing_taps",),
    ),
    Planted(
        "rows counted in place of texels",
        "squeeze",
        "pool",
        (
            Swap(
                "pool.frag",
                "y++)\n" + _COLUMNS,
                "y++) {\n"
                "            for (int x = max(x0, 0); x < min(x0 + 3, W); x++)\n"
                "                total += AT(X, (c * H + y) * W + x);\n"
                "            n += 1.0;\n"
                "        }",
            ),
        ),
        ("average_count",),
    ),
)

PAIRS = (
    Planted(
        "the stem's kernels turned and a gate of twice its sum",
        "squeeze",
        "stem",
        (
            Swap("stem.frag", "* 3 + p) * 3 + q);", "* 3 + q) * 3 + p);"),
            Swap("stem.frag", "exp(-(v))", "exp(-2.0 * (v))"),
        ),
        ("kernel_transpose", "index_map", "wrong_partner"),
        others=("wrong_function", "scale", "alpha"),
    ),
)

HEALTHY = (
    Healthy(
        "the squeezed sum row by row and times a share",
        "squeeze",
        (
            Swap(
                "squeeze.frag",
                "for (int k = 0; k < AREA; k++) total += AT(X, c * AREA + k);",
                "for (int r = 0; r < 6; r++) {\n"
                "            float part = 0.0;\n"
                "            for (int k = 8; k >= 0; k--) part += AT(X, (c * 6 + r) * 9 + k);\n"
                "            total += part;\n"
                "        }",
            ),
            Swap("squeeze.frag", "total / float(AREA)", "total * (1.0 / float(AREA))"),
        ),
    ),
    Healthy(
        "the pool's texels counted before they are read",
        "squeeze",
        (
            Swap("pool.frag", _COLUMNS, _COLUMNS.replace("            n += 1.0;\n", "")),
            Swap(
                "pool.frag",
                "Y[l] = total / n;",
                "n = float((min(y0 + 3, H) - max(y0, 0)) * (min(x0 + 3, W) - max(x0, 0)));\n        Y[l] = total / n;",
            ),
        ),
    ),
    Healthy(
        "the stem's channels innermost and the bias first",
        "squeeze",
        (
            Swap("stem.frag", "    float acc = 0.0;\n    for (int i = 0; i < 5; i++)\n", "    float acc = AT(B, o);\n"),
            Swap("stem.frag", _STORED, "for (int i = 4; i >= 0; i--) " + _STORED),
            Swap("stem.frag", "return acc + AT(B, o);", "return acc;"),
        ),
    ),
)
