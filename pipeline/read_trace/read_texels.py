"""Turns the reads of one element into texels of each input: read rightly, read wrongly, left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.read_trace.expected import ReadTrace
from texelscope.pipeline.read_trace.recording import ReadSite

# The place (tx, ty) of a texel in its texture.
Texel = tuple[int, int]


@dataclass(frozen=True)
class InputTexels:
    """Lists texels of one input: read as expected, read with effect unexpectedly (padding too), expected but not read.

    Where expected reads are unknown, all that were read count as right.
    """

    key: str
    right: frozenset[Texel]
    unexpected: frozenset[Texel]
    missing: frozenset[Texel]


@dataclass(frozen=True)
class SiteCount:
    """Counts the reads of one place in the shader: all, and the unexpected ones."""

    site: ReadSite
    reads: int
    wrong: int


def input_texels(taps: ReadTrace, stored: StoredTensor) -> InputTexels:
    """Returns the texels of the input `stored` that one element read, or should have read."""
    unexpected = _texels(stored, taps.unexpected().get(stored.key, ()))
    missing = _texels(stored, taps.missing().get(stored.key, ()))
    read = {(tap.tx, tap.ty) for tap in taps.reads if tap.key == stored.key}
    wrong = unexpected | taps.padding.get(stored.key, frozenset())
    return InputTexels(stored.key, frozenset(read - wrong), wrong, missing)


def site_counts(taps: ReadTrace) -> tuple[SiteCount, ...]:
    """Returns the places in the text that read, in the order of their first read."""
    reads: Counter[ReadSite] = Counter()
    wrong: Counter[ReadSite] = Counter()
    for tap in taps.reads:
        reads[tap.site] += 1
        wrong[tap.site] += taps.is_wrong(tap)
    return tuple(SiteCount(site, count, wrong[site]) for site, count in reads.items())


def _texels(stored: StoredTensor, elements: Iterable[int]) -> frozenset[Texel]:
    return frozenset(stored.layout.texel_of(stored.shape, element)[:2] for element in elements)
