"""Draws a tensor's picture; during live runs a picture stays until the next frame is compared."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.canvas.canvas import Picture
from texelscope.viewer.state import ViewMode

# Pictures of kept runs have numbers below those of frames.
_RUNS = 1 << 40


def drawn(
    app: App,
    slot: str,
    stored: StoredTensor,
    expected: Expected | None,
    picture: Picture,
    unwritten: NDArray[np.bool_] | None,
) -> moderngl.Texture:
    """Draws the picture for the place called `slot`; `stored` is the tensor in its displayed layout."""
    session, comparison, frame = app.document.session, app.document.comparison, app.document.frame_compared
    assert session is not None
    own, key = session.plan.textures[stored.key], stored.key
    there, shown = session.is_valid(key), app.document.shown
    if shown is not None and key in shown.tensors:
        number = shown.number * len(session.plan.textures) - tuple(session.plan.textures).index(key)
        texture = app.display.canvas.hold(f"run in {slot}", number, own.encode(shown.tensors[key].values))
        texture = app.display.canvas.in_layout(texture, own, stored, number - _RUNS)
        return app.display.canvas.draw(
            slot, texture, stored, expected, replace(picture, generation=number - _RUNS), unwritten
        )
    held = frame is not None and key in frame
    if held and not there and picture.mode is ViewMode.ACTUAL:
        last = app.display.canvas.last(slot)
        if last is not None and replace(last[1], generation=picture.generation, oracle=picture.oracle) == picture:
            return last[0]
    if held and (not there or picture.mode is not ViewMode.ACTUAL):
        assert frame is not None
        assert comparison is not None
        keys = tuple(session.plan.textures)
        number = comparison.number * len(keys) + keys.index(key)
        texture = app.display.canvas.hold(f"frame in {slot}", number, own.encode(frame[key]))
        generation = -number
    else:
        texture, generation = session.texture(key), picture.generation
    texture = app.display.canvas.in_layout(texture, own, stored, generation)
    return app.display.canvas.draw(slot, texture, stored, expected, replace(picture, generation=generation), unwritten)
