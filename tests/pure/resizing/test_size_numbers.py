"""Sizes that a person wrote as numbers become those of other shapes."""

from __future__ import annotations

from typing import Any

import pytest

from texelscope import layouts
from texelscope.pipeline.pipeline_file.tensor_uniforms import TensorUniform
from texelscope.pipeline.resizing.size_numbers import following_size, resized, resized_text

TILES = layouts.layout("channel_tiles")
BEFORE = [((1, 16, 30, 32), TILES), ((1, 3, 60, 64), TILES)]
AFTER = [((1, 4, 5, 6), TILES), ((1, 3, 10, 12), TILES)]


@pytest.mark.parametrize(
    ("value", "now"),
    [
        ([32, 30], [6, 5]),
        ([64, 60], [12, 10]),
        ([128, 120], [12, 10]),  # the output's texture
        ([1, 16, 30, 32], [1, 4, 5, 6]),
        ([7, 9], [7, 9]),
        (16, 4),
        (30.0, 5),
        (0.5, 0.5),
        (True, True),
        ("grid(down1)", "grid(down1)"),
    ],
)
def test_a_uniform_follows_the_shapes(value: Any, now: Any) -> None:
    assert resized(value, BEFORE, AFTER) == now


def test_a_shader_follows_the_shapes_but_for_small_numbers_and_names() -> None:
    text = "const vec2 SIZE = vec2(64.0, 60.0); int u16 = 3 * 16 + at32; float a = 1.32; // 0.60"
    assert resized_text(text, BEFORE, AFTER) == (
        "const vec2 SIZE = vec2(12.0, 10.0); int u16 = 3 * 4 + at32; float a = 1.32; // 0.60"
    )


@pytest.mark.parametrize(
    ("old", "new", "now"),
    [
        (3.0, 16, 4),  # a size, in place of anything
        (16, 17, 5),  # one more than a size
        (16, 8, -4),
        (7, 9, 9),
        ([32, 7], [33, 9], [7, 9]),
        ("shape(x).c", 9, 9),
        (16, "shape(x).c", "shape(x).c"),
        (True, False, False),
    ],
)
def test_a_number_in_place_of_a_size_may_follow_that(old: Any, new: Any, now: Any) -> None:
    assert following_size(old, new, BEFORE, AFTER) == now


def test_a_weight_in_a_uniform_stays_at_another_size() -> None:
    weight = TensorUniform("w", TILES)
    assert resized(weight, [], []) is weight
    assert following_size(weight, 3, [], []) == 3
