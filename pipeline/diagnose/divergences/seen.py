"""What formulas show of a pass: a cause with what was seen, and the differences that it is read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

Ints = NDArray[np.int64]


class Seen(NamedTuple):
    """A cause, and what was seen of it: the end of a sentence about the shader's formula; with its parameters."""

    cause: Cause
    says: str
    parameters: Mapping[str, Any] = MappingProxyType({})


def coordinates(found: PassDivergences, places: Sequence[Place]) -> Ints | None:
    """Returns n, c, h, w of elements of one tensor, int64 [places, 4]; None where one is no element of it."""
    tensors = {tensor for tensor, _ in places}
    shape = found.shapes.get(next(iter(tensors)))
    if len(tensors) != 1 or shape is None or any(index < 0 for _, index in places):
        return None
    return np.stack(np.unravel_index([at for _, at in places], as_nchw(shape)), axis=1).astype(np.int64)


def output_coordinates(found: PassDivergences, elements: Sequence[int]) -> Ints:
    """Returns n, c, h, w of output elements, int64 [elements, 4]."""
    return np.stack(np.unravel_index([*elements], as_nchw(found.output)), axis=1).astype(np.int64)
