"""Names how a pass's formulas differ from the model's, and says which causes cannot be what they show.

A name is given only where every compared element shows the same kind of difference, and that kind has one name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.borders import is_at_border, seen_beyond
from texelscope.pipeline.diagnose.divergences.functions import factor_of, is_scaled
from texelscope.pipeline.diagnose.divergences.missed import seen_in_missed
from texelscope.pipeline.diagnose.divergences.moves import paired, seen_in_moves
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.diagnose.divergences.sources import seen_in_sources
from texelscope.pipeline.diagnose.divergences.storage import seen_in_storage
from texelscope.pipeline.diagnose.divergences.values import are_values, seen_in_values
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.kinds import Curved, Divergence, Missed, Moved, Numbered
from texelscope.pipeline.symbolic.pass_divergences import ElementDivergences, PassDivergences

Array = NDArray[Any]
# An element is said to have another one's formula if at most so many others have its value.
_MOST_SOURCES = 3


@dataclass(frozen=True)
class NamedDivergence:
    """A cause that formulas show: what was seen, the line that does it, if one is known, and on how many elements."""

    seen: Seen
    line: Line | None
    elements: int

    @property
    def cause(self) -> Cause:
        """Returns the cause."""
        return self.seen.cause


def named(found: PassDivergences, expected: Array) -> tuple[NamedDivergence, ...]:
    """Returns the causes that all compared elements show; none where they show what has no name of its own.

    `expected` are the oracle's values, flat.
    """
    return _Names(found, expected).all()


def contradicted(found: PassDivergences, every: Iterable[Cause]) -> frozenset[Cause]:
    """Returns those causes that show otherwise than what the formulas of most compared elements differ in."""
    kinds = [{_kind(each) for each in element.divergences} for element in found.elements if element.divergences]
    if len(kinds) <= found.unclear:
        return frozenset()
    seen = set[str]().union(*kinds)
    return frozenset(cause for cause in every if cause in _SHOWN_BY and not _SHOWN_BY[cause] & seen)


def _kind(each: Divergence) -> str:
    match each:
        case Moved():
            return "moved"
        case Missed():
            return "extra" if each.is_extra else "missing"
        case Numbered():
            return "whole" if each.is_whole else "added" if each.is_added else "number"
        case Curved():
            return "factor" if is_scaled(each) else "curve"
    return "curve"


_PLACES = frozenset({"moved", "missing", "extra", "added"})
_NUMBERS = frozenset({"whole", "added", "number", "factor"})
# The kinds of differences of which at least one is seen where a cause is true.
_SHOWN_BY: Mapping[Cause, frozenset[str]] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                causes.SHIFT, causes.STRIDE, causes.DILATION, causes.KERNEL_FLIP, causes.KERNEL_TRANSPOSE,
                causes.FILTER_IO_SWAP, causes.FILTER_OFFSET, causes.GROUP_IGNORED, causes.FLIP_X, causes.FLIP_Y,
                causes.TRANSPOSE_XY, causes.CHANNEL_PERMUTATION, causes.PADDING_MODE, causes.TILE_BLEED,
            ),
            _PLACES | {"number"},
        ),
        **dict.fromkeys((causes.SCALE, causes.AFFINE, causes.AVERAGE_COUNT), _NUMBERS),
        **dict.fromkeys((causes.EPSILON, causes.ALPHA), _NUMBERS | {"curve"}),
        **dict.fromkeys((causes.MISSING_CHANNELS, causes.MISSING_TAPS), frozenset({"missing", "number", "moved"})),
        causes.EXTRA_CHANNELS: frozenset({"extra", "moved", "added"}),
        **dict.fromkeys(
            (causes.ACTIVATION_MISSING, causes.ACTIVATION_EXTRA), frozenset({"curve", "factor", "whole", "number"})
        ),
        **dict.fromkeys((causes.CLAMPED_0_1, causes.CLAMPED_NONNEGATIVE), frozenset({"curve"})),
        **dict.fromkeys(
            (causes.BIAS_MISSING, causes.BIAS_DOUBLED, causes.BIAS_OFFSET),
            frozenset({"added", "missing", "extra", "moved", "curve"}),
        ),
    }
)  # fmt: skip


class _Names:
    def __init__(self, found: PassDivergences, expected: Array) -> None:
        self._found, self._expected = found, expected.reshape(-1)

    def all(self) -> tuple[NamedDivergence, ...]:
        elements = [each for each in self._found.elements if each.divergences]
        if self._found.elements and not elements:
            seen = seen_in_storage(self._found, self._expected)
            return (NamedDivergence(seen, None, len(self._found.elements)),) if seen is not None else ()
        if not elements or len(elements) < len(self._found.elements) or self._found.unclear > len(elements):
            return ()
        if are_values(elements):
            return self._of_values(elements)
        if not all(map(_is_of_terms, self._found.nodes)):
            return ()  # inside functions of many elements, such as a softmax, other reads have no name of their own
        reads = [(each.element, d) for each in elements for d in each.divergences if isinstance(d, Moved | Missed)]
        if not all(facts_of(node).moves or facts_of(node).may_move for node in self._found.nodes):
            sources = {each.element: self._source(each.element) for each in elements}
            pairs = [(element, source) for element, source in sources.items() if source is not None]
            if pairs:  # it is computed for another place
                moved = seen_in_sources(self._found, pairs)
                return self._one(moved, reads) if moved is not None else ()
        of_reads = self._of_reads(reads, elements)
        values = [each for each in map(_values_of, elements) if each.divergences]
        return (*self._of_values(values), *of_reads) if values and of_reads else of_reads

    def _of_reads(
        self, reads: Sequence[tuple[int, Moved | Missed]], elements: Sequence[ElementDivergences]
    ) -> tuple[NamedDivergence, ...]:
        moved, missed = paired(reads)
        if len(elements) == 1 and np.count_nonzero(self._found.wrong) == 1:
            return ()  # one wrong element of all shows no rule by which reads go elsewhere
        if len(reads) < sum(len(_values_of(each).divergences) for each in elements):
            return ()  # more differs than reads
        of_weights = bool(moved) and all(each.is_weight for _, each in moved)
        at_border = is_at_border(self._found) and not of_weights
        if at_border and all(any(map(_reads_more, each.divergences)) for each in elements):
            return self._one(seen_beyond(elements), reads)
        if moved:  # reads that are elsewhere miss, at a border, what lies beyond it
            if missed and all(facts_of(node).moves for node in self._found.nodes):
                return self._one(Seen(causes.INDEX_MAP, f"reads other elements of '{moved[0][1].got[0]}'"), moved)
            return self._one(seen_in_moves(self._found, moved), moved)
        seen = seen_in_missed(self._found, missed)
        return self._one(seen, missed) if seen is not None else ()

    def _one(self, seen: Seen, reads: Sequence[tuple[int, Divergence]]) -> tuple[NamedDivergence]:
        count = len({element for element, _ in reads})
        return (NamedDivergence(seen, self._line(each for _, each in reads), count),)

    def _of_values(self, elements: Sequence[ElementDivergences]) -> tuple[NamedDivergence, ...]:
        """Names the differences of functions and numbers."""
        return tuple(
            NamedDivergence(each.seen, self._line(each.divergences), each.elements)
            for each in seen_in_values(self._found, elements, self._expected)
        )

    def _source(self, element: int) -> int | None:
        """Returns another element whose right value and formula an element has."""
        value = float(self._found.actual[element])
        places = np.flatnonzero(np.isclose(self._expected, value, rtol=1e-4, atol=1e-7))
        if len(places) > _MOST_SOURCES:
            return None
        return next((int(at) for at in places if at != element and self._found.has_formula_of(element, int(at))), None)

    def _line(self, divergences: Iterable[Divergence]) -> Line | None:
        rows = Counter(each.row for each in divergences if each.row >= 0)
        return self._found.lines[rows.most_common(1)[0][0]] if rows else None


def _is_of_terms(node: Node) -> bool:
    """Whether a node's elements are sums of products, functions of single elements, or moved ones."""
    facts = facts_of(node)
    is_sum = facts.window is not None or facts.accumulator is not None or facts.means
    return is_sum or facts.pointwise or facts.by_channel or facts.moves or facts.may_move


def _values_of(element: ElementDivergences) -> ElementDivergences:
    """Returns an element with those differences alone that are of functions and numbers.

    A function is known in units of its argument's weights. Other weights make other units: a multiple, or another
    function beside an addend of the same constants, says nothing there.
    """
    reads = [each for each in element.divergences if isinstance(each, Moved | Missed)]
    kept = [each for each in element.divergences if not isinstance(each, Moved | Missed)]
    if reads:
        added = [each for each in kept if isinstance(each, Numbered) and each.is_added and each.inside == "curve"]
        same = [each for each in added if set(each.expected_at) <= set(each.got_at)]
        kept = [each for each in kept if each not in same]
        kept = [each for each in kept if not isinstance(each, Curved) or not (same or (factor_of(each) or 0.0) > 0.0)]
    return ElementDivergences(element.element, tuple(kept))


def _reads_more(each: Divergence) -> bool:
    """Whether something is read that the model does not read there."""
    return isinstance(each, Moved) or (isinstance(each, Missed) and each.is_extra)
