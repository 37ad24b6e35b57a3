"""A shader opened alone: its drafted pipeline file is a form, and each value typed there is tried at once."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import TensorProto, helper

from tests.brought.kinds import KINDS
from tests.checkout import ROOT
from tests.gui.conftest import Launch
from tests.gui.desktop import Desktop

SCALE = """\
#version 330
uniform sampler2D u_image;
uniform float u_gain;
out vec4 result;
void main() { result = u_gain * texelFetch(u_image, ivec2(gl_FragCoord.xy), 0); }
"""


def is_drafted(seen: dict[str, Any]) -> bool:
    return bool(seen) and "panel Draft" in seen["places"] and bool(seen["settled"])


@pytest.fixture
def shader(tmp_path: Path) -> Path:
    path = tmp_path / "scale.frag"
    path.write_text(SCALE)
    return path


def test_a_uniform_that_is_asked_for_is_filled_in_and_runs(desktop: Desktop, launch: Launch, shader: Path) -> None:
    window = launch(shader)
    desktop.wait_for(window, is_drafted, "its draft is there")
    desktop.click_on(window, "panel Draft")
    desktop.click_on(window, "draft scale.uniforms.u_gain")
    desktop.write("2")
    desktop.press("Return")
    wanted = {"scale.uniforms.u_gain": "2"}
    desktop.wait_for(window, lambda seen: seen["dialect"] == wanted and seen["settled"], "it is tried")


def test_the_values_of_a_draft_are_changed_in_the_panel_of_parameters_too(
    desktop: Desktop, launch: Launch, shader: Path
) -> None:
    window = launch(shader)
    desktop.wait_for(window, is_drafted, "its draft is there")
    assert "inside Draft" in window.seen()["places"], "what is to be filled in comes first"
    desktop.click_on(window, "panel Parameters")
    desktop.click(*desktop.point_at(window, "value scale.uniforms.u_gain"), times=2)
    desktop.press("ctrl+a")
    desktop.write("2.5")
    desktop.press("Return")
    wanted = {"scale.uniforms.u_gain": "2.5"}
    desktop.wait_for(window, lambda seen: seen["dialect"] == wanted and seen["settled"], "it is tried")
    desktop.press("ctrl+z")
    desktop.wait_for(window, lambda seen: not seen["dialect"] and seen["settled"], "and taken back")


def test_a_draft_with_a_model_is_compared_and_kept(desktop: Desktop, launch: Launch, shader: Path) -> None:
    names = ["image", "scale"]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4, 8, 8]) for name in names)
    two = helper.make_tensor("two", TensorProto.FLOAT, [], [2.0])
    graph = helper.make_graph([helper.make_node("Mul", ["image", "two"], ["scale"])], "g", [x], [y], [two])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), shader.with_name("m.onnx"))
    window = launch(shader, "--param", "scale.uniforms.u_gain=2")
    desktop.wait_for(window, is_drafted, "its draft is there")
    assert window.seen()["verdicts"] == {"scale": "not_compared"}
    desktop.click_on(window, "panel Draft")
    desktop.click_on(window, "draft pipeline.model")
    desktop.write("m.onnx")
    desktop.press("Return")
    desktop.wait_for(window, lambda seen: seen["verdicts"] == {"scale": "match"}, "it is compared with the model")
    desktop.click_on(window, "keep draft")
    kept = shader.with_suffix(".toml")
    desktop.wait_for(window, lambda seen: seen["target"] == str(kept) and seen["settled"], "the file is open")
    values = tomllib.loads(kept.read_text())
    assert values["pass"][0]["uniforms"] == {"u_gain": 2}
    assert values["pipeline"]["model"] == "m.onnx"


def test_a_value_that_cannot_be_is_refused_and_the_draft_stays(desktop: Desktop, launch: Launch, shader: Path) -> None:
    window = launch(shader)
    desktop.wait_for(window, is_drafted, "its draft is there")
    desktop.click_on(window, "panel Draft")
    desktop.click_on(window, "draft further")
    desktop.write("scale.textures.u_image = missing.npy")
    desktop.press("Return")
    refusal = "error: scale.frag [[constant]] 'missing' source: expected a file, got none of that name."
    desktop.wait_for(window, lambda seen: any(each.startswith(refusal) for each in seen["log"]), "it is refused")
    assert window.seen()["dialect"] == {}
    assert "dismiss notice" in window.seen()["places"]


def test_shaders_that_are_dropped_together_are_passes_of_one_draft(
    desktop: Desktop, launch: Launch, shader: Path, tmp_path: Path
) -> None:
    (kind,) = (each for each in KINDS if each.name == "shadertoy_buffers")
    first = kind.lay_out(tmp_path / "buffers")
    files = [str(first.with_name(f"buffer_{letter}.glsl")) for letter in "abcd"]
    window = launch(shader)
    desktop.wait_for(window, is_drafted, "a draft is there")
    place = map(str, desktop.point_at(window, "canvas"))
    command = [sys.executable, "tests/gui/file_drop.py", window.identifier, *place, "1", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    passes = {f"buffer_{letter}" for letter in "abcd"}
    desktop.wait_for(window, lambda seen: {*seen["verdicts"]} == passes and seen["settled"], "they are one draft")
    assert window.seen()["dialect"] == {"pipeline.shaders": "buffer_b.glsl, buffer_c.glsl, buffer_d.glsl"}
