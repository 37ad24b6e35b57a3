"""Prepares the taps of one element for drawing: per input the texels read rightly, read wrongly, or left out."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.colour.shown_as import Texel, texels_in
from texelscope.viewer.reads.model.tap_filter import TapFilter, TapProduct, filter_over, of_model

if TYPE_CHECKING:  # imported with the first tap
    from texelscope.pipeline.read_trace.expected import ReadTrace
    from texelscope.pipeline.read_trace.read_texels import SiteCount
    from texelscope.pipeline.step_trace.partners import ProductCheck


@dataclass(frozen=True)
class TappedInput:
    """Lists texels of one input: read as expected, read with effect unexpectedly (padding too), expected but not read.

    `box` is a rectangle around all of them: left, top, right, bottom, in texels.
    """

    key: str
    right: frozenset[Texel]
    unexpected: frozenset[Texel]
    missing: frozenset[Texel]
    box: tuple[int, int, int, int]


@dataclass(frozen=True)
class TapView:
    """The reads of one element of a pass's output. `problem` says why they are unknown.

    `judged` says whether expected reads are known; without them all reads count as right. `filter` is the filter behind
    the element, if the pass is a convolution, `products` its products with the input's present values. `partners` says
    whether reads that are all as expected are multiplied with what they should be; None if they are not multiplied, and
    until that `is_checked`.
    """

    name: str
    element: int
    index: tuple[int, ...]
    generation: int
    reads: int = 0
    judged: bool = False
    inputs: tuple[TappedInput, ...] = ()
    sites: tuple[SiteCount, ...] = ()
    problem: str = ""
    by_key: dict[str, TappedInput] = field(default_factory=dict)
    filter: TapFilter | None = None
    products: tuple[TapProduct, ...] = ()
    partners: ProductCheck | None = None
    is_checked: bool = True

    @property
    def wrong(self) -> int:
        """Texels that should not have been read, and texels that should have been."""
        return sum(len(each.unexpected) + len(each.missing) for each in self.inputs)


def seen_in(tapped: TappedInput, stored: StoredTensor, shown: StoredTensor) -> TappedInput:
    """Returns the same reads in the texels of another layout: those that hold an element of a texel that was read."""
    if stored.layout == shown.layout:
        return tapped
    return replace(
        tapped,
        right=texels_in(stored, tapped.right, shown),
        unexpected=texels_in(stored, tapped.unexpected, shown),
        missing=texels_in(stored, tapped.missing, shown),
    )


def trace(session: DebugSession, name: str, element: int) -> TapView:
    """Runs the recording version of a pass for one element (linear index) of its output, and checks its products."""
    view, check = begun_trace(session, name, element)
    return view if check is None else replace(view, partners=check(), is_checked=True)


def begun_trace(session: DebugSession, name: str, element: int) -> tuple[TapView, Callable[[], ProductCheck] | None]:
    """Does the part of `trace` that needs GL, and returns what checks the products, in any thread; None if nothing."""
    from texelscope.pipeline.read_trace.read_texels import site_counts

    found = session.plan.find(name)
    assert found is not None
    stored = session.plan.textures[found.output]
    index = tuple(int(i) for i in np.unravel_index(element, stored.shape)) if stored.shape else ()
    generation = session.generation(found.output)
    try:
        taps = session.taps(found.name, element)
    except TexelscopeError as error:
        return TapView(found.name, element, index, generation, problem=str(error)), None
    inputs = tuple(_input(taps, session.plan.textures[key]) for key in found.reads)
    weights = filter_over(session, found.name, element)
    inputs = tuple(each for each in inputs if each.right or each.unexpected or each.missing)
    unread = next((each.missing for each in inputs if weights is not None and each.key == weights.key), frozenset())
    is_right = taps.expected is not None and not any(each.unexpected or each.missing for each in inputs)
    begun = session.begun_partners(found.name, element) if is_right else None
    check = begun if callable(begun) else None
    view = TapView(
        found.name,
        element,
        index,
        generation,
        len(taps.reads),
        taps.expected is not None,
        inputs,
        site_counts(taps),
        by_key={each.key: each for each in inputs},
        filter=weights,
        products=of_model(session, weights, unread),
        partners=None if callable(begun) else begun,
        is_checked=check is None,
    )
    return view, check


def verdict_on_reads(view: TapView, *, value_is_wrong: bool = False) -> tuple[bool | None, str]:
    """Returns what is to be said of the reads, and whether it is good; None if not everything was checked.

    `value_is_wrong` says that the element itself is: then right reads are no good sign.
    """
    is_good, text = _verdict_on_reads(view)
    if is_good and value_is_wrong:
        return False, f"{text}, but the value is wrong: look at what is done with them"
    return is_good, text


def _verdict_on_reads(view: TapView) -> tuple[bool | None, str]:
    if not view.judged:
        return None, "expected reads are unknown"
    if view.wrong:
        return False, f"{view.wrong:,} texels wrong"
    partners = view.partners
    if not view.is_checked:
        return None, "every element that should be read is read; what is multiplied with what is being checked"
    if partners is None:
        return True, "all as expected"
    if not partners.are_known:
        return None, "every element that should be read is read; what is multiplied with what was not checked"
    if partners.wrong:
        right = "every element that should be read is read"
        return False, f"{right}, but {partners.wrong:,} of {partners.terms:,} terms are wrong: {partners.first}"
    return True, "all as expected, their products too"


def _input(taps: ReadTrace, stored: StoredTensor) -> TappedInput:
    from texelscope.pipeline.read_trace.read_texels import input_texels

    found = input_texels(taps, stored)
    box = _box(stored, found.right | found.unexpected | found.missing)
    return TappedInput(found.key, found.right, found.unexpected, found.missing, box)


def _box(stored: StoredTensor, texels: Set[Texel]) -> tuple[int, int, int, int]:
    """Returns a box around the texels, or around their whole tiles if they are in several."""
    columns, rows = [tx for tx, _ in texels] or [0], [ty for _, ty in texels] or [0]
    around = (min(columns), min(rows), max(columns) + 1, max(rows) + 1)
    numbers = {stored.layout.tile_index(stored.shape, tx, ty) for tx, ty in texels} - {-1}
    if len(numbers) < 2:
        return around
    tiles = [stored.layout.tile(stored.shape, number) for number in numbers]
    return (
        min(around[0], *(tile.tx for tile in tiles)),
        min(around[1], *(tile.ty for tile in tiles)),
        max(around[2], *(tile.tx + tile.width for tile in tiles)),
        max(around[3], *(tile.ty + tile.height for tile in tiles)),
    )
