"""Tests where the members of storage blocks lie, against the offsets that drivers report for them."""

from __future__ import annotations

import math

import pytest

from tests.pure.symbolic.dispatches import X, dispatched
from texelscope.pipeline.symbolic.blocks import OPEN, BlockRules
from texelscope.pipeline.symbolic.terms import value_of

MEMBERS = (
    ("float", "a", ()), ("vec2", "b", ()), ("vec3", "c", ()), ("float", "d", ()), ("mat3", "e", ()),
    ("float", "f", (3,)), ("Pair", "g", (2,)), ("vec3", "h", (OPEN,)),
)  # fmt: skip
STRUCTURES = {"Pair": (("vec3", "p", ()), ("float", "q", ()), ("vec2", "r", ()))}


@pytest.mark.parametrize(
    ("least", "starts"),
    [
        (1, {"a": 0, "b": 2, "c": 4, "d": 7, "e": 8, "f": 20, "g": 24, "h": 40}),
        (4, {"a": 0, "b": 2, "c": 4, "d": 7, "e": 8, "f": 20, "g": 32, "h": 48}),
    ],
)
def test_members_start_where_the_rules_say(least: int, starts: dict[str, int]) -> None:
    block = BlockRules(STRUCTURES, least).structure(MEMBERS)
    assert {name: start for name, (start, _) in block.members.items()} == starts


@pytest.mark.parametrize(
    ("block", "expression", "expected"),
    [
        ("layout(std430) buffer X { mat4 m[]; };", "m[1][2].y", X[16 + 9]),
        ("layout(std430) buffer X { mat4 m[]; };", "(m[1] * vec4(0.0, 0.0, 1.0, 0.0)).w", X[16 + 11]),
        ("layout(std430, row_major) buffer X { mat4 m[]; };", "m[1][2].y", X[16 + 6]),
        ("layout(std140) buffer X { float f[4]; vec2 g[]; };", "f[t] + g[1].y", X[12] + X[21]),
        ("layout(std430) buffer X { float f[4]; vec2 g[]; };", "f[t] + g[1].y", X[3] + X[7]),
        ("layout(std430) buffer X { vec3 v[]; } block;", "block.v[2].z + float(block.v.length())", X[10] + 16.0),
        ("struct P { vec3 a; float b; }; layout(std430) buffer X { P p[]; };", "p[t].b + p[t].a.y", X[15] + X[13]),
        ("layout(std430) buffer X { uint w[]; };", "uintBitsToFloat(w[t])", X[3]),
    ],
)
def test_a_member_has_the_number_that_lies_there(block: str, expression: str, expected: float) -> None:
    got = dispatched(f"y[t] = {expression};", wanted=3, blocks=block)
    assert math.isclose(value_of(got), expected, rel_tol=1e-5)


def test_numbers_that_share_a_word_come_back_as_what_was_read() -> None:
    for pack, unpack in (("packHalf2x16(vec2", "unpackHalf2x16"), ("packUnorm4x8(vec4", "unpackUnorm4x8")):
        rest = ", x[6], x[7]" if "4x8" in pack else ""
        assert dispatched(f"uint w = {pack}(x[4], x[5]{rest})); y[t] = {unpack}(w).y;", wanted=3).args[1] == 5


def test_bits_that_travel_as_integers_come_back_as_what_was_read() -> None:
    block = "layout(std430) buffer X { uint w[]; };"
    assert dispatched("y[t] = uintBitsToFloat(w[t]);", wanted=3, blocks=block).op == "read"
