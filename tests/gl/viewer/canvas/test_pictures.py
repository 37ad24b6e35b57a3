"""A tensor seen as a picture has the colours of its channels, whichever layout it is stored in."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pure.models import array
from texelscope import layouts
from texelscope.layouts import all_layouts
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.canvas.canvas import Canvas, Picture
from texelscope.viewer.colour.picture import TrueColour, layout_of
from texelscope.viewer.state import ViewMode

SHAPE = (2, 5, 9, 12)
LIMITS = (-1.0, 1.0)
GREYS = (0.40, 0.60)


@pytest.fixture(scope="module")
def canvas(gl: moderngl.Context) -> Iterator[Canvas]:
    made = Canvas(gl)
    yield made
    made.release()


def drawn(
    gl: moderngl.Context,
    canvas: Canvas,
    values: NDArray[np.float32],
    seen: TrueColour,
    layout: str = "channel_tiles",
    expected: NDArray[np.float32] | None = None,
    **how: Any,
) -> NDArray[np.int64]:
    """Returns the picture of a tensor in that layout, a pixel a texel: 0 to 255 [row, column, RGB]."""
    canvas.forget()
    stored = StoredTensor("x", "x", values.shape, layouts.layout(layout))
    shown = dataclasses.replace(stored, layout=layout_of(values.shape, seen))
    height, width = stored.texture_shape
    texels = stored.layout.encode(values)
    live = gl.texture((width, height), stored.layout.lanes, texels.tobytes(), dtype="f4", alignment=1)
    rows, columns = shown.texture_shape
    given: dict[str, Any] = {"mode": ViewMode.ACTUAL, "value_range": LIMITS, "lanes": (True,) * 4, **how}
    picture = Picture(
        key="x", generation=1, origin=(0.0, 0.0), pixels_per_texel=1.0, size=(columns, rows), seam=0.0,
        mark_negative=False, layout=str(shown.layout), linear=seen.linear, **given,
    )  # fmt: skip
    oracle = Expected(expected, None) if expected is not None else None
    target = canvas.draw("test", canvas.in_layout(live, stored, shown, 1), shown, oracle, picture)
    pixels = np.frombuffer(target.read(alignment=1), np.uint8).reshape(rows, columns, 4)
    live.release()
    return pixels[..., :3].astype(np.int64)


def as_pixels(share: NDArray[Any]) -> NDArray[np.int64]:
    """Shares [row, column, RGB] as a screen has them."""
    rounded: NDArray[np.int64] = np.rint(np.clip(share, 0.0, 1.0) * 255.0).astype(np.int64)
    return rounded


def shares(values: NDArray[np.float32], n: int, channels: tuple[int, ...]) -> NDArray[np.float32]:
    return np.moveaxis((values[n, list(channels)] - LIMITS[0]) / (LIMITS[1] - LIMITS[0]), 0, 2)


@pytest.mark.parametrize("layout", list(all_layouts()))
def test_three_channels_of_any_layout_are_red_green_and_blue(gl: moderngl.Context, canvas: Canvas, layout: str) -> None:
    values = array(*SHAPE)
    pixels = drawn(gl, canvas, values, TrueColour(n=1, channels=(4, 0, 2)), layout)
    np.testing.assert_allclose(pixels, as_pixels(shares(values, 1, (4, 0, 2))), atol=1)


def test_channels_may_be_the_last_axis(gl: moderngl.Context, canvas: Canvas) -> None:
    values = array(1, 9, 12, 3)
    pixels = drawn(gl, canvas, values, TrueColour())
    np.testing.assert_allclose(pixels, as_pixels((values[0] - LIMITS[0]) / 2.0), atol=1)


def test_one_channel_is_grey_and_so_is_one_lane_alone(gl: moderngl.Context, canvas: Canvas) -> None:
    values = array(*SHAPE)
    grey = as_pixels(shares(values, 0, (3, 3, 3)))
    np.testing.assert_allclose(drawn(gl, canvas, values, TrueColour(channels=(3,))), grey, atol=1)
    alone = drawn(gl, canvas, values, TrueColour(channels=(0, 3, 1)), lanes=(False, True, False, False))
    np.testing.assert_allclose(alone, grey, atol=1)


def test_amounts_of_light_are_encoded_for_the_screen(gl: moderngl.Context, canvas: Canvas) -> None:
    values = array(*SHAPE)
    light = np.clip(shares(values, 0, (0, 1, 2)).astype(np.float64), 0.0, 1.0)
    srgb = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    pixels = drawn(gl, canvas, values, TrueColour(linear=True))
    np.testing.assert_allclose(pixels, as_pixels(srgb), atol=1)


def test_a_fourth_channel_lets_a_board_through(gl: moderngl.Context, canvas: Canvas) -> None:
    values = array(1, 4, 9, 12)
    share = np.clip(shares(values, 0, (0, 1, 2, 3)), 0.0, 1.0)
    pixels = drawn(gl, canvas, values, TrueColour())
    rows, columns = np.indices(values.shape[2:]) // 8
    board = np.where((rows + columns) % 2 == 0, *GREYS)[..., None]
    through = board + (share[..., :3] - board) * share[..., 3:]
    np.testing.assert_allclose(pixels, as_pixels(through), atol=1)
    opaque = drawn(gl, canvas, values, TrueColour(), lanes=(True, True, True, False))
    np.testing.assert_allclose(opaque, as_pixels(share[..., :3]), atol=1)


def test_oracle_difference_and_both_beside_a_seam_are_seen_so_too(gl: moderngl.Context, canvas: Canvas) -> None:
    values, oracle = array(*SHAPE), array(*SHAPE, seed=1)
    seen = TrueColour(n=1, channels=(2, 1, 0))
    wanted = as_pixels(shares(oracle, 1, (2, 1, 0)))
    actual = as_pixels(shares(values, 1, (2, 1, 0)))
    pixels = drawn(gl, canvas, values, seen, expected=oracle, mode=ViewMode.ORACLE, oracle=1)
    np.testing.assert_allclose(pixels, wanted, atol=1)
    pixels = drawn(gl, canvas, values, seen, expected=oracle, mode=ViewMode.DIFFERENCE, oracle=1)
    np.testing.assert_allclose(pixels, as_pixels(shares(values - oracle, 1, (2, 1, 0))), atol=1)
    canvas.forget()
    half = drawn(gl, canvas, values, seen, expected=values, mode=ViewMode.DIFFERENCE, oracle=1)
    assert set(np.unique(half)) <= {127, 128}, "grey where there is no difference"
    assert (actual != wanted).any()


def test_beside_a_lane_that_is_infinite_the_others_are_seen(gl: moderngl.Context, canvas: Canvas) -> None:
    values = array(*SHAPE)
    wanted = as_pixels(shares(values, 0, (0, 1, 2)))[2, 3]
    values[0, 1, 2, 3] = np.inf
    stored = StoredTensor("x", "x", SHAPE, layouts.layout("channel_tiles"))
    shown = dataclasses.replace(stored, layout=layout_of(SHAPE, TrueColour()))
    height, width = stored.texture_shape
    live = gl.texture((width, height), 1, stored.layout.encode(values).tobytes(), dtype="f4", alignment=1)
    canvas.forget()
    picture = Picture(
        key="x", generation=1, mode=ViewMode.ACTUAL, origin=(3.0, 2.0), pixels_per_texel=16.0, size=(16, 16),
        value_range=LIMITS, lanes=(True,) * 4, seam=0.0, mark_negative=False,
    )  # fmt: skip
    target = canvas.draw("test", canvas.in_layout(live, stored, shown, 1), shown, None, picture)
    pixels = np.frombuffer(target.read(alignment=1), np.uint8).reshape(16, 16, 4)[..., :3].astype(np.int64)
    assert np.abs(pixels[12, 12] - (26, 230, 51)).max() <= 1
    assert np.abs(pixels[3, 3] - wanted)[[0, 2]].max() <= 1
    live.release()


def test_a_picture_holds_one_texture_whichever_channels_were_seen(gl: moderngl.Context) -> None:
    canvas, values = Canvas(gl), array(*SHAPE)
    stored = StoredTensor("x", "x", SHAPE, layouts.layout("channel_tiles"))
    height, width = stored.texture_shape
    live = gl.texture((width, height), 1, stored.layout.encode(values).tobytes(), dtype="f4", alignment=1)
    seen = []
    for n in range(2):
        shown = dataclasses.replace(stored, layout=layout_of(SHAPE, TrueColour(n=n)))
        made = canvas.in_layout(live, stored, shown, 1)
        seen.append(made)
        texels = np.frombuffer(made.read(), np.float32).reshape(*SHAPE[2:], 4)
        np.testing.assert_array_equal(texels[..., :3], np.moveaxis(values[n, :3], 0, 2))
    assert [type(made.mglo) is moderngl.InvalidObject for made in seen] == [True, False], "the first was freed"
    live.release()
    canvas.release()
