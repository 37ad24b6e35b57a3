"""A tensor drawn in another layout is what that layout would have stored."""

from __future__ import annotations

import dataclasses
import itertools

import moderngl
import numpy as np
import pytest

from tests.pure.models import array
from texelscope import layouts
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.canvas.canvas import Canvas

SHAPES = ((2, 6, 3, 5), (25,), (2, 3, 2, 2, 3))


def read(texture: moderngl.Texture, shown: StoredTensor) -> np.ndarray:
    height, width = shown.texture_shape
    return np.frombuffer(texture.read(), np.float32).reshape(height, width, shown.layout.lanes)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_layout_is_seen_as_every_other(shape: tuple[int, ...], gl: moderngl.Context) -> None:
    value, canvas = array(*shape), Canvas(gl)
    for own, other in itertools.permutations(("channel_tiles", "channel_tiles_rgba", "row_major_rgba"), 2):
        stored = StoredTensor(own, own, shape, layouts.layout(own))
        shown = dataclasses.replace(stored, layout=layouts.layout(other))
        height, width = stored.texture_shape
        texels = stored.layout.encode(value)
        live = gl.texture((width, height), stored.layout.lanes, texels.tobytes(), dtype="f4", alignment=1)
        np.testing.assert_array_equal(read(canvas.in_layout(live, stored, shown, 1), shown), shown.layout.encode(value))
        assert canvas.in_layout(live, stored, stored, 1) is live
        live.release()
    canvas.release()


def test_it_is_drawn_again_when_the_tensor_has_changed_and_only_then(gl: moderngl.Context) -> None:
    canvas, shape = Canvas(gl), (1, 4, 4, 4)
    stored = StoredTensor("x", "x", shape, layouts.layout("channel_tiles_rgba"))
    shown = dataclasses.replace(stored, layout=layouts.layout("channel_tiles"))
    live = gl.texture(stored.texture_shape[::-1], 4, stored.layout.encode(np.ones(shape)).tobytes(), dtype="f4")
    made = canvas.in_layout(live, stored, shown, 1)
    live.write(stored.layout.encode(2.0 * np.ones(shape)).tobytes())
    assert read(canvas.in_layout(live, stored, shown, 1), shown).max() == 1.0
    assert canvas.in_layout(live, stored, shown, 2) is made
    assert read(made, shown).min() == 2.0
    live.release()
    canvas.release()
