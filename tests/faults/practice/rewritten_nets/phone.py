"""Bugs of `phone_net`: five channels in two tiles, an oblong depthwise window, factors by channel, pixels unfolded."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "phone_net"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the fifth channel forgotten",
        TARGET,
        "expanded",
        (Swap("expand.frag", "s[lane] = dot(a, w4(o)) + b * w1(o);", "s[lane] = dot(a, w4(o));"),),
        ("missing_channels",),
    ),
    Planted(
        "the stride taken along the other axis too",
        TARGET,
        "depth",
        (Swap("depth.frag", "int x = p.x * 2 + u - 1;", "int x = p.x + u - 1;"),),
        ("stride",),
    ),
    Planted(
        "a cap of one where the model has one and a half",
        TARGET,
        "depth",
        (Swap("depth.frag", "ivec2(group, 0), 0), 0.0, 1.5);", "ivec2(group, 0), 0), 0.0, 1.0);"),),
        ("alpha", "clamped_0_1", "wrong_function"),
    ),
    Planted(
        "the third of the few without its lane",
        TARGET,
        "excited",
        (
            Swap(
                "excite.frag",
                "few.z += dot(m, texelFetch(t_WIN, ivec2(g, 2), 0));",
                "few.z += dot(m.xyz, texelFetch(t_WIN, ivec2(g, 2), 0).xyz);",
            ),
        ),
        ("missing_channels", "dropped_lane"),
    ),
    Planted(
        "factors of the first four channels",
        TARGET,
        "project",
        (Swap("project.frag", "texelFetch(t_FACTOR, ivec2(g, 0), 0)", "texelFetch(t_FACTOR, ivec2(group, 0), 0)"),),
        ("wrong_partner", "index_map", "group_ignored"),
    ),
    Planted(
        "means that count what lies outside",
        TARGET,
        "y",
        (Swap("unfold.frag", "    return s / float(n.x * n.y);", "    return s / 9.0;"),),
        ("average_count",),
    ),
    Planted(
        "rows for columns in the unfolded block",
        TARGET,
        "y",
        (
            Swap("unfold.frag", "int side = here.x & 1;", "int side = here.y & 1;"),
            Swap("unfold.frag", "if ((here.y & 1) == 0) {", "if ((here.x & 1) == 0) {"),
        ),
        ("index_map", "transpose_xy", "channel_permutation"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "biases of the tile before, and a swish with the offset of a quarter",
        TARGET,
        "expanded",
        (
            Swap(
                "expand.frag",
                "s += texelFetch(t_B, ivec2(group, 0), 0);",
                "s += texelFetch(t_B, ivec2(max(group - 1, 0), 0), 0);",
            ),
            Swap("expand.frag", "clamp(s / 6.0 + 0.5, 0.0, 1.0)", "clamp(s / 6.0 + 0.25, 0.0, 1.0)"),
        ),
        ("bias_offset", "index_map"),
        ("alpha", "wrong_function"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "an early return for even rows, the reciprocal of the count by a table",
        TARGET,
        (
            Swap(
                "unfold.frag",
                "    return s / float(n.x * n.y);",
                "    const float RECIPROCAL[3] = float[3](1.0, 1.0 / 2.0, 1.0 / 3.0);\n"
                "    return s * RECIPROCAL[n.x - 1] * RECIPROCAL[n.y - 1];",
            ),
            Swap(
                "unfold.frag",
                "    } else {\n        Y = averaged(p, side);\n    }\n",
                "        return;\n    }\n    Y = averaged(p, side);\n",
            ),
        ),
    ),
)
