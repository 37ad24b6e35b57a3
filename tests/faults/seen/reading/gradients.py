"""Planted bugs in what backward passes read."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects.backward import backward

FAULTS: tuple[Fault, ...] = (
    Fault(
        "the kernel of a gradient turned once more",
        "kernel_flip",
        lambda: backward("x.grad"),
        (Edit("at.y % OUTPUTS_PER_GROUP, p, q)", "at.y % OUTPUTS_PER_GROUP, KERNEL_Y - 1 - p, KERNEL_X - 1 - q)"),),
        {"axes": "xy"},
    ),
    Fault(
        "the kernel of a gradient with its axes swapped",
        "kernel_transpose",
        lambda: backward("x.grad"),
        (Edit("at.y % OUTPUTS_PER_GROUP, p, q)", "at.y % OUTPUTS_PER_GROUP, q, p)"),),
    ),
    Fault(
        "the padding forgotten on the way back",
        "shift",
        lambda: backward("x.grad"),
        (Edit("at.zw + ivec2(PAD_TOP, PAD_LEFT)", "at.zw"),),
        {"dx": -1, "dy": -1},
        ("sum += X(",),
    ),
    Fault(
        "the last channel does not flow back",
        "missing_channels",
        lambda: backward("x.grad"),
        (Edit("i < first_channel + CHANNELS_PER_GROUP; i++", "i < first_channel + CHANNELS_PER_GROUP - 1; i++"),),
        {"channels": [5]},
        ("sum += X(",),
    ),
    Fault(
        "a weight's gradient of the first of a batch alone",
        "missing_channels",
        lambda: backward("c1/backward/dw_by_channel"),
        (Edit("i < W_shape.y; i++", "i < W_shape.y - 1; i++"),),
        {"channels": [1]},
        ("sum += X(",),
    ),
    Fault(
        "a weight's gradient a row too low",
        "shift",
        lambda: backward("c1/backward/dw_by_channel"),
        (Edit("ivec2(PAD_TOP, PAD_LEFT)", "ivec2(PAD_TOP - 1, PAD_LEFT)"),),
        {"dx": 0, "dy": 1},
        ("sum += X(",),
    ),
    Fault(
        "a bias's gradient without the last place",
        "missing_channels",
        lambda: backward("b1.grad"),
        (Edit("k < REDUCED_COUNT; k++", "k < REDUCED_COUNT - 1; k++"),),
        {"count": 1},
    ),
    Fault(
        "the rows of a batch against each other",
        "wrong_partner",
        lambda: backward("wd.grad"),
        (Edit("ivec4(0, 0, j, k) : ivec4(0, 0, k, j)", "ivec4(0, 0, j, k) : ivec4(0, 0, (k + 1) % INNER_COUNT, j)"),),
    ),
    Fault(
        "open where it is shut",
        "wrong_input",
        lambda: backward("c1.grad"),
        (Edit("!= 0.0 ? a : b", "== 0.0 ? a : b"),),
        where=("float a = A(", "float b = B("),
    ),
)
