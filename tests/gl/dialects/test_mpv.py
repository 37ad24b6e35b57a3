"""mpv user shaders run unchanged: what they read, where it lies and what they say of errors is as in mpv."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import numpy_helper
from PIL import Image

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_plan
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.dialects.mpv.pictures import default_values
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.opening import sized
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import OpenOptions, Target

SHAPES = {"LUMA": (1, 1, 6, 8), "OUTPUT": (1, 3, 12, 16)}
# A convolution of 3x3 with four filters by macros that read, as CNNs are written; then its lanes as pixels.
NETWORK = """//!DESC conv
//!HOOK LUMA
//!BIND HOOKED
//!SAVE conv
//!COMPONENTS 4
#define go_0(x_off, y_off) (HOOKED_texOff(vec2(x_off, y_off)))
vec4 hook() {
    vec4 result = vec4(1.0, 2.0, 3.0, 4.0) * go_0(-1.0, 0.0).x;
    result += mat4(1.0, 2.0, 0.0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) * go_0(0.0, 1.0);
    result += vec4(0.5, 0.0, -0.5, 0.0);
    return result;
}

//!DESC depth to space
//!HOOK LUMA
//!BIND conv
//!WIDTH LUMA.w 2 *
//!HEIGHT LUMA.h 2 *
vec4 hook() {
    vec2 f0 = fract(conv_pos * conv_size);
    ivec2 i0 = ivec2(f0 * vec2(2.0));
    return vec4(conv_tex((vec2(0.5) - f0) * conv_pt + conv_pos)[i0.y * 2 + i0.x]);
}
"""


def _open(gl: moderngl.Context, folder: Path, text: str, **shapes: tuple[int, ...]) -> DebugSession:
    path = folder / "x.glsl"
    path.write_text(text)
    session = pipeline.open(path, context=gl, shapes=shapes)
    session.run()
    return session


def _convolved(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """[4, h, w] of [h, w], what lies outside taken from the edge."""
    padded = np.pad(x, 1, mode="edge")
    left, below = padded[1:-1, :-2], padded[2:, 1:-1]
    weights = [(1.0, 1.0, 0.5), (2.0, 2.0, 0.0), (3.0, 0.0, -0.5), (4.0, 0.0, 0.0)]
    return np.stack([a * left + b * below + c for a, b, c in weights])


def test_a_network_computes_what_its_literals_say(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, NETWORK, **SHAPES) as session:
        expected = _convolved(default_values((1, 1, 6, 8))[0, 0])
        np.testing.assert_allclose(session.tensor("conv")[0], expected, rtol=0, atol=2e-6)
        pixels = expected.reshape(2, 2, 6, 8).transpose(2, 0, 3, 1).reshape(12, 16)
        np.testing.assert_allclose(session.tensor("LUMA#2")[0, 0], pixels, rtol=0, atol=2e-6)
        assert {each.verdict for each in session.compare().passes} == {"match"}


def test_reads_at_texels_centres_are_right_however_their_coordinates_round(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    with _open(gl, tmp_path, NETWORK, LUMA=(1, 1, 90, 150), OUTPUT=(1, 3, 180, 300)) as session:
        report = session.compare()
        assert {each.verdict for each in report.passes} == {"match"}
        assert session.tensor("LUMA#2").shape == (1, 1, 180, 300)


def test_an_edited_shader_is_compared_with_what_it_was(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, NETWORK, **SHAPES) as session:
        path = tmp_path / "x.glsl"
        with Reloader(session, path, OpenOptions(shapes=SHAPES)) as reloader:
            path.write_text(NETWORK.replace("mat4(1.0, 2.0", "mat4(1.0, 2.5"))
            assert "conv" in reloader.reload(frozenset({path})).passes
        session.run()
        assert session.compare(findings=False).culprit == "conv"
    original = tmp_path / "original.glsl"
    original.write_text(NETWORK)
    with pipeline.open(path, context=gl, shapes=SHAPES, oracle=str(original)) as session:
        session.run()
        assert session.compare(findings=False).culprit == "conv"
        assert original.resolve() in session.plan.files


PARAMETER = """//!PARAM gain
//!TYPE float
//!MINIMUM 0.0
//!MAXIMUM 2.0
1.0
//!HOOK LUMA
//!BIND HOOKED
vec4 hook() { return HOOKED_texOff(0) * gain + 0.25; }
"""


def test_another_value_of_a_parameter_runs_and_is_judged_by_the_text_with_it(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    with _open(gl, tmp_path, PARAMETER, **SHAPES) as session:
        luma = session.tensor("LUMA")
        with Reloader(session, tmp_path / "x.glsl", OpenOptions(shapes=SHAPES)) as reloader:
            done = reloader.vary({"gain": "0.5"})
            assert (done.passes, done.errors, done.oracle_changed) == (("LUMA#2",), (), True)
            np.testing.assert_allclose(session.tensor("LUMA#2"), luma * 0.5 + 0.25, rtol=0, atol=1e-6)
            assert session.compare(findings=False).culprit is None
            (error,) = reloader.vary({"gain": "3"}).errors
            assert str(error) == "--param gain: expected a number from 0 to 2, got '3'. Give another."
            np.testing.assert_allclose(session.tensor("LUMA#2"), luma * 0.5 + 0.25, rtol=0, atol=1e-6)


def test_an_edit_stays_wrong_when_a_parameter_is_changed(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, PARAMETER, **SHAPES) as session:
        path = tmp_path / "x.glsl"
        with Reloader(session, path, OpenOptions(shapes=SHAPES)) as reloader:
            path.write_text(PARAMETER.replace("0.25", "0.125"))
            reloader.reload(frozenset({path}))
            assert session.compare(findings=False).culprit == "LUMA#2"
            for gain in ("0.5", "0.75"):
                assert reloader.vary({"gain": gain}).errors == ()
                assert session.compare(findings=False).culprit == "LUMA#2"
            path.write_text(PARAMETER)
            reloader.reload(frozenset({path}))
            assert session.compare(findings=False).culprit is None


def test_a_model_of_the_same_picture_is_an_oracle_too(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, NETWORK, **SHAPES) as session:
        assert isinstance(session.plan, ShaderPlan)
        model = network_of_plan(session.plan).model
    for name, value in (("picture", model.graph.node[0].input), ("enlarged", model.graph.node[-1].output)):
        model.graph.input[0].name = "picture"
        value[0] = name
    model.graph.output[0].name = "enlarged"
    (tmp_path / "x.onnx").write_bytes(model.SerializeToString())
    with pipeline.open(tmp_path / "x.glsl", context=gl, shapes=SHAPES, oracle=str(tmp_path / "x.onnx")) as session:
        session.run()
        assert {each.verdict for each in session.compare().passes} == {"match"}


def _under_other_names(gl: moderngl.Context, folder: Path, *, factor: float = 1.0) -> Path:
    """The network's model as another program would call its tensors, its weights times a factor."""
    with _open(gl, folder, NETWORK, **SHAPES) as session:
        assert isinstance(session.plan, ShaderPlan)
        model = network_of_plan(session.plan).model
    names: dict[str, str] = {}
    for value in (*model.graph.input, *model.graph.output, *model.graph.initializer):
        value.name = names.setdefault(value.name, f"t{len(names)}")
    for each in model.graph.initializer:
        value = numpy_helper.to_array(each)
        if value.dtype.kind == "f":
            each.CopyFrom(numpy_helper.from_array((factor * value).astype(np.float32), each.name))
    for node in model.graph.node:
        node.input[:] = [names.setdefault(name, f"t{len(names)}") for name in node.input]
        node.output[:] = [names.setdefault(name, f"t{len(names)}") for name in node.output]
    path = folder / "trained.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def test_blocks_are_judged_by_a_model_that_has_their_layers_under_other_names(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    model = str(_under_other_names(gl, tmp_path))
    with pipeline.open(tmp_path / "x.glsl", context=gl, shapes=SHAPES, oracle=model) as session:
        session.run()
        verdicts = {each.name: each.verdict for each in session.compare().passes}
        assert {verdicts["conv"], verdicts["LUMA#2"]} == {"match"}
    (tmp_path / "x.glsl").write_text(NETWORK.replace("2.0, 3.0, 4.0) *", "2.0, 3.5, 4.0) *"))
    with pipeline.open(tmp_path / "x.glsl", context=gl, shapes=SHAPES, oracle=model) as session:
        session.run()
        report = session.compare()
    (found,) = next(each.findings for each in report.passes if each.name == report.culprit)
    assert (report.culprit, found.cause, found.to_change) == ("conv", "wrong_literal", ("x.glsl", 8))
    assert (found.parameters["written"], found.parameters["wanted"]) == (3.5, 3.0)


def test_layers_with_other_weights_are_not_taken_for_a_model_s(gl: moderngl.Context, tmp_path: Path) -> None:
    model = str(_under_other_names(gl, tmp_path, factor=1.5))
    with pipeline.open(tmp_path / "x.glsl", context=gl, shapes=SHAPES, oracle=model) as session:
        session.run()
        verdicts = {each.name: each.verdict for each in session.compare(findings=False).passes}
        assert verdicts["conv"] == "not_compared"


def test_a_model_of_something_else_is_no_oracle(gl: moderngl.Context, tmp_path: Path) -> None:
    (tmp_path / "x.glsl").write_text(NETWORK)
    (tmp_path / "other.glsl").write_text(NETWORK.replace("LUMA.w 2 *", "LUMA.w 1 *").replace("LUMA.h 2 *", "LUMA.h"))
    with pytest.raises(TexelscopeError, match=r"tensor 'LUMA#2' \(other\): expected shape \[1, 1, 12, 16\]"):
        pipeline.open(tmp_path / "x.glsl", context=gl, shapes=SHAPES, oracle=str(tmp_path / "other.glsl"))


def test_what_is_no_network_is_not_judged_and_why_is_said(gl: moderngl.Context, tmp_path: Path) -> None:
    wave = "//!HOOK LUMA\n//!BIND conv\n//!SAVE wave\nvec4 hook() { return sin(conv_pos.xyxy * 9.0); }\n"
    with _open(gl, tmp_path, NETWORK + wave, **SHAPES) as session:
        reports = {each.name: each for each in session.compare(findings=False).passes}
        assert (reports["conv"].verdict, reports["wave"].verdict) == ("match", "not_compared")
        assert reports["wave"].message.startswith("It contains no readable network: x.glsl:27 has ")


def test_an_oracle_is_for_what_has_none() -> None:
    with pytest.raises(TexelscopeError, match=r"--oracle x\.onnx: expected a target without an oracle"):
        pipeline.plan_of("net.onnx", oracle="x.onnx")


def test_what_an_element_read_is_told_in_the_author_s_lines(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, NETWORK, **SHAPES) as session:
        taps = session.taps("conv", (0, 0, 3, 4))
        assert {(tap.site.file, tap.site.line) for tap in taps.reads} == {("x.glsl", 8), ("x.glsl", 9)}
        assert taps.read_elements() == {"LUMA": frozenset({3 * 8 + 3, 4 * 8 + 4})}


def test_an_error_is_at_the_author_s_line_and_a_save_mends_it(gl: moderngl.Context, tmp_path: Path) -> None:
    broken = NETWORK.replace("vec2 f0 = fract(conv_pos", "vec2 f0 = fract(conw_pos")
    with _open(gl, tmp_path, broken, **SHAPES) as session:
        error = session.shader_error("LUMA#2")
        assert isinstance(error, ShaderError)
        assert (error.file, error.line) == ("x.glsl", 20)
        assert "conw_pos" in error.message
        with Reloader(session, tmp_path / "x.glsl", OpenOptions(shapes=SHAPES)) as reloader:
            (tmp_path / "x.glsl").write_text(NETWORK)
            reload = reloader.reload(frozenset({tmp_path / "x.glsl"}))
            assert (reload.passes, reload.errors) == (("LUMA#2",), ())


def test_a_hook_of_another_type_is_at_its_line(gl: moderngl.Context, tmp_path: Path) -> None:
    with _open(gl, tmp_path, "//!HOOK MAIN\n\n// vec4 hook()\nvec3 hook() { return vec3(0.0); }\n") as session:
        error = session.shader_error("MAIN#2")
        assert error is not None
        assert (error.file, error.line) == ("x.glsl", 4)


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("".join(f"#define m{i} m{i + 1} m{i + 1}\n" for i in range(40)) + "vec4 hook() { return vec4(m0); }\n", 2,
         "macro 'm0', which becomes more than 1048576 words"),
        ('#include "/etc/passwd"\nvec4 hook() { return vec4(0.0); }\n', 2, "include"),
        ("vec4 hook() {\n return hook(); }\n", 2, "static recursion"),
    ],
)  # fmt: skip
def test_what_no_driver_ends_or_moderngl_would_look_for_is_an_error_at_its_line(
    gl: moderngl.Context, tmp_path: Path, lines: str, line: int, message: str
) -> None:
    with _open(gl, tmp_path, f"//!HOOK MAIN\n{lines}") as session:
        error = session.shader_error("MAIN#2")
        assert error is not None
        assert (error.file, error.line) == ("x.glsl", line)
        assert message in error.message


def test_samples_between_texels_are_mixed_and_other_textures_as_they_ask(gl: moderngl.Context, tmp_path: Path) -> None:
    text = """//!HOOK LUMA
//!BIND LUMA
//!BIND table
//!COMPONENTS 4
vec4 hook() {
    return vec4(LUMA_texOff(vec2(0.5, 0)).x, texture(table, vec2(0.4, 0.5)).xy, LUMA_mul * LUMA_size.x);
}
//!TEXTURE table
//!SIZE 2 1
//!FORMAT rg8
//!FILTER NEAREST
33ff 0000
"""
    with _open(gl, tmp_path, text, **SHAPES) as session:
        x = default_values((1, 1, 6, 8))[0, 0]
        found = session.tensor("LUMA#2")[0]
        np.testing.assert_allclose(found[0, :, :-1], (x[:, 1:] + x[:, :-1]) / 2, rtol=0, atol=1e-6)
        np.testing.assert_allclose(found[1:, 0, 0], [0.2, 1.0, 8.0], rtol=1e-6)


def test_planes_of_a_picture_become_the_picture_again(gl: moderngl.Context, tmp_path: Path) -> None:
    text = "//!HOOK CHROMA\n//!BIND HOOKED\nvec4 hook() { return HOOKED_tex(HOOKED_pos); }\n"
    with _open(gl, tmp_path, text, picture=(1, 3, 6, 8)) as session:
        colour = np.array([0.25, 0.5, 0.75], dtype=np.float32).reshape(1, 3, 1, 1)
        session.set_input("picture", np.broadcast_to(colour, (1, 3, 6, 8)))
        session.run()
        np.testing.assert_allclose(session.tensor("MAIN"), session.tensor("picture"), rtol=0, atol=1e-6)


MOVED = """//!HOOK MAIN
//!BIND HOOKED
//!OFFSET -0.5 0
vec4 hook() { return HOOKED_texOff(vec2(0.5, 0.0)); }
"""
ALIGNED = "//!HOOK MAIN\n//!BIND HOOKED\n//!OFFSET ALIGN\nvec4 hook() { return HOOKED_tex(HOOKED_pos); }\n"
SCALED = "//!HOOK OUTPUT\n//!BIND HOOKED\nvec4 hook() { return HOOKED_tex(HOOKED_pos); }\n"


@pytest.mark.parametrize("text", [MOVED + ALIGNED, MOVED + SCALED])
def test_a_moved_picture_is_put_back(gl: moderngl.Context, tmp_path: Path, text: str) -> None:
    with _open(gl, tmp_path, text, MAIN=(1, 3, 2, 8), OUTPUT=(1, 3, 2, 8)) as session:
        ramp = np.broadcast_to(np.arange(8, dtype=np.float32), (1, 3, 2, 8))
        session.set_input("MAIN", ramp)
        session.run()
        moved, found = session.tensor("MAIN#2"), session.tensor(session.plan.outputs[0])
        np.testing.assert_allclose(moved[..., 1:-1], ramp[..., 1:-1] + 0.5, atol=1e-5)
        np.testing.assert_allclose(found[..., 2:-2], ramp[..., 2:-2], atol=1e-5)


# Eight features in two texels side by side, from a tile in shared memory; then their sum at twice the size.
COMPUTED = """//!DESC in
//!HOOK LUMA
//!COMPUTE 8 4 4 4
//!BIND LUMA
//!SAVE in
//!WIDTH LUMA.w 2 *
//!COMPONENTS 4
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable
#define l0(x, y) (LUMA_mul * texelFetch(LUMA_raw, clamp(pos + ivec2(x, y), ivec2(0), sz), 0)).r
shared float G[6][6];
void hook() {
    ivec2 xy = ivec2(gl_LocalInvocationID.xy);
    ivec2 pos = ivec2(gl_WorkGroupID.xy) * ivec2(4, 4) + xy;
    ivec2 sz = ivec2(LUMA_size) - ivec2(1);
    for (int y = 0; y < 6; y += 4) {
        int ay = xy.y + y;
        if (ay >= 6) break;
        for (int x = 0; x < 6; x += 4) {
            int ax = xy.x + x;
            if (ax >= 6) break;
            G[ay][ax] = l0(x - 1, y - 1);
        }
    }
    barrier();
    float left = G[xy.y + 1][xy.x], below = G[xy.y + 2][xy.x + 1];
    imageStore(out_image, pos * ivec2(2, 1), vec4(1.0, 2.0, 3.0, 4.0) * left);
    imageStore(out_image, pos * ivec2(2, 1) + ivec2(1, 0), vec4(below));
}

//!DESC out
//!HOOK LUMA
//!COMPUTE 4 4
//!BIND in
//!WIDTH LUMA.w 2 *
//!HEIGHT LUMA.h 2 *
void hook() {
    vec4 left = texelFetch(in_raw, ivec2(gl_GlobalInvocationID.xy) / 2 * ivec2(2, 1), 0);
    vec2 at = in_map(gl_GlobalInvocationID) - in_pos;
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(dot(left, vec4(1.0)) + at.x));
}
"""


def test_blocks_of_work_groups_write_their_image(gl: moderngl.Context, tmp_path: Path) -> None:
    if gl.version_code < 430:
        pytest.skip("no compute shaders on this device")
    with _open(gl, tmp_path, COMPUTED, **SHAPES) as session:
        assert session.plan.passes[0].dispatch is not None
        assert session.plan.passes[0].dispatch.groups == (2, 2, 1)
        padded = np.pad(default_values((1, 1, 6, 8))[0, 0], 1, mode="edge")
        left, below = padded[1:-1, :-2], padded[2:, 1:-1]
        stored = session.tensor("in")[0]
        np.testing.assert_allclose(stored[:, :, ::2], np.stack([left * k for k in (1, 2, 3, 4)]), rtol=1e-6)
        np.testing.assert_allclose(stored[:, :, 1::2], np.stack([below] * 4), rtol=1e-6)
        wide = np.repeat(np.repeat(left * 10, 2, axis=0), 2, axis=1)
        np.testing.assert_allclose(session.tensor("LUMA#2")[0, 0], wide, rtol=1e-6)
        assert session.compare(findings=False).passes[0].verdict == "match"


def test_the_input_is_as_large_as_the_picture_that_is_given(tmp_path: Path) -> None:
    path, picture = tmp_path / "x.glsl", tmp_path / "x.png"
    path.write_text(NETWORK)
    Image.new("L", (5, 3)).save(picture)
    for named in ("", "LUMA"):
        assert sized(Target(str(path), inputs={named: str(picture)})).options.shapes == {"LUMA": (1, 1, 3, 5)}
    given = Target(str(path), OpenOptions(shapes=SHAPES), {"": str(picture)})
    assert sized(given) is given
    for source in ("random:1", str(tmp_path / "none.png"), str(path)):
        assert sized(Target(str(path), inputs={"": source})).options.shapes == {}
    assert sized(Target(str(picture))).options.shapes == {}


def test_an_include_in_a_comment_is_no_include(gl: moderngl.Context, tmp_path: Path) -> None:
    text = '//!HOOK MAIN\n//!BIND HOOKED\n/* #include "x" */ vec4 hook() { return 2.0 * HOOKED_tex(HOOKED_pos); }\n'
    with _open(gl, tmp_path, text, MAIN=(1, 3, 4, 4)) as session:
        assert session.compare().verdict == "match"


@pytest.mark.parametrize(
    "body",
    [
        "f16vec4 v = f16vec4(MAIN_tex(MAIN_pos)); return vec4(v * f16vec4(0.5));",
        "float16_t k[2] = float16_t[2](0.5, 2.0); return MAIN_tex(MAIN_pos) * float(k[0] + k[1]);",
        "f16mat4 m = f16mat4(0.25); return vec4(m * f16vec4(MAIN_tex(MAIN_pos)));",
    ],
)
def test_half_floats_run_as_floats_where_the_driver_lacks_them(body: str, gl: moderngl.Context, tmp_path: Path) -> None:
    extension = "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
    session = _open(gl, tmp_path, f"//!HOOK MAIN\n//!BIND MAIN\n{extension}vec4 hook() {{ {body} }}\n")
    assert [each.verdict for each in session.compare(findings=False).passes] == ["match"]
    assert session.plan.warnings == (
        "x.glsl:1: half floats are computed as 32-bit floats: this driver has no types for them.",
    )


WEIGHED = """//!PARAM weight
//!TYPE {type}
1

//!HOOK MAIN
//!BIND MAIN
//!WHEN weight
vec4 hook() {{ return MAIN_tex(MAIN_pos) * float(weight) + float(weight / 2); }}
"""


@pytest.mark.parametrize(
    ("kind", "value", "factor", "summand"),
    [("float", "3", 3.0, 1.5), ("int", "3", 3.0, 1.0), ("DEFINE", "5", 5.0, 2.0), ("CONSTANT uint", "7", 7.0, 3.0)],
)
def test_a_parameter_that_is_set_is_in_the_picture_and_the_network(
    kind: str, value: str, factor: float, summand: float, gl: moderngl.Context, tmp_path: Path
) -> None:
    path = tmp_path / "x.glsl"
    path.write_text(WEIGHED.format(type=kind), encoding="utf-8")
    with pipeline.open(path, context=gl, dialect={"weight": value}) as session:
        session.run()
        assert [each.verdict for each in session.compare(findings=False).passes] == ["match"]
        before, after = session.tensor("MAIN"), session.tensor(session.plan.outputs[0])
    np.testing.assert_allclose(after, factor * before + summand, atol=1e-5)
