"""Runs the text of a compute shader symbolically, on one buffer `x` of numbers, for one work group."""

from __future__ import annotations

from typing import Any

import numpy as np

from texelscope import layouts
from texelscope.pipeline.plan import ProgramSource, SourceFile, StoredTensor
from texelscope.pipeline.symbolic.bound import BoundTexels, texels_of
from texelscope.pipeline.symbolic.machine import Machine

COUNT = 64
X = np.linspace(-2.0, 1.5, COUNT, dtype=np.float32)
FRAME = """#version 430
layout(local_size_x = {size}) in;
{blocks}
layout(std430) writeonly buffer Y {{ float y[]; }};
{functions}
void main() {{
    int t = int(gl_LocalInvocationID.x);
    {body}
}}
"""
BLOCKS = "layout(std430) readonly buffer X { float x[]; };"


def _bound(name: str) -> BoundTexels:
    stored = StoredTensor(name, name, (1, 1, 1, COUNT), layouts.layout("linear"))
    return texels_of(stored, stored.encode(X.reshape(1, 1, 1, COUNT)))


def machine_of(body: str, functions: str = "", *, size: int = 8, blocks: str = BLOCKS) -> Machine:
    """The machine of a text; `functions` may declare shared memory."""
    text = FRAME.format(body=body, functions=functions, size=size, blocks=blocks)
    return Machine(
        ProgramSource(text, (SourceFile(0, "a.comp", text),), stage="compute"), {}, {"X": _bound("X"), "Y": _bound("Y")}
    )


def dispatched(body: str, functions: str = "", *, size: int = 8, wanted: int = 0, blocks: str = BLOCKS) -> Any:
    """The formula of `y[wanted]`, which invocation `wanted` writes."""
    machine = machine_of(body, functions, size=size, blocks=blocks)
    given = [
        {"gl_LocalInvocationID": (t, 0, 0), "gl_GlobalInvocationID": (t, 0, 0), "gl_WorkGroupID": (0, 0, 0),
         "gl_LocalInvocationIndex": t}
        for t in range(size)
    ]  # fmt: skip
    if machine.has_phases:
        machine.run_group(given, wanted)
    else:
        machine.run(given[wanted])
    return machine.bound["Y"].written[wanted][0]
