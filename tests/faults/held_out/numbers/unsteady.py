"""Planted bugs in results that change from run to run."""

from __future__ import annotations

from tests.faults.changes import Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import elements, pictures, rows
from tests.faults.states import bound_in_turns, ticking

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a dither that moves",
        "nondeterministic",
        rows.softmax_tiles,
        (
            Edit("uniform int u_channels;", "uniform int u_channels;\nuniform float u_frame;"),
            Edit("float total = 0.0;", "float total = 0.01 + 0.01 * cos(u_frame * 78.2 + gl_FragCoord.y);"),
            OnBindDo(ticking("u_frame")),
        ),
        runs=2,
        where=("probability = exp(",),
    ),
    Fault(
        "inputs exchanged every second time",
        "nondeterministic",
        elements.subtract_uv,
        (OnBindDo(bound_in_turns("left", "b")),),
        runs=2,
    ),
    Fault(
        "places that drift from draw to draw",
        "nondeterministic",
        pictures.stretch_getx,
        (
            Edit("out float outputValue;", "uniform float frame;\n\nout float outputValue;"),
            Edit("vec2 sourceRC = rc * 0.5;", "vec2 sourceRC = rc * 0.5 * (1.0 - 0.1 * fract(frame * 0.37));"),
            OnBindDo(ticking("frame")),
        ),
        runs=2,
        where=("return texelFetch(x", "float topLeft ="),
    ),
    Fault(
        "a normalisation whose parameters take turns",
        "nondeterministic",
        elements.batchnorm_rgba,
        (OnBindDo(bound_in_turns("gamma", "shift")),),
        runs=2,
    ),
)
