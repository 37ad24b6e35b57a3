"""Tests the keys and expressions of a pipeline file that are about frames, and its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.automata import LIFE, LIFE_TOML, write, write_life
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frames import CarriedTensor, Moment
from texelscope.pipeline.pipeline_file.expressions import changes_by_frame, evaluate
from texelscope.pipeline.quotas import Quotas

WITH_FRAME = LIFE.replace("out vec4", "uniform int u_frame;\nout vec4").replace("lives ?", "lives || u_frame < 0 ?")
PREVIOUS = '{ previous = "state", first = "seed" }'
OTHER = """
[[pass]]
name = "other"
shader = "life.frag"
output = { shape = [1, 1, 16, 16], layout = "channel_tiles" }
textures.u_state = { previous = "state", first = "other_seed" }

[[input]]
name = "other_seed"
shape = [1, 1, 16, 16]
layout = "channel_tiles"
"""


def test_the_plan_has_the_tensor_of_the_frame_before(tmp_path: Path) -> None:
    plan = pipeline.plan_of(write_life(tmp_path))
    assert plan.frames.count == 60
    assert plan.frames.carried == (CarriedTensor("state@previous", "state", "seed"),)
    assert plan.textures["state@previous"].layout == plan.textures["state"].layout
    assert plan.inputs == ("seed",)
    assert plan.outputs == ("state",)
    assert plan.given == ("seed", "state@previous")


def test_a_file_without_frames_has_one_and_hands_nothing_on(tmp_path: Path) -> None:
    plan = pipeline.plan_of(
        write_life(tmp_path, toml=LIFE_TOML.replace("frames = 60\n", "").replace(PREVIOUS, '"seed"'))
    )
    assert (plan.frames.count, plan.frames.carried, plan.has_frames) == (1, (), False)


def test_the_plan_of_another_frame_has_its_uniforms_and_is_else_the_same(tmp_path: Path) -> None:
    toml = LIFE_TOML + 'uniforms.u_frame = "frame * 2"\n'
    plan = pipeline.plan_of(write_life(tmp_path, WITH_FRAME, toml=toml))
    later = plan.at(Moment(12))
    assert (plan.passes[0].uniforms["u_frame"], later.passes[0].uniforms["u_frame"]) == (0, 24)
    assert later.at(Moment()) == plan
    assert later.frames.moment.frame == 12


def test_a_plan_without_changing_uniforms_is_that_of_every_frame(tmp_path: Path) -> None:
    plan = pipeline.plan_of(write_life(tmp_path))
    assert plan.at(Moment(12)) is plan


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            'previous = "state"', 'previous = "stat"',
            "[[pass]] 'state' textures.u_state.previous: expected a tensor that a pass makes, got 'stat'. "
            "Did you mean 'state'?",
        ),
        (
            'first = "seed"', 'first = "sead"',
            "[[pass]] 'state' textures.u_state.first: expected an input or a constant, got 'sead'. "
            "Did you mean 'seed'?",
        ),
        (
            'shape = [1, 1, 16, 16]\nlayout = "channel_tiles"\nsource = "seed.npy"',
            'shape = [1, 1, 16, 8]\nlayout = "channel_tiles"',
            "[[pass]] 'state' textures.u_state.first: expected [1, 1, 16, 16], the shape of 'state', "
            "got 'seed' of [1, 1, 16, 8]. Change one of them.",
        ),
        (
            PREVIOUS, '{ tensor = "seed", previous = "state" }',
            "[[pass]] 'state' textures.u_state.tensor: expected either tensor or previous, got both. Keep one.",
        ),
        (
            PREVIOUS, '{ tensor = "seed", first = "seed" }',
            "[[pass]] 'state' textures.u_state.first: expected 'previous' beside it, got none. "
            "It gives the values of frame 0.",
        ),
        (
            "frames = 60", "frames = 0",
            "[pipeline] frames: expected a whole number from 1 on, got 0. For example frames = 60.",
        ),
        (
            "frames = 60", "frames = 1.5",
            "[pipeline] frames: expected a whole number from 1 on, got 1.5. For example frames = 60.",
        ),
        (
            "frames = 60", 'frames = "all"',
            "[pipeline] frames: expected a whole number from 1 on, got 'all'. For example frames = 60.",
        ),
        (
            "frames = 60", "frames = 20000",
            "[pipeline] frames: expected at most 10,000 frames, got 20,000. If you trust it: --limit frames=20000.",
        ),
        (
            "frames = 60", "frames_per_second = 0",
            "[pipeline] frames_per_second: expected a number above 0, got 0. For example frames_per_second = 60.",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(tmp_path: Path, old: str, new: str, error: str) -> None:
    assert old in LIFE_TOML
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(write_life(tmp_path, toml=LIFE_TOML.replace(old, new)))
    assert str(caught.value) == f"pipeline.toml {error}"


def test_the_limit_of_frames_can_be_raised(tmp_path: Path) -> None:
    target = write_life(tmp_path, toml=LIFE_TOML.replace("frames = 60", "frames = 20000"))
    assert pipeline.plan_of(target, quotas=Quotas(frames=20_000)).frames.count == 20_000


def test_a_tensor_begins_with_one_value(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(write_life(tmp_path, toml=LIFE_TOML + OTHER))
    assert str(caught.value) == (
        "pipeline.toml [[pass]] 'other' textures.u_state.first: expected 'seed', as [[pass]] 'state' textures.u_state "
        "has it, got 'other_seed'. A tensor begins with one value."
    )


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("frame / 2", "expected whole numbers for int, got 0.5 in frame 1. Change one of them."),
        ("1 / frame", "expected a divisor other than 0, got 0 in frame 0 in expression '1 / frame'. Correct it."),
        ("frame * 100000000", "expected -2147483648 to 2147483647 for int, got 5900000000 in frame 59. Correct it."),
        (
            "fram",
            "expected one of grid, size, texel_size, shape, count, frame, time, mouse, got 'fram' in expression "
            "'fram'. Did you mean 'frame'?",
        ),
    ],
)
def test_a_uniform_without_a_value_in_some_frame_is_an_error_when_the_file_is_opened(
    tmp_path: Path, expression: str, error: str
) -> None:
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(write_life(tmp_path, WITH_FRAME, toml=f'{LIFE_TOML}uniforms.u_frame = "{expression}"\n'))
    assert str(caught.value) == f"pipeline.toml [[pass]] 'state' uniforms.u_frame: {error}"


def test_a_size_does_not_change_from_frame_to_frame(tmp_path: Path) -> None:
    shader = LIFE.replace("sampler2D u_state", "sampler3D u_state").replace("SIZE, 0", "SIZE, 0")
    toml = LIFE_TOML.replace('first = "seed" }', 'first = "seed", size = [16, 16, "frame + 1"] }')
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(write_life(tmp_path, shader, toml=toml))
    assert str(caught.value) == (
        "pipeline.toml [[pass]] 'state' textures.u_state.size: expected numbers that no frame changes, got 'frame' in "
        "expression 'frame + 1'. Sizes and counts hold for all frames; uniforms and push constants may change."
    )


@pytest.mark.parametrize(
    ("expression", "changes"),
    [("frame", True), ("2 * (time + 1)", True), ("mouse.x / 2", True), ("1 + 2", False), ("nonsense(", False)],
)
def test_an_expression_changes_with_the_frame_if_it_names_it(expression: str, changes: bool) -> None:
    assert changes_by_frame(expression, {}) == changes


def test_a_tensor_may_be_called_frame(tmp_path: Path) -> None:
    seed = pipeline.plan_of(write_life(tmp_path)).textures["seed"]
    assert not changes_by_frame("shape(frame).w", {"frame": seed})


def test_frame_time_and_mouse_are_numbers_of_the_moment() -> None:
    moment = Moment(30, 60.0, (1.0, 2.0, 3.0, 4.0))
    assert evaluate("frame", {}, moment) == (30,)
    assert evaluate("time * 2", {}, moment) == (1.0,)
    assert evaluate("mouse", {}, moment) == (1.0, 2.0, 3.0, 4.0)


def test_what_an_output_starts_as_of_the_frame_before_is_checked_as_well(tmp_path: Path) -> None:
    shader = (
        "#version 430 core\nlayout(local_size_x = 4) in;\nlayout(std430) buffer B { float b[]; };\nvoid main() {}\n"
    )
    toml = """\
[[pass]]
name = "b"
shader = "b.comp"
output = { shape = [4] }
buffers.B = { tensor = "b", starts_as = { previous = "c" } }
dispatch = 1
"""
    with pytest.raises(TexelscopeError) as caught:
        pipeline.plan_of(write(tmp_path, toml, {"b.comp": shader}, {}))
    assert str(caught.value) == (
        "pipeline.toml [[pass]] 'b' buffers.B.starts_as.previous: expected a tensor that a pass makes, got 'c'. "
        "Valid: b."
    )
