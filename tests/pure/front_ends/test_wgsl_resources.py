"""What a text in WGSL declares is listed with its places in memory, as the specification has them."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.layout import leaves, read, size_of, write
from texelscope.pipeline.wgsl.resources import interface_of

# The examples of WGSL, 14.4.1, and what uniforms of engines have.
TEXT = """\
struct A { u: f32, v: f32, w: vec2<f32>, @size(16) x: f32 }
struct B { a: vec2<f32>, b: vec3<f32>, c: f32, d: f32, @align(16) e: A, f: vec3<f32>, g: array<A, 3>, h: i32 }
@group(1) @binding(2) var<uniform> b: B;
@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<storage> m: mat3x3<f32>;
@compute @workgroup_size(8, 4) fn main() { y[0] = b.c; }
"""


def test_members_lie_where_the_specification_says() -> None:
    kind = interface_of(TEXT).resources["b"].type
    assert size_of(kind) == 208
    found = {leaf.path: leaf.offset for leaf in leaves(kind)}
    assert [found[each] for each in ("a", "b", "c", "d", "e.u", "f", "g[0].u", "g[2].w", "h")] == [
        0, 16, 28, 32, 48, 80, 96, 168, 192,
    ]  # fmt: skip


def test_resources_and_entry_points_are_listed() -> None:
    found = interface_of(TEXT)
    assert (found.resources["b"].group, found.resources["b"].binding, found.resources["b"].space) == (1, 2, "uniform")
    assert found.resources["y"].access == "read_write"
    assert found.resources["m"].access == "read"
    (point,) = found.entry_points
    assert (point.name, point.workgroup_size) == ("main", (8, 4, 1))
    assert {"y", "b"} <= {*point.uses}
    assert "m" not in point.uses


def test_a_binding_without_a_constant_number_is_refused() -> None:
    with pytest.raises(AuthorTextError, match=r"expected a constant @group of y, got another one\. Write a number\."):
        interface_of("@group(N) @binding(0) var<storage> y: array<f32>;\noverride N: i32 = 0;\n".replace("N:", "M:"))


def test_numbers_are_written_and_read_again() -> None:
    kind = interface_of(TEXT).resources["m"].type
    (leaf,) = leaves(kind)
    into = bytearray(size_of(kind))
    write(leaf, np.arange(9.0), into)
    assert len(into) == 48
    assert np.frombuffer(bytes(into), np.float32)[4] == 3.0  # a column has the room of four
    assert read(leaf, bytes(into)).tolist() == list(range(9))
