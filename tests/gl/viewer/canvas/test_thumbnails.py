"""Thumbnails: each in its own cell, in the colours of the canvas, drawn anew only where something has changed."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.canvas.canvas import Canvas, Picture
from texelscope.viewer.canvas.thumbnails import A_SIDE, SIDE_PIXELS, Thumbnail
from texelscope.viewer.colour.ranges import Range, shown_range
from texelscope.viewer.state import ViewMode

SHAPE = (1, 3, 10, 8)


@pytest.fixture
def canvas(gl: moderngl.Context) -> Iterator[Canvas]:
    made = Canvas(gl)
    yield made
    made.release()


def stored_as(layout: str, key: str = "x", shape: tuple[int, ...] = SHAPE) -> StoredTensor:
    return StoredTensor(key, key, shape, layouts.layout(layout))


def texture_of(gl: moderngl.Context, stored: StoredTensor, values: NDArray[np.float32]) -> moderngl.Texture:
    height, width = stored.texture_shape
    texels = stored.layout.encode(values).astype(np.float32)
    made = gl.texture((width, height), stored.layout.lanes, texels.tobytes(), dtype="f4", alignment=1)
    made.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return made


def pixels_of(shown: Thumbnail) -> NDArray[np.uint8]:
    """Returns the picture, uint8 [y, x, RGB]."""
    width, height = shown.texture.size
    sheet = np.frombuffer(shown.texture.read(alignment=1), np.uint8).reshape(height, width, 4)
    (left, top), (right, low) = shown.low, shown.high
    rows, columns = slice(round(top * height), round(low * height)), slice(round(left * width), round(right * width))
    return sheet[rows, columns, :3]


def values(seed: int = 0) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).standard_normal(SHAPE).astype(np.float32)
    made[0, 0, :3, 4] = np.nan, np.inf, -np.inf
    return made


@pytest.mark.parametrize("data_range", [(-2.0, 1.0), (0.0, 3.0), (0.5, 0.5), (-1e-30, 1e-30)])
@pytest.mark.parametrize("layout", ["channel_tiles", "channel_tiles_rgba"])
def test_a_thumbnail_is_what_the_canvas_draws(
    gl: moderngl.Context, canvas: Canvas, layout: str, data_range: tuple[float, float]
) -> None:
    stored = stored_as(layout)
    texture = texture_of(gl, stored, values() * np.float32(max(abs(data_range[0]), abs(data_range[1]))))
    first = canvas.thumbnails.of(stored_as("channel_tiles", "other"), texture, 1, (0.0, 1.0))
    shown = canvas.thumbnails.of(stored, texture, 1, data_range)
    canvas.thumbnails.draw()
    height, width = stored.texture_shape
    zoom = max(SIDE_PIXELS / max(width, height), min(6.0 / min(width, height), SIDE_PIXELS))
    picture = Picture(
        key="x", generation=1, mode=ViewMode.ACTUAL, pixels_per_texel=zoom, size=(SIDE_PIXELS, SIDE_PIXELS),
        origin=(min(width - SIDE_PIXELS / zoom, 0.0) / 2.0, min(height - SIDE_PIXELS / zoom, 0.0) / 2.0),
        value_range=shown_range(Range(), *data_range), lanes=(True,) * 4, seam=0.0, mark_negative=False,
    )  # fmt: skip
    large = canvas.draw("large", texture, stored, None, picture)
    expected = np.frombuffer(large.read(alignment=1), np.uint8).reshape(SIDE_PIXELS, SIDE_PIXELS, 4)[..., :3]
    np.testing.assert_allclose(pixels_of(shown).astype(int), expected, atol=1)
    assert first.low != shown.low, "each has its own place"
    texture.release()


def test_only_what_has_changed_is_drawn_anew(gl: moderngl.Context, canvas: Canvas) -> None:
    stored, thumbnails = stored_as("channel_tiles"), canvas.thumbnails
    textures = [texture_of(gl, stored, values(seed)) for seed in range(2)]
    for _ in range(2):
        shown = thumbnails.of(stored, textures[0], 1, (0.0, 1.0))
        thumbnails.draw()
    before = pixels_of(shown)
    assert thumbnails.drawn_count == 1
    assert thumbnails.last("x", 60.0) == shown
    assert thumbnails.last("x", 0.0) is None, "it is older than that"
    assert thumbnails.last("y", 60.0) is None
    for texture, generation, data_range in ((textures[1], 2, (0.0, 1.0)), (textures[1], 2, (-1.0, 1.0))):
        assert thumbnails.of(stored, texture, generation, data_range) == shown, "where it was"
        thumbnails.draw()
        assert not np.array_equal(pixels_of(shown), before)
        before = pixels_of(shown)
    assert thumbnails.drawn_count == 3
    canvas.forget()
    assert thumbnails.last("x", 60.0) is None
    for texture in textures:
        texture.release()


def test_more_than_a_sheet_holds_have_further_ones(gl: moderngl.Context, canvas: Canvas) -> None:
    stored = stored_as("channel_tiles")
    texture = texture_of(gl, stored, values())
    count = A_SIDE**2 + 2
    shown = [
        canvas.thumbnails.of(stored_as("channel_tiles", f"x{number}"), texture, 1, (0.0, 1.0))
        for number in range(count)
    ]
    canvas.thumbnails.draw()
    assert len({each.texture.glo for each in shown}) == 2
    assert len({(each.texture.glo, each.low) for each in shown}) == count
    first = pixels_of(shown[0])
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 10
    for each in (shown[A_SIDE**2 - 1], shown[-1]):
        np.testing.assert_array_equal(pixels_of(each), first)
    canvas.thumbnails.of(stored, texture, 1, (0.0, 1.0), 2.0)
    canvas.thumbnails.draw()
    assert pixels_of(canvas.thumbnails.of(stored, texture, 1, (0.0, 1.0), 2.0)).shape[0] == 2 * SIDE_PIXELS
    texture.release()
