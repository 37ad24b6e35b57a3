"""Passes in WGSL run untranslated too, and a column says whether that gives the same."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.faults.languages import hlsl, wgsl
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.native import webgpu
from texelscope.pipeline.native.call import NativeCall
from texelscope.pipeline.native.column import with_native

KERNELS = sorted(each.parent for each in Path(wgsl.__path__[0]).glob("*/pipeline.toml"))


def _compared(target: Path, gl: moderngl.Context) -> Report:
    with pipeline.open(target, context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        return with_native(report, session.plan, capture, comparer.isolated_values(), {})


@pytest.mark.parametrize("folder", KERNELS, ids=lambda folder: folder.name)
def test_every_kernel_agrees_with_its_native_run(folder: Path, gl: moderngl.Context) -> None:
    for each in _compared(folder / "pipeline.toml", gl).passes:
        assert each.native is not None
        assert each.native.agrees in ("equal", "within"), each.message
        assert each.native.isolated is not None
        assert each.native.isolated.mismatched == 0


def test_a_wrong_kernel_is_as_wrong_natively(tmp_path: Path, gl: moderngl.Context) -> None:
    folder = Path(shutil.copytree(KERNELS[0].parent / "binary", tmp_path / "binary"))
    text = (folder / "binary.wgsl").read_text(encoding="utf-8")
    (folder / "binary.wgsl").write_text(text.replace("(a + b) * b", "(a - b) * b"), encoding="utf-8")
    (found,) = _compared(folder / "pipeline.toml", gl).passes
    assert found.verdict == "mismatch"
    assert found.native is not None
    assert found.native.agrees == "equal"
    assert found.message == ""


def test_a_wrong_translation_is_not_blamed_on_the_shader(gl: moderngl.Context) -> None:
    target = KERNELS[0].parent / "binary" / "pipeline.toml"
    with pipeline.open(target, context=gl) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        wrong = {**capture.tensors, "y": np.asarray(capture.tensors["y"] + 1.0)}
        capture = dataclasses.replace(capture, tensors=wrong)
        report = comparer.compare(capture)
        (found,) = with_native(report, session.plan, capture, comparer.isolated_values(), {}).passes
    assert found.native is not None
    assert found.native.agrees == "differs"
    assert "which are right: the translation or the driver here is wrong, not the shader." in found.message


def test_a_target_without_wgsl_is_refused(gl: moderngl.Context) -> None:
    message = "--native: expected a target with compute shaders in WGSL, got 'unity_conv'. Leave it out."
    with pytest.raises(TexelscopeError, match=message):
        _compared(Path(hlsl.__path__[0]) / "unity_conv" / "pipeline.toml", gl)


def test_a_missing_package_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webgpu, "find_spec", lambda name: None)
    with pytest.raises(TexelscopeError, match=r"expected the package wgpu, got none\. Install it: pip install wgpu\."):
        webgpu.run_apart([])


NESTED = """\
struct Part { x: f32, @size(12) y: f32 }
struct Every { a: Part, b: Part, parts: array<Part, 2> }
@id(4) override gain: f32;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> c: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> every: Every;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
  y[id.x] = x[id.x] * every.b.y + c[id.x] * gain + every.a.x + every.parts[1].x;
}
"""
NESTED_FILE = """\
[pipeline]
oracle = "oracle.py"
[[input]]
name = "x"
shape = [1, 8]
layout = "linear"
source = "random:1"
[[constant]]
name = "c"
shape = [1, 8]
layout = "linear"
source = "random:2"
[[pass]]
name = "y"
shader = "y.wgsl"
output = { shape = [1, 8] }
buffers = { x = "x", c = "c", y = "y" }
dispatch = [8]
defines = { gain = 3 }
uniforms = { "every.a.x" = 2.0, "every.b.y" = 5.0, "every.parts[1].x" = 7.0 }
"""


def test_constants_overrides_and_nested_uniforms_have_their_values(tmp_path: Path, gl: moderngl.Context) -> None:
    (tmp_path / "y.wgsl").write_text(NESTED, encoding="utf-8")
    (tmp_path / "pipeline.toml").write_text(NESTED_FILE, encoding="utf-8")
    (tmp_path / "oracle.py").write_text("def y(x, c):\n    return x * 5 + c * 3 + 9\n", encoding="utf-8")
    with pipeline.open(tmp_path / "pipeline.toml", context=gl, trust=True) as session:
        session.run()
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        (found,) = with_native(report, session.plan, capture, comparer.isolated_values(), {}).passes
    assert found.verdict == "match", found.message
    assert found.native is not None
    assert found.native.agrees in ("equal", "within"), found.message


def test_a_text_that_webgpu_refuses_says_why() -> None:
    (result,) = webgpu.run_apart([NativeCall("fn f( {", "f", (), (1, 1, 1), ())]).results
    assert "expected" in result.error
