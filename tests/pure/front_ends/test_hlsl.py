"""HLSL's entry points are found, and what cannot be translated is refused at its line."""

from __future__ import annotations

import pytest

from texelscope.layouts.errors import TexelscopeError
from texelscope.pipeline.front_ends import slang_library
from texelscope.pipeline.front_ends.hlsl import entry_points, translated, translated_with_samplers
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.rows import rows_of
from texelscope.pipeline.front_ends.slang_samplers import SampledWith
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.old_words import Stage

KERNEL = "[numthreads(8, 8, 1)]\nvoid {}(uint3 id : SV_DispatchThreadID) {{ Y[id.x] = {}; }}\n"
BUFFERS = "#line 1 0\nStructuredBuffer<float> A;\nRWStructuredBuffer<float> Y;\n"


@pytest.mark.parametrize(
    ("text", "stage", "names"),
    [
        (KERNEL.format("One", "0") + KERNEL.format("Two", "0"), "compute", ["One", "Two"]),
        ('[shader("compute")]\n[numthreads(1,1,1)]\nvoid Marked() {}\n', "compute", ["Marked"]),
        ("float4 P(float4 p : SV_Position, float2 uv : TEXCOORD0) : SV_TARGET { return 0; }\n", "fragment", ["P"]),
        ("float4 P(float4 p : SV_Position)\n    : SV_Target0\n{ return 0; }\n", "fragment", ["P"]),
        ("// [numthreads(1,1,1)] void No() {}\nfloat helper(float x) { return x; }\n", "compute", []),
    ],
)
def test_entry_points_are_found(text: str, stage: Stage, names: list[str]) -> None:
    assert entry_points(text, stage) == names


@pytest.mark.parametrize(
    ("text", "entry", "row", "message"),
    [
        (KERNEL.format("M", "A[id.x] + zz"), "", 4, "expected HLSL that Slang compiles, got undefined identifier 'zz'"),
        (KERNEL.format("M", "A[id.x].xy"), "", 4, "got 'xy' is not a member of 'float'. Correct the line."),
        (KERNEL.format("M", "0"), "N", 0, "got entry = \"N\". Valid: M."),
        (KERNEL.format("M", "0") + KERNEL.format("N", "0"), "", 0, 'got 2: M, N. Choose one: entry = "M".'),
        (
            KERNEL.format("M", "WaveActiveSum(A[0])"), "", 4,
            "expected a shader that OpenGL can run, got wave operations. Use groupshared memory.",
        ),
        ('#inc\\\nlude "/etc/passwd"\n' + KERNEL.format("M", "0"), "", 0, "every #include on one line"),
    ],
)  # fmt: skip
def test_what_cannot_be_translated_is_refused_at_its_line(text: str, entry: str, row: int, message: str) -> None:
    with pytest.raises(AuthorTextError) as caught:
        translated(TranslationRequest(BUFFERS + text, "compute", entry), "hlsl")
    assert caught.value.row == row
    assert message in str(caught.value)


def test_a_drawn_pass_of_a_compute_shader_is_told_to_dispatch_it() -> None:
    with pytest.raises(AuthorTextError, match=r"got a compute shader. Dispatch it: dispatch = \[8, 8, 1\]."):
        translated(TranslationRequest(BUFFERS + KERNEL.format("M", "0"), "fragment"), "hlsl")


def test_half_precision_that_is_left_to_the_device_has_32_bits() -> None:
    text = BUFFERS + KERNEL.format("M", "(half)A[0] + (min16float)A[1]")
    assert "float16" not in translated(TranslationRequest(text, "compute"), "hlsl")


def test_two_loops_with_one_variable_are_no_error() -> None:
    loops = "float s = 0;\n    for (uint i = 0; i < 4; i++) s += A[i];\n    for (uint i = 0; i < 4; i++) s += A[i];\n"
    text = f"{BUFFERS}[numthreads(1, 1, 1)]\nvoid M() {{\n    {loops}    Y[0] = s;\n}}\n"
    assert translated(TranslationRequest(text, "compute"), "hlsl").count("for(") == 2


def test_without_the_compiler_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slang_library, "library_path", lambda: None)
    with pytest.raises(TexelscopeError, match=r"got none. Install it: pip install slangpy."):
        translated(TranslationRequest(BUFFERS + KERNEL.format("M", "0"), "compute"), "hlsl")


def test_languages_are_told_by_endings() -> None:
    names = {path: language.name for path in ("a.hlsl", "B.COMPUTE", "c.slang") if (language := language_of(path))}
    assert names == {"a.hlsl": "HLSL", "B.COMPUTE": "HLSL", "c.slang": "Slang"}
    assert language_of("d.frag") is None


def test_a_name_means_the_variable_before_it_not_that_of_a_later_loop() -> None:
    text = (
        "[numthreads(1, 1, 1)]\nvoid M(uint3 id : SV_DispatchThreadID) {\n    uint i = id.x;\n"
        "    for (i = id.x; i < 9; i += 2) {\n        float own = A[i % 4];\n"
        "        for (int i = 0; i < 3; ++i) own += A[i];\n        Y[i] = own;\n    }\n}\n"
    )
    made = translated(TranslationRequest(BUFFERS + text, "compute"), "hlsl")
    assert "\nint i;" not in made
    assert "A_elements[uint(i_0 % 4U)]" in made


def test_a_texture_with_two_samplers_has_a_uniform_for_each() -> None:
    text = (
        "Texture2D<float4> T;\nSamplerState s;\nSamplerState t;\n[numthreads(1, 1, 1)]\n"
        "void M(uint3 id : SV_DispatchThreadID) {\n    float2 p = id.xy * 0.1;\n"
        "    Y[id.x] = T.SampleLevel(s, p, 0).x + T.SampleLevel(t, p, 0).y;\n}\n"
    )
    made = translated_with_samplers(TranslationRequest(BUFFERS + text, "compute"))
    assert made.sampled == {"T": SampledWith("T", "s"), "T_t": SampledWith("T", "t")}
    assert "(textureLod(T, p, (0.0))).x + (textureLod(T_t, p, (0.0))).y" in made.text
    assert "uniform texture2D T_t;" in made.text


def line_of(made: str, text: str) -> tuple[str, int]:
    """Returns file and line of the one row of a translation that begins with a text, by its `#line`s."""
    rows = rows_of(made)
    (row,) = [each for each in rows if each.text.strip().startswith(text)]
    assert row.place is not None
    return str(row.place[0]), row.place[1]


def test_the_first_value_of_a_sum_is_at_its_own_line() -> None:
    """Slang says the line of the loop behind it, where only the loop uses it."""
    loop = "    float acc = 0;\n\n    for (uint c = 0; c < 4; ++c)\n        acc += A[c];\n    Y[0] = acc;\n"
    text = f"{BUFFERS}[numthreads(1, 1, 1)]\nvoid M()\n{{\n{loop}}}\n"
    made = translated(TranslationRequest(text, "compute"), "hlsl")
    assert line_of(made, "float acc = ") == ("0", 6)
    assert line_of(made, "for(") == ("0", 8)


def test_the_entry_point_is_not_at_the_line_of_the_function_before_it() -> None:
    text = (
        "#line 1 1\nfloat4 Helped(float4 v)\n{\n    return 1 / v;\n}\n#line 10 0\n"
        "float4 P(float4 p : SV_Position, float2 uv : TEXCOORD0) : SV_Target\n{\n"
        "    float4 v = Helped(uv.xyxy);\n    return Helped(v);\n}\n"
    )
    made = translated(TranslationRequest(text, "fragment"), "hlsl")
    assert line_of(made, "return 1.0 / v") == ("1", 3)
    heads = ("void main()", "layout(location = 0) out", "layout(location = 0) in")
    assert [line_of(made, head)[0] for head in heads] == ["0", "0", "0"]
