"""A tensor's picture; where frame follows frame the last one stays until the next, and no picture mixes two frames."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture.canvas import Picture

# What is drawn of runs that are kept is told by numbers below those of frames.
_RUNS = 1 << 40


def drawn(
    app: App,
    slot: str,
    stored: StoredTensor,
    expected: Expected | None,
    picture: Picture,
    unwritten: NDArray[np.bool_] | None,
) -> moderngl.Texture:
    """The picture for the place called `slot`; `stored` is the tensor in the layout that it is shown in."""
    session, comparison, frame = app.document.session, app.document.comparison, app.document.frame_compared
    assert session is not None
    own, key = session.plan.textures[stored.key], stored.key
    there, shown = session.is_valid(key), app.document.shown
    if shown is not None and key in shown.tensors:
        number = shown.number * len(session.plan.textures) - tuple(session.plan.textures).index(key)
        texture = app.canvas.hold(f"run in {slot}", number, own.layout.encode(shown.tensors[key].values))
        texture = app.canvas.in_layout(texture, own, stored, number - _RUNS)
        return app.canvas.draw(slot, texture, stored, expected, replace(picture, generation=number - _RUNS), unwritten)
    held = frame is not None and key in frame
    if held and not there and picture.mode is ViewMode.ACTUAL:
        last = app.canvas.last(slot)
        if last is not None and replace(last[1], generation=picture.generation, oracle=picture.oracle) == picture:
            return last[0]
    if held and (not there or picture.mode is not ViewMode.ACTUAL):
        assert frame is not None
        assert comparison is not None
        keys = tuple(session.plan.textures)
        number = comparison.number * len(keys) + keys.index(key)
        texture = app.canvas.hold(f"frame in {slot}", number, own.layout.encode(frame[key]))
        generation = -number
    else:
        texture, generation = session.texture(key), picture.generation
    texture = app.canvas.in_layout(texture, own, stored, generation)
    return app.canvas.draw(slot, texture, stored, expected, replace(picture, generation=generation), unwritten)
