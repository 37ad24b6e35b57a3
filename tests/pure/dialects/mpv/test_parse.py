"""A file of mpv's is divided as mpv divides it, and what it says wrongly is named by file and line."""

from __future__ import annotations

import numpy as np
import pytest

from texelscope.pipeline.dialects.mpv.blocks import Compute, EmbeddedTexture, HookParameter, Offset, UserShader
from texelscope.pipeline.dialects.mpv.parse import parse
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError

TWO_BLOCKS = """// A licence,
// of two lines.

//!DESC first
//!HOOK LUMA
//!HOOK CHROMA
//!BIND HOOKED
//!SAVE half
//!WIDTH HOOKED.w 2 /
//!COMPONENTS 2
//!OFFSET -0.5 1
//!WHEN OUTPUT.w LUMA.w >
vec4 hook() {
    return HOOKED_texOff(0);
}

//!HOOK MAIN
//!BIND half
//!OFFSET ALIGN
//!COMPUTE 32 16 8 4

void hook() { imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(0)); }
"""
VALUES = """//!HOOK MAIN
vec4 hook() { return vec4(0); }
//!PARAM strength
//!DESC How much
//!TYPE float
//!MINIMUM 0
//!MAXIMUM 2.5
1.5

//!PARAM way
//!TYPE ENUM int
near
far
//!TEXTURE table
//!SIZE 2 1
//!FORMAT rg8
//!FILTER NEAREST
//!BORDER REPEAT
00ff ff33
"""


def test_a_file_is_a_row_of_blocks_with_the_lines_they_stand_in() -> None:
    shader = parse(TWO_BLOCKS, "x.glsl")
    first, second = shader.blocks
    assert (first.description, [hook.name for hook in first.hooks]) == ("first", ["LUMA", "CHROMA"])
    assert first.save is not None
    assert (first.save.name, first.save.place) == ("half", FileLine("x.glsl", 8))
    assert (first.components, first.offset) == (2, Offset(-0.5, 1.0))
    lines = TWO_BLOCKS.split("\n")
    for each in (first, second):
        assert lines[each.body_line - 1] == each.body.split("\n")[0]
    assert first.body.startswith("vec4 hook() {\n")
    assert (second.save, second.offset.aligned) == (None, True)
    assert second.compute == Compute((32, 16), (8, 4), FileLine("x.glsl", 20))


def test_numbers_of_the_file_are_read() -> None:
    shader = parse(VALUES, "x.glsl")
    strength, way = shader.parameters
    assert strength == HookParameter("strength", FileLine("x.glsl", 3), "float", 1.5, 0.0, 2.5, "How much", in_file=1.5)
    assert way.choices == ("near", "far")
    (table,) = shader.textures
    assert (table.filter, table.border, table.dimensions) == ("nearest", "repeat", 2)
    assert table.texels.shape == (1, 1, 2, 2)
    assert table.texels.ravel().tolist() == [0.0, 1.0, 1.0, float(np.float32(0.2))]


@pytest.mark.parametrize(
    ("format_", "data", "expected"),
    [
        ("r16", "ffff", [1.0]),
        ("rgba32f", "0000803f 000000c0 00000000 0000003f", [1.0, -2.0, 0.0, 0.5]),
        ("rg16f", "0000803f000000c0", [1.0, -2.0]),
        ("r16hf", "003c", [1.0]),
    ],
)
def test_each_format_of_a_texture_is_read_as_mpv_stores_it(format_: str, data: str, expected: list[float]) -> None:
    assert _texture(f"//!TEXTURE t\n//!FORMAT {format_}\n{data}\n").texels.ravel().tolist() == expected


def _texture(section: str) -> EmbeddedTexture:
    return _parsed(section).textures[0]


def _parsed(section: str) -> UserShader:
    return parse(f"//!HOOK MAIN\nvec4 hook() {{ return vec4(0); }}\n{section}", "x.glsl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void main() {}\n", " expected an mpv user shader, a block with //!HOOK, got none."),
        ("//!HOOK MAIN\n//!SAVEAS a\nhook\n", ":2: expected a directive of a block, got '//!SAVEAS'. "),
        ("//!HOOK MAIN\n//! BIND a\nhook\n", ":2: expected a directive of a block, got '//! BIND a'"),
        ("// a\n//!BIND MAIN\nhook\n", ":2: expected //!HOOK and a plane in every block, got a block without."),
        ("//!HOOK\nhook\n", ":1: expected a plane behind //!HOOK, got none. One of LUMA"),
        ("//!HOOK MAINN\nhook\n", ":1: expected a plane that mpv has behind //!HOOK, got 'MAINN'."),
        ("//!HOOK MAIN\n//!BIND a b\nhook\n", ":2: expected a name behind //!BIND, got 'a b'."),
        ("//!HOOK MAIN\n", ":1: expected a body with hook() below the directives, got nothing."),
        ("//!HOOK MAIN\nvoid main() {}\n", ":1: expected a body with hook() below the directives, got one without it."),
        ("//!HOOK MAIN\n//!COMPONENTS 5\nhook\n", ":2: expected 1 number from 1 to 4 behind //!COMPONENTS, got '5'."),
        ("//!HOOK MAIN\n//!OFFSET 1\nhook\n", ":2: expected 2 numbers behind //!OFFSET, got '1'."),
        ("//!HOOK MAIN\n//!COMPUTE 8\nhook\n", ":2: expected 2 or 4 numbers from 1 to 1024 behind //!COMPUTE, got '8'"),
        ("//!HOOK MAIN\nhook\n//!BUFFER b\n", ":3: expected blocks, //!TEXTURE and //!PARAM, got //!BUFFER."),
        ("//!HOOK MAIN\n//!WIDTH 2 *\nhook\n", ":2: expected 2 numbers before '*' in reverse Polish notation, got 1"),
        ("//!HOOK MAIN\n//!WIDTH 2 3\nhook\n", ":2: expected one number to be left of an expression"),
        ("//!HOOK MAIN\n//!WHEN\nhook\n", "got an empty expression."),
        ("//!HOOK MAIN\n//!WIDTH MAIN.d\nhook\n", ":2: expected numbers, NAME.w, NAME.h, parameters and + - "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_block_is_one_line(text: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as error:
        parse(text, "x.glsl")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("//!TEXTURE t\n00\n", ":3: expected //!FORMAT in every //!TEXTURE, got none."),
        ("//!TEXTURE t\n//!FORMAT r9\n00\n", ":4: expected a FORMAT such as r8, rg16, rgba16f or rgba32f, got 'r9'."),
        ("//!TEXTURE t\n//!FORMAT r8f\n00\n", ":4: expected a FORMAT of 16 or 32 bits with f"),
        ("//!TEXTURE t\n//!FORMAT r8\n0x00\n", ":4: expected hexadecimal digits alone behind the directives"),
        ("//!TEXTURE t\n//!FORMAT r8\n0000\n", ":4: expected 1 bytes for 1x1x1 texels of r8, got 2."),
        ("//!TEXTURE t\n//!SIZE 4096 4096\n//!FORMAT r8\n00\n", "expected at most 1048576 texels, got 4096x4096x1."),
        ("//!TEXTURE t\n//!SIZE 0\n//!FORMAT r8\n00\n", ":4: expected 1 or 2 or 3 numbers from 1 to 16384"),
        ("//!TEXTURE t\n//!FORMAT r8\n//!FILTER CUBIC\n00\n", "expected LINEAR or NEAREST behind //!FILTER, got 'CUB"),
        ("//!TEXTURE t\n//!WIDTH 3\n00\n", ":4: expected a directive of //!TEXTURE, got '//!WIDTH'."),
        ("//!PARAM p\n1\n", ":3: expected //!TYPE float, int, uint or DEFINE"),
        ("//!PARAM p\n//!TYPE float\nx y\n", ":3: expected one number below the directives of //!PARAM, got 'x y'."),
        ("//!PARAM p\n//!TYPE float\n//!MAXIMUM 1\n2\n", ":3: expected an initial value from -inf to 1.0, got 2."),
        ("//!PARAM p\n//!TYPE int\n1\n" * 2, ":6: expected a unique name, got 'p', which line 3 has."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_numbers_of_the_file_is_one_line(section: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as error:
        _parsed(section)
    assert message in str(error.value)


def test_an_expression_may_name_a_parameter_or_an_enum_s_value() -> None:
    shader = _parsed(VALUES + "//!HOOK MAIN\n//!WHEN strength far + 3 *\nhook\n")
    when = shader.blocks[-1].when
    assert when is not None
    assert when.value(lambda _: None, shader.numbers) == 7.5


def test_an_expression_names_no_parameter_that_the_file_does_not_have() -> None:
    with pytest.raises(
        TexelscopeError, match=r"x\.glsl:4: expected numbers, NAME\.w, .*, got 'strenght' in 'strenght'\."
    ):
        _parsed("//!HOOK MAIN\n//!WHEN strenght\nhook\n//!PARAM strength\n//!TYPE float\n1\n")
