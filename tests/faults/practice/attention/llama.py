"""Plants bugs of `llama_rope`: root mean squares, rotary positions, keys shared by two heads, one sweep."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "llama_rope"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "epsilon outside the root",
        TARGET,
        "norm_in",
        (Swap("rms_norm.frag", "sqrt(squares / float(dim) + eps)", "(sqrt(squares / float(dim)) + eps)"),),
        ("epsilon",),
    ),
    Planted(
        "turned the other way",
        TARGET,
        "q_rot",
        (Swap("rope.frag", "lo * c - hi * s : hi * c + lo * s", "lo * c + hi * s : hi * c - lo * s"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "angles of pair in_head / 2",
        TARGET,
        "q_rot",
        (
            Swap(
                "rope.frag", "ivec2(pair, pos.y), 0).x;\n    float s", "ivec2(in_head / 2, pos.y), 0).x;\n    float s"
            ),
            Swap("rope.frag", "sin_table, ivec2(pair, pos.y)", "sin_table, ivec2(in_head / 2, pos.y)"),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "keys of head mod groups",
        TARGET,
        "mixed",
        (Swap("attend.frag", "head / queries_per_key;", "head % queries_per_key;"),),
        ("wrong_partner", "group_ignored", "index_map"),
    ),
    Planted(
        "the sum not shrunk with the total",
        TARGET,
        "mixed",
        (Swap("attend.frag", "acc = acc * shrink + p *", "acc = acc + p *"),),
        ("wrong_function",),
    ),
    Planted(
        "gate and up exchanged",
        TARGET,
        "gated",
        (
            Swap("pipeline.toml", 'w_gate = { tensor = "gate.weight"', 'w_gate = { tensor = "up.weight"'),
            Swap("pipeline.toml", 'w_up = { tensor = "up.weight"', 'w_up = { tensor = "gate.weight"'),
        ),
        ("wrong_input",),
        in_text=False,
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "the gate without its sigmoid, and the last input left out",
        TARGET,
        "gated",
        (
            Swap("swiglu.frag", "    y = silu(gate) * up;", "    y = gate * up;"),
            Swap("swiglu.frag", "for (int i = 0; i < inner; i++)", "for (int i = 0; i < inner - 1; i++)"),
        ),
        ("activation_missing", "wrong_function"),
        ("missing_channels",),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "the turn as a product of complex numbers",
        TARGET,
        (
            Swap(
                "rope.frag",
                "    y = in_head < half_dim ? lo * c - hi * s : hi * c + lo * s;",
                "    vec2 turned = mat2(c, s, -s, c) * vec2(lo, hi);\n    y = turned[in_head / half_dim];",
            ),
        ),
    ),
)
