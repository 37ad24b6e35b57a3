"""Holds the block of style transfer: accessors over numbers in their order, as for WebGL 1."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "kernels turned",
        "style",
        "c1",
        (
            Swap(
                "c1.frag",
                "get_filters(c, float(i), float(v), float(u))",
                "get_filters(c, float(i), 4.0 - float(v), 4.0 - float(u))",
            ),
        ),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "channel by the width",
        "style",
        "n1",
        (Swap("n1.frag", "floor((line + 0.5) / 9.0)", "floor((line + 0.5) / 14.0)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "one column beyond the border",
        "style",
        "ra",
        (Swap("ra.frag", "x > 13.0", "x > 14.0"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "one taken from alpha times the power",
        "style",
        "ra",
        (Swap("ra.frag", "0.7 * (exp(sum) - 1.0)", "0.7 * exp(sum) - 1.0"),),
        ("wrong_function",),
    ),
    Planted(
        "residual from inside the block",
        "style",
        "res",
        (Swap("res.frag", "return get_n1(c, y, x) + sum", "return get_ra(c, y, x) + sum"),),
        ("wrong_input",),
    ),
    Planted(
        "rows from their corners",
        "style",
        "up",
        (Swap("up.frag", "clamp((y + 0.5) / 2.0 - 0.5, 0.0, 8.0)", "clamp(y / 2.0, 0.0, 8.0)"),),
        ("half_texel", "shift"),
    ),
    Planted(
        "rows of the texture by the picture's width",
        "style",
        "paint",
        (Swap("paint.frag", "floor((texel + 0.5) / 30.0)", "floor((texel + 0.5) / 28.0)"),),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "bias in the loop",
        "style",
        "ex",
        (Swap("ex.frag", "get_filters(c, float(i), 0.0, 0.0);", "get_filters(c, float(i), 0.0, 0.0) + get_bias(c);"),),
        ("bias_doubled",),
    ),
    Planted(
        "squares dealt out by columns",
        "style",
        "picture",
        (
            Swap(
                "picture.frag",
                "(y - yy * 2.0) * 2.0 + x - xx * 2.0",
                "(x - xx * 2.0) * 2.0 + y - yy * 2.0",
            ),
        ),
        ("index_map", "channel_permutation", "transpose_xy"),
    ),
)

PAIRS = (
    Planted(
        "scale for shift, epsilon of a tenth",
        "style",
        "n1",
        (
            Swap("n1.frag", "value * get_scale(c) + get_shift(c)", "value * get_shift(c) + get_scale(c)"),
            Swap("n1.frag", "squares / 126.0 + 0.01", "squares / 126.0 + 0.1"),
        ),
        ("wrong_input",),
        ("epsilon",),
    ),
)

_TWO_MIXES = """\
    float upper = mix(get_res(c, y0, x0), get_res(c, y0, x1), fx);
    float lower = mix(get_res(c, y1, x0), get_res(c, y1, x1), fx);
    return mix(upper, lower, fy);
"""
_FOUR_WEIGHTS = """\
    return get_res(c, y0, x0) * (1.0 - fy) * (1.0 - fx) + get_res(c, y0, x1) * (1.0 - fy) * fx
        + get_res(c, y1, x0) * fy * (1.0 - fx) + get_res(c, y1, x1) * fy * fx;
"""
_BY_COMPARING = """\
    if (lane < 0.5) return v.r;
    if (lane < 1.5) return v.g;
    if (lane < 2.5) return v.b;
    return v.a;
"""
_BY_PRODUCT = """\
    vec4 distance = abs(lane - vec4(0.0, 1.0, 2.0, 3.0));
    return dot(v, vec4(lessThan(distance, vec4(0.5))));
"""

HEALTHY = (
    Healthy("four weights between centres", "style", (Swap("up.frag", _TWO_MIXES, _FOUR_WEIGHTS),)),
    Healthy("a lane by a product", "style", (Swap("ra.frag", _BY_COMPARING, _BY_PRODUCT),)),
)
