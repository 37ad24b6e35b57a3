"""Slips in a step of a stream over a ring of frames, dispatched on buffers."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_SUMS = """    scratch[me] = share[me];
    barrier();
"""

FAULTS = (
    Planted(
        "a frame laid down side by side",
        "ring",
        "ring",
        (Swap("push.comp", "ring[c * slots + head]", "ring[head * channels + c]"),),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "the ring run through forwards",
        "ring",
        "fir",
        (Swap("fir.comp", "(head - age + slots) % slots", "(head + age) % slots"),),
        ("index_map",),
    ),
    Planted(
        "a ring that ends at its first slot",
        "ring",
        "fir",
        (Swap("fir.comp", "(head - age + slots) % slots", "max(head - age, 0)"),),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "loops exchanged over weights that run on",
        "ring",
        "fir",
        (
            Swap("fir.comp", "    for (int c = 0; c < channels; ++c) {", "    for (int k = 0; k < TAPS; ++k) {"),
            Swap(
                "fir.comp", "        for (int k = 0; k < TAPS; ++k) {", "        for (int c = 0; c < channels; ++c) {"
            ),
        ),
        ("index_map", "wrong_layout", "wrong_partner"),
    ),
    Planted(
        "an exponential unit that jumps at zero",
        "ring",
        "fir",
        (Swap("fir.comp", "exp(sum) - 1.0", "exp(sum)"),),
        ("wrong_function",),
    ),
    Planted(
        "new squares at their full rate",
        "ring",
        "normed",
        (
            Swap(
                "running.comp",
                "(1.0 - rate) * (variance[o] + rate * away * away)",
                "(1.0 - rate) * variance[o] + rate * away * away",
            ),
        ),
        ("scale", "wrong_partner", "wrong_function"),
    ),
    Planted(
        "a step measured from where the mean was",
        "ring",
        "normed",
        (Swap("running.comp", "(value[o] - m) / sqrt", "away / sqrt"),),
        ("wrong_input", "scale", "wrong_partner"),
    ),
    Planted(
        "the second state of a section for its first",
        "ring",
        "filtered",
        (Swap("sections.comp", "sections[s] * x + taps[2 * o];", "sections[s] * x + taps[2 * o + 1];"),),
        ("index_map", "shift", "bias_offset", "wrong_partner"),
    ),
    Planted(
        "fed back from the input",
        "ring",
        "filtered",
        (Swap("sections.comp", "sections[s + 4] * y", "sections[s + 4] * x"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "feedback with the sign that other tools give it",
        "ring",
        "filtered",
        (Swap("sections.comp", "- sections[s + 3] * y", "+ sections[s + 3] * y"),),
        ("scale", "wrong_function", "activation_missing"),
    ),
    Planted(
        "scores over the root of slots",
        "ring",
        "context",
        (Swap("recall.comp", "sqrt(float(channels))", "sqrt(float(slots))"),),
        ("scale", "wrong_partner", "wrong_function"),
    ),
    Planted(
        "shares by age for slots as they lie",
        "ring",
        "context",
        (Swap("recall.comp", "ring[me * slots + (head - age + slots) % slots]", "ring[me * slots + age]"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "slots held down by where they lie",
        "ring",
        "context",
        (Swap("recall.comp", "fading * float(me)", "fading * float(slot)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "halves of a total from four down",
        "ring",
        "context",
        (
            Swap(
                "recall.comp",
                _SUMS + "    for (int half_way = 8;",
                _SUMS + "    for (int half_way = 4;",
            ),
        ),
        ("missing_channels",),
    ),
    Planted(
        "one age too many in a total",
        "ring",
        "context",
        (Swap("recall.comp", "bool real = me < slots;", "bool real = me <= slots;"),),
        ("extra_channels", "double_counted"),
    ),
    Planted(
        "weights of the context where a row begins",
        "ring",
        "answer",
        (Swap("answer.comp", "weight[row + first + i]", "weight[row + i]"),),
        ("index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "a gate alone for an answer",
        "ring",
        "answer",
        (Swap("answer.comp", "result[o] = sum / (1.0", "result[o] = 1.0 / (1.0"),),
        ("wrong_function",),
    ),
    Planted(
        "nobody waits for the shares of others",
        "ring",
        "context",
        (Swap("recall.comp", "    scratch[me] = share[me];\n    barrier();\n", "    scratch[me] = share[me];\n"),),
        ("missing_barrier",),
    ),
    Planted(
        "a work group of eight for nine sections",
        "ring",
        "filtered",
        (Swap("sections.comp", "local_size_x = 16", "local_size_x = 8"),),
        ("unwritten_texels",),
    ),
)

PAIRS = (
    Planted(
        "taps from the newest to the oldest, and a unit that is flat below zero",
        "ring",
        "fir",
        (
            Swap("fir.comp", "slot((TAPS - 1 - k) * APART)", "slot(k * APART)"),
            Swap("fir.comp", "exp(sum) - 1.0", "0.0"),
        ),
        ("kernel_flip", "index_map"),
        ("wrong_function", "clamped_nonnegative"),
    ),
)

HEALTHY = (
    Healthy(
        "a total that each invocation makes for itself",
        "ring",
        (
            Swap(
                "recall.comp",
                "        float sum = 0.0;\n        for (int age",
                "        float sum = 0.0, total = 0.0;\n        for (int age",
            ),
            Swap(
                "recall.comp",
                "            sum += share[age] * ring",
                "            total += share[age];\n            sum += share[age] * ring",
            ),
            Swap("recall.comp", "context[me] = sum / scratch[0];", "context[me] = sum / total;"),
        ),
    ),
    Healthy(
        "a ring that is turned back where it ends",
        "ring",
        (
            Swap(
                "fir.comp",
                "    return (head - age + slots) % slots;",
                "    int at = head - age;\n    if (at < 0) at += slots;\n    return at;",
            ),
            Swap("fir.comp", "sum > 0.0 ? sum : exp(sum) - 1.0", "max(sum, 0.0) + exp(min(sum, 0.0)) - 1.0"),
        ),
    ),
)
