"""Planted bugs in rounding that grows."""

from __future__ import annotations

from tests.faults.changes import Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import elements, rows
from tests.faults.states import steady

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a variance from the mean of squares",
        "precision",
        lambda: elements.instance_norm(0.5, 30.0),
        (
            Edit(
                "            variance += distance * distance;",
                "            variance += (distance + mean) * (distance + mean);",
            ),
            Edit("    variance /= count;", "    variance = variance / count - mean * mean;"),
        ),
        where=("y = (x - mean)",),
    ),
    Fault(
        "a sum carried through a large one",
        "precision",
        rows.gemm_blocks,
        (
            Edit("const int sharedDim", "uniform float u_start;\nconst int sharedDim"),
            Edit("vec4 result = vec4(0);", "vec4 result = vec4(8192.0 + u_start);"),
            Edit("setOutput = result + c.rgrg;", "setOutput = (result - (8192.0 + u_start)) + c.rgrg;"),
            OnBindDo(steady("u_start")),
        ),
        where=("result += ",),
    ),
    Fault(
        "a flat variance as the difference of two large numbers",
        "precision",
        lambda: rows.layernorm_flat(0.5, 50.0),
        (
            Edit("    a -= mean;\n    b -= mean;\n", ""),
            Edit("(sum(a * a) + sum(b * b)) / 8.0;", "(sum(a * a) + sum(b * b)) / 8.0 - mean * mean;"),
        ),
        where=("vec4 scaled = centred",),
    ),
)
