"""Reads of a log as texels and elements: positions are mapped by the plan's layouts, as for taps."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.plan import Pass, Sampler, StoredTensor
from texelscope.pipeline.read_trace.expected import texels_read, wrapped_into
from texelscope.pipeline.read_trace.instrument import Site as ReadSite
from texelscope.pipeline.trace.log import TraceLog
from texelscope.pipeline.trace.trace import TexelRead


def reads_of(
    log: TraceLog,
    samplers: tuple[str, ...],
    sites: tuple[ReadSite, ...],
    each: Pass,
    textures: Mapping[str, StoredTensor],
) -> list[list[TexelRead]]:
    """The texels of each of a log's reads, in its order: one with nearest filtering, up to four with linear."""
    which = np.flatnonzero(log.is_read)
    found: list[list[TexelRead]] = [[] for _ in range(len(which))]
    uniforms = {sampler.uniform: sampler for sampler in each.readers}
    numbers = log.parts[which] >> 4
    for number, uniform in enumerate(samplers):
        if uniform in uniforms:
            own = np.flatnonzero(numbers == number)
            _fill(found, own, log, sites, uniforms[uniform], textures[uniforms[uniform].key])
    return found


def _fill(
    found: list[list[TexelRead]],
    own: np.ndarray[tuple[int], np.dtype[np.int64]],
    log: TraceLog,
    sites: tuple[ReadSite, ...],
    sampler: Sampler,
    stored: StoredTensor,
) -> None:
    """Puts the reads of one sampler, numbers `own` among the log's reads, into `found`."""
    which = np.flatnonzero(log.is_read)[own]
    positions = log.read_numbers[own, :2].astype(np.float64)
    is_somewhere = np.asarray((np.abs(positions) < 2**31).all(axis=1))
    rows, texels = texels_read(np.where(is_somewhere[:, None], positions, 0.5), sampler)
    height, width = stored.texture_shape
    inside = np.asarray(np.all((texels >= 0) & (texels < np.array((width, height))), axis=1)) & is_somewhere[rows]
    wrapped = wrapped_into(texels, (width, height), sampler.wrap)
    lanes = np.arange(stored.layout.lanes)
    used = log.parts[which][rows][:, None] >> np.arange(4) & 1
    indices = stored.layout.indices_at(stored.shape, wrapped[:, :1], wrapped[:, 1:], lanes[None, :])
    held = np.where(used[:, : len(lanes)], indices, -1)
    is_known = (held >= 0) & is_somewhere[rows][:, None]
    values = log.read_numbers[own, 2:].tolist()
    at, texts = positions.tolist(), [sites[number].text for number in log.sites[which].tolist()]
    masks = [tuple(lane for lane in range(4) if mask >> lane & 1) for mask in range(16)]
    used_masks = (log.parts[which] & 15).tolist()
    columns = zip(
        rows.tolist(), wrapped.tolist(), held.tolist(), is_known.tolist(), inside.tolist(), own[rows].tolist(),
        strict=True,
    )  # fmt: skip
    for row, (tx, ty), elements, known, is_inside, number in columns:
        there = tuple(index for index, holds in zip(elements, known, strict=True) if holds)
        x, y, z, w = values[row]
        place = (at[row][0], at[row][1])
        found[number].append(
            TexelRead(sampler.uniform, sampler.key, (tx, ty), place, masks[used_masks[row]], there, (x, y, z, w), texts[row],
                 outside=not is_inside)
        )  # fmt: skip
