"""Plants bugs of the brightness upscaler, and other ways to write it."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "kernels turned",
        "luma",
        "feature_a",
        (Swap("feature.frag", "int k = (dy + R) * 5 + dx + R;", "int k = (R - dy) * 5 + R - dx;"),),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "sides of the picture exchanged",
        "luma",
        "feature_a",
        (Swap("feature.frag", "SIZE = ivec2(12, 9)", "SIZE = ivec2(9, 12)"),),
        ("padding_mode", "transpose_xy", "missing_taps"),
    ),
    Planted(
        "second half with the kernels of the first",
        "luma",
        "feature_a",
        (Swap("feature.frag", "b += v * KB[k];", "b += v * KA[k];"),),
        ("filter_offset", "index_map", "wrong_literal", "wrong_input"),
    ),
    Planted(
        "slopes above zero",
        "luma",
        "shrink",
        (Swap("shrink.frag", "greaterThan(s, vec4(0.0))", "lessThan(s, vec4(0.0))"),),
        ("wrong_function",),
    ),
    Planted(
        "a weight without its minus",
        "luma",
        "map1",
        (Swap("map1.frag", "-0.0669, 0.2925", "0.0669, 0.2925"),),
        ("wrong_literal",),
    ),
    Planted(
        "shortcut after the slopes",
        "luma",
        "map2",
        (
            Swap("map2.frag", "    sum += texelFetch(u_shrink, here, 0);\n", ""),
            Swap(
                "map2.frag",
                "sum.w < 0.0 ? SLOPE.w * sum.w : sum.w\n    );",
                "sum.w < 0.0 ? SLOPE.w * sum.w : sum.w\n    ) + texelFetch(u_shrink, here, 0);",
            ),
        ),
        ("activation_before_bias",),
    ),
    Planted(
        "slopes of the first half for both",
        "luma",
        "expand",
        (Swap("expand.frag", "SLOPES[half_] * min", "SLOPES[0] * min"),),
        ("alpha", "index_map", "wrong_literal"),
    ),
    Planted(
        "second group one kernel on",
        "luma",
        "deconv",
        (Swap("deconv.frag", "int row = group * 4 * K + ky;", "int row = group * K + ky;"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "padding of one",
        "luma",
        "deconv",
        (Swap("deconv.frag", "PAD = 2;", "PAD = 1;"),),
        ("shift", "index_map"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "last tap not reached, a slope written wrong",
        "luma",
        "map2",
        (
            Swap("map2.frag", "i < 9;", "i < 8;"),
            Swap(
                "map2.frag",
                "SLOPE = vec4(0.2971, 0.2099, 0.1699, 0.1575)",
                "SLOPE = vec4(0.9271, 0.2099, 0.1699, 0.1575)",
            ),
        ),
        ("missing_taps",),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "taps the other way, a bias written wrong",
        "luma",
        "deconv",
        (
            Swap("deconv.frag", "int tx = o.x + PAD - kx;", "int tx = o.x - PAD + kx;"),
            Swap("deconv.frag", "float sum = 0.1384;", "float sum = 0.1834;"),
        ),
        ("kernel_flip", "index_map"),
        ("wrong_literal", "affine"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "only the taps that meet a pixel",
        "luma",
        (
            Swap("deconv.frag", "for (int ky = 0; ky < K; ++ky) {", "for (int ky = o.y & 1; ky < K; ky += 2) {"),
            Swap(
                "deconv.frag",
                "if (ty < 0 || ty % 2 != 0 || ty / 2 >= H) continue;",
                "if (ty < 0 || ty >= 2 * H) continue;",
            ),
        ),
    ),
    Healthy(
        "borders by a factor",
        "luma",
        (
            Swap(
                "map1.frag",
                "bool inside = x >= 0 && x < W && y >= 0 && y < H;",
                "ivec2 p = ivec2(clamp(x, 0, W - 1), clamp(y, 0, H - 1));",
            ),
            Swap(
                "map1.frag",
                "return inside ? texelFetch(u_map, ivec2(x, y), 0) : vec4(0.0);",
                "return texelFetch(u_map, p, 0) * float(p.x == x) * float(p.y == y);",
            ),
        ),
    ),
)
