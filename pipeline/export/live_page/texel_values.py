"""Encodes one texture of a page: its values texel by texel, what they should be, and which elements they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import printable
from texelscope.pipeline.compare.figures import rounding
from texelscope.pipeline.export.live_page.packed import COARSE_BITS, EXACT_BITS, packed, rounded, steps_apart
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor, Tolerance

# A texture of more tiles than these has no grid on the page.
MOST_TILES = 1024
# The names under which a page has the values of a texture.
VALUES = ("bits", "actual", "oracleSteps", "error", "bound", "recorded")


@dataclass(frozen=True)
class TexelValues:
    """Holds the values of a texture, float32 [height, width, lanes], lanes without an element 0.

    `oracle` is what the pass should have written, `bound` how far rounding alone may be from it, `recorded` what it
    gave in the recording of a page; None where unknown.
    """

    stored: StoredTensor
    actual: NDArray[np.float32]
    oracle: NDArray[np.float32] | None = None
    bound: NDArray[np.float32] | None = None
    recorded: NDArray[np.float32] | None = None


def texel_values(
    stored: StoredTensor,
    values: NDArray[Any],
    expected: Expected | None = None,
    tolerance: Tolerance | None = None,
    recorded: NDArray[Any] | None = None,
) -> TexelValues:
    """Returns the texels of a tensor (logical shape); a `tolerance` replaces the bound of what is `expected`."""
    layout = stored.layout
    actual = layout.encode(_float32(values).reshape(stored.shape))
    on_page = None if recorded is None else layout.encode(_float32(recorded).reshape(stored.shape))
    if expected is None:
        return TexelValues(stored, actual, recorded=on_page)
    oracle = _float32(expected.value).reshape(stored.shape)
    if tolerance is None:
        bound = np.broadcast_to(rounding(expected), stored.shape)
    else:
        bound = tolerance.atol + tolerance.rtol * np.abs(np.asarray(expected.value, dtype=np.float64))
    bounds = layout.encode(_float32(bound).reshape(stored.shape))
    return TexelValues(stored, actual, layout.encode(oracle), bounds, on_page)


def written(values: TexelValues, bits: int) -> dict[str, Any]:
    """Returns the values as the page's data, each with so many `bits` behind the leading one.

    Exact values have the oracle's as steps from them, exact too. Of rounded ones the page has the error instead, and of
    coarse ones neither. Bounds are always coarse.
    """
    data: dict[str, Any] = {"bits": bits, "actual": packed(rounded(values.actual, bits))}
    if values.recorded is not None:
        data["recorded"] = packed(rounded(values.recorded, bits))
    if values.oracle is None or values.bound is None or bits == COARSE_BITS:
        return data
    if bits == EXACT_BITS:
        data["oracleSteps"] = packed(steps_apart(values.actual, values.oracle))
    else:
        with np.errstate(invalid="ignore", over="ignore"):
            error = values.actual - values.oracle
        same = (values.actual == values.oracle) | (np.isnan(values.actual) & np.isnan(values.oracle))
        data["error"] = packed(rounded(np.where(same, np.float32(0.0), error).astype(np.float32), COARSE_BITS))
    data["bound"] = packed(rounded(values.bound, COARSE_BITS))
    return data


def described(stored: StoredTensor) -> dict[str, Any]:
    """Returns what the page says of a texture beside its values."""
    height, width = stored.texture_shape
    return {
        "name": printable(stored.tensor),
        "shape": list(stored.shape),
        "layout": printable(str(stored.layout)),
        "storage": stored.storage,
        "role": stored.role,
        "width": width,
        "height": height,
        "lanes": stored.layout.lanes,
        "tiles": _tiles(stored),
    }


def element_map(stored: StoredTensor) -> str:
    """Returns the element in each lane, [height, width, lanes] in order, -1 in padding, as differences from lane to
    lane, packed."""
    address = stored.layout.address(stored.shape).reshape(-1)
    return packed(np.diff(address, prepend=np.int32(0)).astype(np.int32))


def _tiles(stored: StoredTensor) -> Sequence[Sequence[Any]]:
    if not 1 < stored.layout.tile_count(stored.shape) <= MOST_TILES:
        return []
    tiles = stored.layout.tiles(stored.shape)
    return [[tile.tx, tile.ty, tile.width, tile.height, printable(tile.label)] for tile in tiles]


def _float32(values: Any) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):  # values beyond the texture's range show as infinity, as in the texture
        return np.asarray(values, dtype=np.float32)
