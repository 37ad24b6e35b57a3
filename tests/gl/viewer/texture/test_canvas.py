"""What a picture marks: padding, what no fragment wrote, NaN, infinities and negative numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

import layouts
from pipeline.plan import StoredTensor
from viewer.state import Mode
from viewer.texture.canvas import Canvas, Picture

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
    **how: Any,
) -> NDArray[np.uint8]:
    """The picture, uint8 [texel row, texel column, pixel of the texel, RGB]."""
    stored = StoredTensor("x", "x", SHAPE, layouts.layout("channel_tiles"))
    texels = stored.layout.encode(values)
    texture = gl.texture((4, 4), 1, texels.astype(np.float32).tobytes(), dtype="f4", alignment=1)
    given: dict[str, Any] = {"mode": Mode.ACTUAL, "mark_negative": False, **how}
    picture = Picture(
        key="x", generation=1, oracle=0, origin=(0.0, 0.0), pixels_per_texel=PIXELS, size=(4 * PIXELS, 4 * PIXELS),
        value_range=(0.0, 1.0), lanes=(True,) * 4, seam=0.0, unwritten=int(unwritten is not None), **given,
    )  # fmt: skip
    shown = canvas.draw("test", texture, stored, None, picture, unwritten)
    rgba = np.frombuffer(shown.read(alignment=1), np.uint8).reshape(4, PIXELS, 4, PIXELS, 4)
    texture.release()
    return np.moveaxis(rgba, 2, 1).reshape(4, 4, PIXELS * PIXELS, 4)[..., :3]


def has(texel: NDArray[np.uint8], colour: tuple[int, int, int]) -> bool:
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
