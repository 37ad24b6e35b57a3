"""Edits of a shader that shares memory write nothing beside it, and leave no invocation waiting at a barrier."""

from __future__ import annotations

from texelscope.pipeline.gl.dispatching.held import held_inside
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.repair.programs.barriers import BarrierPlaces, barriers_put_in
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram

MEAN = """#version 430
#define GROUP 8
layout(local_size_x = GROUP) in;
layout(std430) readonly buffer X { float x[]; };
layout(std430) writeonly buffer Y { float y[]; };
uniform int u_count;
shared vec2 part[GROUP >> 0];
void main() {
    int own = int(gl_LocalInvocationID.x);
    vec2 sum = vec2(0.0);
    for (int i = own; i < u_count; i += GROUP) sum.x += x[i];
    part[own] = sum;
    barrier();
    for (int half_of = GROUP / 2; half_of > 0; half_of /= 2) {
        if (own < half_of) part[own] += part[own + half_of];
        barrier();
    }
    if (own == 0) y[0] = part[0][own];
}
"""


def edits_of(text: str) -> set[tuple[str, str]]:
    program = ProgramSource(text, (SourceFile(0, "mean.comp", text),))
    return {(each.proposal.old, each.proposal.new) for each in MutableProgram(program).edits(())}


def test_indices_beyond_an_array_go_to_where_that_shows() -> None:
    held = held_inside(MEAN)
    assert held is not None
    assert "shared vec2 part[(GROUP >> 0) + 1];" in held
    assert "part[texelscope_held(int(own), (GROUP >> 0), 0)] +=" in held
    assert " part[texelscope_held(int(own + half_of), (GROUP >> 0), (GROUP >> 0))]" in held
    assert "part[texelscope_held(int(0), (GROUP >> 0), (GROUP >> 0))][texelscope_held(int(own), 1, 1)]" in held
    assert "void main() { part[(GROUP >> 0)] = vec2(2000000000.0);" in held


def test_memory_that_is_used_by_a_macro_or_as_a_whole_is_not_held() -> None:
    assert held_inside(MEAN.replace("#define GROUP 8", "#define GROUP 8\n#define PART(i) part[i]")) is None
    assert held_inside(MEAN.replace("sum.x += x[i];", "sum.x += first(part);")) is None


def test_what_decides_how_often_a_barrier_is_passed_is_made_of_what_all_have_alike() -> None:
    edits = edits_of(MEAN)
    assert ("GROUP / 2", "GROUP") in edits
    assert ("half_of", "own") in edits  # of an index, of a condition around no barrier
    assert not any(old.startswith("half_of > 0") and "own" in new for old, new in edits)
    alone = MEAN.replace("if (own < half_of) part[own] += part[own + half_of];", "")
    assert not any(old == "half_of" and new == "own" for old, new in edits_of(alone))
    assert not any("barrier" in old for old, _ in edits)


def test_a_barrier_is_put_in_where_all_invocations_come_by() -> None:
    root = parse(constructors_as_calls(MEAN.replace("    barrier();\n    for", "    for").encode()))
    new = [each for _, each in barriers_put_in(root)]
    assert "part[own] = sum; barrier();" in new
    assert "barrier(); if (own < half_of) part[own] += part[own + half_of];" in new
    assert len(BarrierPlaces(root).loops) == 1
