"""Bugs of `sound_stack`: causal dilated layers, gates of two halves, two colour attachments a pass."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "sound_stack"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "sigmoid and tanh exchanged",
        TARGET,
        "gated0",
        (Swap("gate.frag", "Y = tanh(s.x) / (1.0 + exp(-s.y));", "Y = tanh(s.y) / (1.0 + exp(-s.x));"),),
        ("wrong_function", "wrong_partner", "channel_permutation", "index_map"),
    ),
    Planted(
        "halves taken as even and odd outputs, in the weights alone",
        TARGET,
        "gated0",
        (Swap("gate.frag", "int a = c * 6 + i, b = a + 36;", "int a = 12 * c + i, b = a + 6;"),),
        ("index_map", "wrong_partner", "filter_offset"),
    ),
    Planted(
        "what goes past without its own bias",
        TARGET,
        "stream0",
        (Swap("split.frag", "past = s + texelFetch(t_BS, ivec2(o, 0), 0).r;", "past = s;"),),
        ("bias_missing",),
    ),
    Planted(
        "earlier layers let past once more",
        TARGET,
        "stream1",
        (
            Swap(
                "split_add.frag",
                "past = rs.y + texelFetch(t_PAST, here, 0).r;",
                "past = rs.y + 2.0 * texelFetch(t_PAST, here, 0).r;",
            ),
        ),
        ("double_counted", "scale"),
    ),
    Planted(
        "the dilation of the first layer in the second",
        TARGET,
        "gated1",
        (Swap("pipeline.toml", "uniforms.dilation = 4", "uniforms.dilation = 2"),),
        ("dilation",),
        in_text=False,
    ),
    Planted(
        "ReLU for all inputs but one",
        TARGET,
        "y",
        (
            Swap(
                "last.frag",
                "        + heard(t, 3) * texelFetch(t_W",
                "        + texelFetch(t_X, ivec2(t, 3), 0).r * texelFetch(t_W",
            ),
        ),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "what is gated goes on as its own stream",
        TARGET,
        "stream1",
        (Swap("pipeline.toml", 't_STREAM = "stream0"', 't_STREAM = "gated1"'),),
        ("wrong_input",),
        in_text=False,
    ),
)

PAIRS: tuple[Planted, ...] = ()

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "the hyperbolic tangent by powers of two",
        TARGET,
        (
            Swap(
                "gate.frag",
                "    Y = tanh(s.x) / (1.0 + exp(-s.y));",
                "    vec2 e = exp2(vec2(-2.0, -1.0) * s * 1.44269504);\n"
                "    Y = (1.0 - e.x) / ((1.0 + e.x) * (1.0 + e.y));",
            ),
        ),
    ),
)
