"""Shader text as people have it runs unchanged in a pass, and computes what it says."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.glsl.semantics.shader_text import ShaderText

TEXTS = Path(__file__).parents[2] / "data" / "author_texts"
FILES = sorted(TEXTS.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_text_as_it_is_computes_what_its_oracle_says(path: Path, gl: moderngl.Context) -> None:
    if limits_of(gl).work_groups is None and "dispatch" in path.read_text(encoding="utf-8"):
        pytest.skip("the driver has no compute shaders")
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        assert session.shader_errors == {}
        report = session.compare()
    assert {each.name: each.verdict for each in report.passes} == {path.stem: "match"}


def test_a_text_with_a_byte_order_mark_and_line_ends_of_windows_runs(gl: moderngl.Context, tmp_path: Path) -> None:
    for name in ("exported.toml", "oracle.py"):
        (tmp_path / name).write_bytes((TEXTS / name).read_bytes())
    text = (TEXTS / "exported.frag").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "exported.frag").write_bytes(b"\xef\xbb\xbf" + text)
    with pipeline.open(tmp_path / "exported.toml", context=gl, trust=True) as session:
        session.run()
        assert session.compare().verdict == "match"


def copied(folder: Path, name: str, old: str, new: str) -> Path:
    """Writes one of the texts with a change, which must apply, and returns its pipeline file."""
    for path in (TEXTS / f"{name}.toml", TEXTS / "oracle.py", *TEXTS.glob(f"{name}.*")):
        text = path.read_text(encoding="utf-8")
        if path.suffix not in (".toml", ".py"):
            text = text.replace(old, new)
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder / f"{name}.toml"


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        ("shadertoy_edges", "vec4(col * abs(r - l), 1.0)", "vec4(col * abs(r - l), 1.0) * 0.7", 11),
        ("three_bright", "exposure * texel - beside", "exposure * texel + beside", 8),
        ("vulkan_separate", "mirrored(tColor, sPoint, vUV), mask", "mirrored(tColor, sPoint, vUV), 1.0 - mask", 18),
        ("desktop_460", "vec4(0.5)", "vec4(0.25)", 10),
    ],
)
def test_a_wrong_text_is_repaired_in_its_author_s_line(
    name: str, old: str, new: str, line: int, gl: moderngl.Context, tmp_path: Path
) -> None:
    path = copied(tmp_path, name, old, new)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        finding = session.compare().passes[0].findings[0]
    assert finding.repair is not None
    assert [(edit.file.partition(".")[0], edit.line) for edit in finding.repair.edits] == [(name, line)]


def test_a_finding_of_the_result_is_in_the_function_that_sets_the_out_parameter(tmp_path: Path) -> None:
    path = copied(tmp_path, "shadertoy_edges", "fragColor = vec4", "fragColor   = vec4")
    program = pipeline.plan_of(path).passes[0].program
    assert ShaderText(program).results() == (("shadertoy_edges.frag", 11),)


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        ("shadertoy_edges", "vec3 col", "vec5 col", 10),
        ("shadertoy_siren", "float y", "flaot y", 7),
        ("webgl2_gain", "tanh(", "tahn(", 8),
        ("godot_dense", "float sum = 0.0", "float sum = zero", 20),
        ("godot_stages", "params.tint", "params.tone", 28),
        ("engine_dense", "dot(", "dott(", 15),
        ("vulkan_separate", "mix(color", "mix(colour", 18),
        ("desktop_460", "fma(a, b", "fma(a, c", 10),
    ],
)
def test_an_error_of_the_driver_has_the_author_s_line(
    name: str, old: str, new: str, line: int, gl: moderngl.Context, tmp_path: Path
) -> None:
    if limits_of(gl).work_groups is None and name.endswith("_dense"):
        pytest.skip("the driver has no compute shaders")
    with pipeline.open(copied(tmp_path, name, old, new), context=gl) as session:
        session.run()
        error = session.shader_error(name)
        assert error is not None
        assert (error.file.partition(".")[0], error.line) == (name, line)


def test_shadertoy_s_frame_and_mouse_follow_the_frames_and_its_date_is_0_with_a_warning(tmp_path: Path) -> None:
    more = "0.05 * iTime + 0.0 * iMouse.x + 0.0 * float(iFrame) + 0.0 * iDate.x"
    path = copied(tmp_path, "shadertoy_siren", "0.05 * iTime", more)
    plan = pipeline.plan_of(path, trust=True)
    assert sorted(plan.passes[0].by_frame) == ["iFrame", "iMouse"], "the file sets iTime"
    assert [warning for warning in plan.warnings if "uniform" in warning] == [
        "shadertoy_siren.toml [[pass]] 'shadertoy_siren': uniform 'iDate' (shadertoy_siren.frag:7) is not set and so "
        "is 0. Add 'uniforms.iDate = …'."
    ]


def test_a_resolution_that_the_file_sets_stays(gl: moderngl.Context, tmp_path: Path) -> None:
    path = copied(tmp_path, "shadertoy_siren", "vec4(vec3(y), y * y)", "iResolution.xyzz")
    path.write_text(path.read_text(encoding="utf-8") + "uniforms.iResolution = [16, 24, 1]\n", encoding="utf-8")
    with pipeline.open(path, context=gl) as session:
        session.run()
        assert session.tensor("shadertoy_siren")[0, :, 0, 0].tolist() == [16, 24, 1, 1]


def test_a_refused_text_is_one_line_with_its_place(tmp_path: Path) -> None:
    path = copied(tmp_path, "blur", "gl_FragColor = sum", "gl_FragColor = sum * gl_PointCoord.x")
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(path)
    assert str(caught.value) == (
        "blur.toml [[pass]] 'blur' shader: expected a fragment shader in GLSL, got gl_PointCoord, which only points "
        "have: a pass draws a triangle ('blur.frag' line 18). Use the place in the target: declare an `in vec2`."
    )


def test_a_push_constant_that_a_drawn_text_has_not_is_refused_with_the_nearest(tmp_path: Path) -> None:
    path = copied(tmp_path, "vulkan_triangle", "gain", "gain")
    path.write_text(path.read_text(encoding="utf-8").replace("push.gain", "push.gian"), encoding="utf-8")
    with pytest.raises(TexelscopeError, match=r"push\.gian: expected a push constant .*Did you mean 'gain'"):
        pipeline.plan_of(path)
