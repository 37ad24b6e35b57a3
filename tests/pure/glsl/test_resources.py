"""Tests a compute shader's declarations, read from its text."""

import time

import pytest

from texelscope.pipeline.glsl.resources import blocks_of, images_of, local_size

_TEXT = """#version 450
#define FORMAT rgba16f
const int WIDE = 16;
layout (local_size_x = WIDE, local_size_y = 2u) in;
layout (set = 0, binding = 0) readonly restrict buffer bottom_blob { vec4 data[]; };
// buffer not_this { float a[]; };
layout (binding = 1)
    buffer top_blob { float y[]; } top;
buffer weights
{
    float w[];
};
layout (binding = 2, FORMAT) readonly uniform image3D a;
layout (binding = 3) writeonly uniform highp image2D b, c;
uniform sampler1D s;
uniform vec4 u_buffer;
shared float tile[WIDE];
"""


def test_blocks_by_name() -> None:
    found = blocks_of(_TEXT)
    assert {name: (block.line, block.is_readonly) for name, block in found.items()} == {
        "bottom_blob": (5, True), "top_blob": (8, False), "weights": (9, False),
    }  # fmt: skip


def test_images_with_format_and_dimensions() -> None:
    found = {
        name: (each.dimensions, each.format, each.is_sampler, each.line) for name, each in images_of(_TEXT).items()
    }
    assert found == {
        "a": (3, "rgba16f", False, 13), "b": (2, "", False, 14), "c": (2, "", False, 14), "s": (1, "", True, 15),
    }  # fmt: skip
    assert images_of(_TEXT)["b"].is_writeonly
    assert images_of(_TEXT)["a"].is_readonly


def test_the_size_of_a_work_group() -> None:
    assert local_size(_TEXT) == (16, 2, 1)
    assert local_size("layout(local_size_x_id = 233) in;") is None
    assert local_size("#define A 2\nlayout(local_size_x = A * 2) in;") is None


def test_long_text_is_read_quickly() -> None:
    """Words that are no declaration are not taken apart again and again."""
    text = "a" * 90 + " " + "layout(x) word " * 3000 + "buffer uniform " * 200
    assert blocks_of(text) == {}
    assert images_of(text) == {}


@pytest.mark.parametrize("part", ["buffer A{\n", "buffer A{vec3 a[1];};\n", "vec3 a[1];\n"])
def test_blocks_are_read_in_a_time_that_grows_as_the_text_does(part: str) -> None:
    start = time.process_time()
    blocks_of("#version 430\nbuffer B {\n" + part * ((1 << 20) // len(part)))
    assert time.process_time() - start < 5.0  # counting lines from the start for each takes minutes


def test_arrays_with_gaps_stand_in_their_own_blocks_with_their_lines() -> None:
    text = "buffer A { float n;\nvec3 a[]; vec2 b[]; } one;\nlayout(std140) buffer B {\nfloat c[2]; };\nvec3 d[4];"
    found = {name: [(each.name, each.line) for each in block.gapped] for name, block in blocks_of(text).items()}
    assert found == {"A": [("a", 2)], "B": [("c", 4)]}
