"""The network in steps: partial sums, statistics into two targets, sums along one axis after the other."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "assigned and not added",
        "stages",
        "part",
        (Swap("part.frag", "sum += vec4(dot(", "sum = vec4(dot("),),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "first step after the activation",
        "stages",
        "feat",
        (
            Swap("rest.frag", "vec4 sum = texelFetch(u_part, texel, 0);", "vec4 sum = vec4(0);"),
            Swap("rest.frag", "lessThan(sum, vec4(0)));", "lessThan(sum, vec4(0))) + texelFetch(u_part, texel, 0);"),
        ),
        ("activation_before_bias",),
    ),
    Planted(
        "squares of what was not centred",
        "stages",
        "stats",
        (Swap("stats.frag", "ivec2(x, y), 0) - mean;", "ivec2(x, y), 0);"),),
        ("wrong_function", "bias_missing"),
    ),
    Planted(
        "block by the height",
        "stages",
        "hat",
        (Swap("apply.frag", "ivec2(texel.x / u_size.x, 0)", "ivec2(texel.x / u_size.y, 0)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "mean for variance",
        "stages",
        "hat",
        (
            Swap("pipeline.toml", 'textures.u_mean = "stats"', 'textures.u_mean = "variance"'),
            Swap("pipeline.toml", 'textures.u_variance = "variance"', 'textures.u_variance = "stats"'),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "two lanes of three",
        "stages",
        "signal",
        (Swap("gates.frag", "dot(b.xyz, high.xyz)", "dot(b.xy, high.xy)"),),
        ("missing_channels", "dropped_lane"),
    ),
    Planted(
        "three at a time in steps of two",
        "stages",
        "rows",
        (Swap("rows.frag", "x += 3", "x += 2"),),
        ("double_counted", "tile_bleed", "extra_channels"),
    ),
    Planted(
        "matrix by columns",
        "stages",
        "logits",
        (Swap("logits.frag", "i * 6 + o", "o * 5 + i"),),
        ("filter_io_swap", "index_map", "wrong_layout"),
    ),
)

PAIRS = (
    Planted(
        "a hundredth for a tenth, bias of the first block",
        "stages",
        "feat",
        (
            Swap("rest.frag", "0.1 * sum", "0.01 * sum"),
            Swap("rest.frag", "texelFetch(u_bias, ivec2(block, 0), 0)", "texelFetch(u_bias, ivec2(0), 0)"),
        ),
        ("alpha",),
        ("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy(
        "sigmoid by powers of two",
        "stages",
        (Swap("gates.frag", "1.0 / (1.0 + exp(-g))", "1.0 / (1.0 + exp2(-1.44269504 * g))"),),
    ),
    Healthy(
        "threes from the right",
        "stages",
        (
            Swap(
                "rows.frag",
                "for (int x = 0; x < u_size.x; x += 3) {",
                "for (int x = u_size.x - 3; x >= 0; x -= 3) {",
            ),
        ),
    ),
)
