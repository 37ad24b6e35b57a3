"""Names how a pass's formulas differ from the model's, and says which causes cannot be what they show.

A name is given only where every compared element shows the same kind of difference, and that kind has one name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.observing import ElementDivergences, PassDivergences
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.divergence import Curved, Divergence, Missed, Moved, Numbered, Renamed, near

Array = NDArray[Any]
Ints = NDArray[np.int64]
# A cause with what was seen.
Seen = tuple[Cause, str]
# An epsilon is at most this.
_SMALL = 0.1
# Windows of usual sizes leave the picture this near to its border.
_BORDER = 4
# If a border causes the errors, at least this share of some row or column is wrong.
_ALONG = 0.5
# An element is said to have another one's formula if at most so many others have its value.
_MOST_SOURCES = 3
# Smaller values are nothing; factors that differ by less, relatively, are one.
_TINY, _ALIKE = 1e-6, 1e-2
# Functions with an epsilon inside.
_ROOTS = frozenset({"sqrt", "reciprocal"})


@dataclass(frozen=True)
class NamedDivergence:
    """A cause that formulas show: what was seen, the line that does it, if one is known, and on how many elements."""

    cause: Cause
    says: str
    line: Line | None
    elements: int


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
            return "factor" if _is_scaled(each) else "curve"
    return "curve"


def _is_scaled(each: Curved) -> bool:
    """Whether a function is another one times a number."""
    got, right = np.array(each.got, dtype=np.float64), np.array(each.expected, dtype=np.float64)
    known = np.isfinite(got) & np.isfinite(right)
    filled = known & (np.abs(right) > _TINY)
    if (np.abs(got[known & ~filled]) > _TINY).any():
        return False
    ratios = (got[filled] / right[filled]).tolist()
    return bool(ratios) and max(ratios) - min(ratios) <= _ALIKE * abs(ratios[0])


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
        self._output = as_nchw(found.plan.textures[found.shader_pass.output].shape)

    def all(self) -> tuple[NamedDivergence, ...]:
        elements = [each for each in self._found.elements if each.divergences]
        if not elements or len(elements) < len(self._found.elements) or self._found.unclear > len(elements):
            return ()
        if not all(map(_is_of_terms, self._found.nodes)):
            return ()  # inside functions of many elements, such as a softmax, other reads have no name of their own
        if any(self._source(each.element) is not None for each in elements):
            return ()  # it is written elsewhere
        if self._is_at_border() and all(any(map(_reads_more, each.divergences)) for each in elements):
            line = self._line(d for each in elements for d in each.divergences if isinstance(d, Moved | Missed))
            return (NamedDivergence(*self._beyond(elements), line, len(elements)),)
        before = [self._is_before_bias(each.divergences) for each in elements]
        if any(before):
            line = self._line(d for each in elements for d in each.divergences if isinstance(d, Curved))
            seen = (causes.ACTIVATION_BEFORE_BIAS, "adds a number after the function, not before it")
            return (NamedDivergence(*seen, line, len(elements)),) if all(before) else ()
        found: list[NamedDivergence] = []
        naming: Sequence[tuple[type[Any], Callable[[Any], Seen | None]]] = (
            (Renamed, self._of_names), (Curved, self._of_curves), (Numbered, self._of_numbers),
            (Moved, self._of_moves), (Missed, self._of_missed),
        )  # fmt: skip
        for kind, name in naming:
            inner = [(each.element, d) for each in elements for d in each.divergences if isinstance(d, kind)]
            if not inner:
                continue
            if kind is Missed and any(isinstance(d, Moved) for each in elements for d in each.divergences):
                continue  # reads that are elsewhere miss, at a border, what lies beyond it
            seen_here = name(inner)
            if seen_here is None:
                return ()
            count = len({element for element, _ in inner})
            found.append(NamedDivergence(*seen_here, self._line(d for _, d in inner), count))
        return tuple(found)

    @staticmethod
    def _beyond(elements: Sequence[ElementDivergences]) -> Seen:
        """Names other reads at the border: of padding or, if they are more, of what lies beside the tile."""
        every = [each for element in elements for each in element.divergences]
        places = [each.got if isinstance(each, Moved) else each.place for each in every
                  if isinstance(each, Moved) or (isinstance(each, Missed) and each.is_extra)]  # fmt: skip
        if places and all(index < 0 for _, index in places):
            return causes.TILE_BLEED, "reads padding beyond the picture's border"
        return causes.PADDING_MODE, "reads other values beyond the picture's border"

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

    # -- functions -------------------------------------------------------------------------------------------------

    @staticmethod
    def _is_before_bias(divergences: Sequence[Divergence]) -> bool:
        """Recognises f(x) + b for f(x + b)."""
        added = [each for each in divergences if isinstance(each, Numbered) and each.is_added]
        curved = [each for each in divergences if isinstance(each, Curved)]
        if len(added) != 1 or len(curved) != 1 or len(divergences) != 2:
            return False
        left = [g - e for g, e in zip(curved[0].got, curved[0].expected, strict=True)]
        wanted = added[0].expected - added[0].got
        return all(near(each, wanted, 0.1 * abs(wanted)) for each in left)

    @staticmethod
    def _of_names(found: Sequence[tuple[int, Renamed]]) -> Seen | None:
        pairs = {(each.expected, each.got) for _, each in found}
        expected, got = pairs.pop()
        if pairs:
            return None
        if not got:
            return causes.ACTIVATION_MISSING, f"does not apply {expected}"
        return (
            (causes.WRONG_FUNCTION, f"has {got}, not {expected}")
            if expected
            else (causes.ACTIVATION_EXTRA, f"applies {got}")
        )

    def _of_curves(self, found: Sequence[tuple[int, Curved]]) -> Seen | None:
        seen = {self._of_curve(each) for _, each in found}
        return seen.pop() if len(seen) == 1 else None

    @staticmethod
    def _of_curve(each: Curved) -> Seen | None:
        points, right, got = (np.array(values, dtype=np.float64) for values in (each.points, each.expected, each.got))
        known = np.isfinite(right) & np.isfinite(got)
        points, right, got = points[known], right[known], got[known]
        if len(points) < len(each.points) // 2:
            return None
        if _is_line(points, got) and not _is_line(points, right):
            return causes.ACTIVATION_MISSING, "does not apply the function of the sum"
        if _is_line(points, right) and not _is_line(points, got):
            return causes.ACTIVATION_EXTRA, "applies a function that the model does not have"
        if _is_scaled(each):
            return causes.SCALE, "has a function's values times a number"
        same = np.isclose(got, right, rtol=1e-3, atol=_TINY)
        for differs, stays in ((points < 0.0, points > 0.0), (points > 0.0, points < 0.0)):
            bent = differs & (np.abs(right) > _TINY)
            if same[stays].all() and bent.any() and (got[bent] / right[bent] > 0.0).all():
                return causes.ALPHA, "applies a function with another constant"
        return None  # values of a function that no other makes have no name: they may be those of two

    # -- numbers ---------------------------------------------------------------------------------------------------

    def _of_numbers(self, found: Sequence[tuple[int, Numbered]]) -> Seen | None:
        seen = {self._of_number(each) for _, each in found}
        if len(seen) != 1 or (cause := seen.pop()) is None:
            return None
        each = found[0][1]
        return cause, f"has {each.got:.6g} in place of {each.expected:.6g}"

    def _of_number(self, each: Numbered) -> Cause | None:
        if each.is_whole:
            if any(facts_of(node).means for node in self._found.nodes):
                return causes.AVERAGE_COUNT if each.got > 0.0 else causes.SCALE
            return None if each.inside in _ROOTS else causes.SCALE
        return self._of_added(each) if each.is_added else None

    def _of_added(self, each: Numbered) -> Cause | None:
        right, got = Counter(each.expected_at), Counter(each.got_at)
        if each.inside in _ROOTS:
            return causes.EPSILON if not right and abs(each.expected) <= _SMALL else None
        more, less = got - right, right - got
        if more and less:
            is_of_one = more.total() == less.total() == 1 and next(iter(more))[0] == next(iter(less))[0]
            return causes.BIAS_OFFSET if is_of_one else None
        if more.total() and len(more) == 1 and next(iter(more)) in right:
            return causes.BIAS_DOUBLED
        if less.total() == 1 and not got:
            (place,) = less
            others = self._found.constants[place[0]]
            if each.got and len(others) > 1 and np.isclose(others, each.got, rtol=1e-4, atol=0.0).any():
                return causes.BIAS_OFFSET
            left = each.expected - self._constant(place)
            return causes.BIAS_MISSING if near(each.got, left, 1e-3 * abs(each.expected)) else None
        return None

    def _constant(self, place: Place) -> float:
        return float(self._found.constants[place[0]][place[1]])

    # -- reads -----------------------------------------------------------------------------------------------------

    def _coordinates(self, places: Sequence[Place]) -> Ints | None:
        """Returns n, c, h, w of elements of one tensor; None where one is no element of it."""
        tensors = {tensor for tensor, _ in places}
        stored = next((each for each in self._found.plan.textures.values() if each.tensor in tensors), None)
        if len(tensors) != 1 or stored is None or any(index < 0 for _, index in places):
            return None
        return np.stack(np.unravel_index([at for _, at in places], as_nchw(stored.shape)), axis=1).astype(np.int64)

    def _is_at_border(self) -> bool:
        """Whether a window goes over pictures, and all wrong elements lie at their border, and there are others."""
        facts = [facts_of(node) for node in self._found.nodes]
        if not any(each.window not in (None, "product") or each.may_move for each in facts):
            return False
        _, _, height, width = self._output
        wrong = np.flatnonzero(self._found.wrong)
        pictures = self._found.wrong.reshape(-1, height, width)
        pictures = pictures[pictures.any(axis=(1, 2))]
        if max(pictures.mean(axis=axis).max(initial=0.0) for axis in (1, 2)) < _ALONG:
            return False
        rows, columns = np.divmod(wrong % (height * width), width)
        depth = np.minimum(np.minimum(rows, height - 1 - rows), np.minimum(columns, width - 1 - columns))
        deepest = (min(height, width) - 1) // 2
        return bool(depth.max(initial=0) < min(_BORDER, deepest)) and len(wrong) < self._found.wrong.size

    def _of_moves(self, found: Sequence[tuple[int, Moved]]) -> Seen | None:
        moves = [each for _, each in found]
        if len({each.is_weight for each in moves}) > 1:
            return None
        if all(each.expected[0] != each.got[0] for each in moves):
            return None if moves[0].is_weight else (causes.WRONG_INPUT, f"reads '{moves[0].got[0]}'")
        right, got = (self._coordinates([getattr(each, name) for each in moves]) for name in ("expected", "got"))
        if right is None or got is None:
            return None
        step = got - right
        outputs = np.stack(np.unravel_index([element for element, _ in found], self._output), axis=1)
        is_of_pictures = not step[:, :2].any() and len({tuple(each) for each in outputs[:, 2:].tolist()}) > 1
        if is_of_pictures and not moves[0].is_weight and self._are_of_all_taps(moves):
            if (step == step[0]).all():
                return causes.SHIFT, f"reads {step[0, 3]:+d} columns and {step[0, 2]:+d} rows off"
            if _follows(step[:, 2:], outputs[:, 2:]):
                return causes.STRIDE, "reads further off for every further output"
        return causes.INDEX_MAP, f"reads other elements of '{moves[0].got[0]}'"

    def _are_of_all_taps(self, moves: Sequence[Moved]) -> bool:
        """Whether reads for every tap of a kernel are among them."""
        weights = [each.weight for each in moves if each.weight is not None]
        return not weights or self._taps_of(weights) == "all"

    def _taps_of(self, weights: Sequence[Place]) -> Literal["all", "some", "unknown"]:
        """Whether weights are of all taps of their kernel."""
        kernel = self._coordinates(weights)
        stored = next((each for each in self._found.plan.textures.values() if each.tensor == weights[0][0]), None)
        if kernel is None or stored is None:
            return "unknown"
        rows, columns = as_nchw(stored.shape)[2:]
        return "all" if len({tuple(each) for each in kernel[:, 2:].tolist()}) == rows * columns else "some"

    # -- terms -----------------------------------------------------------------------------------------------------

    def _of_missed(self, found: Sequence[tuple[int, Missed]]) -> Seen | None:
        extra = [each for _, each in found if each.is_extra]
        every = [each for _, each in found if not each.is_extra]
        if extra and all(each.times > 1.0 for each in extra) and not every:
            return causes.DOUBLE_COUNTED, "adds terms more than once"
        if extra and not every:
            is_new = all(each.times <= 1.0 for each in extra)
            return (causes.EXTRA_CHANNELS, f"adds {len(extra)} terms that the model does not have") if is_new else None
        if any(each.times <= 1.0 for each in extra):
            return None
        tensors = {each.place[0] for each in every}
        added = {name for node in self._found.nodes if _adds(node) for name in node.inputs}
        if len(every) == len({element for element, _ in found}) and tensors <= added:
            return causes.BIAS_MISSING, f"does not add '{every[0].place[0]}'"
        weights = [each.weight for each in every if each.weight is not None]
        taps = self._taps_of(weights) if len(weights) == len(every) else "unknown"
        if taps == "unknown":
            taps = "some" if any(facts_of(node).window in ("mean", "largest") for node in self._found.nodes) else "all"
        cause = causes.MISSING_CHANNELS if taps == "all" else causes.MISSING_TAPS
        return cause, f"leaves out {len(every)} terms"


def _is_of_terms(node: Node) -> bool:
    """Whether a node's elements are sums of products, functions of single elements, or moved ones."""
    facts = facts_of(node)
    return facts.pointwise or facts.by_channel or facts.moves or facts.may_move or facts.window is not None


def _reads_more(each: Divergence) -> bool:
    """Whether something is read that the model does not read there."""
    return isinstance(each, Moved) or (isinstance(each, Missed) and each.is_extra)


def _adds(node: Node) -> bool:
    """Whether a node adds its inputs, or subtracts one."""
    facts = facts_of(node)
    return facts.adds or (facts.pointwise and facts.neutral[-1:] == (0.0,))


def _is_line(points: Array, values: Array) -> bool:
    slopes = values / points
    return bool(np.ptp(slopes) <= 1e-3 * max(abs(float(slopes[0])), 1e-12))


def _follows(step: Ints, place: Ints) -> bool:
    """Whether steps along each axis are a straight line over the place along it, and not constant along some axis."""
    is_constant = True
    for axis in (0, 1):
        known: dict[int, int] = {}
        for at, by in zip(place[:, axis].tolist(), step[:, axis].tolist(), strict=True):
            if known.setdefault(at, by) != by:
                return False
        items = sorted(known.items())
        if len({by for _, by in items}) > 1:
            is_constant = False
            (x0, y0), (x1, y1) = items[0], items[-1]
            if not all((y - y0) * (x1 - x0) == (y1 - y0) * (x - x0) for x, y in items):
                return False
    return not is_constant
