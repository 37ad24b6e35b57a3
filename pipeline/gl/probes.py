"""Small experiments on a driver: what it says it can is not always what it does."""

from __future__ import annotations

from dataclasses import dataclass

import moderngl
import numpy as np

# Negative, beyond 16 bits, a power of two, a small integer: what clamping, half floats and 8 bits would change.
_TEXEL = (-1.5, 3.0e5, 0.25, 7.0)


@dataclass(frozen=True)
class Probe:
    """Whether the driver passed, and what was seen."""

    passed: bool
    seen: str


def float_target(context: moderngl.Context) -> Probe:
    """Whether negative and large values survive a float32 render target and its read-back."""
    texture = context.texture((1, 1), 4, dtype="f4")
    target = context.framebuffer([texture])
    target.clear(*_TEXEL)
    texel = np.frombuffer(target.read(components=4, dtype="f4"), dtype=np.float32)
    target.release()
    texture.release()
    exact = np.array_equal(texel, np.array(_TEXEL, dtype=np.float32))
    return Probe(exact, "exact" if exact else f"{texel.tolist()} in place of {list(_TEXEL)}")


def timer(context: moderngl.Context) -> Probe:
    """Whether timer queries answer."""
    try:
        query = context.query(time=True)
        with query:
            context.finish()
        return Probe(passed=True, seen=f"{query.elapsed} ns for nothing")
    except moderngl.Error as error:
        return Probe(passed=False, seen=str(error))
