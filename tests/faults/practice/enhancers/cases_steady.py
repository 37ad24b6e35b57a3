"""Plants bugs of the filter against flicker, and other ways to write it."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "brightness in bytes",
        "steady",
        "guide",
        (Swap("guide.fx", "float4(dot(rgb, LumaCoeff))", "float4(round(dot(rgb, LumaCoeff) * 255.0) / 255.0)"),),
        ("quantized_8bit",),
    ),
    Planted(
        "this frame for the last one",
        "steady",
        "blended",
        (
            Swap(
                "pipeline.toml",
                'textures.sPrevious = "previous"\ntextures.sMotion',
                'textures.sPrevious = "frame"\ntextures.sMotion',
            ),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "mean not squared",
        "steady",
        "slope",
        (Swap("coefficients.fx", "(II - I * I + Softness)", "(II - I + Softness)"),),
        ("activation_missing", "wrong_function", "wrong_input"),
    ),
    Planted(
        "offset with a plus",
        "steady",
        "slope",
        (Swap("coefficients.fx", "float4(p - a * I, 0.0)", "float4(p + a * I, 0.0)"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "box without its right column",
        "steady",
        "smooth",
        (Swap("smooth.fx", "x <= min(center.x + RADIUS", "x < min(center.x + RADIUS"),),
        ("missing_taps",),
    ),
    Planted(
        "a channel set instead of raised",
        "steady",
        "embed",
        (Swap("embed.fx", "color.z += dot", "color.z = dot"),),
        ("bias_missing",),
    ),
    Planted(
        "values from across the middle",
        "steady",
        "attend",
        (
            Swap(
                "attend.fx",
                "texelFetch(sSmooth, Inside(at + Cross[k]), 0)",
                "texelFetch(sSmooth, Inside(at - Cross[k]), 0)",
            ),
        ),
        ("wrong_partner", "index_map", "kernel_flip"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "softness after the division, every box of twenty-five",
        "steady",
        "slope",
        (
            Swap("coefficients.fx", "(II - I * I + Softness)", "(II - I * I) + Softness"),
            Swap("coefficients.fx", "I = 0.0, II = 0.0, n = 0.0;", "I = 0.0, II = 0.0, n = 25.0;"),
            Swap("coefficients.fx", "            n += 1.0;\n", ""),
        ),
        ("epsilon",),
        ("average_count",),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "shares to the base of two",
        "steady",
        (
            Swap("attend.fx", "score[k] = 0.5 * dot", "score[k] = 0.72134752 * dot"),
            Swap("attend.fx", "exp(score[k] - top)", "exp2(score[k] - top)"),
        ),
    ),
    Healthy(
        "rows of the box first",
        "steady",
        (
            Swap(
                "smooth.fx",
                "            sum += texelFetch(s, ivec2(x, y), 0).rgb;\n",
                "            row += texelFetch(s, ivec2(x, y), 0).rgb;\n",
            ),
            Swap("smooth.fx", "            n++;\n        }\n", "            n++;\n        }\n        sum += row;\n"),
            Swap("smooth.fx", "size.y - 1); y++) {\n", "size.y - 1); y++) {\n        float3 row = float3(0.0);\n"),
        ),
    ),
)
