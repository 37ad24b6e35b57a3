"""A shader that is named with its model on the command line is compared in the layouts in which it matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.brought.kinds import KINDS
from texelscope import command_line
from texelscope.pipeline.draft_writing.settling import found_layouts, settled
from texelscope.pipeline.target import OpenOptions, Target

BY_NAME = {each.name: each for each in KINDS}


def test_uniforms_hold_a_models_weights_in_the_order_that_matches(tmp_path: Path) -> None:
    kind = BY_NAME["hlsl_through_spirv"]
    found = found_layouts(str(kind.lay_out(tmp_path)), kind.typed, {}, "")
    assert found.matched == ("spirv_cross",)
    assert found.values["spirv_cross.uniforms.Params.Weights"] == (
        '{ tensor = "dw.weight", layout = { name = "ordered", order = "o/4, i, ky, kx, o%4" } }'
    )


def test_a_pass_that_reads_two_inputs_gets_them_in_the_order_that_matches(tmp_path: Path) -> None:
    kind = BY_NAME["shadertoy_buffers"]
    found = found_layouts(str(kind.lay_out(tmp_path)), kind.typed, {}, "")
    assert found.matched == ("buffer_a", "buffer_b", "buffer_c", "buffer_d")


def test_positions_that_a_shader_computes_are_an_input_of_its_oracle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = BY_NAME["siren"]
    words = [word for field, value in kind.typed.items() for word in ("--param", f"{field}={value}")]
    assert command_line.main(["diff", str(kind.lay_out(tmp_path)), *words]) == 0
    assert "1 of 1 passes match" in capsys.readouterr().out


def test_layouts_that_a_person_gives_are_kept(tmp_path: Path) -> None:
    kind = BY_NAME["siren"]
    stated = {**kind.typed, "siren.output.layout": "channel_tiles_rgba"}
    target = Target(str(kind.lay_out(tmp_path)), OpenOptions(dialect=stated))
    assert settled(target)[0] is target


def test_layouts_in_which_nothing_matches_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind = BY_NAME["siren"]
    shader = kind.lay_out(tmp_path)
    shader.write_text(shader.read_text().replace("3.42", "4.42"))
    words = [word for field, value in kind.typed.items() for word in ("--param", f"{field}={value}")]
    assert command_line.main(["diff", str(shader), *words, "--diagnose-seconds", "1"]) == 1
    said = capsys.readouterr().err
    assert "combinations of layouts were tried, and no pass matches in the best. Taken are coords.layout = " in said
    assert "Give others by --param if they are wrong." in said
