"""mpv user shaders run with what published files need beside blocks: linear light, older interfaces, byte products."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.dialects.mpv.pictures import default_values
from texelscope.pipeline.errors import TexelscopeError

SIZE = (6, 8)
RGB = {"MAIN": (1, 3, *SIZE)}
PICTURE = {"picture": (1, 3, *SIZE)}


def _open(gl: moderngl.Context, folder: Path, text: str, **shapes: tuple[int, ...]) -> DebugSession:
    path = folder / "x.glsl"
    path.write_text(text)
    session = pipeline.open(path, context=gl, shapes=shapes)
    session.run()
    assert session.shader_errors == {}
    return session


def _verdicts(session: DebugSession) -> set[str]:
    return {each.verdict for each in session.compare().passes}


def test_a_block_at_linear_sees_linear_light_and_the_picture_is_video_again(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    text = "//!HOOK LINEAR\n//!BIND HOOKED\nvec4 hook() { return 0.5 * HOOKED_texOff(0); }\n"
    with _open(gl, tmp_path, text, **RGB) as session:
        picture = default_values(RGB["MAIN"])
        np.testing.assert_allclose(session.tensor("LINEAR"), picture**2.4, rtol=0, atol=2e-6)
        expected = (0.5 * picture.astype(np.float64) ** 2.4) ** (1 / 2.4)
        np.testing.assert_allclose(session.tensor(session.plan.outputs[0]), expected, rtol=0, atol=2e-6)
        assert _verdicts(session) == {"match"}


def test_output_is_video_again_behind_a_block_at_linear(gl: moderngl.Context, tmp_path: Path) -> None:
    text = (
        "//!HOOK LINEAR\n//!BIND HOOKED\nvec4 hook() { return HOOKED_texOff(0); }\n"
        "//!HOOK SCALED\n//!BIND HOOKED\nvec4 hook() { return HOOKED_texOff(0); }\n"
        "//!HOOK OUTPUT\n//!BIND HOOKED\nvec4 hook() { return HOOKED_texOff(0); }\n"
    )
    with _open(gl, tmp_path, text, OUTPUT=(1, 3, *SIZE), **RGB) as session:
        picture = default_values(RGB["MAIN"])
        np.testing.assert_allclose(session.tensor("POSTKERNEL"), picture**2.4, rtol=0, atol=2e-6)
        np.testing.assert_allclose(session.tensor("OUTPUT"), picture, rtol=0, atol=2e-6)


def test_a_block_at_chroma_scaled_sees_chroma_at_the_size_of_luma(gl: moderngl.Context, tmp_path: Path) -> None:
    text = "//!HOOK CHROMA_SCALED\n//!BIND HOOKED\nvec4 hook() { return 0.5 * HOOKED_texOff(0); }\n"
    with _open(gl, tmp_path, text, **PICTURE) as session:
        assert session.tensor("CHROMA").shape == (1, 2, 3, 4)
        assert session.tensor("CHROMA_SCALED#2").shape == (1, 2, *SIZE)
        np.testing.assert_allclose(
            session.tensor("CHROMA_SCALED#2"), 0.5 * session.tensor("CHROMA_SCALED"), rtol=0, atol=1e-6
        )
        luma, (blue, red) = session.tensor("LUMA")[0, 0], session.tensor("CHROMA_SCALED#2")[0] - 0.5
        np.testing.assert_allclose(session.tensor("MAIN")[0, 0], luma + 1.5748 * red, rtol=0, atol=2e-6)
        np.testing.assert_allclose(session.tensor("MAIN")[0, 2], luma + 1.8556 * blue, rtol=0, atol=2e-6)
        assert _verdicts(session) == {"match"}


@pytest.mark.parametrize("name", ["sample", "sample_pixel"])
def test_a_function_of_mpvs_first_interface_replaces_main(gl: moderngl.Context, tmp_path: Path, name: str) -> None:
    text = (
        f"// no directives\nvec4 {name}(sampler2D tex, vec2 pos, vec2 tex_size)\n{{\n"
        "    return cmul * texture(tex, pos + vec2(1.0, 0.0) / tex_size) + 0.0 * image_size.xxxx;\n}"
    )
    with _open(gl, tmp_path, text, **RGB) as session:
        picture = default_values(RGB["MAIN"])
        expected = np.concatenate([picture[..., 1:], picture[..., -1:]], axis=3)
        np.testing.assert_allclose(session.tensor("MAIN#2"), expected, rtol=0, atol=1e-6)


def test_a_function_of_the_first_interface_is_read_as_a_network(gl: moderngl.Context, tmp_path: Path) -> None:
    text = "vec4 sample(sampler2D tex, vec2 pos, vec2 tex_size)\n{\n    return texture(tex, pos).grba;\n}\n"
    with _open(gl, tmp_path, text, **RGB) as session:
        np.testing.assert_array_equal(session.tensor("MAIN#2"), default_values(RGB["MAIN"])[:, [1, 0, 2]])
        assert _verdicts(session) == {"match"}


def test_a_shader_with_main_is_none_of_the_first_interface(gl: moderngl.Context, tmp_path: Path) -> None:
    path = tmp_path / "x.glsl"
    path.write_text(
        "#version 330\nuniform sampler2D t;\nout vec4 color;\n"
        "vec4 sample_pixel(sampler2D tex, vec2 pos, vec2 size) { return texture(tex, pos / size); }\n"
        "void main() { color = sample_pixel(t, gl_FragCoord.xy, vec2(64.0)); }\n"
    )
    with pipeline.open(path, context=gl) as session:
        assert [each.name for each in session.plan.passes] == ["x"]


BYTES = """//!HOOK MAIN
//!BIND HOOKED
//!COMPONENTS 4
#extension GL_EXT_spirv_intrinsics : require
spirv_instruction (extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = ID)
int dp4(int a, int b, spirv_literal int fmt);
vec4 hook() { return vec4(dp4(int(0x80FF027F), 0x0102FE03, 0), 0.0, 0.0, HOOKED_texOff(0).a); }
"""


def test_a_declared_dot_product_of_four_signed_bytes_is_computed(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, BYTES.replace("ID", "4450"), **RGB) as session:
        # -128 * 1 + -1 * 2 + 2 * -2 + 127 * 3
        assert session.tensor("MAIN#2")[0, 0].min() == session.tensor("MAIN#2")[0, 0].max() == 247.0


def test_another_instruction_of_spirv_is_refused_with_its_line(gl: moderngl.Context, tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError) as caught:
        _open(gl, tmp_path, BYTES.replace("ID", "4451"), **RGB)
    assert str(caught.value) == (
        "x.glsl:5: expected GLSL of OpenGL, or the dot product of signed bytes (id = 4450), got another instruction of "
        "SPIR-V (spirv_instruction). Take the shader's variant for OpenGL."
    )


def test_alpha_of_a_picture_of_three_colours_is_1_also_by_its_sampler(gl: moderngl.Context, tmp_path: Path) -> None:
    text = "//!HOOK MAIN\n//!BIND HOOKED\n//!SAVE x\nvec4 hook() { return texture(HOOKED_raw, HOOKED_pos); }\n"
    with _open(gl, tmp_path, text, **RGB) as session:
        np.testing.assert_array_equal(session.tensor("x")[0, 3], np.ones(SIZE, np.float32))
        assert _verdicts(session) == {"match"}


def test_a_block_that_reads_a_texture_of_the_file_says_why_it_is_no_network(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    text = (
        "//!HOOK MAIN\n//!BIND HOOKED\n//!BIND lut\nvec4 hook() { return texture(lut, vec2(random)); }\n"
        "//!TEXTURE lut\n//!SIZE 1 1\n//!FORMAT rgba32f\n0000803F0000803F0000803F0000803F\n"
    )
    with _open(gl, tmp_path, text, **RGB) as session:
        (report,) = session.compare().passes
        assert report.verdict == "not_compared"
        assert report.message.startswith("It contains no readable network: x.glsl:4 has ")
