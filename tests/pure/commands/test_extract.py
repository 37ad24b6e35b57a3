"""`extract`: the model is written, and what differs from another is said."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from texelscope import command_line

SHADER = """\
//!DESC sharpen
//!HOOK LUMA
//!BIND LUMA
//!SAVE edges
//!COMPONENTS 4
vec4 hook() {
    return vec4(0.5, 1.0, -0.5, 0.25) * LUMA_texOff(vec2(1.0, 0.0)).x + vec4(0.125);
}
//!DESC join
//!HOOK LUMA
//!BIND edges
vec4 hook() {
    return vec4(dot(edges_tex(edges_pos), vec4(1.0, 0.5, 0.25, 0.125)));
}
//!DESC by luck
//!HOOK LUMA
//!BIND LUMA
vec4 hook() {
    return LUMA_tex(LUMA_pos) * random;
}
"""


def written(folder: Path, text: str = SHADER) -> str:
    (folder / "x.glsl").write_text(text)
    return str(folder / "x.glsl")


def test_the_model_is_written_up_to_what_is_not_understood(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["extract", written(tmp_path), "--to", str(tmp_path / "x.onnx")]) == 0
    model = onnx.load(tmp_path / "x.onnx")
    onnx.checker.check_model(model, full_check=True)
    assert [node.doc_string for node in model.graph.node if node.output[0] == "edges"] == ["sharpen"]
    said = capsys.readouterr()
    assert said.out == "x.glsl: 2 blocks, 3 nodes, 17 weights; LUMA becomes LUMA#2.\n"
    assert "x.glsl:19: expected sums of weights times texels, and functions of them, got 'random'" in said.err


def test_one_literal_that_was_changed_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(tmp_path / "x.onnx")
    command_line.main(["extract", written(tmp_path), "--to", model])
    assert command_line.main(["extract", written(tmp_path), "--model", model]) == 0
    assert "All 17 weights of 2 layers equal those of x.onnx." in capsys.readouterr().out
    assert command_line.main(["extract", written(tmp_path, SHADER.replace("-0.5", "-0.75")), "--model", model]) == 1
    assert "edges: weight[2, 0, 0, 1] is -0.75 (x.glsl:7), in x.onnx ('edges') -0.5" in capsys.readouterr().out


def test_a_shader_without_a_network_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "//!HOOK LUMA\n//!BIND LUMA\nvec4 hook() {\n    return vec4(fract(LUMA_tex(LUMA_pos)));\n}\n"
    assert command_line.main(["extract", written(tmp_path, text)]) == 2
    assert capsys.readouterr().err.startswith("texelscope: x.glsl:4: expected sums of weights times texels")
