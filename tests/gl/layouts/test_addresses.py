"""The two copies of each layout's address, numpy and GLSL, are equal for every element and every lane.

One program a layout holds the functions for all shapes, and `u_shape` chooses; compiling is what costs here.
"""

from __future__ import annotations

import math

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pure.layouts.cases import AWKWARD_SHAPES, LAYOUT_IDS, LAYOUTS
from tests.pure.layouts.rectangles import RECTANGLES, RECTANGLES_IDS
from texelscope.layouts import Layout, as_nchw

# The last two have indices beyond 16 bits.
SHAPES = (*AWKWARD_SHAPES, (3, 67, 31, 13), (1, 1, 300, 257))

# OpenGL 4.1 and later promise 16384; row_major_rgba of width 1 makes the large shapes longer than that.
MAX_TEXTURE_TEXELS = 16384

INDICES_A_ROW = 1024

VERTEX = """{header}
void main() {{
    gl_Position = vec4(float(gl_VertexID % 2) * 4.0 - 1.0, float(gl_VertexID / 2) * 4.0 - 1.0, 0.0, 1.0);
}}
"""

FRAGMENT = """{header}
uniform int u_shape;
uniform int u_lane;    // -1 asks where elements live, otherwise which element lives in this lane
uniform ivec4 u_dims;
out ivec4 o_answer;

{functions}
ivec4 nchw(int index) {{
    int channel = index / u_dims.w / u_dims.z;
    return ivec4(channel / u_dims.y, channel % u_dims.y, index / u_dims.w % u_dims.z, index % u_dims.w);
}}

void main() {{
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec4 element = nchw(at.y * {indices_a_row} + at.x);
    o_answer = ivec4(-2);
{choices}}}
"""

HEADERS = {
    "330": "#version 330",
    "300 es": "#version 300 es\nprecision highp float;\nprecision highp int;",
}


def program_of(
    gl: moderngl.Context, entry: Layout, header: str, shapes: tuple[tuple[int, ...], ...] = SHAPES
) -> moderngl.Program:
    functions = "".join(
        entry.glsl_texel_of(shape, f"texel_of_{case}") + entry.glsl_element_at(shape, f"element_at_{case}")
        for case, shape in enumerate(shapes)
    )
    choices = "".join(
        f"    if (u_shape == {case}) o_answer = u_lane < 0 ? ivec4(texel_of_{case}(element), 0)"
        f" : element_at_{case}(ivec3(at, u_lane));\n"
        for case in range(len(shapes))
    )
    return gl.program(
        vertex_shader=VERTEX.format(header=header),
        fragment_shader=FRAGMENT.format(
            header=header, functions=functions, choices=choices, indices_a_row=INDICES_A_ROW
        ),
    )


def answers(triangle: moderngl.VertexArray, height: int, width: int) -> NDArray[np.int32]:
    """int32[height, width, 4]: what the program answers for each pixel of a framebuffer of that size."""
    context = triangle.ctx
    texture = context.texture((width, height), 4, dtype="i4")
    framebuffer = context.framebuffer([texture])
    with context.scope(framebuffer):  # moderngl must not remember one that is gone
        triangle.render(moderngl.TRIANGLES, vertices=3)
    pixels = np.frombuffer(texture.read(), dtype=np.int32).reshape(height, width, 4)
    framebuffer.release()
    texture.release()
    return pixels


@pytest.mark.parametrize("version", HEADERS)
@pytest.mark.parametrize("entry", LAYOUTS, ids=LAYOUT_IDS)
def test_glsl_and_numpy_agree_on_every_lane_and_every_element(
    gl: moderngl.Context, entry: Layout, version: str
) -> None:
    program = program_of(gl, entry, HEADERS[version])
    triangle = gl.vertex_array(program, [])
    for case, shape in enumerate(SHAPES):
        if max(entry.texture_shape(shape)) > MAX_TEXTURE_TEXELS:
            continue
        program["u_shape"] = case
        _check_element_at(triangle, entry, shape)
        _check_texel_of(triangle, entry, shape)
    triangle.release()
    program.release()


@pytest.mark.parametrize("version", HEADERS)
@pytest.mark.parametrize(("entry", "shape"), RECTANGLES, ids=RECTANGLES_IDS)
def test_glsl_and_numpy_agree_on_every_texel_of_an_atlas(
    gl: moderngl.Context, entry: Layout, shape: tuple[int, ...], version: str
) -> None:
    program = program_of(gl, entry, HEADERS[version], (shape,))
    triangle = gl.vertex_array(program, [])
    program["u_shape"] = 0
    _check_element_at(triangle, entry, shape)
    _check_texel_of(triangle, entry, shape)
    triangle.release()
    program.release()


def _check_element_at(triangle: moderngl.VertexArray, entry: Layout, shape: tuple[int, ...]) -> None:
    _, C, H, W = as_nchw(shape)
    address = entry.address(shape)
    for lane in range(entry.lanes):
        triangle.program["u_lane"] = lane
        n, c, h, w = np.moveaxis(answers(triangle, *entry.texture_shape(shape)), 2, 0)
        from_glsl = np.where(n < 0, n, ((n * C + c) * H + h) * W + w)
        np.testing.assert_array_equal(from_glsl, address[:, :, lane], f"{entry} {shape} lane {lane}")
        stored = n >= 0
        for coordinate, count in ((c, C), (h, H), (w, W)):
            assert np.all((coordinate[stored] >= 0) & (coordinate[stored] < count)), f"{entry} {shape}"


def _check_texel_of(triangle: moderngl.VertexArray, entry: Layout, shape: tuple[int, ...]) -> None:
    count = math.prod(shape)
    triangle.program["u_lane"] = -1
    triangle.program["u_dims"] = as_nchw(shape)
    rows = -(-count // INDICES_A_ROW)
    tx, ty, lane, _ = answers(triangle, rows, INDICES_A_ROW).reshape(-1, 4)[:count].T
    height, width = entry.texture_shape(shape)
    assert np.all((tx >= 0) & (tx < width) & (ty >= 0) & (ty < height) & (lane >= 0) & (lane < entry.lanes))
    np.testing.assert_array_equal(entry.address(shape)[ty, tx, lane], np.arange(count), f"{entry} {shape}")
