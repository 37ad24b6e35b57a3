"""Bugs of `badge_classifier`: four channels a texel, norms fused in, a depthwise and a grouped layer, means, votes."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "badge_classifier"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "divided before the mean is taken off",
        TARGET,
        "first",
        (
            Swap(
                "first.frag",
                "vec4 normed = (s - texelFetch(t_MEAN, g, 0)) / spread;",
                "vec4 normed = s / spread - texelFetch(t_MEAN, g, 0);",
            ),
        ),
        ("wrong_function", "scale", "affine"),
    ),
    Planted(
        "kernels of the first four for the others too",
        TARGET,
        "deep",
        (Swap("deep.frag", "int c = group * 4 + lane;", "int c = lane;"),),
        ("wrong_partner", "index_map", "filter_offset", "group_ignored"),
    ),
    Planted(
        "a mean over a square",
        TARGET,
        "means",
        (Swap("means.frag", "Y = total / float(WIDE * HIGH);", "Y = total / float(WIDE * WIDE);"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the second four means with the weights of the first",
        TARGET,
        "votes",
        (Swap("votes.frag", "texelFetch(t_W, ivec2(1, o), 0)", "texelFetch(t_W, ivec2(0, o), 0)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a shortcut from after the first layer",
        TARGET,
        "block",
        (Swap("pipeline.toml", 't_SHORTCUT = "x"', 't_SHORTCUT = "first"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "the ReLU before the shortcut",
        TARGET,
        "block",
        (
            Swap(
                "block.frag",
                "vec4 joined = s * factor + offset + texelFetch(t_SHORTCUT, here, 0);",
                "vec4 joined = max(s * factor + offset, 0.0);",
            ),
            Swap("block.frag", "    Y = max(joined, 0.0);", "    Y = joined + texelFetch(t_SHORTCUT, here, 0);"),
        ),
        ("wrong_function", "activation_before_bias"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "a corner tap forgotten, and the ReLU",
        TARGET,
        "first",
        (
            Swap("first.frag", "TAP(0, 2) TAP(1, 2) TAP(2, 2)", "TAP(0, 2) TAP(1, 2)"),
            Swap(
                "first.frag",
                "Y = max(normed * texelFetch(t_SCALE, g, 0) + texelFetch(t_SHIFT, g, 0), vec4(0.0));",
                "Y = normed * texelFetch(t_SCALE, g, 0) + texelFetch(t_SHIFT, g, 0);",
            ),
        ),
        ("missing_taps",),
        ("activation_missing",),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "a running mean",
        TARGET,
        (
            Swap("means.frag", "    for (int y = 0; y < HIGH; y++) total += line(group, y);\n", ""),
            Swap(
                "means.frag",
                "    Y = total / float(WIDE * HIGH);",
                "    for (int n = 0; n < HIGH; n++) {\n"
                "        total += (line(group, HIGH - 1 - n) / float(WIDE) - total) / float(n + 1);\n"
                "    }\n"
                "    Y = total;",
            ),
        ),
    ),
    Healthy(
        "lanes of the kernels by a switch",
        TARGET,
        (
            Swap(
                "deep.frag",
                "        w[lane] = texelFetch(t_W, ivec2(c % 3 * 3 + u, c / 3 * 3 + v), 0).r;\n",
                """\
        float one = texelFetch(t_W, ivec2(c - c / 3 * 3, c / 3) * 3 + ivec2(u, v), 0).r;
        switch (lane) {
            case 0: w.r = one; break;
            case 1: w.g = one; break;
            case 2: w.b = one; break;
            default: w.a = one;
        }
""",
            ),
        ),
    ),
)
