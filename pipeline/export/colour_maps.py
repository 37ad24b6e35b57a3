"""Defines colour maps: tables of 256 RGB steps in [0, 1], float32 [256, 3], dark (or first hue) to light (or second).

Readers with any colour vision can use them: sequential maps rise in lightness throughout; diverging maps have their
darkest or lightest colour in the middle, at zero, and hues at both sides that deuteranopes and protanopes distinguish.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
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


# Magma (CC0, S. van der Walt and N. Smith, 2015) as polynomials of degree 6, a column a channel, the constant first
# (CC0, M. Zucker, 2019).
_MAGMA = (
    (-0.002136485053939582, -0.000749655052795221, -0.005386127855323933),
    (0.2516605407371642, 0.6775232436837668, 2.494026599312351),
    (8.353717279216625, -3.577719514958484, 0.3144679030132573),
    (-27.66873308576866, 14.26473078096533, -13.64921318813922),
    (52.17613981234068, -27.94360607168351, 12.94416944238394),
    (-50.76852536473588, 29.04658282127291, 4.23415299384598),
    (18.65570506591883, -11.48977351997711, -5.601961508734096),
)
# Lightness, and the two hues in degrees with their chroma, at the ends of diverging maps that are white in the middle,
# straight in Oklab (B. Ottosson, 2020).
_BLUE_RED = (0.42, (255.0, 0.13), (30.0, 0.15))
_GREEN_PURPLE = (0.42, (150.0, 0.115), (315.0, 0.15))
_MIDDLE = 0.97


def names() -> tuple[str, ...]:
    """Returns the names of the colour maps."""
    return tuple(_TABLES)


@cache
def table(name: str) -> NDArray[np.float32]:
    """Returns the map called `name`, float32 [256, 3]; read-only."""
    result = np.clip(_TABLES[name](np.linspace(0.0, 1.0, STEPS)), 0.0, 1.0).astype(np.float32)
    result.setflags(write=False)
    return result


def _between(name: str, steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Interpolates linearly between anchors."""
    anchors = np.array(_ANCHORS[name])
    return np.stack([np.interp(steps, anchors[:, 0], anchors[:, channel]) for channel in (1, 2, 3)], axis=1)


def _magma(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    values: NDArray[np.float64] = np.polynomial.polynomial.polyval(steps, np.array(_MAGMA)).T
    return values


def _cubehelix(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """D. A. Green, A colour scheme for the display of astronomical intensity images (2011): 0.5, -1.5 turns, hue 1."""
    angle = 2.0 * np.pi * (0.5 / 3.0 + 1.0 - 1.5 * steps)
    reach = steps * (1.0 - steps) / 2.0
    turned = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    weights = np.array([(-0.14861, 1.78277), (-0.29227, -0.90649), (1.97294, 0.0)])
    values: NDArray[np.float64] = steps[:, None] + reach[:, None] * (turned @ weights.T)
    return values


def _about_white(
    ends: tuple[float, tuple[float, float], tuple[float, float]], steps: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Runs from one hue over white to the other, in straight lines of Oklab."""
    dark, first, second = ends
    share = np.abs(2.0 * steps - 1.0)[:, None]
    sides = [
        (dark, chroma * np.cos(np.deg2rad(hue)), chroma * np.sin(np.deg2rad(hue))) for hue, chroma in (first, second)
    ]
    end = np.where(steps[:, None] < 0.5, sides[0], sides[1])
    return _screen((1.0 - share) * np.array([_MIDDLE, 0.0, 0.0]) + share * end)


def _screen(oklab: NDArray[np.float64]) -> NDArray[np.float64]:
    """Converts Oklab to sRGB (IEC 61966-2-1), clipped to the range of a screen."""
    to_cones = np.array([(1.0, 0.3963377774, 0.2158037573), (1.0, -0.1055613458, -0.0638541728),
                         (1.0, -0.0894841775, -1.2914855480)])  # fmt: skip
    to_light = np.array([(4.0767416621, -3.3077115913, 0.2309699292), (-1.2684380046, 2.6097574011, -0.3413193965),
                         (-0.0041960863, -0.7034186147, 1.7076147010)])  # fmt: skip
    light = np.clip((oklab @ to_cones.T) ** 3 @ to_light.T, 0.0, 1.0)
    encoded: NDArray[np.float64] = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1.0 / 2.4) - 0.055)
    return encoded


_TABLES: Mapping[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = MappingProxyType(
    {name: partial(_between, name) for name in _ANCHORS}
    | {
        "magma": _magma,
        "cubehelix": _cubehelix,
        "blue_red": partial(_about_white, _BLUE_RED),
        "green_purple": partial(_about_white, _GREEN_PURPLE),
    }
)
