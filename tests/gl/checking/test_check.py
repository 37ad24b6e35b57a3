"""Tests `texelscope.check` in a script: what it returns, what it raises, and how shaders take each other's place."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest

import texelscope
from tests.checkout import ROOT
from tests.pure.models import model, node, value

CONVOLUTION = ROOT / "examples" / "convolution_twice"
UNSHARP = ROOT / "examples" / "ci_template" / "shaders" / "pipeline.toml"
NOTHING = "#version 330\nout vec4 y;\nvoid main() {\n    y = vec4(-1.0);\n}\n"
WGSL = """\
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    y[id.x] = max(x[id.x], 0.0);
}
"""
WGSL_PIPELINE = """\
[pipeline]
oracle = "oracle.py"

[[input]]
name = "x"
shape = [64]
layout = "linear"
source = "normal:3"

[[pass]]
name = "y"
shader = "y.wgsl"
output = { shape = [64] }
buffers.x = "x"
buffers.y = "y"
dispatch = [1, 1, 1]
"""


@pytest.fixture
def convolution(tmp_path: Path) -> Path:
    """Returns a copy of the pipeline with a drawn and a dispatched pass."""
    shutil.copytree(CONVOLUTION, tmp_path / "convolution")
    return tmp_path / "convolution" / "pipeline.toml"


def any_size() -> onnx.ModelProto:
    sizes: list[int | str] = [1, 3, "h", "w"]
    return model([node("Relu", "x", "y", "act")], [value("x", sizes)], [value("y", sizes)])


def refusal(target: object, **keywords: object) -> str:
    """The one line with which a check refuses a target or a keyword."""
    with pytest.raises(texelscope.NotComparedError) as caught:
        texelscope.check(target, **keywords)  # type: ignore[call-overload]
    text = str(caught.value)
    assert "\n" not in text
    assert caught.value.__context__ is None
    return text


def test_a_right_target_gives_its_report_and_saves_nothing(convolution: Path) -> None:
    before = sorted(convolution.parent.iterdir())
    report = texelscope.check(convolution, html=convolution.parent / "page.html")
    assert (report.verdict, [each.name for each in report.passes]) == ("match", ["drawn", "dispatched"])
    assert sorted(convolution.parent.iterdir()) == before


@pytest.mark.usefixtures("compute")
def test_a_compute_shader_as_vulkan_has_it_is_replaced_like_its_file(convolution: Path) -> None:
    text = (CONVOLUTION / "conv.comp").read_text(encoding="utf-8")
    assert "constant_id" in text
    assert texelscope.check(convolution, shaders={"dispatched": text + "\n"}).verdict == "match"
    wrong = text.replace("max(", "min(")
    with pytest.raises(texelscope.WrongPassError) as caught:
        texelscope.check(convolution, shaders={"dispatched": wrong}, seconds=0)
    report = caught.value.report
    assert report is not None
    assert report.culprit == "dispatched"


def test_of_two_passes_with_one_file_the_one_that_is_named_gets_the_text() -> None:
    text = UNSHARP.with_name("blur.frag").read_text(encoding="utf-8").replace("0.25", "0.5")
    with pytest.raises(texelscope.WrongPassError) as caught:
        texelscope.check(UNSHARP, trust=True, shaders={"down": text}, seconds=0)
    report = caught.value.report
    assert report is not None
    assert {each.name: each.verdict for each in report.passes} == {
        "across": "match",
        "down": "mismatch",
        "sharp": "match",
    }


def test_a_patch_is_of_the_file_that_ran(convolution: Path) -> None:
    text = (CONVOLUTION / "conv.frag").read_text(encoding="utf-8")
    other = convolution.with_name("other.frag")
    other.write_text(text.replace("max(sum, 0.0)", "sum"), encoding="utf-8")
    with pytest.raises(texelscope.WrongPassError) as caught:
        texelscope.check(convolution, shaders={"drawn": other}, seconds=60)
    assert caught.value.patch.startswith("--- a/other.frag\n+++ b/other.frag\n")
    assert "+    y = max(sum, 0.0);" in caught.value.patch
    assert ", other.frag:29" in str(caught.value).split("\n")[0]


@pytest.mark.usefixtures("compute")
def test_a_translated_text_is_repaired_in_its_own_language(tmp_path: Path) -> None:
    files = {"pipeline.toml": WGSL_PIPELINE, "y.wgsl": WGSL, "oracle.py": "def y(x):\n    return x.clip(0.0)\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert texelscope.check(tmp_path / "pipeline.toml", trust=True, shaders={"y": WGSL + "\n"}).verdict == "match"
    wrong = WGSL.replace("0.0", "0.5")
    with pytest.raises(texelscope.WrongPassError) as caught:
        texelscope.check(tmp_path / "pipeline.toml", trust=True, shaders={"y": wrong}, seconds=60)
    assert "-    y[id.x] = max(x[id.x], 0.5);\n+    y[id.x] = max(x[id.x], 0.0);\n" in caught.value.patch
    assert (tmp_path / "y.wgsl").read_text(encoding="utf-8") == WGSL


def test_a_whole_program_takes_the_place_of_an_operators_shader() -> None:
    with pytest.raises(texelscope.WrongPassError) as caught:
        texelscope.check(
            any_size(), shapes={"x": (1, 3, 5, 7)}, shaders={"act": NOTHING}, seconds=0, backend="fragment"
        )
    assert str(caught.value).startswith("pass 'act' of net.onnx is wrong")


def test_what_cannot_be_checked_is_said_in_one_line(convolution: Path) -> None:
    assert "shapes={'x': (1, 3, 224, 224)}" in refusal(any_size())
    assert "an object of type int" in refusal(7)
    assert refusal(convolution, layot="x") == "texelscope.check: expected an option that it has, got 'layot'. " + (
        "Did you mean 'layout'?"
    )
    assert "tolerances['drawn']: expected (rtol, atol), as (1e-4, 1e-6), got 1e-4" in refusal(
        convolution, tolerances={"drawn": "1e-4"}
    ).replace("'1e-4'", "1e-4")
    assert "seconds: expected a time from 0 on, or None, got -1" in refusal(convolution, seconds=-1)
    assert "inputs['picture']: expected an input" in refusal(convolution, inputs={"picture": np.zeros(3)})
    assert "shaders['drawn']" in refusal(convolution, shaders={"drawn": "none.frag"})


def test_a_golden_keeps_a_run_with_its_inputs(convolution: Path) -> None:
    golden = convolution.parent / "kept" / "run.npz"
    image = np.linspace(0.0, 1.0, 3 * 64 * 64, dtype=np.float32).reshape(1, 3, 64, 64)
    assert "update_golden=True" in refusal(convolution, golden=golden)
    saved = texelscope.check(convolution, golden=golden, update_golden=True, inputs={"image": image})
    assert saved.sameness == "equal"
    assert texelscope.check(convolution, golden=golden).sameness == "equal"
    assert "input 'image' as it was saved" in refusal(convolution, golden=golden, inputs={"image": 1.0 - image})
    wrong = (CONVOLUTION / "conv.frag").read_text(encoding="utf-8").replace("max(sum, 0.0)", "sum")
    with pytest.raises(texelscope.GoldenDiffersError) as caught:
        texelscope.check(convolution, golden=golden, shaders={"drawn": wrong}, seconds=0)
    assert caught.value.difference.first == "drawn"
    assert caught.value.report is not None
    assert caught.value.report.culprit == "drawn"


def test_a_golden_of_a_model_has_the_sizes_of_its_free_dimensions(tmp_path: Path) -> None:
    golden = tmp_path / "any_size.npz"
    texelscope.check(any_size(), golden=golden, update_golden=True, shapes={"x": (1, 3, 4, 6)})
    assert texelscope.check(any_size(), golden=golden).sameness == "equal"
