"""Says which texel of a tensor's texture each texel of a sampler's view of it is.

A view holds copies of the texture's texels: as slices, or in a row. Slices are the tensor's channels, where a texel has
one lane, and groups of neighbouring channels, where it has more: slice n · ⌈C / lanes⌉ + c div lanes of W × H texels.
With a size of its own it has the texture's texels in their order, and so has a buffer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.grid import ceil_div
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.plan import Pass, Sampler, StoredTensor
from texelscope.pipeline.planning.storage import DTYPES

Indices = NDArray[np.int64]
# The axis of n, c, h, w whose neighbours the lanes of a texel hold.
_CHANNELS = 1


def has_channel_slices(stored: StoredTensor) -> bool:
    """Reports whether each texel of the tensor holds neighbouring channels, so that they can be slices."""
    return stored.layout.lanes == 1 or stored.layout.lane_axis(stored.shape) == _CHANNELS


def view_size(stored: StoredTensor, sampler: Sampler) -> tuple[int, ...]:
    """Returns what a sampler's view measures in texels, x first."""
    height, width = stored.texture_shape
    if sampler.kind.form == "2D":
        return width, height
    if sampler.kind.form == "Buffer":
        return (width * height,)
    if sampler.size:
        return sampler.size
    n, c, h, w = as_nchw(stored.shape)
    return w, h, n * ceil_div(c, stored.layout.lanes)


def texels_in_view(stored: StoredTensor, sampler: Sampler) -> Indices:
    """Returns, for each texel of the view (x running fastest), the number of the texture's texel, row by row."""
    if sampler.size or not sampler.kind.has_slices:
        # Where another tensor is tried in place of this one, it may have fewer.
        return np.minimum(np.arange(math.prod(view_size(stored, sampler))), math.prod(stored.texture_shape) - 1)
    width, height, slices = view_size(stored, sampler)
    lanes, groups = stored.layout.lanes, slices // as_nchw(stored.shape)[0]
    z, y, x = np.ogrid[:slices, :height, :width]
    tx, ty, _ = stored.layout.texel_at(stored.shape, z // groups, z % groups * lanes, y, x)
    columns = stored.texture_shape[1]
    return np.asarray(np.broadcast_to(ty * columns + tx, (slices, height, width)), dtype=np.int64).reshape(-1)


def view_texels(stored: StoredTensor, sampler: Sampler, texels: NDArray[Any]) -> NDArray[Any]:
    """Returns [texels, lanes] of the view, from those of the texture as it is stored; whole numbers where it has them.

    What is no whole number of that type becomes the nearest one.
    """
    flat = texels.reshape(-1, stored.layout.lanes)
    if sampler.size or sampler.kind.has_slices:
        flat = flat[texels_in_view(stored, sampler)]
    if not sampler.kind.dtype:
        return np.ascontiguousarray(flat)
    limits = np.iinfo(sampler.kind.dtype)
    whole = np.clip(np.rint(np.nan_to_num(flat.astype(np.float64))), limits.min, limits.max)
    return np.ascontiguousarray(whole.astype(sampler.kind.dtype))


def texel_dtype(stored: StoredTensor, sampler: Sampler) -> np.dtype[Any]:
    """Returns the type of a lane of the view."""
    return np.dtype(sampler.kind.dtype or DTYPES[stored.storage])


def is_tensor_of(shader_pass: Pass, sampler: Sampler, tx: int, ty: int, textures: Mapping[str, StoredTensor]) -> bool:
    """Whether the sampler's tensor is the one of its uniform that texel (tx, ty) belongs to.

    A uniform may show several tensors of one atlas, each by its own sampler; what belongs to none is the first one's.
    """
    keys = [each.key for each in shader_pass.readers if each.uniform == sampler.uniform]
    if len(keys) == 1:
        return True
    for key in keys:
        stored = textures[key]
        for x, y, width, height in stored.layout.areas(stored.shape):
            if x <= tx < x + width and y <= ty < y + height:
                return key == sampler.key
    return keys[0] == sampler.key
