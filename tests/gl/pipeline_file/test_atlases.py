"""Tests tensors in rectangles of one texture: passes read several through one sampler and draw into their own."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import write_folder
from texelscope import pipeline
from texelscope.pipeline.reduce.reduction import reduce
from texelscope.pipeline.reload.reloader import Reloader
from texelscope.pipeline.target import Target

ATLAS = """\
[pipeline]
model = "model.onnx"

[[atlas]]
name = "atlas"
size = [40, 20]
lanes = 1

[[input]]
name = "image"
shape = [1, 3, 8, 8]
source = "random:1"
layout = { rectangle = [[1, 2, 8, 8], [20, 0, 8, 8], [9, 11, 8, 8]], of = "atlas" }

[[pass]]
name = "conv1"
shader = "conv.frag"
output = { shape = [1, 4, 8, 8], layout = "channel_tiles_rgba" }

[pass.textures]
t_B = { tensor = "conv1.bias", layout = "row_major_rgba" }
u_atlas = [
    "image",
    { tensor = "conv1.weight", layout = { rectangle = [30, 8, 9, 12], of = "atlas", name = "ordered", width = 9 } },
]
"""
CONV = """\
#version 330 core
uniform sampler2D u_atlas;
uniform sampler2D t_B;
out vec4 Y;

const ivec2 CORNERS[3] = ivec2[3](ivec2(1, 2), ivec2(20, 0), ivec2(9, 11));

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(t_B, ivec2(0), 0);
    for (int i = 0; i < 3; i++) {
        for (int tap = 0; tap < 9; tap++) {
            ivec2 from = at + ivec2(tap % 3, tap / 3) - 1;
            if (any(lessThan(from, ivec2(0))) || any(greaterThanEqual(from, ivec2(8)))) continue;
            float x = texelFetch(u_atlas, CORNERS[i] + from, 0).r;
            for (int o = 0; o < 4; o++) sum[o] += x * texelFetch(u_atlas, ivec2(30 + tap, 8 + o * 3 + i), 0).r;
        }
    }
    Y = sum;
}
"""
# Two passes draw into an atlas; the third reads both through one sampler.
DRAWN = """\
[pipeline]
oracle = "oracle.py"

[[atlas]]
name = "page"
size = [24, 16]
dtype = "float16"

[[input]]
name = "image"
shape = [1, 4, 8, 8]
source = "random:1"
layout = "channel_tiles_rgba"

[[pass]]
name = "left"
shader = "by_place.frag"
output = { shape = [1, 4, 8, 8], layout = { rectangle = [0, 4, 8, 8], of = "page" } }
textures.t_X = "image"
uniforms.u_corner = [0, 4]

[[pass]]
name = "right"
shader = "by_uv.frag"
output = { shape = [1, 8, 4, 8], layout = { rectangle = [[10, 1, 8, 4], [10, 5, 8, 4]], of = "page" } }
textures.t_X = "image"

[[pass]]
name = "both"
shader = "both.frag"
output = { shape = [1, 4, 8, 8], layout = "channel_tiles_rgba" }
textures.u_page = "page"
"""
ORACLE = """\
import numpy as np

def left(t_X):
    return t_X * 2

def right(t_X):
    return np.concatenate([t_X[:, :, :4], t_X[:, :, 4:]], axis=1)

def both(left, right):
    return left - np.concatenate([right[:, :4], right[:, 4:]], axis=2)
"""
BY_PLACE = """\
#version 330 core
uniform sampler2D t_X;
uniform vec2 u_corner;
out vec4 Y;

void main() {
    Y = 2.0 * texelFetch(t_X, ivec2(gl_FragCoord.xy - u_corner), 0);
}
"""
BY_UV = """\
#version 330 core
uniform sampler2D t_X;
in vec2 v_uv;
out vec4 Y;

void main() {
    Y = texture(t_X, v_uv);
}
"""
BOTH = """\
#version 330 core
uniform sampler2D u_page;
out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    Y = texelFetch(u_page, at + ivec2(0, 4), 0) - texelFetch(u_page, at + ivec2(10, 1), 0);
}
"""


def inputs(tmp_path: Path, shader: str = CONV) -> Path:
    return write_folder(tmp_path, ATLAS, conv_frag=shader)


def drawn(tmp_path: Path, toml: str = DRAWN, both: str = BOTH) -> Path:
    files = {"by_place_frag": BY_PLACE, "by_uv_frag": BY_UV, "both_frag": both}
    return write_folder(tmp_path, toml, oracle_py=ORACLE, **files)


def test_an_image_and_weights_in_one_texture_are_read_through_one_sampler(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(inputs(tmp_path), context=gl) as session:
        session.run()
        assert session.compare().verdict == "match"
        assert session.plan.passes[0].reads == ("conv1.bias", "image", "conv1.weight")
        texels = session.texels("image")
        assert texels.shape == (20, 40, 1)
        np.testing.assert_array_equal(texels[2:10, 1:9, 0], session.tensor("image")[0, 0])
        np.testing.assert_array_equal(texels, session.texels("conv1.weight"))


def test_taps_and_traces_in_an_atlas_name_the_tensor_that_was_read(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(inputs(tmp_path), context=gl) as session:
        session.run()
        taps = session.taps("conv1", (0, 2, 3, 4))
        counts = {key: sum(tap.key == key for tap in taps.reads) for key in ("image", "conv1.weight", "conv1.bias")}
        assert counts == {"image": 27, "conv1.weight": 108, "conv1.bias": 1}  # of four outputs
        assert taps.missing() == taps.unexpected() == {}
        keys = {read.key for step in session.trace("conv1", (0, 2, 3, 4)).steps for read in step.reads}
        assert keys == {"image", "conv1.weight", "conv1.bias"}


@pytest.mark.parametrize(
    ("before", "after", "element"),
    [("ivec2(20, 0)", "ivec2(21, 0)", "image"), ("8 + o * 3 + i", "8 + o * 3", "conv1.weight")],
)
def test_a_read_of_the_wrong_place_in_an_atlas_is_found(
    gl: moderngl.Context, tmp_path: Path, before: str, after: str, element: str
) -> None:
    with pipeline.open(inputs(tmp_path, CONV.replace(before, after)), context=gl) as session:
        session.run()
        report = session.compare()
        assert report.culprit == "conv1"
        taps = session.taps("conv1", (0, 2, 3, 4))
        assert element in taps.unexpected() | taps.missing()
        (finding, *_) = report.passes[0].findings
        assert (finding.cause, finding.explained, finding.parameters["tensor"]) == ("index_map", 1.0, element)


def test_a_new_input_leaves_what_else_lies_in_the_atlas(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(inputs(tmp_path), context=gl) as session:
        session.run()
        weights = session.tensor("conv1.weight")
        session.set_input("image", np.ones((1, 3, 8, 8), np.float32))
        session.run()
        assert session.compare().verdict == "match"
        np.testing.assert_array_equal(session.tensor("conv1.weight"), weights)


def test_passes_draw_into_their_rectangles_and_others_read_them(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(drawn(tmp_path), context=gl, trust=True) as session:
        session.run()
        verdicts = {each.name: each.verdict for each in session.compare().passes}
        assert verdicts == {"left": "precision", "right": "precision", "both": "match"}
        before = session.texels("left")
        assert session.run_pass("right")
        np.testing.assert_array_equal(session.texels("left"), before)
        assert session.texture("left") is session.texture("right")
        outside = session.texels("right").copy()
        outside[4:12, 0:8], outside[1:9, 10:18] = 0, 0
        assert not outside.any()


def test_a_wrong_pass_that_draws_into_an_atlas_is_the_culprit_alone(gl: moderngl.Context, tmp_path: Path) -> None:
    toml = DRAWN.replace("u_corner = [0, 4]", "u_corner = [0, 3]")
    with pipeline.open(drawn(tmp_path, toml), context=gl, trust=True) as session:
        session.run()
        verdicts = {each.name: each.verdict for each in session.compare().passes}
        assert verdicts == {"left": "mismatch", "right": "precision", "both": "match"}
        (tap,) = session.taps("left", (0, 1, 2, 3)).reads
        assert 64 + 3 * 8 + 3 in tap.elements
        np.testing.assert_allclose(session.tensor("right")[0, 4:], session.tensor("image")[0, :, 4:], atol=1e-3)


def test_a_saved_shader_of_an_atlas_runs_at_once(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(drawn(tmp_path), context=gl, trust=True) as session:
        session.run()
        session.replace_shader("left", BY_PLACE.replace("2.0 *", "3.0 *"))
        session.run()
        verdicts = {each.name: each.verdict for each in session.compare(findings=False).passes}
        assert verdicts == {"left": "mismatch", "right": "precision", "both": "match"}


def test_a_wrong_pass_of_an_atlas_in_steps_of_8_bits_is_reduced(tmp_path: Path) -> None:
    toml = ATLAS.replace("lanes = 1", 'lanes = 1\ndtype = "uint8"')
    toml = toml.replace('of = "atlas" }\n\n', 'of = "atlas" }\ndtype = "uint8"\nscale = 0.004\n\n')
    toml = toml.replace("width = 9 } }", 'width = 9 }, dtype = "uint8", scale = 0.02, zero_point = 128 }')
    shader = CONV.replace("from, 0).r;\n", "from, 0).r * 255.0 * 0.005;\n").replace(
        "8 + o * 3 + i), 0).r;", "8 + o * 3 + i), 0).r * 5.1;"
    )
    reduced = reduce(Target(str(write_folder(tmp_path / "whole", toml, conv_frag=shader))), tmp_path / "reduced")
    text = (tmp_path / "reduced" / "pipeline.toml").read_text(encoding="utf-8")
    assert reduced is not None
    assert '[[atlas]]\nname = "atlas"\nsize = [40, 20]\nlanes = 1\ndtype = "uint8"' in text
    assert "scale = 0.02, zero_point = 128.0, axis = 1" in text
    with pipeline.open(tmp_path / "reduced" / "pipeline.toml") as session:
        session.run()
        assert session.compare(findings=False).culprit == "conv1"


def test_an_atlas_is_counted_once_among_the_textures_of_a_run(gl: moderngl.Context, tmp_path: Path) -> None:
    with pipeline.open(drawn(tmp_path), context=gl, trust=True) as session:
        session.run()
        held = session.held()
        atlas, alone = 24 * 16 * 4 * 2, 8 * 8 * 4 * 4
        assert held.tensors == atlas + 2 * alone


LIFE = """\
[pipeline]
oracle = "oracle.py"
frames = 4

[[atlas]]
name = "page"
size = [20, 12]

[[input]]
name = "seed"
shape = [1, 4, 8, 8]
source = "random:1"
layout = "channel_tiles_rgba"

[[pass]]
name = "state"
shader = "state.frag"
output = { shape = [1, 4, 8, 8], layout = { rectangle = [12, 0, 8, 8], of = "page" } }
textures.t_seed = "seed"
textures.t_state = { previous = "state", first = "seed" }
"""


def test_a_state_in_an_atlas_is_handed_to_the_next_frame(gl: moderngl.Context, tmp_path: Path) -> None:
    shader = """\
#version 330 core
uniform sampler2D t_seed;
uniform sampler2D t_state;
out vec4 Y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    Y = texelFetch(t_state, at, 0) * 0.5 + texelFetch(t_seed, at - ivec2(12, 0), 0);
}
"""
    oracle = "def state(t_seed, t_state): return t_state * 0.5 + t_seed\n"
    path = write_folder(tmp_path, LIFE, state_frag=shader, oracle_py=oracle)
    with pipeline.open(path, context=gl, trust=True) as session:
        compared = session.compare_frames()
        assert len(compared.reports) == 4
        assert compared.first_mismatch is None
        assert session.tensor("state").max() > 1.5


def test_a_tensor_that_moves_in_its_atlas_is_put_there_when_the_file_is_saved(
    gl: moderngl.Context, tmp_path: Path
) -> None:
    path = inputs(tmp_path)
    with pipeline.open(path, context=gl) as session, Reloader(session, path) as reloader:
        session.run()
        shader = path.parent / "conv.frag"
        shader.write_text(CONV.replace("ivec2(1, 2)", "ivec2(1, 3)"), encoding="utf-8")
        path.write_text(ATLAS.replace("[1, 2, 8, 8]", "[1, 3, 8, 8]"), encoding="utf-8")
        assert reloader.wait(timeout_s=20) is not None
        session.run()
        assert session.compare().verdict == "match"
        np.testing.assert_array_equal(session.texels("image")[3:11, 1:9, 0], session.tensor("image")[0, 0])
