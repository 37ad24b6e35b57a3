"""Tests that a session goes from frame to frame: with the tensors of the frame before, and uniforms that change."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.automata import LIFE, LIFE_TOML, glider, next_world, write, write_life
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.reload.reloader import Reloader

ADD = """\
#version 330 core
uniform sampler2D u_state;
uniform sampler2D u_more;
uniform float u_rate;
out vec4 result;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = texelFetch(u_state, at, 0) + u_rate * texelFetch(u_more, at, 0);
}
"""
SHAPE = 'shape = [1, 1, 2, 2], layout = "channel_tiles"'
SUM = f"""\
[pipeline]
frames = 4

[[input]]
name = "more"
{SHAPE.replace(", layout", chr(10) + "layout")}
source = "ones"

[[pass]]
name = "sum"
shader = "add.frag"
output = {{ {SHAPE} }}
textures.u_state = {{ previous = "sum" }}
textures.u_more = "more"
uniforms.u_rate = 1
"""


def write_sum(folder: Path, toml: str = SUM) -> Path:
    return write(folder, toml, {"add.frag": ADD}, {})


def test_sixty_frames_of_life_are_those_of_numpy(gl: moderngl.Context, tmp_path: Path) -> None:
    world = glider()
    with pipeline.open(write_life(tmp_path), context=gl) as session:
        for frame in range(60):
            session.run(frames=1)
            world = next_world(world)
            assert session.frame == frame
            assert np.array_equal(session.tensor("state"), world)


def test_several_frames_in_one_call_are_those_one_by_one(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_sum(tmp_path), context=gl) as session:
        session.run(frames=3)
        assert (session.frame, session.tensor("sum")[0, 0, 0, 0]) == (2, 3.0)
        session.run(frames=2)
        assert (session.frame, session.tensor("sum")[0, 0, 0, 0]) == (4, 5.0)


def test_running_without_frames_runs_the_present_frame_again(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_sum(tmp_path), context=gl) as session:
        session.run(frames=3)
        session.run()
        assert (session.frame, session.tensor("sum").max()) == (2, 3.0)


def test_restarting_goes_back_to_frame_0_and_its_first_values(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_life(tmp_path), context=gl) as session:
        session.run(frames=5)
        session.restart()
        assert not session.has_run("state")
        assert np.array_equal(session.tensor("state@previous"), glider())
        session.run(frames=1)
        assert session.frame == 0
        assert np.array_equal(session.tensor("state"), next_world(glider()))


def test_the_frames_go_on_with_an_input_that_is_set_between_them(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_sum(tmp_path), context=gl) as session:
        session.run(frames=3)
        session.set_input("more", np.full((1, 1, 2, 2), 10.0))
        session.run(frames=1)
        assert (session.frame, session.tensor("sum").max()) == (3, 13.0)


def test_the_present_frame_runs_again_with_an_input_that_is_set(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_sum(tmp_path), context=gl) as session:
        session.run(frames=3)
        session.set_input("more", np.full((1, 1, 2, 2), 10.0))
        session.run()
        assert (session.frame, session.tensor("sum").max()) == (2, 12.0)


@pytest.mark.parametrize("frames", [0, 1])
def test_a_first_value_that_is_set_in_frame_0_is_what_the_frame_reads(
    gl: moderngl.Context, tmp_path: Path, frames: int
) -> None:
    with pipeline.open(write_life(tmp_path), context=gl) as session:
        session.run(frames=frames)
        session.set_input("seed", glider(5, 5))
        session.run()
        assert np.array_equal(session.tensor("state"), next_world(glider(5, 5)))


def test_a_first_value_that_is_set_later_holds_from_the_next_restart_on(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_life(tmp_path), context=gl) as session:
        session.run(frames=2)
        session.set_input("seed", glider(5, 5))
        session.run()
        assert np.array_equal(session.tensor("state"), next_world(next_world(glider())))
        session.restart()
        session.run()
        assert np.array_equal(session.tensor("state"), next_world(glider(5, 5)))


def test_a_pass_reads_what_a_later_pass_made_in_the_frame_before(gl: moderngl.Context, tmp_path: Path) -> None:
    toml = (
        SUM.replace('previous = "sum"', 'previous = "twice"')
        + f"""
[[pass]]
name = "twice"
shader = "add.frag"
output = {{ {SHAPE} }}
textures.u_state = "sum"
textures.u_more = "sum"
uniforms.u_rate = 1
"""
    )
    with pipeline.open(write_sum(tmp_path, toml), context=gl) as session:
        session.run(frames=3)  # 2 · (2 · (2 · 1 + 1) + 1)
        assert session.tensor("twice").max() == 14.0


@pytest.mark.parametrize(
    ("expression", "values"),
    [("frame", [0.0, 1.0, 2.0]), ("time", [0.0, 0.25, 0.5]), ("frame * 0.5 + count(more)", [4.0, 4.5, 5.0])],
)
def test_uniforms_change_from_frame_to_frame(
    gl: moderngl.Context, tmp_path: Path, expression: str, values: list[float]
) -> None:
    toml = SUM.replace("frames = 4", "frames = 4\nframes_per_second = 4").replace(
        "u_rate = 1", f'u_rate = "{expression}"'
    )
    with pipeline.open(write_sum(tmp_path, toml.replace('{ previous = "sum" }', '"more"')), context=gl) as session:
        found = []
        for _ in values:
            session.run(frames=1)
            found.append(float(session.tensor("sum").max()) - 1.0)
        assert found == values
        assert session.plan.pass_called("sum").uniforms["u_rate"] == values[-1]


def test_the_mouse_is_that_of_the_frames_after_it_moved(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_sum(tmp_path, SUM.replace("u_rate = 1", 'u_rate = "mouse.y"')), context=gl) as session:
        session.run(frames=1)
        session.point((3.0, 5.0, 0.0, 0.0))
        session.run(frames=1)
        assert session.tensor("sum").max() == 5.0


def test_a_frame_whose_state_was_not_computed_hands_nothing_on(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_sum(tmp_path), context=gl) as session:
        session.run(frames=2)
        session.restart()
        with pytest.raises(TexelscopeError) as caught:
            session.next_frame()
        assert str(caught.value) == (
            "frame 1: expected 'sum' of frame 0, got one that was not computed. "
            "Run the whole frame; see shader_error()."
        )
        assert session.frame == 0


def test_whole_frames_and_a_part_of_the_passes_exclude_each_other(gl: moderngl.Context, tmp_path: Path) -> None:
    with (
        pipeline.open(write_sum(tmp_path), context=gl) as session,
        pytest.raises(TexelscopeError, match="frames: expected whole frames, got a part of the passes too"),
    ):
        session.run(to="sum", frames=2)


def test_a_saved_shader_goes_on_from_the_state_that_its_frame_read(gl: moderngl.Context, tmp_path: Path) -> None:
    target = write_sum(tmp_path, SUM.replace("u_rate = 1", 'u_rate = "frame"'))
    with pipeline.open(target, context=gl) as session, Reloader(session, target) as reloader:
        session.run(frames=4)  # 0 + 1 + 2 + 3
        shader = tmp_path / "add.frag"
        shader.write_text(ADD.replace("+ u_rate", "- u_rate"), encoding="utf-8")
        reloader.reload(frozenset({shader}))
        assert (session.frame, session.tensor("sum").max()) == (3, 0.0)
        session.run(frames=1)
        assert session.tensor("sum").max() == -4.0


def test_a_file_that_begins_with_other_values_begins_again(gl: moderngl.Context, tmp_path: Path) -> None:
    target = write_sum(tmp_path)
    with pipeline.open(target, context=gl) as session, Reloader(session, target) as reloader:
        session.run(frames=4)
        write_sum(tmp_path, SUM.replace('previous = "sum"', 'previous = "sum", first = "more"'))
        reloader.reload(frozenset({target}))
        assert (session.frame, session.tensor("sum").max()) == (0, 2.0)


def test_a_dispatched_pass_reads_its_own_buffer_of_the_frame_before(
    gl: moderngl.Context, tmp_path: Path, compute: None
) -> None:
    shader = """\
#version 430 core
layout(local_size_x = 4) in;
layout(std430) buffer before { float old[]; };
layout(std430) buffer after { float now[]; };
uniform int u_frame;

void main() {
    uint i = gl_GlobalInvocationID.x;
    now[i] = old[i] * 2.0 + float(u_frame);
}
"""
    toml = """\
[[input]]
name = "seed"
shape = [4]
layout = "linear"
source = "ones"

[[pass]]
name = "state"
shader = "step.comp"
output = { shape = [4] }
buffers.before = { previous = "state", first = "seed" }
buffers.after = "state"
uniforms.u_frame = "frame"
dispatch = [1, 1, 1]
"""
    with pipeline.open(write(tmp_path, toml, {"step.comp": shader}, {}), context=gl) as session:
        session.run(frames=4)  # 2, 5, 12, 27
        assert session.tensor("state").tolist() == [27.0] * 4


def test_a_dispatched_pass_changes_its_state_in_place(gl: moderngl.Context, tmp_path: Path, compute: None) -> None:
    shader = """\
#version 430 core
layout(local_size_x = 4) in;
layout(std430) buffer State { float state[]; };

void main() {
    state[gl_GlobalInvocationID.x] *= 3.0;
}
"""
    toml = """\
[[input]]
name = "seed"
shape = [4]
layout = "linear"
source = "ones"

[[pass]]
name = "state"
shader = "step.comp"
output = { shape = [4] }
buffers.State = { tensor = "state", starts_as = { previous = "state", first = "seed" } }
dispatch = [1, 1, 1]
"""
    with pipeline.open(write(tmp_path, toml, {"step.comp": shader}, {}), context=gl) as session:
        session.run(frames=3)
        session.run()  # again, from the state that the frame read
        assert session.tensor("state").tolist() == [27.0] * 4


def test_a_state_in_half_precision_and_whole_lanes_is_handed_on_bit_by_bit(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    output = 'shape = [1, 8, 2, 2], layout = "channel_tiles_rgba"'
    toml = SUM.replace(f"output = {{ {SHAPE} }}", f'output = {{ {output}, dtype = "float16" }}')
    toml = toml.replace('shape = [1, 1, 2, 2]\nlayout = "channel_tiles"', output.replace(", layout", "\nlayout"))
    with pipeline.open(write_sum(tmp_path, toml), context=gl) as session:
        session.run(frames=3)
        before = session.texels("sum")
        session.next_frame()
        assert np.array_equal(session.texels("sum@previous"), before)
        assert before.shape[2] == 4


def test_life_runs_alike_fused(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(write_life(tmp_path, LIFE, toml=LIFE_TOML), context=gl) as session:
        world = glider()
        for _ in range(5):
            if session.has_run("state"):
                session.next_frame()
            session.run_fused()
            world = next_world(world)
        assert np.array_equal(session.tensor("state"), world)
