"""srgb_encoded: the wrong values are the right ones on the curve of sRGB."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.curves import curves
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule

Array = NDArray[Any]


def _encode(y: Array) -> Array:
    """IEC 61966-2-1."""
    power = 1.055 * np.power(np.maximum(y, 0.0), 1.0 / 2.4) - 0.055
    return np.where(y <= 0.0031308, 12.92 * y, power)


def _decode(y: Array) -> Array:
    power = np.power(np.maximum((y + 0.055) / 1.055, 0.0), 2.4)
    return np.where(y <= 0.04045, y / 12.92, power)


_CURVES = {
    "encoded as sRGB": _encode,
    "decoded from sRGB": _decode,
    "capped to 0 … 1 and encoded as sRGB": lambda y: _encode(np.clip(y, 0.0, 1.0)),
    "capped to 0 … 1 and decoded from sRGB": lambda y: _decode(np.clip(y, 0.0, 1.0)),
    "raised to 1 / 2.2": lambda y: np.sign(y) * np.power(np.abs(y), 1.0 / 2.2),
    "raised to 2.2": lambda y: np.sign(y) * np.power(np.abs(y), 2.2),
    "cut at 0 and raised to 1 / 2.2": lambda y: np.power(np.maximum(y, 0.0), 1.0 / 2.2),
    "cut at 0 and raised to 2.2": lambda y: np.power(np.maximum(y, 0.0), 2.2),
}


class SrgbEncoded(Rule):
    """Values went through the curve of sRGB, in a target, a sampler or the shader."""

    cause = "srgb_encoded"
    band = Band.VALUES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """The curve both ways, with and without a cap, and powers that stand in for it; result and inputs."""
        remedy = "Use formats without sRGB and disable GL_FRAMEBUFFER_SRGB; tensors are no colours."
        return curves(case, self.cause, _CURVES, remedy, places.first(places.called("pow"), places.result))
