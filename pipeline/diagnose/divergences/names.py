"""Names the differences between a pass's formulas and the model's."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.divergences.observing import ElementDivergences, PassDivergences
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.divergence import Curved, Divergence, Missed, Moved, Numbered, near

Ints = NDArray[np.int64]
_MEANS = frozenset({"ReduceMean", "AveragePool", "GlobalAveragePool", "Mean"})
# An epsilon is at most this.
_SMALL = 0.1
# A window's border is this near to the picture's.
_BORDER = 4


@dataclass(frozen=True)
class NamedDivergence:
    """A cause with what was seen, and the line that does it, if one is known."""

    cause: str
    says: str
    line: Line | None
    count: int


def named(found: PassDivergences) -> tuple[NamedDivergence, ...]:
    """Returns the causes of all differences; none where one of them has no name, or right elements differ too."""
    return _Names(found).all()


class _Names:
    def __init__(self, found: PassDivergences) -> None:
        self._found = found
        self._wrong = [each for each in found.elements if found.wrong[each.element]]
        self._output = as_nchw(found.plan.textures[found.shader_pass.output].shape)

    def all(self) -> tuple[NamedDivergence, ...]:
        elements = [each for each in self._wrong if each.written_from is None]
        if len(elements) < len(self._wrong):
            moved = self._of_output([each for each in self._wrong if each.written_from is not None])
            return moved if 2 * len(elements) < len(self._wrong) else ()
        if not elements or any(not each.divergences for each in elements):
            return ()
        if self._found.unclear > len(elements):
            return ()
        before = self._before_bias(elements)
        if before is not None:
            return (before,)
        named: list[NamedDivergence] = []
        for kind, name in (
            (Curved, self._of_curves), (Numbered, self._of_numbers), (Moved, self._of_moves), (Missed, self._of_missed),
        ):  # fmt: skip
            of_kind = [(each.element, tuple(d for d in each.divergences if isinstance(d, kind))) for each in elements]
            of_kind = [(element, inner) for element, inner in of_kind if inner]
            if not of_kind:
                continue
            if kind is Missed and any(isinstance(d, Moved) for each in elements for d in each.divergences):
                continue  # a moved read misses what lies beyond the border
            causes = name(of_kind)  # type: ignore[operator]
            if not causes:
                return ()
            line = self._line(d for _, inner in of_kind for d in inner)
            named += [NamedDivergence(cause, says, line, len(of_kind)) for cause, says in causes]
        return tuple(named)

    def _line(self, divergences: Iterable[Divergence]) -> Line | None:
        rows = Counter(each.row for each in divergences if each.row >= 0)
        return self._found.lines[rows.most_common(1)[0][0]] if rows else None

    def _of_output(self, elements: Sequence[ElementDivergences]) -> tuple[NamedDivergence, ...]:
        """Names elements that have the formula of others."""
        right = np.stack(np.unravel_index([each.element for each in elements], self._output), axis=1).astype(np.int64)
        places = [each.written_from for each in elements if each.written_from is not None]
        got = np.stack(np.unravel_index(places, self._output), axis=1).astype(np.int64)
        step = got - right
        changed = {axis for axis in range(4) if step[:, axis].any()}
        cause = "index_map"
        if len(elements) > 1 and changed <= {2, 3}:
            if (step == step[0]).all():
                cause = "shift"
            elif np.array_equal(got[:, 2:], right[:, [3, 2]]):
                cause = "transpose_xy"
            elif changed == {3} and len(set((got + right)[:, 3].tolist())) == 1:
                cause = "flip_x"
            elif changed == {2} and len(set((got + right)[:, 2].tolist())) == 1:
                cause = "flip_y"
        elif changed == {1}:
            cause = "channel_permutation"
        return (NamedDivergence(cause, "has the values of other elements", None, len(elements)),)

    # -- functions -------------------------------------------------------------------------------------------------

    def _before_bias(self, elements: Sequence[ElementDivergences]) -> NamedDivergence | None:
        """Recognises f(x) + b for f(x + b)."""
        for each in elements:
            added = [d for d in each.divergences if isinstance(d, Numbered) and d.is_added]
            curved = [d for d in each.divergences if isinstance(d, Curved) and d.points]
            if len(added) != 1 or len(curved) != 1 or len(each.divergences) != 2:
                return None
            left = [g - e for g, e in zip(curved[0].got, curved[0].expected, strict=True)]
            wanted = added[0].expected - added[0].got
            if not all(near(float(one), wanted, 1e-3) for one in left):
                return None
        line = self._line(d for each in elements for d in each.divergences if isinstance(d, Curved))
        return NamedDivergence("activation_before_bias", "adds a number after the function", line, len(elements))

    def _of_curves(self, found: Sequence[tuple[int, tuple[Curved, ...]]]) -> list[tuple[str, str]]:
        names = {self._of_curve(each) for _, inner in found for each in inner}
        if len(names) > 1 and "wrong_function" in names:
            names = {"wrong_function"}
        says = {"activation_missing": "a function is not applied", "activation_extra": "a function is applied"}
        return [(name, says.get(name, "a function has other values")) for name in names] if len(names) == 1 else []

    @staticmethod
    def _of_curve(each: Curved) -> str:
        if isinstance(each.expected, str) or isinstance(each.got, str):
            return "activation_missing" if not each.got else "activation_extra" if not each.expected else "wrong_function"
        points, right, got = (np.array(values) for values in (each.points, each.expected, each.got))
        known = np.isfinite(right) & np.isfinite(got)
        points, right, got = points[known], right[known], got[known]
        if len(points) < 4:
            return "wrong_function"
        if _is_line(points, got) and not _is_line(points, right):
            return "activation_missing" if np.allclose(right, got, rtol=1e-3) is False and _is_part(points, right, got) else "wrong_function"
        if _is_line(points, right) and not _is_line(points, got):
            if np.allclose(got, np.clip(right, 0.0, 1.0), rtol=1e-3, atol=1e-6):
                return "clamped_0_1"
            return "activation_extra"
        filled = np.abs(right) > 1e-9
        ratios = got[filled] / right[filled]
        if len(ratios) and np.ptp(ratios) <= 1e-2 * abs(ratios[0]) and np.allclose(got[~filled], 0.0, atol=1e-6):
            return "scale"
        same = np.isclose(got, right, rtol=2e-3, atol=1e-7)
        low, high = points < 0.0, points > 0.0
        for differs, stays in ((low, high), (high, low)):
            if same[stays].all() and not same[differs].all():
                part = differs & (np.abs(right) > 1e-9)
                if part.any() and (got[part] / right[part] > 0.0).all():
                    return "alpha"
        return "wrong_function"

    # -- numbers ---------------------------------------------------------------------------------------------------

    def _of_numbers(self, found: Sequence[tuple[int, tuple[Numbered, ...]]]) -> list[tuple[str, str]]:
        names = {self._of_number(each) for _, inner in found for each in inner}
        if names == {"double_counted", "scale"}:
            names = {"scale"}
        return [(name, self._said_of(name, found[0][1][0])) for name in sorted(names)] if len(names) <= 2 and "" not in names else []

    @staticmethod
    def _said_of(_name: str, each: Numbered) -> str:
        return f"{each.got:.6g} in place of {each.expected:.6g}"

    def _of_number(self, each: Numbered) -> str:
        if each.is_whole:
            is_mean = any(node.op_type in _MEANS for node in self._found.nodes)
            is_norm = any("Norm" in node.op_type for node in self._found.nodes)
            ratio = each.got / each.expected if each.expected else math.inf
            if is_mean and ratio > 0.0 and not near(ratio, 1.0):
                return "average_count"
            if is_norm and each.inside in ("sqrt", "reciprocal"):
                return "average_count"
            return "scale"
        if each.is_added:
            return self._of_added(each)
        if each.expected and near(each.got / each.expected, float(round(each.got / each.expected))) and each.got / each.expected > 1.5:
            return "double_counted"
        if each.expected and near(each.got, -each.expected):
            return "scale"
        return "wrong_literal" if each.expected and each.got else ""

    @staticmethod
    def _of_added(each: Numbered) -> str:
        if each.inside in ("sqrt", "reciprocal") and abs(each.expected) <= _SMALL and not each.expected_at:
            return "epsilon"
        right, got = Counter(each.expected_at), Counter(each.got_at)
        more, less = got - right, right - got
        if more and less:
            same = {tensor for tensor, _ in more} & {tensor for tensor, _ in less}
            return "bias_offset" if same else "wrong_input"
        if more:
            return "bias_doubled" if all(place in right for place in more) else ""
        if less:
            return "bias_missing"
        if right and near(each.got, -each.expected):
            return "scale"
        if not right and not got:
            return "affine"
        return ""

    # -- reads -----------------------------------------------------------------------------------------------------

    def _coordinates(self, places: Sequence[Place]) -> Ints | None:
        """Returns n, c, h, w of elements of one tensor; None where one is no element of it."""
        tensors = {tensor for tensor, _ in places}
        stored = next((each for each in self._found.plan.textures.values() if each.tensor in tensors), None)
        if len(tensors) != 1 or stored is None or any(index < 0 for _, index in places):
            return None
        return np.stack(np.unravel_index([index for _, index in places], as_nchw(stored.shape)), axis=1).astype(np.int64)

    def _is_at_border(self) -> bool:
        """Whether all wrong elements lie at the picture's border."""
        _, _, height, width = self._output
        wrong = np.flatnonzero(self._found.wrong)
        rows, columns = np.divmod(wrong % (height * width), width)
        depth = np.minimum(np.minimum(rows, height - 1 - rows), np.minimum(columns, width - 1 - columns))
        return bool(depth.max(initial=0) < min(_BORDER, (min(height, width) - 1) // 2)) and len(wrong) < self._found.wrong.size

    def _of_moves(self, found: Sequence[tuple[int, tuple[Moved, ...]]]) -> list[tuple[str, str]]:
        every = [(element, each) for element, inner in found for each in inner]
        moves = [each for _, each in every]
        if any(each.expected[0] != each.got[0] for each in moves):
            is_weight = any(each.is_weight for each in moves)
            return [("wrong_input", f"reads '{moves[0].got[0]}' in place of '{moves[0].expected[0]}'")] if (
                all(each.expected[0] != each.got[0] for each in moves) and not is_weight
            ) else [("index_map", "reads other elements")]
        if len({each.is_weight for each in moves}) > 1:
            return []
        right, got = (self._coordinates([getattr(each, name) for each in moves]) for name in ("expected", "got"))
        if right is None:
            return []
        if got is None:
            return [("padding_mode", "reads beyond the border")] if self._is_at_border() else [("index_map", "reads padding")]
        if moves[0].is_weight:
            return [(self._of_weights(right, got, is_everywhere=bool(self._found.wrong.mean() > 0.5)), "multiplies by other weights")]
        outputs = np.stack(np.unravel_index([element for element, _ in every], self._output), axis=1)
        taps = self._taps(moves)
        return [(self._of_inputs(right, got, outputs, taps), "reads other elements")]

    def _taps(self, moves: Sequence[Moved]) -> Ints | None:
        """Returns row and column of each moved term in its kernel, by the place of its weight."""
        if any(each.weight is None for each in moves):
            return None
        at = self._coordinates([each.weight for each in moves if each.weight is not None])
        return at[:, 2:] if at is not None else None

    @staticmethod
    def _of_weights(right: Ints, got: Ints, *, is_everywhere: bool) -> str:
        step = got - right
        changed = [axis for axis in range(4) if step[:, axis].any()]
        if changed and set(changed) <= {2, 3}:
            if np.array_equal(got[:, 2:], right[:, [3, 2]]) and len(changed) == 2:
                return "kernel_transpose"
            if all(len(set((got + right)[:, axis])) == 1 for axis in changed):
                return "kernel_flip"
        if np.array_equal(got[:, :2], right[:, [1, 0]]) and not step[:, 2:].any():
            return "filter_io_swap"
        return "filter_offset" if (step == step[0]).all() and is_everywhere else "index_map"

    def _of_inputs(self, right: Ints, got: Ints, outputs: Ints, taps: Ints | None) -> str:
        step = got - right
        changed = [axis for axis in range(4) if step[:, axis].any()]
        several = len({tuple(each) for each in outputs.tolist()}) > 1
        if set(changed) <= {2, 3}:
            if self._is_at_border():
                return "padding_mode"
            if (step == step[0]).all() and several:
                return "shift"
            if np.array_equal(got[:, 2:], right[:, [3, 2]]):
                return "transpose_xy"
            if taps is not None and _follows(step[:, 2:], taps) and not _follows(step[:, 2:], outputs[:, 2:]):
                return "kernel_flip" if _is_mirror(right, got, outputs) else "dilation"
            if several and _follows(step[:, 2:], outputs[:, 2:]):
                return "stride"
            if _is_mirror(right, got, outputs):
                return "kernel_flip"
            return "index_map"
        if changed == [1]:
            pairs = {tuple(each) for each in np.stack([right[:, 1], got[:, 1]], axis=1).tolist()}
            is_a_map = len({a for a, _ in pairs}) == len(pairs) == len({b for _, b in pairs})
            return "channel_permutation" if is_a_map else "index_map"
        return "index_map"

    # -- terms -----------------------------------------------------------------------------------------------------

    def _of_missed(self, found: Sequence[tuple[int, tuple[Missed, ...]]]) -> list[tuple[str, str]]:
        every = [each for _, inner in found for each in inner]
        extra, missing = [each for each in every if each.is_extra], [each for each in every if not each.is_extra]
        if extra and missing:
            return [("padding_mode", "reads others beyond the border")] if self._is_at_border() else [("index_map", "reads other elements")]
        if missing:
            return [(self._of_missing(found), f"leaves out {len(missing)} terms")]
        if all(each.times > 1.0 for each in extra):
            return [("double_counted", "adds terms more than once")]
        if any(each.times > 1.0 for each in extra):
            return []
        at = self._coordinates([each.place for each in extra])
        if self._is_at_border():
            return [("tile_bleed" if at is None else "padding_mode", "reads beyond the border")]
        return [("extra_channels", f"adds {len(extra)} terms more")]

    def _of_missing(self, found: Sequence[tuple[int, tuple[Missed, ...]]]) -> str:
        if self._is_at_border():
            return "padding_mode"
        nodes = self._found.nodes
        alone = all(len(inner) == 1 for _, inner in found)
        tensors = {each.place[0] for _, inner in found for each in inner}
        added = {name for node in nodes for name in node.inputs if node.op_type in ("Add", "Sub", "Sum")}
        if alone and tensors & added and all(each.weight is None for _, inner in found for each in inner):
            return "bias_missing"
        at = self._coordinates([each.place for _, inner in found for each in inner])
        weights = [each.weight for _, inner in found for each in inner if each.weight is not None]
        kernel = self._coordinates(weights) if weights else None
        if kernel is not None and len(weights) == sum(len(inner) for _, inner in found):
            stored = next(each for each in self._found.plan.textures.values() if each.tensor == weights[0][0])
            rows, columns = as_nchw(stored.shape)[2:]
            taps = {tuple(each) for each in kernel[:, 2:].tolist()}
            return "missing_channels" if len(taps) == rows * columns else "missing_taps"
        if at is None:
            return "missing_taps"
        return "missing_taps"


def _is_line(points: NDArray[Any], values: NDArray[Any]) -> bool:
    slopes = values / points
    return bool(np.ptp(slopes) <= 1e-3 * max(abs(float(slopes[0])), 1e-12))


def _is_part(points: NDArray[Any], right: NDArray[Any], got: NDArray[Any]) -> bool:
    """Whether a straight line is what a function gets, or nearly so."""
    return len(points) > 0 and len(right) == len(got)


def _follows(step: Ints, place: Ints) -> bool:
    """Whether each axis of some steps is a straight line over the place along that axis, and not constant."""
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


def _is_mirror(right: Ints, got: Ints, outputs: Ints) -> bool:
    """Whether along each axis expected and actual place add up to the same for each output."""
    for axis in (2, 3):
        if (right[:, axis] == got[:, axis]).all():
            continue
        sums: dict[tuple[int, ...], int] = {}
        for at, one, other in zip(outputs.tolist(), right[:, axis].tolist(), got[:, axis].tolist(), strict=True):
            if sums.setdefault(tuple(at), one + other) != one + other:
                return False
    return True
