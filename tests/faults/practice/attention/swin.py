"""Bugs of `shifted_windows`: windows of a picture that is rolled, heads of one texel, a table of distances."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "shifted_windows"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "rolled on instead of back",
        TARGET,
        "context",
        (
            Swap("window_context.frag", "p.y - tile.y * H + H - SHIFT) % H", "p.y - tile.y * H + SHIFT) % H"),
            Swap("window_context.frag", "p.x - tile.x * W + W - SHIFT) % W", "p.x - tile.x * W + SHIFT) % W"),
        ),
        ("index_map", "shift"),
    ),
    Planted(
        "rows and columns of the table of distances",
        TARGET,
        "probs",
        (Swap("window_probs.frag", "dy * (2 * WINDOW - 1) + dx", "dx * (2 * WINDOW - 1) + dy"),),
        ("index_map", "transpose_xy", "wrong_partner"),
    ),
    Planted(
        "blocks of four by four turned",
        TARGET,
        "mixed",
        (Swap("pointwise_skip.frag", "sum += v * rows;", "sum += rows * v;"),),
        ("index_map", "wrong_partner", "filter_io_swap"),
    ),
    Planted(
        "keys where the values belong",
        TARGET,
        "context",
        (Swap("pipeline.toml", 'textures.v = "v"', 'textures.v = "k"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "rolled along one axis only",
        TARGET,
        "q",
        (Swap("project.frag", "int x = (p.x % W + SHIFT) % W;", "int x = p.x % W;"),),
        ("shift", "index_map"),
    ),
)

PAIRS: tuple[Planted, ...] = ()

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "places by shifts and masks, powers of two for exponentials",
        TARGET,
        (
            Swap(
                "window_probs.frag",
                "    ivec2 inside = ivec2(cell % WINDOW, cell / WINDOW);",
                "    ivec2 inside = ivec2(cell & 3, cell >> 2);",
            ),
            Swap(
                "window_probs.frag",
                "        total += exp(logits[c] - peak);",
                "        total += exp2(1.442695041 * (logits[c] - peak));",
            ),
            Swap(
                "window_probs.frag",
                "    prob = vec4(exp(logits[col] - peak) / total);",
                "    float inverse_ = 1.0 / total;\n"
                "    prob = vec4(exp2(1.442695041 * (logits[col] - peak)) * inverse_);",
            ),
        ),
    ),
)
