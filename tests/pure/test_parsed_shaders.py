"""What parsing makes of a sample of shaders is as it is kept; `python -m tests.parsed_shaders` looks at all of them."""

from __future__ import annotations

import pytest

from tests.parsed_shaders.collecting import every_shader
from tests.parsed_shaders.digests import LEFT_OUT, PARTS, hashes_of, read_hashes
from tests.parsed_shaders.shader import Shader

# Fragment shaders of several versions and styles, a compute shader, files of two engines.
SAMPLE = (
    "files/examples/convolution_twice/conv.comp",
    "files/examples/mpv/sharpen_x2.glsl",
    "files/examples/ncnn/relu_pack4.comp",
    "written/elements/leaky_uv/y",
    "written/elements/leaky_uv_rgba/y",
    "written/pictures/maxpool_packed/y",
    "written/rows/attention_getx/y",
)


@pytest.fixture(scope="module")
def shaders() -> dict[str, Shader]:
    return {shader.name: shader for shader in every_shader(("written", "files"))}


@pytest.mark.parametrize("name", SAMPLE)
def test_parsing_a_shader_of_the_sample_makes_what_is_kept(shaders: dict[str, Shader], name: str) -> None:
    shader, kept = shaders[name], read_hashes()[name]
    assert shader.key == kept.key, f"the shader changed: python -m tests.parsed_shaders --write --only '{name}'"
    made = hashes_of(shader, {part for part in PARTS if kept.parts[part] != LEFT_OUT})
    assert made == kept, f"look at it with: python -m tests.parsed_shaders --show '{name}'"


def test_what_is_kept_of_the_sample_covers_every_part() -> None:
    kept = [read_hashes()[name] for name in SAMPLE]
    assert all(any(len(each.parts[part]) > 1 for each in kept) for part in PARTS if part != "refusals")
