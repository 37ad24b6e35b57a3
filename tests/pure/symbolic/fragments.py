"""Runs the text of a fragment shader symbolically, on one texture `t_x` of numbers and one of weights, `t_w`."""

from __future__ import annotations

from typing import Any

import numpy as np

from texelscope import layouts
from texelscope.pipeline.plan import ProgramSource, SourceFile, StoredTensor
from texelscope.pipeline.symbolic.bound import texels_of
from texelscope.pipeline.symbolic.canonical import Forms
from texelscope.pipeline.symbolic.divergence import FormulaComparison
from texelscope.pipeline.symbolic.kinds import Divergence
from texelscope.pipeline.symbolic.machine import Machine
from texelscope.pipeline.symbolic.structure import diverging_terms

# A tensor of one row: element k is texel k.
SHAPE = (1, 1, 1, 12)
X = np.linspace(-1.1, 1.3, 12, dtype=np.float32)
W = np.array([0.5, -0.25, 2.0, 0.125, 3.0, -1.5, 0.75, 0.0625, 4.0, -3.0, 0.375, 6.0], np.float32)
FRAME = """#version 330
uniform sampler2D t_x;
uniform sampler2D t_w;
out vec4 o_y;
float x(int k) {{ return texelFetch(t_x, ivec2(k, 0), 0).r; }}
float w(int k) {{ return texelFetch(t_w, ivec2(k, 0), 0).r; }}
{functions}
void main() {{
    int at = int(gl_FragCoord.x);
    float y = 0.0;
    {body}
    o_y = vec4(y);
}}
"""


def ran(body: str, functions: str = "", at: int = 3) -> Any:
    """The formula of `y` after the body, for the fragment in column `at`."""
    bound = {}
    for name, values in (("t_x", X), ("t_w", W)):
        stored = StoredTensor(name, name, SHAPE, layouts.layout("channel_tiles"))
        bound[name] = texels_of(stored, stored.encode(values.reshape(SHAPE)))
    text = FRAME.format(body=body, functions=functions)
    machine = Machine(ProgramSource(text, (SourceFile(0, "a.frag", text),)), {}, bound)
    machine.run({"gl_FragCoord": (at + 0.5, 0.5, 0.5, 1.0)})
    return machine.output("o_y")[0]


def forms() -> Forms:
    """A table of atoms in which `t_w` is a constant."""
    return Forms({}, {"t_w": W})


def are_equal(one: str, other: str, functions: str = "") -> bool:
    """Whether two bodies have the same form."""
    table = forms()
    sums = [table.sum_of(ran(body, functions)) for body in (one, other)]
    return FormulaComparison(table).are_equal(*sums)


def diverging(got: str, expected: str, functions: str = "") -> list[Divergence]:
    """How one body departs from another one."""
    table = forms()
    one, other = (table.sum_of(ran(body, functions)) for body in (got, expected))
    return FormulaComparison(table).diverging(one, other)


def diverging_as_written(got: str, expected: str, functions: str = "") -> list[Divergence]:
    """How one body departs from another one, compared as written where their sums are unclear."""
    table = forms()
    return diverging_terms(FormulaComparison(table), table, ran(got, functions), ran(expected, functions))
