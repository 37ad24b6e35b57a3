"""Planted bugs, pairs of them and healthy variants of the pipeline `styler`."""

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "the first layer starts at its own pixel",
        "styler",
        "stem",
        (Swap("stem.frag", "(pixel - tile * u_tileSize) * 2.0 - 1.0", "(pixel - tile * u_tileSize) * 2.0"),),
        ("shift",),
    ),
    Planted(
        "a mirror that repeats the border",
        "styler",
        "stem",
        (Swap("stem.frag", "    i = abs(i);", "    i = i < 0.0 ? -1.0 - i : i;"),),
        ("padding_mode",),
    ),
    Planted(
        "a tap of the first layer pasted twice",
        "styler",
        "stem",
        (Swap("stem.frag", "        TAP(1.0, 2.0)", "        TAP(1.0, 1.0)"),),
        ("double_counted", "missing_taps", "index_map"),
    ),
    Planted(
        "columns of the kernel down its rows",
        "styler",
        "stem",
        (
            Swap(
                "stem.frag",
                "vec2(plane * 3.0 + kx, filter_ * 3.0 + ky)",
                "vec2(plane * 3.0 + ky, filter_ * 3.0 + kx)",
            ),
        ),
        ("kernel_transpose",),
    ),
    Planted(
        "a quad with its rows upside down",
        "styler",
        "stem",
        (Swap("quad.vert", "v_uv = a_position * 0.5", "v_uv = vec2(a_position.x, -a_position.y) * 0.5"),),
        ("flip_y", "index_map"),
    ),
    Planted(
        "two columns of tiles where there are three",
        "styler",
        "mu",
        (Swap("mean.frag", "mod(channel, 3.0)", "mod(channel, 2.0)"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "a mean of which the last lines are missing",
        "styler",
        "mu",
        (Swap("mean.frag", "    for (int y = 0; y < H; y++) {", "    for (int y = 0; y < H - 1; y++) {"),),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "a mean of lines that go on from the line before",
        "styler",
        "mu",
        (
            Swap(
                "mean.frag",
                "    float total = 0.0;\n    for (int y = 0; y < H; y++) {\n        float line = 0.0;",
                "    float total = 0.0;\n    float line = 0.0;\n    for (int y = 0; y < H; y++) {",
            ),
        ),
        ("accumulator_not_reset", "double_counted"),
    ),
    Planted(
        "the small constant beside the root",
        "styler",
        "rsigma",
        (Swap("rsigma.frag", "inversesqrt(variance + u_eps)", "1.0 / (sqrt(variance) + u_eps)"),),
        ("epsilon",),
    ),
    Planted(
        "nobody sets the small constant",
        "styler",
        "rsigma",
        (Swap("pipeline.toml", "uniforms.u_eps = 0.001\n", ""),),
        ("unset_uniform", "epsilon"),
        in_text=False,
    ),
    Planted(
        "a deviation from zero",
        "styler",
        "rsigma",
        (Swap("rsigma.frag", "(at + 0.5) * u_texel).r - mean;", "(at + 0.5) * u_texel).r;"),),
        ("bias_missing",),
    ),
    Planted(
        "gains and shifts exchanged",
        "styler",
        "norm",
        (
            Swap(
                "pipeline.toml",
                'textures.u_gamma = { tensor = "norm.gamma", layout = { name = "channel_tiles", columns = 6 } }\n'
                'textures.u_beta = { tensor = "norm.beta"',
                'textures.u_gamma = { tensor = "norm.beta", layout = { name = "channel_tiles", columns = 6 } }\n'
                'textures.u_beta = { tensor = "norm.gamma"',
            ),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "negative values cut before gain and shift",
        "styler",
        "norm",
        (
            Swap("norm.frag", "float y = (x - mean) * rsigma;", "float y = max((x - mean) * rsigma, 0.0);"),
            Swap("norm.frag", "vec4(max(y, 0.0))", "vec4(y)"),
        ),
        ("activation_before_bias",),
    ),
    Planted(
        "a grid of two columns by three rows",
        "styler",
        "norm",
        (Swap("pipeline.toml", 'uniforms.u_grid = "grid(stem)"', "uniforms.u_grid = [2, 3]"),),
        ("index_map", "wrong_partner", "bias_offset"),
        in_text=False,
    ),
    Planted(
        "nothing of the block's input in its result",
        "styler",
        "res",
        (Swap("res.frag", "vec4(acc + texture2D(u_map, v_uv).r)", "vec4(acc)"),),
        ("bias_missing",),
    ),
    Planted(
        "a border that is not mirrored",
        "styler",
        "res",
        (Swap("res.frag", "(corner + reflected(p) + 0.5)", "(corner + p + 0.5)"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "filters and channels exchanged in the kernel's texture",
        "styler",
        "res",
        (
            Swap(
                "res.frag",
                "vec2(c * 3.0 + kx + 1.0, o * 3.0 + ky + 1.0)",
                "vec2(o * 3.0 + kx + 1.0, c * 3.0 + ky + 1.0)",
            ),
        ),
        ("filter_io_swap",),
    ),
    Planted(
        "an enlargement that rounds to the nearer pixel",
        "styler",
        "paint",
        (Swap("paint.frag", "(corner + floor(p * 0.5) + 0.5)", "(corner + floor(p * 0.5 + 0.5) + 0.5)"),),
        ("index_map", "shift", "half_texel"),
    ),
    Planted(
        "an exponential of once the number",
        "styler",
        "paint",
        (Swap("paint.frag", "exp(-2.0 * abs(x))", "exp(-abs(x))"),),
        ("wrong_function",),
    ),
    Planted(
        "an enlargement that reads between two pixels",
        "styler",
        "paint",
        (Swap("paint.frag", "(corner + floor(p * 0.5) + 0.5)", "(corner + p * 0.5 + 0.5)"),),
        ("texel_edge", "half_texel", "index_map"),
    ),
    Planted(
        "an enlargement left to the sampler",
        "styler",
        "paint",
        (
            Swap("paint.frag", "(corner + floor(p * 0.5) + 0.5)", "(corner + (p + 0.5) * 0.5)"),
            Swap("pipeline.toml", 'textures.u_map = "res"', 'textures.u_map = { tensor = "res", filter = "linear" }'),
        ),
        ("linear_filtering", "tile_bleed"),
    ),
    Planted(
        "a seventh channel",
        "styler",
        "res",
        (Swap("res.frag", "c < 6.0; c += 1.0", "c <= 6.0; c += 1.0"),),
        ("extra_channels",),
    ),
)

PAIRS = (
    Planted(
        "a shifted origin and a bias of the next filter",
        "styler",
        "stem",
        (
            Swap("stem.frag", "(pixel - tile * u_tileSize) * 2.0 - 1.0", "(pixel - tile * u_tileSize) * 2.0 - 2.0"),
            Swap("stem.frag", "vec2((filter_ + 0.5) / 6.0, 0.5)", "vec2((filter_ + 1.5) / 6.0, 0.5)"),
        ),
        ("shift",),
        ("bias_offset",),
    ),
    Planted(
        "a kernel turned around and no bias",
        "styler",
        "res",
        (
            Swap(
                "res.frag",
                "vec2(c * 3.0 + kx + 1.0, o * 3.0 + ky + 1.0)",
                "vec2(c * 3.0 - kx + 1.0, o * 3.0 - ky + 1.0)",
            ),
            Swap("res.frag", "    acc += texture2D(u_bias, vec2((o + 0.5) / 6.0, 0.5)).r;\n", ""),
        ),
        ("kernel_flip",),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "the first layer's taps in loops",
        "styler",
        (
            Swap(
                "stem.frag",
                "        TAP(0.0, 0.0)\n        TAP(1.0, 0.0)\n        TAP(2.0, 0.0)\n        TAP(0.0, 1.0)\n",
                "        for (float ky = 0.0; ky < 3.0; ky++) {\n            for (float kx = 0.0; kx < 3.0; kx++) {\n",
            ),
            Swap(
                "stem.frag",
                "        TAP(1.0, 1.0)\n        TAP(2.0, 1.0)\n"
                "        TAP(0.0, 2.0)\n        TAP(1.0, 2.0)\n        TAP(2.0, 2.0)\n",
                "                TAP(kx, ky)\n            }\n        }\n",
            ),
        ),
    ),
    Healthy(
        "the mean by one loop",
        "styler",
        (
            Swap(
                "mean.frag",
                """    for (int y = 0; y < H; y++) {
        float line = 0.0;
        for (int x = 0; x < W; x++) {
            line += texture2D(u_map, (corner + vec2(x, y) + 0.5) * u_texel).r;
        }
        total += line;
    }
""",
                """    for (int i = 0; i < W * H; i++) {
        vec2 inside = vec2(mod(float(i), float(W)), floor((float(i) + 0.5) / float(W)));
        total += texture2D(u_map, (corner + inside + 0.5) * u_texel).r;
    }
""",
            ),
        ),
    ),
    Healthy(
        "borders of the block mirrored side by side",
        "styler",
        (
            Swap(
                "res.frag",
                "    p = abs(p);\n    vec2 last = TILE - 1.0;\n    return last - abs(last - p);\n",
                "    vec2 over = max(p - (TILE - 1.0), 0.0);\n    return abs(p) - 2.0 * over;\n",
            ),
        ),
    ),
    Healthy(
        "the last layer ends in a sigmoid of twice the number",
        "styler",
        (Swap("paint.frag", "vec4(squash(acc) * 0.5 + 0.5)", "vec4(1.0 / (1.0 + exp(-2.0 * acc)))"),),
    ),
)
