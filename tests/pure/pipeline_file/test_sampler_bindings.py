"""A binding that does not fit the sampler's declared type is a problem of the file, with the declaration's line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.pure.pipeline_file.folders import plan_of
from texelscope.pipeline.pipeline_file.table import PipelineFileError
from texelscope.pipeline.plan import Sampler
from texelscope.pipeline.sampler_kinds import SamplerKind

ENTRY = """
[[constant]]
name = "index"
source = "ramp"
shape = [1, 8, 4, 4]
layout = "{layout}"
{dtype}
[[pass]]
name = "y"
shader = "s.frag"
output = {{ shape = [1, 1, 4, 4], layout = "channel_tiles" }}
textures.u_index = {{ tensor = "index"{bound} }}
"""
TEXT = """#version 330 core
uniform {kind} u_index;
out vec4 result;
void main() {{ result = vec4({read}); }}
"""
READS = {"2D": "ivec2(0), 0", "2DArray": "ivec3(0), 0", "3D": "ivec3(0), 0", "Buffer": "0"}
WHO = r"^pipeline\.toml \[\[pass\]\] 'y' textures\.u_index"


def text_of(kind: str) -> str:
    return TEXT.format(kind=kind, read=f"texelFetch(u_index, {READS[kind.partition('sampler')[2]]})")


def sampler_of(folder: Path, kind: str, bound: str = "", dtype: str = "", layout: str = "channel_tiles") -> Sampler:
    toml = ENTRY.format(bound=bound, dtype=dtype, layout=layout)
    return plan_of(folder, toml, s_frag=text_of(kind)).passes[0].samplers[0]


WRONG = {
    ("isampler2D", "", 'dtype = "uint32"', "channel_tiles"): (
        r": expected a usampler2D for 'index', which is uint32, got isampler2D \(s\.frag:2\)\. Write dtype = \"i"
    ),
    ("isampler3D", ', dtype = "float16"', "", "channel_tiles"): (
        r"\.dtype: expected int32, which isampler3D \(s\.frag:2\) reads, got 'index', which is float16\. Wr"
    ),
    ("sampler2DArray", "", 'dtype = "int32"', "channel_tiles"): (
        r": expected a isampler2DArray for 'index', which is int32, got sampler2DArray \(s\.frag:2\)\. Write"
    ),
    ("usampler2D", ', filter = "linear"', "", "channel_tiles"): (
        r"\.filter: expected 'nearest', since OpenGL filters no such texture, got 'linear' for usampler2D"
    ),
    ("samplerBuffer", ', filter = "linear"', "", "linear"): (
        r"\.filter: expected 'nearest', since OpenGL filters no such texture, got 'linear' for samplerBuffer"
    ),
    ("sampler2D", ", size = [4, 4, 8]", "", "channel_tiles"): (
        r"\.size: expected a sampler of slices \(2DArray, 3D\), got sampler2D \(s\.frag:2\)\. Leave it out\."
    ),
    ("sampler3D", "", "", "row_major_rgba"): (
        r"\.size: expected the width, height and slices of sampler3D \(s\.frag:2\), got nothing, and the lanes of "
        r"'row_major_rgba' are not channels\. For example size = \["
    ),
    ("sampler3D", ", size = [4, 4]", "", "channel_tiles"): r"\.size: expected 3 numbers, got 2\. Along x, y and z\.",
    (
        "sampler3D",
        ', size = [4, "size(nothing).x", 1]',
        "",
        "channel_tiles",
    ): r"\.size: expected a tensor that the file",
    ("sampler3D", ", size = [0, 4, 1]", "", "channel_tiles"): r"\.size: expected numbers above 0, got \[0, 4, 1\]",
    ("sampler2DArray", ", size = [4, 4, 10]", "", "channel_tiles"): (
        r"\.size: expected at most 144 texels, which 'index' has, got 160\. Correct the size\."
    ),
    ("sampler3D", ', dtype = "int64"', "", "channel_tiles"): (
        r"\.dtype: expected one of float32, float16, uint8, rgb10_a2, r11g11b10, int32, uint32, got 'int64'\."
    ),
}


@pytest.mark.parametrize("given", WRONG, ids=lambda given: " ".join(given))
def test_a_binding_that_does_not_fit_its_sampler_is_said_with_the_line(
    given: tuple[str, str, str, str], tmp_path: Path
) -> None:
    with pytest.raises(PipelineFileError, match=WHO + WRONG[given]):
        sampler_of(tmp_path, *given)


def test_a_tensor_takes_the_numbers_that_its_sampler_reads(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, ENTRY.format(bound="", dtype="", layout="channel_tiles"), s_frag=text_of("usampler3D"))
    assert plan.textures["index"].dtype == "uint32"
    assert plan.constants["index"].max() == 127.0  # a ramp of whole numbers
    assert plan.passes[0].samplers == (Sampler("u_index", "index", kind=SamplerKind("uint", "3D")),)


@pytest.mark.parametrize(
    ("values", "got"),
    [
        (np.array([0.0, 0.25]), r"whole numbers from 0 to 4294967295, of uint32, got 0\.25 at \[1\]"),
        (np.array([3, -2]), r"whole numbers from 0 to 4294967295, of uint32, got -2 at \[1\]"),
        (np.array([1, (1 << 24) + 1]), "integers up to 16777216, exact in a float texture, got 16777217"),
    ],
)
def test_a_constant_of_other_numbers_is_refused(values: np.ndarray, got: str, tmp_path: Path) -> None:
    np.save(tmp_path / "index.npy", values)
    toml = ENTRY.format(bound="", dtype="", layout="linear").replace("ramp", "index.npy").replace("[1, 8, 4, 4]", "[2]")
    with pytest.raises(PipelineFileError, match=rf"\[\[constant\]\] 'index' source: expected {got}"):
        plan_of(tmp_path, toml, s_frag=text_of("usamplerBuffer"))


def test_a_constant_of_the_model_with_fractions_is_refused(tmp_path: Path) -> None:
    toml = """
[pipeline]
model = "model.onnx"
[[pass]]
name = "y"
shader = "s.frag"
output = { shape = [1, 4, 8, 8], layout = "channel_tiles" }
oracle = "conv1"
textures.u_index = { tensor = "conv1.weight", layout = "filter_tiles" }
"""
    message = WHO + r": expected whole numbers from .* int32, got .* at .* It is read by isampler2D \(s\.frag:2\)\."
    with pytest.raises(PipelineFileError, match=message):
        plan_of(tmp_path, toml, s_frag=text_of("isampler2D"))


CHAIN = """
[[input]]
name = "x"
shape = [1, 1, 4, 4]
layout = "channel_tiles"
[[pass]]
name = "places"
shader = "places.frag"
output = { shape = [1, 1, 4, 4], layout = "channel_tiles" }
textures.u_x = "x"
[[pass]]
name = "y"
shader = "s.frag"
output = { shape = [1, 1, 4, 4], layout = "channel_tiles" }
textures.u_index = "places"
"""


def test_whole_numbers_that_a_pass_writes_as_floats_are_refused(tmp_path: Path) -> None:
    places = text_of("sampler2D").replace("u_index", "u_x")
    message = WHO + (
        r": expected whole numbers, which isampler2D \(s\.frag:2\) reads, got 'places', which a pass writes as "
        r"floats\. Read it through a float sampler"
    )
    with pytest.raises(PipelineFileError, match=message):
        plan_of(tmp_path, CHAIN, places_frag=places, s_frag=text_of("isampler2D"))


def test_a_tensor_read_as_signed_and_as_unsigned_is_unsigned(tmp_path: Path) -> None:
    toml = ENTRY.format(bound="", dtype="", layout="channel_tiles")
    toml += toml.partition("[[pass]]")[1] + toml.partition("[[pass]]")[2].replace('"y"', '"z"').replace(
        "s.frag", "z.frag"
    )
    plan = plan_of(tmp_path, toml, s_frag=text_of("usampler2D"), z_frag=text_of("isampler2D"))
    assert plan.textures["index"].dtype == "uint32"
