"""A file becomes sections as in Magpie, and what Magpie refuses is refused at its line."""

from __future__ import annotations

import pytest

from tests.effect_networks.magpie import both_signs
from texelscope.pipeline.dialects.magpie.parse import parse
from texelscope.pipeline.dialects.magpie.sections import is_effect
from texelscope.pipeline.errors import TexelscopeError

HEAD = "//!MAGPIE EFFECT\n//!VERSION 4\n"
TEXTURE = "//!TEXTURE\n//!WIDTH INPUT_WIDTH\n//!HEIGHT INPUT_HEIGHT\n//!FORMAT R8G8_UNORM\nTexture2D a;\n"
PASS = "//!PASS 1\n//!STYLE PS\n//!IN INPUT\n//!OUT OUTPUT\nMF4 Pass1(float2 pos) { return 0; }\n"


def test_a_published_form_is_read_with_its_lines() -> None:
    effect = parse(both_signs(), "x.hlsl")
    assert [each.writes for each in effect.passes] == [("tex1", "tex2"), ("tex3", "tex4"), ("OUTPUT",)]
    assert effect.passes[0].block == (16, 16)
    assert effect.passes[0].threads == (64, 1, 1)
    assert effect.has_multiply_add
    lines = both_signs().split("\n")
    assert lines[effect.passes[1].place.line - 1] == "//!PASS 2"
    assert lines[effect.passes[1].body.line - 1] == effect.passes[1].body.text.split("\n")[0]


def test_directives_in_comments_of_several_lines_begin_no_section() -> None:
    effect = parse(HEAD + "/*\n//!PASS 2\n*/\n" + PASS, "x.hlsl")
    assert len(effect.passes) == 1


def test_a_parameter_has_its_limits() -> None:
    text = "//!PARAMETER\n//!LABEL How much\n//!DEFAULT 0.5\n//!MIN 0\n//!MAX 2\n//!STEP 0.1\nfloat much; // of it\n"
    (parameter,) = parse(HEAD + text + PASS, "x.hlsl").parameters
    assert (parameter.name, parameter.initial, parameter.minimum, parameter.maximum) == ("much", 0.5, 0.0, 2.0)
    assert parameter.description == "How much"


def test_other_hlsl_is_no_effect() -> None:
    assert is_effect(HEAD)
    assert not is_effect("[numthreads(8, 8, 1)]\nvoid Main() {} // !MAGPIE EFFECT\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("//!VERSION 4\n", "x.hlsl: expected a Magpie effect, with '//!MAGPIE EFFECT', got none"),
        ("//!MAGPIE EFFECT\n" + PASS, "x.hlsl:1: expected //!VERSION in this section, got none"),
        (HEAD.replace("4", "2") + PASS, "x.hlsl:2: expected 3 or 4 behind //!VERSION, got '2'"),
        (HEAD, "x.hlsl:1: expected at least one //!PASS, got none. Add one."),
        (HEAD + PASS.replace("1", "2"), "x.hlsl:3: expected //!PASS 1, got //!PASS 2. Number the passes from 1 on."),
        (HEAD + PASS.replace("PASS 1", "PASS x"), "x.hlsl:3: expected a number behind //!PASS, got 'x'"),
        (HEAD + PASS.replace("INPUT", "IMPUT"), "x.hlsl:3: expected a texture of the effect, got 'IMPUT'"),
        (HEAD + PASS.replace("IN INPUT", "IN OUTPUT"), "expected another texture than OUTPUT behind //!IN"),
        (HEAD + PASS.replace("OUT OUTPUT", "OUT INPUT"), "expected textures that a pass reads or writes once"),
        (HEAD + TEXTURE + PASS.replace("OUT OUTPUT", "OUT a"), "expected OUTPUT alone behind //!OUT of the last pass"),
        (HEAD + PASS.replace("STYLE PS", "STYLE VS"), "x.hlsl:4: expected PS or CS behind //!STYLE, got 'VS'"),
        (HEAD + PASS.replace("//!STYLE PS\n", ""), "x.hlsl:3: expected //!BLOCK_SIZE in this section, got none"),
        (HEAD + PASS.replace("STYLE PS", "NUM_THREADS 9\n//!STYLE PS"), "expected none with //!STYLE PS"),
        (
            HEAD + PASS.replace("STYLE PS", "BLOCK_SIZE 8\n//!NUM_THREADS 64, 64"),
            "x.hlsl:5: expected at most 1024 invocations behind //!NUM_THREADS, got '64, 64'",
        ),
        (
            HEAD + PASS.replace("STYLE PS", "BLOCK_SIZE 0\n//!NUM_THREADS 64"),
            "x.hlsl:4: expected 1 to 2 whole numbers from 1 on behind //!BLOCK_SIZE, got '0'",
        ),
        (HEAD + PASS.replace("STYLE PS", "STILE PS"), "x.hlsl:4: expected a directive of a //!PASS section, got"),
        (HEAD + PASS.replace("STYLE PS", "IN INPUT"), "x.hlsl:5: expected one //!IN, got a second one"),
        (HEAD + TEXTURE.replace("R8G8_UNORM", "R8G8") + PASS, "x.hlsl:6: expected a format of textures, got 'R8G8'"),
        (HEAD + TEXTURE.replace("//!WIDTH INPUT_WIDTH\n", "") + PASS, "expected both //!WIDTH and //!HEIGHT, got one"),
        (HEAD + TEXTURE.replace("a;", "OUTPUT;") + PASS, "x.hlsl:6: expected no //!FORMAT for OUTPUT"),
        (HEAD + TEXTURE.replace("Texture2D a;", "Texture3D a;") + PASS, "x.hlsl:7: expected 'Texture2D NAME;', got"),
        (HEAD + TEXTURE + TEXTURE + PASS, "x.hlsl:8: expected a unique name, got 'a', which line 3 has"),
        (HEAD + "//!SAMPLER\nSamplerState s;\n" + PASS, "x.hlsl:3: expected //!FILTER in this section, got none"),
        (
            HEAD + "//!SAMPLER\n//!FILTER CUBIC\nSamplerState s;\n" + PASS,
            "x.hlsl:4: expected POINT or LINEAR behind //!FILTER, got 'CUBIC'",
        ),
        (
            HEAD + "//!PARAMETER\n//!DEFAULT 3\n//!MIN 0\n//!MAX 2\n//!STEP 1\nfloat p;\n" + PASS,
            "x.hlsl:4: expected a number from 0 to 2 behind //!DEFAULT, got '3'",
        ),
    ],
)
def test_what_magpie_refuses_is_refused_at_its_line(text: str, message: str) -> None:
    with pytest.raises(TexelscopeError) as caught:
        parse(text, "x.hlsl")
    assert message in str(caught.value)
