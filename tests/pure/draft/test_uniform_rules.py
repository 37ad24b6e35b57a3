"""A uniform's likely value follows from its name and type; a name that says nothing has none."""

from __future__ import annotations

import pytest

from texelscope.pipeline.draft.uniform_rules import UniformPlace, guessed_value

READS = {"u_image": "image", "u_filter": "conv1.weight"}


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("u_outputSize", "vec2", "size(conv1)"),
        ("resolution", "ivec2", "size(conv1)"),
        ("u_image_size", "vec2", "size(image)"),
        ("inputSize", "ivec2", "size(image)"),
        ("u_filter_size", "vec2", 'size("conv1.weight")'),
        ("u_texel", "vec2", "texel_size(image)"),
        ("u_filter_texel", "vec2", 'texel_size("conv1.weight")'),
        ("u_num_filters", "vec2", "grid(conv1)"),
        ("u_outputTiles", "vec2", "grid(conv1)"),
        ("u_width", "int", "shape(conv1).w"),
        ("in_channels", "int", "shape(image).c"),
        ("output_height", "float", "shape(conv1).h"),
        ("outShape", "ivec4", "shape(conv1)"),
        ("count", "int", "count(conv1)"),
        ("Params.width", "int", "shape(conv1).w"),
        ("u_frame", "int", "frame"),
        ("iTime", "float", "time"),
        ("iMouse", "vec4", "mouse"),
        ("u_input.size", "vec2", "size(image)"),
        ("u_output.depth4", "float", "shape(conv1).c / 4"),
        ("u_input.packScaleZero", "vec2", [1.0, 0.0]),
    ],
)
def test_a_name_that_says_its_meaning_has_a_value(name: str, kind: str, value: str | list[float]) -> None:
    found = guessed_value(UniformPlace(name, kind, READS, "conv1"))
    assert found is not None
    assert found[0] == value
    assert found[1]


@pytest.mark.parametrize(("name", "kind"), [("u_gain", "float"), ("alpha", "vec4"), ("u_size", "mat2"), ("k", "int")])
def test_a_name_that_says_nothing_has_none(name: str, kind: str) -> None:
    assert guessed_value(UniformPlace(name, kind, READS, "conv1")) is None


def test_a_size_is_that_of_a_tile_where_sizes_are_those_of_tiles() -> None:
    found = guessed_value(UniformPlace("u_output_size", "vec2", READS, "conv1", sizes_of_tiles=True))
    assert found == ("size(conv1) / grid(conv1)", "'u_output_size' is the size of a tile of conv1")


NUMBERS = {"stride": (2, 1), "pad": (1, 1), "kernel": (5, 3), "slope": (0.2,)}


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("uStride", "ivec2", [2, 1]),
        ("stride_h", "int", 1),
        ("uPad", "int", 1),
        ("u_kernelSize", "vec2", [5, 3]),
        ("Params.Slope", "float", 0.2),
        ("slope", "vec4", [0.2, 0.2, 0.2, 0.2]),
    ],
)
def test_a_number_of_the_models_node_is_the_value(name: str, kind: str, value: object) -> None:
    found = guessed_value(UniformPlace(name, kind, READS, "conv1", numbers=NUMBERS))
    assert found is not None
    assert found[0] == value


def test_a_stride_that_differs_along_the_axes_is_no_single_number() -> None:
    assert guessed_value(UniformPlace("stride", "int", READS, "conv1", numbers=NUMBERS)) is None
