"""Pipelines in HLSL and WGSL open as they are, match, follow their files, and are spoken of in their own words."""

from __future__ import annotations

import shutil
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.faults.languages import hlsl, wgsl
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_bugs
from texelscope.pipeline.patches.patch import make_patch
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.repair import found_repairs

FOLDERS = sorted(
    each.parent for language in (hlsl, wgsl) for each in Path(language.__path__[0]).glob("*/pipeline.toml")
)
SLANG = """\
interface IActivation { static float apply(float v); }
struct Relu : IActivation { static float apply(float v) { return max(v, 0); } }

StructuredBuffer<float> X;
RWStructuredBuffer<float> Y;

void run<A : IActivation>(uint i) { Y[i] = A.apply(X[i] - 0.5); }

[shader("compute")]
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) { if (id.x < 60) run<Relu>(id.x); }
"""
ONE_PASS = """\
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [5, 12]
layout = "linear"
source = "random:1"
[[pass]]
name = "y"
shader = "y.slang"
output = { shape = [5, 12] }
buffers = { X = "x", Y = "y" }
dispatch = [1, 1, 1]
"""


def _copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to / folder.name)) / "pipeline.toml"


def _called(name: str) -> Path:
    return next(folder for folder in FOLDERS if folder.name == name)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_every_pass_matches_the_model(folder: Path, gl: moderngl.Context) -> None:
    with pipeline.open(folder / "pipeline.toml", context=gl) as session:
        session.run()
        assert {each.verdict for each in session.compare().passes} == {"match"}


def test_generics_of_slang_match_an_oracle(tmp_path: Path, gl: moderngl.Context) -> None:
    (tmp_path / "pipeline.toml").write_text(ONE_PASS, encoding="utf-8")
    (tmp_path / "y.slang").write_text(SLANG, encoding="utf-8")
    (tmp_path / "oracle.py").write_text("def y(X):\n    return (X - 0.5).clip(0)\n", encoding="utf-8")
    with pipeline.open(tmp_path / "pipeline.toml", context=gl, trust=True) as session:
        session.run()
        assert session.compare().passes[0].verdict == "match"


def test_a_save_is_translated_anew_and_a_broken_one_leaves_the_last_good_program(
    tmp_path: Path, gl: moderngl.Context
) -> None:
    target = _copied(_called("unity_conv"), tmp_path)
    shader = target.parent / "Conv.compute"
    text = shader.read_text(encoding="utf-8")
    with pipeline.open(target, context=gl) as session, Reloader(session, target) as reloader:
        session.run()
        before = session.tensor("active")
        shader.write_text(text.replace("v * Slope;", "v * Slop;"), encoding="utf-8")
        (error,) = reloader.reload(frozenset({shader})).errors
        assert "undefined identifier 'Slop' ('Conv.compute' line 52). Correct the line." in str(error)
        session.run()
        assert np.array_equal(session.tensor("active"), before)
        shader.write_text(text.replace("v * Slope;", "v * Slope * 2;"), encoding="utf-8")
        assert reloader.reload(frozenset({shader})).passes == ("active",)
        after = session.tensor("active")
        assert np.allclose(after, np.where(before > 0, before, 2 * before))


def test_reads_stand_at_the_authors_lines(gl: moderngl.Context) -> None:
    with pipeline.open(_called("unity_conv") / "pipeline.toml", context=gl) as session:
        session.run()
        found = {(read.key, read.site.line) for read in session.taps("conv", (0, 2, 5, 6)).reads}
    assert found == {("conv_b", 27), ("conv_w", 37), ("x", 38)}


def test_steps_show_the_authors_statements_and_names(gl: moderngl.Context) -> None:
    with pipeline.open(_called("pixel_cnn") / "pipeline.toml", context=gl) as session:
        session.run()
        steps = session.trace("layer1", (0, 1, 5, 6)).steps
    sums = [step for step in steps if step.text.startswith("sum = sum + ")]
    assert len(sums) == 9
    assert {step.line for step in sums} == {("Conv.hlsl", 74)}


def test_a_repair_is_written_in_the_authors_language_and_holds_there(tmp_path: Path, gl: moderngl.Context) -> None:
    target = _copied(_called("unity_conv"), tmp_path)
    shader = target.parent / "Conv.compute"
    right = shader.read_text(encoding="utf-8")
    shader.write_text(right.replace("int2(kx, ky) - 1;", "int2(kx, ky);"), encoding="utf-8")
    with pipeline.open(target, context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        found = comparer.compare(capture)
        report = name_bugs(session, comparer, capture, found, DiagnosisRequest(("conv",)))
        patch = make_patch(session, comparer, report, target)
    assert "-                int2 p = int2(id.xy) + int2(kx, ky);" in patch.text
    assert "+                int2 p = int2(id.xy) + int2(kx, ky) - 1;" in patch.text
    assert "with that 2 of 2 passes match" in patch.says


def test_what_the_authors_line_has_no_words_for_is_said_with_the_line(
    tmp_path: Path, gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_repairs, "in_author_language", lambda _program, _edits: iter(()))
    target = _copied(_called("unity_conv"), tmp_path)
    shader = target.parent / "Conv.compute"
    right = shader.read_text(encoding="utf-8")
    shader.write_text(right.replace("v * Slope;", "v * Slope * Slope;"), encoding="utf-8")
    with pipeline.open(target, context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        said = name_bugs(session, comparer, capture, comparer.compare(capture), DiagnosisRequest(("active",)))
    found = said.find("active")
    assert found is not None
    assert found.repairs == ()
    assert found.findings[0].to_change == ("Conv.compute", 52)
    assert "Change line 52, which in GLSL is `Output_elements[uint(i)] = v > 0.0" in found.findings[0].remedy


def test_a_repair_of_wgsl_stands_in_its_own_text(tmp_path: Path, gl: moderngl.Context) -> None:
    target = _copied(_called("binary"), tmp_path)
    shader = target.parent / "binary.wgsl"
    right = shader.read_text(encoding="utf-8")
    shader.write_text(right.replace("B[coords.y *", "B[coords.x *"), encoding="utf-8")
    with pipeline.open(target, context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report = name_bugs(session, comparer, capture, comparer.compare(capture), DiagnosisRequest(("y",)))
        patch = make_patch(session, comparer, report, target)
    assert "+  return B[coords.y * uniforms.bShape.z + coords.z];" in patch.text
    assert "with that 1 of 1 passes match" in patch.says


def test_reads_of_wgsl_stand_at_its_lines(gl: moderngl.Context) -> None:
    with pipeline.open(_called("depthwise") / "pipeline.toml", context=gl) as session:
        session.run()
        found = {(read.key, read.site.line) for read in session.taps("y", (0, 1, 5, 6)).reads}
    assert found == {("x", 26), ("w", 47)}
