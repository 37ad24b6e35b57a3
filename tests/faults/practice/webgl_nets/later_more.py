"""Plants further bugs in the nets for WebGL: `mobile`, `style`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "a product that goes on from lane to lane",
        "mobile",
        "gate",
        (
            Swap("excite.frag", "    vec4 t;\n", ("    vec4 t;\n    float product = 0.0;\n")),
            Swap(
                "excite.frag",
                "        t[lane] = b[lane] + dot(v, weight(group * 4 + lane));\n",
                ("        product += dot(v, weight(group * 4 + lane));\n        t[lane] = b[lane] + product;\n"),
            ),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "the matrix before the vector",
        "mobile",
        "block",
        (Swap("block.frag", "sum += v * m;", "sum += m * v;"),),
        (
            "filter_io_swap",
            "index_map",
        ),
    ),
    Planted(
        "rows mirrored at the picture's width",
        "style",
        "c1",
        (Swap("c1.frag", "mirror(y + float(v) - 2.0, 9.0)", "mirror(y + float(v) - 2.0, 14.0)"),),
        (
            "padding_mode",
            "index_map",
            "tile_bleed",
        ),
    ),
    Planted(
        "alpha inside the exponential",
        "style",
        "ra",
        (Swap("ra.frag", "0.7 * (exp(sum) - 1.0)", "exp(0.7 * sum) - 1.0"),),
        ("wrong_function",),
    ),
    Planted(
        "columns from their left sides",
        "style",
        "up",
        (Swap("up.frag", "float px = clamp((x + 0.5) / 2.0 - 0.5,", "float px = clamp(x / 2.0,"),),
        (
            "half_texel",
            "index_map",
        ),
    ),
    Planted(
        "shares of upper and lower exchanged",
        "style",
        "up",
        (Swap("up.frag", "return mix(upper, lower, fy);", "return mix(lower, upper, fy);"),),
        ("wrong_partner",),
    ),
    Planted(
        "texels rounded to the nearest",
        "style",
        "ex",
        (Swap("ex.frag", "float texel = floor((index + 0.5) / 4.0);", "float texel = floor(index / 4.0 + 0.5);"),),
        ("index_map",),
    ),
    Planted(
        "the curve left about zero",
        "style",
        "picture",
        (Swap("picture.frag", "0.5 * hyperbolic(sum) + 0.5", "0.5 * hyperbolic(sum)"),),
        (
            "affine",
            "bias_missing",
        ),
    ),
)
