"""From which element expected to which element taken: solved over small integer forms of the indices, axis by axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.clues.tap_pattern import in_order
from texelscope.pipeline.diagnose.clues.weights import right_values
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.maps.decoded_probes import Moves, asked_of
from texelscope.pipeline.diagnose.maps.product_terms import ProductTerms, Summed, axes_of
from texelscope.pipeline.diagnose.probes.affine_expr import AffineExpr, held, in_part, solve, tabulated
from texelscope.pipeline.diagnose.probes.designs import NOTHING
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

Array = NDArray[Any]
Indices = NDArray[np.int64]
Columns = Mapping[str, Indices]

# Of the products seen so many have to be of elements that belong to the pass, for the other one to be to blame.
_KNOWN = 0.4
# An axis is read as expected where so many of its places are.
_BELONG = 0.9
_FEWEST = 12
# What costs more than this may be simpler as the number of the element.
_SIMPLE = 4.0
# Of a map without a formula so many elements are told.
_TOLD = 4
# Strides in memory are no larger.
_LARGEST_STRIDE = 1 << 20
_OUTPUT, _TAP = ("m", "o", "y", "x"), ("j", "i", "p", "q")
# The row and column that a window looks at, from its first one, paddings included.
_LOOKED_AT = ("v", "u")


@dataclass(frozen=True)
class IndexMap:
    """Where a tensor is read: by axis (n, c, h, w of its 4-d view), only those that are not read as expected.

    Or `index` alone, the number of the element row by row, or `memory` alone, its place in the texture, lane by lane
    and row by row, of which `i` is the one expected. `known` is the share of the products seen whose other
    factor belongs to the pass. `moves` are of a tensor of which every element takes one; `of` is the sum that has
    the products; `beside` is the map of their other factors, where neither belongs to the pass.

    Forms are of the place expected (n, c, h, w), of the output's (m, o, y, x) and of the other factor's (j, i, p, q);
    v and u are the row and the column that a window looks at, from 0, paddings included.
    """

    read: ReadTensor
    forms: Mapping[str, AffineExpr]
    is_weights: bool
    seen: str = "designed inputs"
    known: float = 1.0
    moves: Moves | None = None
    of: Summed | None = None
    beside: IndexMap | None = None

    @property
    def features(self) -> frozenset[str]:
        """The indices that the forms are of."""
        if "memory" in self.forms:
            return frozenset(name for each in self.forms["memory"].names for name in ("nchw" if each == "i" else each))
        return frozenset(name for form in self.forms.values() for name in form.names)

    @property
    def cost(self) -> float:
        """How much it says."""
        return sum(form.cost for form in self.forms.values())

    def __str__(self) -> str:
        if not self.forms and self.moves is not None:
            return self._some(self.moves)
        return ", ".join(f"{axis} -> {form}" for axis, form in self.forms.items())

    def _some(self, moves: Moves) -> str:
        """Some of what no formula tells."""
        other = np.flatnonzero((moves.actual >= 0) & (moves.expected >= 0) & (moves.actual != moves.expected))
        pairs = [axes_of(self.read, each[other[:_TOLD]]).values() for each in (moves.expected, moves.actual)]
        told = zip(*(np.stack(list(each)).T.tolist() for each in pairs), strict=True)
        return ", ".join(f"{expected} -> {actual}" for expected, actual in told)

    def at(self, columns: Columns) -> tuple[Array, Array, Array, Array]:
        """n, c, h, w of what is read; beyond the last element n is."""
        if "index" in self.forms:
            _, C, H, W = self.read.values.dims
            index = self.forms["index"].of(columns)
            return index // (C * H * W), index // (H * W) % C, index // W % H, index % W
        if "memory" in self.forms:
            values = self.read.values
            place = _memory(values, *(columns[axis] for axis in "nchw"))
            return _element_in(values, self.forms["memory"].of({**columns, "i": place}))
        n, c, h, w = (self.forms[axis].of(columns) if axis in self.forms else columns[axis] for axis in "nchw")
        return n, c, h, w


@dataclass(frozen=True)
class FactorSide:
    """One factor of the products: of each row its element, and the one that belongs to the `other` factor's."""

    terms: ProductTerms
    read: ReadTensor
    beside: ReadTensor | None

    @property
    def is_weights(self) -> bool:
        return self.read is self.terms.weights

    def columns(self, case: FailingPass, place: Indices, own: Indices, other: Indices) -> Columns:
        """Indices that a shader may have worked an address out of, row by row."""
        shape = case.redo.values[self.terms.node.outputs[0]].shape
        columns = dict(axes_of(self.read, own))
        columns |= dict(zip(_OUTPUT, np.unravel_index(place, as_nchw(shape)), strict=True))
        if self.beside is not None and not self.is_weights:
            columns |= dict(zip(_TAP, axes_of(self.beside, other).values(), strict=True))
            window = case.redo.window(self.terms.node)
            if window is not None and window.kernel != (1, 1) and window.inner == (0, 0):
                for number, (at, tap) in enumerate((("y", "p"), ("x", "q"))):
                    looked_at = columns[at] * window.stride[number] + columns[tap] * window.dilation[number]
                    columns[_LOOKED_AT[number]] = looked_at
        return columns


def maps_of(case: FailingPass) -> tuple[IndexMap, ...]:
    """The map of the source, if its partners belong to the pass; that of the weights, if theirs do; likeliest first."""
    asked = asked_of(case)
    if "maps" not in case.kept:
        found = [*_of_constants(case)]
        for total in asked.sums if asked is not None else ():
            found += () if total.terms is None else _maps(case, total, total.terms)
        found += (
            [] if asked is None else [each for each in (_of_moves(case, m) for m in asked.moves) if each is not None]
        )
        case.kept["maps"] = tuple(found)
    return tuple(case.kept["maps"])


def _of_constants(case: FailingPass) -> Iterator[IndexMap]:
    """Of constants that the GPU holds in another order than the model has them: told by their values."""
    others = case.evidence.facts.get("other_constants", ())
    for read in case.evidence.reads if case.redo.graph is not None else ():
        if read.tensor not in others or read.tensor not in case.redo.values:
            continue
        held, right = read.values.elements.reshape(-1), right_values(case, read.tensor).elements.reshape(-1)
        order = np.argsort(right)
        place = np.minimum(np.searchsorted(right[order], held), right.size - 1)
        actual = order[place]
        if right.size < _FEWEST or len(np.unique(right)) < right.size or np.mean(right[actual] == held) < _BELONG:
            continue
        forms = _forms(read, actual, axes_of(read, np.arange(right.size)))
        if forms:
            yield IndexMap(read, forms, is_weights=True, seen="the values in its texture")


def _of_moves(case: FailingPass, moves: Moves) -> IndexMap | None:
    """Of a tensor of which every element takes one: where it is not the one expected."""
    known = (moves.expected >= 0) & (moves.actual >= 0)
    expected, actual = moves.expected[known], moves.actual[known]
    if np.count_nonzero(known) < _FEWEST or (expected == actual).all():
        return None
    columns = dict(axes_of(moves.read, expected))
    columns |= dict(zip(_OUTPUT, np.unravel_index(moves.elements[known], case.dims), strict=True))
    return IndexMap(moves.read, _forms(moves.read, actual, columns), is_weights=False, moves=moves)


def _maps(case: FailingPass, total: Summed, terms: ProductTerms) -> list[IndexMap]:
    found = [_solved(case, FactorSide(terms, terms.source, terms.weights), terms.taken, terms.partner, terms.weight)]
    if terms.weights is not None:
        side = FactorSide(terms, terms.weights, terms.source)
        found.append(_solved(case, side, terms.weight, terms.weight_of, terms.taken))
    there = [replace(each, of=total) for each in found if each is not None]
    if len(there) == 2 and terms.by_rank:
        there = [replace(there[0], beside=there[1])]
    most = max((each.known for each in there), default=1.0)
    return sorted(
        there,
        key=lambda each: (
            each.known < _BELONG * most, _is_in_order(case, each), case.reads_rightly(each.read.tensor), each.cost,
        ),
    )  # fmt: skip


def _is_in_order(case: FailingPass, found: IndexMap) -> bool:
    """Whether a tensor is read in order as loops go: of two that do not go together it is not the one to blame."""
    return all(in_order(case, found.read.tensor, "nchw".find(axis)) for axis in found.forms)


def _solved(case: FailingPass, side: FactorSide, actual: Indices, expected: Indices, other: Indices) -> IndexMap | None:
    known = expected != NOTHING
    if len(actual) < _FEWEST or np.mean(known) < _KNOWN or (actual[known] == expected[known]).all():
        return None
    columns = side.columns(case, side.terms.place[known], expected[known], other[known])
    forms = _forms(side.read, actual[known], columns)
    return IndexMap(side.read, forms, side.is_weights, known=float(np.mean(known))) if forms else None


def _forms(read: ReadTensor, actual: Indices, columns: Columns) -> Mapping[str, AffineExpr]:
    """Of each axis that is not read as expected, or of the index alone where an axis has none, or of the memory."""
    forms: dict[str, AffineExpr] = {}
    for axis, taken in axes_of(read, actual).items():
        right = np.mean(taken == columns[axis])
        sizes = _sizes(read, columns)
        form = solve(taken, columns, sizes, holds=_BELONG if right < _BELONG else 1.0) if right < 1.0 else None
        if right < 1.0 and (form is None or form.holds < 1.0):
            size = read.values.dims["nchw".index(axis)]
            exact = held(taken, columns, sizes, size - 1) or in_part(taken, columns, sizes, axis)
            exact = exact or tabulated(taken, columns)
            form = exact or (form and solve(taken, columns, sizes, holds=1.0)) or form
        if form is not None:
            forms[axis] = form
        elif right < _BELONG:
            forms = {}
            break
    if not forms or sum(form.cost for form in forms.values()) > _SIMPLE:
        index = solve(actual, columns, (), holds=1.0)
        if index is not None and (not forms or index.cost < sum(form.cost for form in forms.values())):
            return {"index": index}
    is_exact = bool(forms) and min(form.holds for form in forms.values()) == 1.0
    return forms if is_exact else _in_texture(read, actual, columns) or forms


def _in_texture(read: ReadTensor, actual: Indices, columns: Columns) -> Mapping[str, AffineExpr]:
    """The place in memory, as accessors work it out: from coordinates, or from that which is expected."""
    values = read.values
    place = _memory(values, *(columns[axis] for axis in "nchw"))
    taken = _memory(values, *axes_of(read, actual).values())
    sizes = (values.stored.layout.lanes, values.stored.texture_shape[1])
    by_place = solve(taken, {"i": place}, sizes, holds=1.0, largest=_LARGEST_STRIDE)
    form = by_place or solve(taken, columns, (), holds=1.0, largest=_LARGEST_STRIDE) or tabulated(taken, {"i": place})
    return {} if form is None else {"memory": form}


def _memory(values: StoredValues, n: Indices, c: Indices, h: Indices, w: Indices) -> Indices:
    """The places of elements in their texture, lane by lane, row by row."""
    tx, ty, lane = values.texel_at(n, c, h, w)
    layout, width = values.stored.layout, values.stored.texture_shape[1]
    return np.asarray((ty * width + tx) * layout.lanes + lane, dtype=np.int64)


def _element_in(values: StoredValues, place: Indices) -> tuple[Array, Array, Array, Array]:
    """The elements at places in memory; n is -1 where there is none."""
    layout, (height, width) = values.stored.layout, values.stored.texture_shape
    texel = place // layout.lanes
    inside = (place >= 0) & (texel < height * width)
    held = np.where(inside, texel, 0)
    n, c, h, w = layout.element_at(values.dims, held % width, held // width, np.where(inside, place % layout.lanes, 0))
    return np.where(inside, n, -1), c, h, w


def _sizes(read: ReadTensor, columns: Columns) -> Sequence[int]:
    """What indices are divided by: lanes, sizes of axes, and how many groups of lanes those are."""
    lanes = 4
    sizes = {2, 3, lanes, *read.values.dims, *(int(column.max()) + 1 for column in columns.values())}
    return sorted({*sizes, *(-(-size // lanes) for size in sizes), *(size // 2 for size in sizes)})
