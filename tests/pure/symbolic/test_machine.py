"""Tests that a symbolic run has the values that GLSL defines, and knows what they are made of."""

from __future__ import annotations

import math

import pytest

from tests.pure.symbolic.fragments import W, X, ran
from texelscope.pipeline.symbolic.terms import SymbolicTerm, value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

BODIES = {
    "y = x(2) * 2.0 - 1.0;": X[2] * 2.0 - 1.0,
    "for (int k = 0; k < 4; ++k) y += w(k) * x(k);": float((W[:4] * X[:4]).sum()),
    "int k = 0; while (true) { if (k > 5) break; k += 2; if (k == 4) continue; y += x(k); }": X[2] + X[6],
    "do { y += 1.0; } while (y < 3.0);": 3.0,
    "vec4 v = vec4(x(0), x(1), x(2), x(3)); v.yx = v.zw; y = v.x + 10.0 * v.y;": X[3] + 10.0 * X[2],
    "float a[3] = float[3](1.0, 2.0, 3.0); a[at - 2] = x(5); y = a[0] + a[1] + a[2];": 4.0 + X[5],
    "mat2 m = mat2(1.0, 2.0, 3.0, 4.0); vec2 v = m * vec2(x(0), x(1)); y = v.y;": 2.0 * X[0] + 4.0 * X[1],
    "y = float(7 / 2) + float(-7 / 2) + float(7 % 4) + float(7 >> 1);": 3.0 - 3.0 + 3.0 + 3.0,
    "y = uint(at - 4) < 4u ? 1.0 : 2.0;": 2.0,
    "switch (at) { case 1: y = 1.0; break; case 3: y = 3.0; default: y += 0.5; }": 3.5,
    "y = mix(x(0), x(1), 0.25) + clamp(x(0), -0.5, 0.5) + dot(vec2(x(2), x(3)), vec2(1.0, 2.0));": (
        0.75 * X[0] + 0.25 * X[1] - 0.5 + X[2] + 2.0 * X[3]
    ),
    "ivec2 size = textureSize(t_x, 0); y = float(size.x * size.y);": 12.0,
    "y = texture(t_x, vec2((float(at) + 0.5) / 12.0, 0.5)).r;": X[3],
    "y = x(20) + x(-1);": 0.0,
    "float g = x(0); y = ((g) + 0.25 * (g)) * 2.0 - ((g) - 1.0);": 1.5 * X[0] + 1.0,
    "y = float((uint(at) - 5u) >> 28) + float(3u * 0x80000001u >> 31);": 16.0,
    "const int n = 2 * 2; float a[n]; a[n - 1] = x(1); y = a[3] + float(a.length());": X[1] + 4.0,
    "int k = at; k = k > 2 ? k : 0; y = float(k) / 2.0;": 1.5,
    "int k = x(0) < 0.0 ? 3 : 4; y = float(k) / 2.0;": 1.5,
    "int k = 3; y = x(k++) + 100.0 * float(k); y += float(--k);": X[3] + 403.0,
}


@pytest.mark.parametrize("body", BODIES)
def test_a_body_has_the_value_that_glsl_defines(body: str) -> None:
    assert math.isclose(value_of(ran(body)), BODIES[body], rel_tol=1e-5, abs_tol=1e-6)


def test_a_function_with_out_parameters_gives_them_back() -> None:
    functions = "void halves(float v, out float low, inout float high) { low = v * 0.5; high += v; }"
    formula = ran("float low; float high = 1.0; halves(x(1), low, high); y = low + 10.0 * high;", functions)
    assert math.isclose(value_of(formula), 0.5 * X[1] + 10.0 * (1.0 + X[1]), rel_tol=1e-5)


def test_a_structure_is_copied_where_it_is_assigned() -> None:
    functions = "struct Pair { float a; float b; };"
    formula = ran("Pair p = Pair(x(0), x(1)); Pair q = p; q.a = 5.0; y = p.a + q.a;", functions)
    assert math.isclose(value_of(formula), X[0] + 5.0, rel_tol=1e-5)


def test_numbers_that_nothing_read_goes_into_are_plain() -> None:
    assert not isinstance(ran("y = float(at) * 2.0;"), SymbolicTerm)


def test_what_is_not_known_is_said() -> None:
    with pytest.raises(UnknownTextError, match="the function unknown"):
        ran("y = unknown(1.0);")
