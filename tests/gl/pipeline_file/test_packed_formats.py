"""Tests tensors in formats of three or four lanes in 32 bits: rgb10_a2 and r11g11b10."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from tests.pure.pipeline_file.folders import COPY, write_folder
from texelscope import pipeline
from texelscope.layouts import layout
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning.storage import as_stored, components

TOML = """\
[pipeline]
oracle = "oracle.py"

[[input]]
name = "image"
shape = [1, {channels}, 8, 8]
layout = "channel_tiles_rgba"
source = "random:1"

[[pass]]
name = "first"
shader = "first.frag"
output = {{ shape = [1, {channels}, 8, 8], layout = "channel_tiles_rgba", dtype = "{dtype}" }}
textures.t_X = "image"

[[pass]]
name = "second"
shader = "copy.frag"
output = {{ shape = [1, {channels}, 8, 8], layout = "channel_tiles_rgba" }}
textures.t_X = "first"
"""
FORMATS = [("rgb10_a2", 4), ("r11g11b10", 3)]


def opened(gl: moderngl.Context, tmp_path: Path, dtype: str, channels: int, factor: str) -> DebugSession:
    shader = COPY.replace("0);", f"0) * {factor};")
    oracle = f"def first(t_X): return t_X * {factor}\ndef second(t_X): return t_X\n"
    toml = TOML.format(dtype=dtype, channels=channels)
    return pipeline.open(write_folder(tmp_path, toml, first_frag=shader, oracle_py=oracle), context=gl, trust=True)


@pytest.mark.parametrize(
    ("dtype", "channels", "factor", "verdict"),
    [("rgb10_a2", 4, "0.9", "precision"), ("rgb10_a2", 4, "1.5", "mismatch"), ("rgb10_a2", 4, "-0.5", "mismatch"),
     ("r11g11b10", 3, "900.0", "precision"), ("r11g11b10", 3, "0.001", "precision"),
     ("r11g11b10", 3, "-0.5", "mismatch"), ("r11g11b10", 3, "1e6", "mismatch")],
)  # fmt: skip
def test_a_target_holds_what_its_format_can(
    gl: moderngl.Context, tmp_path: Path, dtype: str, channels: int, factor: str, verdict: str
) -> None:
    with opened(gl, tmp_path, dtype, channels, factor) as session:
        session.run()
        report = session.compare(findings=False)
        assert [each.verdict for each in report.passes] == [verdict, "match"]


def test_the_bound_of_a_colour_is_not_that_of_alpha(gl: moderngl.Context, tmp_path: Path) -> None:
    """A fifth in an alpha of two bits is rounding; in a colour of ten bits it is not."""
    for lane, verdict in (("a", "precision"), ("r", "mismatch")):
        with opened(gl, tmp_path / lane, "rgb10_a2", 4, "1.0") as session:
            text = COPY.replace("    Y = ", "    vec4 x = ").replace("0);", f"0);\n    Y = x;\n    Y.{lane} += 0.2;")
            session.replace_shader("first", text)
            session.set_input("image", np.full((1, 4, 8, 8), 0.4, np.float32))
            session.run()
            assert session.compare(findings=False).passes[0].verdict == verdict


@pytest.mark.parametrize(("dtype", "channels"), FORMATS)
@pytest.mark.parametrize("name", ["channel_tiles_rgba", "channel_tiles"])
def test_a_texture_gives_back_what_numpy_says_that_it_holds(
    gl: moderngl.Context, dtype: str, channels: int, name: str
) -> None:
    shape = (1, channels, 64, 64)
    stored = StoredTensor("x", "x", shape, layout(name), dtype, role="input")  # type: ignore[arg-type]
    random = np.random.default_rng(3)
    values = (random.uniform(-0.2, 1.3, shape) * np.exp2(random.integers(-22, 18, shape))).astype(np.float32)
    store = TextureStore(gl)
    store.write(stored, values)
    texels = store.read(stored)
    # Steps are quotients, which drivers round apart.
    np.testing.assert_allclose(texels, components(texels, stored.storage), rtol=3e-7)
    np.testing.assert_allclose(stored.decode(texels), as_stored(values, stored), rtol=3e-7)
    store.release()


@pytest.mark.parametrize(("dtype", "channels"), FORMATS)
def test_an_input_in_such_a_format_is_rounded_before_it_is_judged(
    gl: moderngl.Context, tmp_path: Path, dtype: str, channels: int
) -> None:
    toml = TOML.format(dtype="float32", channels=channels).replace("[[pass]]", f'dtype = "{dtype}"\n\n[[pass]]', 1)
    path = write_folder(tmp_path, toml, first_frag=COPY, oracle_py="def first(t_X): return t_X\n")
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        assert session.compare(findings=False).passes[0].verdict == "match"


@pytest.mark.parametrize(("dtype", "channels"), FORMATS)
def test_a_fault_behind_such_a_target_is_found(gl: moderngl.Context, tmp_path: Path, dtype: str, channels: int) -> None:
    with opened(gl, tmp_path, dtype, channels, "0.5") as session:
        session.replace_shader(
            "first", COPY.replace("gl_FragCoord.xy)", "gl_FragCoord.xy) + ivec2(1, 0)").replace("0);", "0) * 0.5;")
        )
        session.run()
        report = session.compare()
        assert report.culprit == "first"
        assert report.passes[0].findings[0].cause in ("shift", "index_map", "tile_bleed")
        assert session.taps("first", (0, 1, 2, 3)).reads[0].tx == 4
        assert session.compare().passes[1].verdict == "match"
