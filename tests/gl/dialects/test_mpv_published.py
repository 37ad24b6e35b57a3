"""mpv user shaders run with what published files need beside blocks: linear light, older interfaces, byte products."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_plan
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.dialects.mpv.pictures import default_values
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions

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


KEPT = """//!TEXTURE KEPT
//!SIZE 8 6
//!FORMAT r32f
//!STORAGE
DATA
//!HOOK MAIN
//!BIND HOOKED
//!BIND KEPT
//!SAVE counted
vec4 hook() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float n = imageLoad(KEPT, at).x + 1.0;
    imageStore(KEPT, at, vec4(n));
    return vec4(n, HOOKED_texOff(0).x, float(frame), 1.0);
}
//!HOOK MAIN
//!BIND HOOKED
//!BIND KEPT
vec4 hook() { return HOOKED_texOff(0) * imageLoad(KEPT, ivec2(HOOKED_pos * HOOKED_size)).x; }
"""


def test_an_image_is_kept_from_block_to_block_and_from_frame_to_frame(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, KEPT.replace("DATA", ""), **RGB) as session:
        picture = default_values(RGB["MAIN"])
        for number in (0, 1, 2):
            counted = session.tensor("counted")[0]
            np.testing.assert_array_equal(counted[0], np.full(SIZE, number + 1, np.float32))
            np.testing.assert_array_equal(counted[1], picture[0, 0])
            np.testing.assert_array_equal(counted[2], np.full(SIZE, number, np.float32))
            np.testing.assert_allclose(session.tensor("MAIN#2"), picture * (number + 1), rtol=0, atol=1e-6)
            session.run(frames=1)


def test_an_image_begins_with_the_numbers_of_the_file(gl: moderngl.Context, tmp_path: Path) -> None:
    numbers = np.arange(48, dtype="<f4").reshape(SIZE)
    with _open(gl, tmp_path, KEPT.replace("DATA", numbers.tobytes().hex()), **RGB) as session:
        np.testing.assert_array_equal(session.tensor("counted")[0, 0], numbers + 1)
        session.run(frames=1)
        np.testing.assert_array_equal(session.tensor("counted")[0, 0], numbers + 2)


def test_an_image_that_no_block_changes_stays_as_the_file_has_it(gl: moderngl.Context, tmp_path: Path) -> None:
    numbers = np.arange(48, dtype="<f4").reshape(SIZE)
    text = KEPT.replace("DATA", numbers.tobytes().hex()).replace("imageStore(KEPT, at, vec4(n));", "")
    with _open(gl, tmp_path, text, **RGB) as session:
        assert not session.plan.has_frames or session.plan.frames.carried == ()
        np.testing.assert_array_equal(session.tensor("counted")[0, 0], numbers + 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "float n =", "float n = dFdx(HOOKED_pos.x) +",
            "x.glsl:12: expected a block with a //!STORAGE texture to do without derivatives and discard, got 'dFdx'. "
            "It runs as a compute shader here: give it //!COMPUTE, or remove the texture.",
        ),
        (
            "r32f", "rg32f",
            "x.glsl:3: expected an image of two dimensions for //!STORAGE, of one or four components, got 'rg32f' of "
            "8x6x1. Choose a FORMAT such as r32f or rgba16f.",
        ),
        (
            "8 6", "8000 6000",
            "x.glsl:3: expected at most 16777216 numbers in a //!STORAGE, got 8000x6000. Make SIZE smaller.",
        ),
    ],
)  # fmt: skip
def test_an_image_that_cannot_be_is_refused_with_its_line(
    gl: moderngl.Context, tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(TexelscopeError) as caught:
        _open(gl, tmp_path, KEPT.replace("DATA", "").replace(old, new), **RGB)
    assert str(caught.value) == message


def test_a_texture_of_three_dimensions_is_sampled_between_its_texels(gl: moderngl.Context, tmp_path: Path) -> None:
    # r, g, b of texel (x, y, z) are x, y, z / 2.
    lut = np.array([[[[x, y, z / 2, 1] for x in (0, 1)] for y in (0, 1)] for z in (0, 1, 2)], "<f4")
    text = (
        "//!HOOK MAIN\n//!BIND HOOKED\n//!BIND lut\n"
        "vec4 hook() { return lut_tex((HOOKED_texOff(0).rgb * vec3(1.0, 1.0, 2.0) + 0.5) / vec3(2.0, 2.0, 3.0)); }\n"
        f"//!TEXTURE lut\n//!SIZE 2 2 3\n//!FORMAT rgba32f\n//!FILTER LINEAR\n{lut.tobytes().hex()}\n"
    )
    with _open(gl, tmp_path, text, **RGB) as session:
        # A driver interpolates by 8 bits of the place between two texels.
        np.testing.assert_allclose(session.tensor("MAIN#2"), default_values(RGB["MAIN"]), rtol=0, atol=1 / 256)


BEHIND = """//!HOOK MAIN
//!BIND HOOKED
//!SAVE noise
vec4 hook() { return HOOKED_texOff(0) * random; }
//!HOOK MAIN
//!BIND HOOKED
//!BIND noise
vec4 hook() { return HOOKED_texOff(0) + 0.5 * noise_texOff(vec2(1.0, 0.0)); }
"""


def test_a_block_behind_one_that_is_no_network_is_judged_by_its_own_inputs(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    with _open(gl, tmp_path, BEHIND, **RGB) as session:
        noise, behind = session.compare().passes
        assert (noise.verdict, behind.verdict) == ("not_compared", "match")
        assert noise.message == "It contains no readable network: x.glsl:4 has 'random', whose value is unknown here."
        assert behind.chained is None
        with Reloader(session, tmp_path / "x.glsl", OpenOptions(shapes=RGB)) as reloader:
            for factor, culprit in (("0.25", "MAIN#2"), ("0.5", None)):
                (tmp_path / "x.glsl").write_text(BEHIND.replace("0.5", factor))
                assert reloader.reload(frozenset({tmp_path / "x.glsl"})).errors == ()
                session.run()
                report = session.compare(findings=False)
                assert (report.passes[0].verdict, report.culprit) == ("not_compared", culprit)


def test_the_extracted_network_ends_before_a_block_that_is_none(gl: moderngl.Context, tmp_path: Path) -> None:
    first = "//!HOOK MAIN\n//!BIND HOOKED\n//!SAVE half\nvec4 hook() { return HOOKED_texOff(0) * 0.5; }\n"
    with _open(gl, tmp_path, first + BEHIND, **RGB) as session:
        assert isinstance(session.plan, ShaderPlan)
        network = network_of_plan(session.plan)
        assert [each.tensor for each in network.left_out] == ["noise", "MAIN#2"]
        assert [each.name for each in network.model.graph.input] == ["MAIN"]
