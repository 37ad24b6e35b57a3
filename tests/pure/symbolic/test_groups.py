"""Tests that the invocations of a work group are run side by side, and no further than need be."""

from __future__ import annotations

import math

import pytest

from tests.pure.symbolic.dispatches import X, dispatched, machine_of
from texelscope.pipeline.glsl.semantics.parsing import parse
from texelscope.pipeline.glsl.semantics.statements import FunctionDefinition
from texelscope.pipeline.symbolic.slicing import unneeded_statements
from texelscope.pipeline.symbolic.statements import TooLongError
from texelscope.pipeline.symbolic.terms import value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

HALVES = "for (int s = 4; s > 0; s >>= 1) { if (t < s) part[t] += part[t + s]; barrier(); }"
WHOLE = float(X[:8].sum())
BODIES = {
    f"part[t] = x[t]; barrier(); {HALVES} y[t] = part[0];": WHOLE,
    "part[t] = x[t]; barrier(); y[t] = part[(t + 1) % 8];": X[4],
    "whole = 0.0; barrier(); if (t == 5) whole = x[t]; barrier(); y[t] = whole;": X[5],
    "float a = gathered(x[t]) + gathered(x[t] * 2.0); y[t] = a / 3.0;": WHOLE,
    "float own[2]; own[0] = x[t]; part[t] = own[0]; own[1] = 1.0; barrier(); y[t] = own[0] + part[7];": X[3] + X[7],
    "mine[0] = x[t]; part[t] = 0.0; barrier(); y[t] = mine[0];": X[3],
    "do { part[t] = x[t]; barrier(); } while (false); if (t > 8) barrier(); y[t] = part[6];": X[6],
    "if (t == 9) return; part[t] = x[t]; barrier(); while (true) { barrier(); break; } y[t] = part[2];": X[2],
}
SHARED = """shared float part[8];
shared float whole;
float mine[1];
float gathered(float v) {
    part[t_of()] = v;
    barrier();
    float sum = 0.0;
    for (int i = 0; i < 8; i++) sum += part[i];
    barrier();
    return sum;
}
""".replace("float gathered", "int t_of() { return int(gl_LocalInvocationIndex); }\nfloat gathered")


@pytest.mark.parametrize("body", BODIES)
def test_shared_memory_has_what_the_whole_group_put_there(body: str) -> None:
    assert math.isclose(value_of(dispatched(body, SHARED, wanted=3)), BODIES[body], rel_tol=1e-5, abs_tol=1e-6)


def test_without_barriers_one_invocation_is_run() -> None:
    assert not machine_of("y[t] = x[t];").has_phases
    assert math.isclose(value_of(dispatched("y[t] = x[t];", wanted=3)), X[3], rel_tol=1e-6)


def test_memory_barriers_alone_are_waited_at_where_memory_is_shared() -> None:
    body = "part[t] = x[t]; memoryBarrierShared(); y[t] = part[7];"
    assert math.isclose(value_of(dispatched(body, SHARED, wanted=0)), X[7], rel_tol=1e-6)


def test_a_group_that_takes_too_long_is_given_up() -> None:
    body = "for (int i = 0; i < 9000; i++) { part[t] = x[t]; barrier(); } y[t] = part[0];"
    with pytest.raises(TooLongError):
        dispatched(body, SHARED)
    with pytest.raises(TooLongError):
        dispatched(f"part[0] = x[t]; {'barrier(); ' * 64} y[t] = part[0];", SHARED, size=1024)


def test_a_second_run_begins_as_the_first_one() -> None:
    machine = machine_of("mine[0] += x[t]; part[t] += mine[0]; barrier(); y[t] = mine[0] + part[0];", SHARED)
    given = [{"gl_LocalInvocationID": (t, 0, 0), "gl_LocalInvocationIndex": t} for t in range(8)]
    values = []
    for _ in range(2):
        machine.run_group(given, 0)
        values.append(value_of(machine.bound["Y"].written[0][0]))
    assert values == pytest.approx([2.0 * X[0]] * 2)


def test_a_barrier_where_none_is_known_is_said() -> None:
    with pytest.raises(UnknownTextError, match="a barrier in 'switch"):
        dispatched("switch (t) { case 0: barrier(); } y[t] = x[t];")


MAIN = """void main() {
    float sum = 0.0;
    float scale = 2.0;
    int skipped = 0;
    for (int q = 0; q < 4; q++) {
        if (q == 2) continue;
        float v = x[q] * scale;
        tile[t] = v;
        barrier();
        for (int k = 0; k < 8; k++) { sum += tile[k]; if (k > 6) break; }
        stored(sum);
        barrier();
        if (v > 0.0) { skipped++; }
    }
    y[t] = sum;
}
void stored(float s) { float own = s; own += 1.0; }
"""


def test_statements_that_reach_no_shared_memory_are_not_needed() -> None:
    root = parse(MAIN.encode())
    functions = [each for each in root.named_children if isinstance(each, FunctionDefinition)]
    left_out = {each.text.split("\n")[0] for each in unneeded_statements(functions[0], {"barrier", "main"}, functions)}
    assert left_out == {
        "float sum = 0.0;", "int skipped = 0;", "stored(sum);", "if (v > 0.0) { skipped++; }", "y[t] = sum;",
        "for (int k = 0; k < 8; k++) { sum += tile[k]; if (k > 6) break; }",
    }  # fmt: skip


def test_a_sum_that_decides_what_is_shared_is_needed() -> None:
    text = MAIN.replace("tile[t] = v;", "if (sum > 1.0) tile[t] = v;")
    root = parse(text.encode())
    functions = [each for each in root.named_children if isinstance(each, FunctionDefinition)]
    left_out = {each.text.split("\n")[0] for each in unneeded_statements(functions[0], {"barrier", "main"}, functions)}
    assert left_out == {"int skipped = 0;", "stored(sum);", "if (v > 0.0) { skipped++; }", "y[t] = sum;"}
