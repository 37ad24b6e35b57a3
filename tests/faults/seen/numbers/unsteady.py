"""Planted bugs in results that change from run to run."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, elements
from tests.faults.states import bound_in_turns, ticking
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "noise from a clock",
        "nondeterministic",
        convolutions.conv_tiles,
        (
            Edit("out float color;", "out float color;\nuniform float u_time;"),
            Edit("color = sum + bias;", "color = sum + bias + 0.01 * sin(u_time * 12.9 + gl_FragCoord.x);"),
            OnBindDo(ticking("u_time")),
        ),
        runs=2,
    ),
    Fault(
        "two buffers swapped once too often",
        "nondeterministic",
        lambda: generated(models.branches(), name="r"),
        (OnBindDo(bound_in_turns("t_X", "q")),),
        runs=2,
    ),
    Fault(
        "a phase of the clock in a factor",
        "nondeterministic",
        elements.scale_shift_es,
        (
            Edit("out float color;", "uniform float u_clock;\n\nout float color;"),
            Edit("color = x * factor + shift;", "color = x * factor * (1.0 + 0.1 * sin(u_clock)) + shift;"),
            OnBindDo(ticking("u_clock")),
        ),
        runs=2,
    ),
    Fault(
        "a row of a convolution that is never left",
        "loop_cut_off",
        convolutions.conv_macros,
        (Edit("for (int i = 0; i < IN; i++) {", "for (int i = 0; i < IN; i += 0) {"),),
    ),
    Fault(
        "groups that are counted past their end",
        "loop_cut_off",
        convolutions.pointwise_rgba,
        (Edit("for (int g = 0; g < u_groups; g++) {", "for (int g = 0; g != u_groups + 1; g += 2) {"),),
    ),
)
