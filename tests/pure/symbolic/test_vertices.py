"""Tests what reaches a fragment of an author's vertex shader."""

from __future__ import annotations

import pytest

from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.symbolic.values import UnknownTextError
from texelscope.pipeline.symbolic.vertices import VertexRun

HEAD = "#version 330\nin vec3 position; in vec2 uv; uniform float gain; out vec2 here; out vec4 more; flat out int k;\n"
CLIP = "gl_Position = vec4(position, 1.0);"


def _run(body: str) -> VertexRun:
    text = HEAD + f"void main() {{ here = uv; more = vec4(0.0); k = 0; {body} }}"
    return VertexRun(ProgramSource("", (SourceFile(0, "a.vert", text),), text), {"gain": 3.0})


@pytest.mark.parametrize(
    ("body", "name", "expected"),
    [
        (CLIP, "here", (0.25, 0.75)),
        ("gl_Position = vec4(position.x, -position.y, 0.0, 1.0);", "here", (0.25, 0.25)),
        (f"{CLIP} here = position.xy * 0.5 + 0.5;", "here", (0.25, 0.75)),
        (f"{CLIP} more = vec4(uv * gain, position.z, float(gl_VertexID));", "more", (0.75, 2.25, 0.0, 0.875)),
        (f"{CLIP} k = gl_VertexID + 5;", "k", 7),
        ("vec2 c = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2); here = c; gl_Position = vec4(c * 2.0 - 1.0, 0, 1);",
         "here", (0.25, 0.75)),
    ],
)  # fmt: skip
def test_a_fragment_gets_what_lies_between_the_vertices(body: str, name: str, expected: object) -> None:
    assert _run(body).at(0.25, 0.75)[name] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("gl_Position = vec4(position, 2.0);", "vertices that are not flat"),
        ("gl_Position = vec4(position.xx, 0.0, 1.0);", "vertices in a line"),
    ],
)
def test_what_is_not_interpolated_so_is_said(body: str, reason: str) -> None:
    with pytest.raises(UnknownTextError, match=reason):
        _run(body)
