"""Slips in what is carried from frame to frame: rates, means that move, running sums and envelopes."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "old and new frame weighted the other way round",
        "stream",
        "average",
        (Swap("average.frag", "before + u_rate * (frame - before)", "frame + u_rate * (before - frame)"),),
        ("wrong_input",),
    ),
    Planted(
        "a variance that does not fade",
        "stream",
        "spread",
        (Swap("spread.frag", "(1.0 - u_rate) * (before + u_rate * away * away)", "before + u_rate * away * away"),),
        ("scale",),
    ),
    Planted(
        "a narrower limit",
        "stream",
        "whitened",
        (Swap("whitened.frag", "LIMIT = 2.5", "LIMIT = 1.0"),),
        ("alpha",),
    ),
    Planted(
        "an epsilon of its own outside the root",
        "stream",
        "whitened",
        (
            Swap(
                "whitened.frag",
                "sqrt(texelFetch(s_variance, at, 0) + u_eps)",
                "sqrt(texelFetch(s_variance, at, 0)) + u_eps",
            ),
        ),
        ("epsilon",),
    ),
    Planted(
        "a running sum without the moment itself",
        "stream",
        "total",
        (Swap("total.frag", "u <= t; u++", "u < t; u++"),),
        ("missing_taps", "missing_channels", "shift"),
    ),
    Planted(
        "a running sum that goes on from row to row",
        "stream",
        "total",
        (
            Swap(
                "total.frag",
                "for (int u = 0; u <= t; u++) {\n        sum += element(row * u_length + u);",
                "for (int u = 0; u <= row * u_length + t; u++) {\n        sum += element(u);",
            ),
        ),
        ("accumulator_not_reset", "extra_channels"),
    ),
    Planted(
        "nothing carried over",
        "stream",
        "total",
        (Swap("total.frag", "texelFetch(s_carry, ivec2(0, row), 0).r", "0.0"),),
        ("bias_missing",),
    ),
    Planted(
        "the first row's carry for all",
        "stream",
        "total",
        (Swap("total.frag", "ivec2(0, row)", "ivec2(0, 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "an envelope of one side",
        "stream",
        "peak",
        (Swap("peak.frag", "abs(element(row * u_length + u))", "element(row * u_length + u)"),),
        ("activation_missing",),
    ),
    Planted(
        "a swish as steep as a sigmoid",
        "stream",
        "swish",
        (Swap("swish.frag", "exp(-u_steepness * x)", "exp(-x)"),),
        ("alpha", "wrong_function"),
    ),
)


HEALTHY = (
    Healthy(
        "a moving mean by two weights",
        "stream",
        (Swap("average.frag", "before + u_rate * (frame - before)", "(1.0 - u_rate) * before + u_rate * frame"),),
    ),
    Healthy(
        "a running sum backwards",
        "stream",
        (Swap("total.frag", "int u = 0; u <= t; u++", "int u = t; u >= 0; u--"),),
    ),
)
