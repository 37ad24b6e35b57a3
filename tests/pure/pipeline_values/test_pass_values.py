"""Every value that a pipeline file gives its passes is listed with its type, and with what depends on it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.pure.pipeline_file.folders import INPUT, write_folder
from texelscope import pipeline
from texelscope.pipeline.importers.planned_file import plan_again
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.pipeline_file.table import PipelineFileError
from texelscope.pipeline.pipeline_values.pass_values import PassValue, pass_values
from texelscope.pipeline.target import OpenOptions

SHADER = """\
#version 330 core
struct Light { vec2 at; bool on; };
uniform sampler2D t_X;
uniform float u_gain;
uniform ivec2 u_size;
uniform mat3x2 u_turn;
uniform uint u_taps[5];
uniform vec3 u_left_out;
uniform Light lights[2];
out vec4 Y;

void main() {
    float sum = float(u_taps[4]) + lights[1].at.x + u_left_out.z + u_turn[0].x + float(u_size.x) + float(lights[0].on);
    Y = u_gain * sum * float(RADIUS) * SCALE * texelFetch(t_X, ivec2(gl_FragCoord.xy), 0);
}
"""
PASS = """
[[pass]]
name = "copy"
shader = "own.frag"
output = { shape = [1, 3, 8, 8], layout = "channel_tiles" }
textures.t_X = "image"
uniforms.u_gain = 2
uniforms.u_size = "size(image)"
uniforms.u_turn = [[1, 0], [0, 1], [0, 0]]
uniforms.u_taps = [1, 2, 3, 4, 5]
uniforms.lights = [{ at = [0, 1], on = true }, { at = [1, 1], on = false }]
defines.RADIUS = 3
defines.SCALE = "vec4(1.0).x"
"""
ORACLE = "def copy(t_X, u_gain):\n    return u_gain * t_X\n"


def planned(folder: Path, head: str = "", **files: str) -> FilePlan:
    path = write_folder(folder, head + INPUT + PASS, own_frag=SHADER, **files)
    for each in folder.iterdir():  # what was written just now is read again
        os.utime(each, (1e9, 1e9))
    plan = pipeline.plan_of(path, trust=True)
    assert isinstance(plan, FilePlan)
    return plan


def by_name(plan: FilePlan) -> dict[str, PassValue]:
    return {f"{each.name.table}.{each.name.name}": each for each in pass_values(plan)}


def test_a_value_has_its_numbers_and_the_type_that_the_shader_declares(tmp_path: Path) -> None:
    found = by_name(planned(tmp_path))
    gain, turn, taps = found["uniforms.u_gain"], found["uniforms.u_turn"], found["uniforms.u_taps"]
    assert (gain.key, gain.kind, gain.type, gain.numbers) == ("copy.uniforms.u_gain", "float", "float", (2,))
    assert (turn.type, turn.numbers, turn.per_element, turn.columns) == ("mat3x2", (1, 0, 0, 1, 0, 0), 6, 3)
    assert (taps.type, taps.kind, taps.numbers) == ("uint[5]", "uint", (1, 2, 3, 4, 5))
    assert (found["uniforms.lights[1].at"].type, found["uniforms.lights[0].on"].kind) == ("vec2", "bool")
    assert found["uniforms.lights[0].on"].numbers == (True,)


def test_expressions_words_and_numbers_of_defines_are_told_apart(tmp_path: Path) -> None:
    found = by_name(planned(tmp_path))
    size = found["uniforms.u_size"]
    assert (size.kind, size.text, size.now) == ("text", "size(image)", (16, 16))
    assert (found["defines.SCALE"].kind, found["defines.SCALE"].text) == ("text", "vec4(1.0).x")
    assert (found["defines.RADIUS"].kind, found["defines.RADIUS"].numbers) == ("int", (3,))
    assert found["defines.RADIUS"].is_compiled
    assert not found["uniforms.u_size"].is_compiled


def test_a_uniform_that_the_file_leaves_out_is_listed_as_zero(tmp_path: Path) -> None:
    left_out = by_name(planned(tmp_path))["uniforms.u_left_out"]
    assert (left_out.numbers, left_out.type, left_out.is_set) == ((0.0, 0.0, 0.0), "vec3", False)


def test_it_is_known_whether_the_right_values_depend_on_a_value(tmp_path: Path) -> None:
    with_oracle = by_name(planned(tmp_path / "a", '[pipeline]\noracle = "oracle.py"\n', oracle_py=ORACLE))
    assert with_oracle["uniforms.u_gain"].oracle.startswith("The oracle's copy() gets it too")
    assert with_oracle["uniforms.u_taps"].oracle == (
        "Only the shader gets it: the oracle's copy() has no parameter of that name."
    )
    assert with_oracle["defines.RADIUS"].oracle == "Only the shader gets it: the oracle's values stay."
    assert by_name(planned(tmp_path / "b"))["uniforms.u_gain"].oracle == "", "nothing is compared"


def test_other_values_make_only_their_pass_anew_and_the_file_stays(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    path = tmp_path / "pipeline.toml"
    before = path.read_bytes()
    changed = plan_again(path, OpenOptions(trust=True, limits=plan.options.limits,
                                           dialect={"copy.uniforms.u_gain": "0.5"}), plan, ())  # fmt: skip
    assert isinstance(changed, FilePlan)
    assert changed.passes[0].uniforms["u_gain"] == 0.5
    assert by_name(changed)["uniforms.u_gain"].numbers == (0.5,)
    assert changed.initial_inputs is plan.initial_inputs, "its inputs are not read again"
    assert "uniforms.u_gain = 0.5\n" in changed.file_text()
    assert path.read_bytes() == before
    back = plan_again(path, OpenOptions(trust=True, limits=plan.options.limits), changed, ())
    assert isinstance(back, FilePlan)
    assert back.passes[0].uniforms == plan.passes[0].uniforms
    assert back.file_text() == plan.file_text()


def test_a_file_saved_meanwhile_keeps_the_changed_values(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    path = tmp_path / "pipeline.toml"
    path.write_text(path.read_text().replace("[1, 2, 3, 4, 5]", "[5, 4, 3, 2, 1]"), encoding="utf-8")
    changed = plan_again(path, OpenOptions(dialect={"copy.uniforms.u_gain": "0.5"}), plan, {path})
    uniforms = changed.passes[0].uniforms
    assert (uniforms["u_gain"], uniforms["u_taps"]) == (0.5, (5, 4, 3, 2, 1))


def test_a_value_that_the_shader_does_not_take_is_refused_as_in_the_file(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    options = OpenOptions(limits=plan.options.limits, dialect={"copy.uniforms.u_gain": "[1, 2]"})
    with pytest.raises(PipelineFileError, match=r"uniforms.u_gain: expected 1 number for float, got 2"):
        plan_again(tmp_path / "pipeline.toml", options, plan, ())


def test_the_plan_of_other_values_is_the_one_that_reading_everything_gives(tmp_path: Path) -> None:
    plan = planned(tmp_path)
    path = tmp_path / "pipeline.toml"
    values = {"copy.uniforms.u_left_out": "[1, 2, 3]", "copy.defines.RADIUS": "5"}
    options = OpenOptions(trust=True, limits=plan.options.limits, dialect=values)
    quick, whole = plan_again(path, options, plan, ()), pipeline.plan_of(path, trust=True, dialect=values)
    assert isinstance(quick, FilePlan)
    assert isinstance(whole, FilePlan)
    assert quick.initial_inputs is plan.initial_inputs
    assert quick.passes == whole.passes
    assert quick.warnings == whole.warnings
    assert (quick.file_text(), quick.bound_at) == (whole.file_text(), whole.bound_at)
    assert plan.warnings, "the uniform was not set before"
