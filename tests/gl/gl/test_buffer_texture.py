"""Tests numbers that shaders read as a texture of one dimension."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from texelscope.pipeline.gl.dispatching.buffer_textures import BufferTexture
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.lowerings.lowering import room_for

_VERTEX = """#version 330 core
void main() {
    gl_Position = vec4(vec2[3](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1);
}"""
_FRAGMENT = """#version 430 core
layout(binding = 0) uniform samplerBuffer t_W;
out vec4 Y;
void main() {
    Y = texelFetch(t_W, int(gl_FragCoord.x));
}"""


@pytest.mark.parametrize("size", [16, 32, 240, 256, 272, 1024, 4096, 65520, 65536, 1 << 20, 3 << 16, (1 << 24) - 16])
def test_buffers_of_all_sizes_are_alike_to_a_driver_that_compiles_for_them(size: int) -> None:
    room = room_for(size)
    assert size <= room <= size + 4 * 256
    assert room.bit_count() > 1
    assert room >> 8 & 0xFF


@pytest.mark.parametrize("count", [1, 16, 17])
def test_a_shader_reads_what_was_put_in(gl: moderngl.Context, count: int) -> None:
    numbers = np.arange(count * 4, dtype=np.float32).reshape(count, 4)
    buffer = BufferTexture.holding(gl, numbers)
    target = gl.texture((count, 1), 4, dtype="f4")
    framebuffer = gl.framebuffer([target])
    program = gl.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)
    array = gl.vertex_array(program, [])
    with pass_state(gl, framebuffer):
        buffer.use(0)
        array.render(moderngl.TRIANGLES, vertices=3)
    np.testing.assert_array_equal(np.frombuffer(target.read(), np.float32).reshape(count, 4), numbers)
    for each in (array, program, framebuffer, target, buffer):
        each.release()
