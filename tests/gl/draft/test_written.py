"""Shaders become a pipeline file that matches their model; one that is opened alone runs."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.checkout import ROOT
from texelscope import command_line
from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.draft_writing.writing import write_draft

EXAMPLE = ROOT / "examples" / "webgl_cnn"
FREE = {"image": (1, 3, 64, 64)}


def test_right_shaders_match_and_one_that_lacks_a_define_is_left(tmp_path: Path) -> None:
    files = [EXAMPLE / f"{name}.frag" for name in ("down", "down", "down", "up", "up", "up")]
    written = write_draft(files, tmp_path / "cnn", DraftRequest(shapes=FREE), EXAMPLE / "model.onnx")
    assert written.matched == ("down", "down#2", "down#3", "up", "up#2")
    values = tomllib.loads(written.file.read_text(encoding="utf-8"))
    assert values["pass"][0]["uniforms"]["u_output_size"] == "size(down) / grid(down)"
    assert values["pass"][0]["textures"]["u_filter"] == {"tensor": "down1.weight", "layout": "filter_tiles"}


def test_a_shader_alone_runs_and_nothing_is_there_to_compare_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shader = tmp_path / "scale.frag"
    shader.write_text(
        "#version 330\nuniform sampler2D u_image;\nuniform float u_gain;\nout vec4 result;\n"
        "void main() { result = u_gain * texelFetch(u_image, ivec2(gl_FragCoord.xy), 0); }\n"
    )
    assert command_line.main(["diff", str(shader), "--param", "scale.uniforms.u_gain=2"]) == 2
    printed = capsys.readouterr()
    assert "1 pass ran on" in printed.out
    assert "Nothing to compare with" in printed.out
    assert "left out" not in printed.err
    command_line.main(["diff", str(shader)])
    assert "scale.uniforms.u_gain is left out (float: a number, an array or an expression)." in capsys.readouterr().err


def test_nan_that_no_input_has_is_wrong_without_an_oracle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shader = tmp_path / "root.frag"
    shader.write_text(
        "#version 330\nuniform sampler2D u_image;\nout vec4 result;\n"
        "void main() { result = log(texelFetch(u_image, ivec2(gl_FragCoord.xy), 0) - 2.0); }\n"
    )
    assert command_line.main(["diff", str(shader)]) == 1
    assert "16,384 of 16,384 elements are NaN, first in texel 0,0; nothing that it reads is." in capsys.readouterr().out


def test_a_field_that_waits_to_be_filled_in_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shader = tmp_path / "scale.frag"
    shader.write_text(
        "#version 330\nuniform sampler2D u_image;\nuniform float u_gain;\nout vec4 result;\n"
        "void main() { result = u_gain * texelFetch(u_image, ivec2(gl_FragCoord.xy), 0); }\n"
    )
    folder = tmp_path / "drafted"
    assert command_line.main(["draft", str(shader), "--to", str(folder)]) == 1
    assert "[[pass]] 'scale' uniforms.u_gain = \"?\"" in capsys.readouterr().out
    assert command_line.main(["diff", str(folder / "pipeline.toml")]) == 2
    expected = (
        "uniforms.u_gain: expected numbers or an expression, got '?', which nobody has filled in yet. Put it there."
    )
    assert expected in capsys.readouterr().err
