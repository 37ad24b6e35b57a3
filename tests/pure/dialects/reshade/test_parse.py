"""Declarations are taken out of a ReShade effect, its other tokens stay, and what is not supported is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.effect_networks.reshade import half_size
from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.dialects.reshade.parse import parse
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.reshade_effect import IMPORTER
from texelscope.pipeline.target import OpenOptions

TEXTURE = "texture t { Width = BUFFER_WIDTH; Height = BUFFER_HEIGHT; Format = RGBA16F; };\n"
SAMPLER = "sampler s { Texture = t; };\n"
SHADER = "float4 PS(float4 p : SV_Position, float2 uv : TEXCOORD) : SV_Target { return tex2D(s, uv); }\n"
TECHNIQUE = "technique T { pass { VertexShader = PostProcessVS; PixelShader = PS; } }\n"
GREY = "technique T { pass { VertexShader = PostProcessVS; PixelShader = PS; RenderTarget = t; } }\n"


def test_declarations_are_taken_out_and_the_rest_stays_in_its_place() -> None:
    text = "#line 1 0\n" + half_size().replace('#include "ReShade.fxh"', "")
    effect = parse(half_size(), "x.fx", text, (), {})
    assert sorted(effect.textures) == ["texFeature0", "texFeature1", "texGrey", "texMixed"]
    assert effect.textures["texGrey"].properties["Format"].value == "R16F"
    assert [each.name for each in effect.passes] == ["Grey", "Features", "Mix", "Add"]
    assert [(each.name, each.initial, each.maximum) for each in effect.parameters] == [("strength", 0.5, 2.0)]
    rows, lines = effect.code.split("\n"), half_size().split("\n")
    at = lines.index("float GreyPS(float4 pos : SV_Position, float2 uv : TexCoord) : SV_Target {")
    assert rows[at] == lines[at]
    assert rows[at + 1] == "    return luma(         BackBuffer, uv);"
    assert "texture" not in effect.code
    assert "static  float3 lumaWeights" in effect.code
    assert effect.places[at] == (0, at + 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHADER, "x.fx:1: expected a technique with a pass, got none"),
        (TEXTURE + TEXTURE + TECHNIQUE, "x.fx:2: expected a unique name, got a second 't'"),
        ("texture3D t { Width = 8; };\n" + TECHNIQUE, "x.fx:1: expected textures of two dimensions, got 'texture3D'"),
        ("texture t { Width = 8\n};\n" + TECHNIQUE, "x.fx:2: expected ';' behind a value, got '}'"),
        ("texture t { Width = 8;", "x.fx:1: expected a name, got the end of the file"),
        ("technique T { Pass { } }\n", "x.fx:1: expected 'pass' in a technique, got 'Pass'"),
        (
            'uniform float t < source = "timer"; >;\n' + TECHNIQUE,
            "x.fx:1: expected uniforms that a user sets, got source",
        ),
        ("uniform float t = 1 + 1;\n" + TECHNIQUE, "x.fx:1: expected a number, got '1 + 1'"),
        (TECHNIQUE, "x.fx:1: expected a function of the effect, got 'PS'"),
        (TEXTURE + SHADER + GREY, "x.fx:2: expected HLSL that Slang compiles, got undefined identifier 's'"),
        (TEXTURE + SAMPLER + SHADER + TECHNIQUE, "x.fx:2: expected a texture that an earlier pass writes, got 't'"),
        (TEXTURE.replace("RGBA16F", "RGB9") + SAMPLER + SHADER + GREY, "x.fx:1: expected a format of textures"),
        (TEXTURE.replace("= BUFFER_WIDTH", "= WIDTH") + SHADER + GREY, "x.fx:1: expected a size of numbers"),
        (TEXTURE.replace("Format", "MipLevels = 4; Format") + SHADER + GREY, "x.fx:1: expected MipLevels = 1, got '4'"),
        (
            TEXTURE.replace("{", ": DEPTH {") + SHADER + GREY,
            "expected a texture of the effect's own, or COLOR, got DEPTH",
        ),
        (
            SHADER.replace("tex2D(s, uv)", "ddx(uv.x)") + TECHNIQUE,
            "a pixel shader without derivatives and discard, got ddx",
        ),
        (SHADER.replace("TEXCOORD", "TEXCOORD3") + TECHNIQUE, "got 'uv' : TEXCOORD3. Compute it in the function."),
        (SHADER + TECHNIQUE.replace("PostProcessVS", "MyVS"), "expected VertexShader = PostProcessVS, got 'MyVS'"),
        (
            SHADER + TECHNIQUE.replace("PixelShader", "BlendEnable = true; PixelShader"),
            "expected BlendEnable = false or 0",
        ),
        ('#include "../other.fxh"\n' + TECHNIQUE, "'x.fx' line 1: expected an #include of a path inside the effect's"),
    ],
)
def test_what_is_not_supported_is_refused_at_its_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.fx"
    path.write_text(text)
    with pytest.raises(TexelscopeError) as caught:
        IMPORTER.effect_plan(path, OpenOptions(limits=Limits(work_groups=WorkGroups())))
    assert message in str(caught.value)
