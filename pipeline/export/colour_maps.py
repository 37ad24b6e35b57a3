"""Colour maps as tables: 256 steps of RGB in [0, 1], float32 [256, 3], dark (or first hue) to light (or second).

Legible with any colour vision: `signed` runs from blue over near-black to orange, so that zero is dark and the
sign is a hue that deuteranopes and protanopes tell apart; `unsigned` rises in lightness all the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

STEPS = 256

# Anchors (position, red, green, blue), linearly interpolated. `unsigned` follows viridis (CC0, S. van der Walt
# and N. Smith, 2015), sampled at nine places.
_ANCHORS: Mapping[str, tuple[tuple[float, float, float, float], ...]] = MappingProxyType(
    {
        "grey": ((0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0)),
        "unsigned": (
            (0.0, 0.267, 0.005, 0.329),
            (0.125, 0.278, 0.176, 0.484),
            (0.25, 0.231, 0.318, 0.545),
            (0.375, 0.173, 0.443, 0.557),
            (0.5, 0.129, 0.565, 0.551),
            (0.625, 0.153, 0.678, 0.506),
            (0.75, 0.361, 0.784, 0.388),
            (0.875, 0.667, 0.863, 0.196),
            (1.0, 0.993, 0.906, 0.144),
        ),
        "signed": (
            (0.0, 0.60, 0.83, 1.00),
            (0.25, 0.13, 0.47, 0.80),
            (0.5, 0.06, 0.06, 0.08),
            (0.75, 0.85, 0.42, 0.08),
            (1.0, 1.00, 0.86, 0.55),
        ),
    }
)


def names() -> tuple[str, ...]:
    """The colour maps there are."""
    return tuple(_ANCHORS)


@cache
def table(name: str) -> NDArray[np.float32]:
    """The map called `name`, float32 [256, 3]; read-only."""
    anchors = np.array(_ANCHORS[name])
    steps = np.linspace(0.0, 1.0, STEPS)
    values = np.stack([np.interp(steps, anchors[:, 0], anchors[:, channel]) for channel in (1, 2, 3)], axis=1)
    result = values.astype(np.float32)
    result.setflags(write=False)
    return result
