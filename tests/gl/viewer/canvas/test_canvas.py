"""Tests what a picture marks: padding, unwritten texels, NaN, infinities and negative numbers; when it changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.canvas.canvas import Canvas, Picture
from texelscope.viewer.colour.ranges import Range, shown_range
from texelscope.viewer.state import ViewMode

SHAPE = (1, 3, 2, 2)  # in channel_tiles 4 x 4 texels, a quarter of them padding
PIXELS = 12  # the size of a texel
RED, GREEN, MAGENTA = (255, 26, 26), (26, 230, 51), (255, 89, 242)


@pytest.fixture
def canvas(gl: moderngl.Context) -> Iterator[Canvas]:
    made = Canvas(gl)
    yield made
    made.release()


def drawn(
    gl: moderngl.Context,
    canvas: Canvas,
    values: NDArray[np.float32],
    unwritten: NDArray[np.bool_] | None = None,
    expected: Expected | None = None,
    **how: Any,
) -> NDArray[np.uint8]:
    """Returns the picture, uint8 [texel row, texel column, pixel of the texel, RGB]."""
    stored = StoredTensor("x", "x", SHAPE, layouts.layout("channel_tiles"))
    texels = stored.layout.encode(values)
    texture = gl.texture((4, 4), 1, texels.astype(np.float32).tobytes(), dtype="f4", alignment=1)
    given: dict[str, Any] = {"mode": ViewMode.ACTUAL, "mark_negative": False, "value_range": (0.0, 1.0), **how}
    picture = Picture(
        key="x", generation=1, origin=(0.0, 0.0), pixels_per_texel=PIXELS, size=(4 * PIXELS, 4 * PIXELS),
        lanes=(True,) * 4, seam=0.0, unwritten=int(unwritten is not None), **given,
    )  # fmt: skip
    shown = canvas.draw("test", texture, stored, expected, picture, unwritten)
    rgba = np.frombuffer(shown.read(alignment=1), np.uint8).reshape(4, PIXELS, 4, PIXELS, 4)
    texture.release()
    return np.moveaxis(rgba, 2, 1).reshape(4, 4, PIXELS * PIXELS, 4)[..., :3]


def has(texel: NDArray[np.uint8], colour: Sequence[int]) -> bool:
    return bool((np.abs(texel.astype(int) - colour) <= 1).all(axis=-1).any())


def test_elements_that_no_fragment_wrote_are_crossed_and_no_others(gl: moderngl.Context, canvas: Canvas) -> None:
    unwritten = np.zeros(SHAPE, dtype=bool)
    unwritten[0, 1, 0, 1] = True  # texel (3, 0)
    picture = drawn(gl, canvas, np.full(SHAPE, 0.5, dtype=np.float32), unwritten)
    crossed = [(tx, ty) for ty in range(4) for tx in range(4) if has(picture[ty, tx], MAGENTA)]
    assert crossed == [(3, 0)]
    picture = drawn(gl, canvas, np.full(SHAPE, 0.5, dtype=np.float32), None)
    assert not has(picture[0, 3], MAGENTA), "once all is written the cross is gone"


def test_padding_is_hatched_in_grey(gl: moderngl.Context, canvas: Canvas) -> None:
    picture = drawn(gl, canvas, np.full(SHAPE, 0.5, dtype=np.float32))
    hatched = [(tx, ty) for ty in range(4) for tx in range(4) if len(np.unique(picture[ty, tx], axis=0)) == 2]
    assert hatched == [(2, 2), (3, 2), (2, 3), (3, 3)]


def test_nan_infinities_and_negative_numbers_have_colours_of_their_own(gl: moderngl.Context, canvas: Canvas) -> None:
    values = np.full(SHAPE, 0.5, dtype=np.float32)
    values[0, 0] = [[np.nan, np.inf], [-np.inf, -0.25]]
    picture = drawn(gl, canvas, values, mark_negative=True)
    assert has(picture[0, 0], RED)
    assert has(picture[0, 1], GREEN)
    assert has(picture[1, 0], GREEN)
    assert has(picture[1, 1], (38, 89, 242)), "blue"
    grey = picture[0, 2][0]
    assert grey[0] == grey[1] == grey[2], "the others are grey"


def test_what_is_infinite_or_nan_as_expected_is_no_difference(gl: moderngl.Context, canvas: Canvas) -> None:
    values = np.full(SHAPE, 0.5, dtype=np.float32)
    values[0, 0] = [[np.nan, np.inf], [-np.inf, np.inf]]
    oracle = values.copy()
    oracle[0, 0, 1] = 0.5
    picture = drawn(gl, canvas, values, expected=Expected(oracle, None), mode=ViewMode.DIFFERENCE, oracle=1)
    assert not has(picture[0, 0], RED)
    assert not has(picture[0, 1], GREEN)
    assert has(picture[1, 0], GREEN)
    assert has(picture[1, 1], GREEN)


@pytest.mark.parametrize("name", colour_maps.names())
def test_a_map_that_is_chosen_is_the_pictures(gl: moderngl.Context, canvas: Canvas, name: str) -> None:
    values = np.zeros(SHAPE, dtype=np.float32)
    values[0, 1] = 1.0
    picture = drawn(gl, canvas, values, colours=name)
    table = np.rint(255 * colour_maps.table(name))
    assert has(picture[0, 0], tuple(table[0]))
    assert has(picture[0, 3], tuple(table[-1]))


def test_another_oracle_has_another_picture_though_it_lies_where_the_last_one_lay(
    gl: moderngl.Context, canvas: Canvas
) -> None:
    values = np.full(SHAPE, 0.5, dtype=np.float32)
    dark = Expected(np.zeros(SHAPE), None)
    first = drawn(gl, canvas, values, expected=dark, mode=ViewMode.ORACLE, oracle=1)
    address = id(dark.value)
    del dark
    others = [Expected(np.ones(SHAPE), None)]
    while id(others[-1].value) != address:
        others.append(Expected(np.ones(SHAPE), None))
    second = drawn(gl, canvas, values, expected=others[-1], mode=ViewMode.ORACLE, oracle=2)
    assert has(first[0, 0], tuple(np.rint(255 * colour_maps.table("unsigned")[0])))
    assert has(second[0, 0], tuple(np.rint(255 * colour_maps.table("unsigned")[-1])))


def test_end_to_end_and_on_its_own_inputs_are_two_pictures(gl: moderngl.Context, canvas: Canvas) -> None:
    values = np.full(SHAPE, 0.5, dtype=np.float32)
    shown = [
        drawn(
            gl,
            canvas,
            values,
            expected=Expected(np.full(SHAPE, value), None),
            mode=ViewMode.ORACLE,
            oracle=1,
            chained=on,
        )
        for on, value in ((False, 0.0), (True, 1.0))
    ]
    assert (shown[0][0, 0] != shown[1][0, 0]).any()


def test_a_picture_is_drawn_anew_for_another_session(gl: moderngl.Context, canvas: Canvas) -> None:
    values = np.full(SHAPE, 0.5, dtype=np.float32)
    drawn(gl, canvas, values)
    drawn(gl, canvas, values)
    assert canvas.drawn_count == 1
    canvas.forget()
    drawn(gl, canvas, values)
    assert canvas.drawn_count == 2


@pytest.mark.parametrize(("low", "high"), [(-3.4e38, 3.4e38), (0.0, 3.4e38), (-1e-30, 1e-30), (1.0, 2.0)])
def test_the_ends_of_a_range_have_the_first_and_the_last_colour(
    gl: moderngl.Context, canvas: Canvas, low: float, high: float
) -> None:
    values = np.full(SHAPE, low, dtype=np.float32)
    values[0, 1] = high
    picture = drawn(gl, canvas, values, value_range=(low, high))
    table = np.rint(255 * colour_maps.table("signed" if low < 0.0 else "unsigned"))
    assert has(picture[0, 0], tuple(table[0]))
    assert has(picture[0, 3], tuple(table[-1]))


@pytest.mark.parametrize("value", [0.0, 0.25, 1e7, 1e20, 3.4e38, -1e20])
def test_one_number_everywhere_has_a_range_to_be_shown_in(value: float) -> None:
    low, high = shown_range(Range(), value, value)
    assert np.float32(low) < np.float32(high)
    assert low <= value <= high
    assert np.isfinite(np.float32(high) - np.float32(low))
