"""The range of a texture as the GPU finds it is that of its finite numbers; others are counted."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pure.models import array
from texelscope import layouts
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.canvas.canvas import Canvas
from texelscope.viewer.canvas.spread import Spread
from texelscope.viewer.state import ViewMode

SHAPES = ((2, 5, 9, 12), (1, 3, 100, 150), (7,))


@pytest.fixture
def canvas(gl: moderngl.Context) -> Iterator[Canvas]:
    made = Canvas(gl)
    yield made
    made.release()


def texture_of(gl: moderngl.Context, stored: StoredTensor, values: NDArray[np.float32]) -> moderngl.Texture:
    height, width = stored.texture_shape
    data = stored.layout.encode(values).tobytes()
    texture = gl.texture((width, height), stored.layout.lanes, data, dtype="f4", alignment=1)
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layout", ["channel_tiles", "channel_tiles_rgba", "row_major_rgba"])
def test_the_range_is_that_of_the_finite_numbers(
    gl: moderngl.Context, canvas: Canvas, layout: str, shape: tuple[int, ...]
) -> None:
    values = array(*shape) + np.float32(10.0)  # padding, which is 0, would be the least
    values.reshape(-1)[:5] = np.nan, np.inf, -np.inf, np.nan, 20.0
    stored = StoredTensor("x", "x", shape, layouts.layout(layout))
    texture = texture_of(gl, stored, values)
    finite = values[np.isfinite(values)]
    found = canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 1)
    assert found == Spread(float(finite.min()), float(finite.max()), nan=2, infinite=2)
    texture.release()


def test_numbers_outside_limits_are_counted_without_padding(gl: moderngl.Context, canvas: Canvas) -> None:
    shape = (1, 3, 100, 150)
    values = np.full(shape, 0.5, dtype=np.float32)
    values.reshape(-1)[[7, 900, 44_999]] = -0.25, -0.5, 1.5
    values.reshape(-1)[[8, 9, 10, 11]] = np.nan, -np.inf, np.inf, 1.0
    stored = StoredTensor("x", "x", shape, layouts.layout("channel_tiles_rgba"))
    texture = texture_of(gl, stored, values)
    found = canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 1, limits=(0.1, 1.0))
    assert found == Spread(-0.5, 1.5, nan=1, infinite=2, below=2, above=1)
    assert canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 1).below == 0, "nothing was asked"
    texture.release()


def test_equal_infinities_and_expected_nan_are_no_difference(gl: moderngl.Context, canvas: Canvas) -> None:
    values, stored = array(1, 3, 4, 4), StoredTensor("x", "x", (1, 3, 4, 4), layouts.layout("channel_tiles"))
    oracle = values.astype(np.float64) + 0.25
    for number, odd in enumerate((np.inf, -np.inf, np.nan)):
        values[0, 0, 0, number] = oracle[0, 0, 0, number] = odd
    values[0, 1, 0, 0], values[0, 1, 0, 1] = np.inf, np.nan
    texture, expected = texture_of(gl, stored, values), Expected(oracle, None)
    found = canvas.spread(ViewMode.DIFFERENCE, lambda: texture, stored, 1, expected, (1, False))
    assert (found.nan, found.infinite) == (1, 1)
    assert found.range == pytest.approx((-0.25, 0.0), abs=1e-6)
    found = canvas.spread(ViewMode.ORACLE, lambda: texture, stored, 1, expected, (1, False))
    assert (found.nan, found.infinite) == (1, 2)
    texture.release()


def test_without_a_finite_number_the_range_is_0_to_1(gl: moderngl.Context, canvas: Canvas) -> None:
    stored = StoredTensor("x", "x", (3, 3), layouts.layout("channel_tiles"))
    texture = texture_of(gl, stored, np.full((3, 3), np.nan, dtype=np.float32))
    found = canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 1)
    assert (found.range, found.nan) == ((0.0, 1.0), 9)
    texture.release()


def test_it_is_asked_again_when_the_tensor_has_changed_and_only_then(gl: moderngl.Context, canvas: Canvas) -> None:
    stored = StoredTensor("x", "x", (3, 3), layouts.layout("channel_tiles"))
    texture = texture_of(gl, stored, np.ones((3, 3), dtype=np.float32))
    assert canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 1).range == (1.0, 1.0)
    texture.write(np.full((3, 3), 2.0, dtype=np.float32).tobytes())
    assert canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 1).range == (1.0, 1.0)
    assert canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 2, seconds=60.0).range == (1.0, 1.0), "soon enough"
    assert canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 2).range == (2.0, 2.0)
    canvas.forget()
    assert canvas.spread(ViewMode.ACTUAL, lambda: texture, stored, 2).range == (2.0, 2.0)
    texture.release()
