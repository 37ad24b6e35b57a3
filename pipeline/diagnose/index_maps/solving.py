"""Solves index maps from expected to actual elements, axis by axis, over small quasi-affine forms.

Recorded reads show in which order a tensor is visited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.fault_models.layer_parts import right_values
from texelscope.pipeline.diagnose.index_maps.decoded_probes import ReadMoves, asked_of
from texelscope.pipeline.diagnose.index_maps.product_terms import ProductTerms, SumAnswers, axes_of
from texelscope.pipeline.diagnose.probes.affine_expr import AffineExpr, held, in_part, solve, tabulated
from texelscope.pipeline.diagnose.probes.designs import NOTHING
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

Array = NDArray[Any]
Indices = NDArray[np.int64]
Columns = Mapping[str, Indices]

# At least this share of the observed products must have elements of the pass before the other factor is blamed.
_KNOWN = 0.4
# An axis is read as expected if this share of its places is.
_BELONG = 0.9
_FEWEST = 12
# A costlier map may be simpler as a form of the linear index.
_SIMPLE = 4.0
# A map without a formula lists this many elements.
_TOLD = 4
# The largest stride in memory.
_LARGEST_STRIDE = 1 << 20
_OUTPUT, _TAP = ("m", "o", "y", "x"), ("j", "i", "p", "q")
# Row and column that a window reads, counted from its first position, padding included.
_LOOKED_AT = ("v", "u")


def in_order(case: FailingPass, tensor: str, axis: int) -> bool | None:
    """Whether recorded reads of `tensor` go up along an axis of its 4-d view, from 0, as loops do.

    Two tensors multiplied in orders that do not match give the same sums whichever of them is reversed; the one that is
    read against the loop is to blame. None if nothing was recorded.
    """
    read = case.read_of(tensor)
    if read is None:
        return None
    for taps in case.evidence.taps:
        elements = [tap.elements[0] for tap in taps.reads if tap.key == read.values.stored.key and tap.elements]
        places = np.unravel_index(elements, read.values.dims)[axis] if elements else np.zeros(0, dtype=np.int64)
        steps = np.diff(places)
        if len(set(places.tolist())) > 1:
            lowest = int(places.min())
            forward = bool(((steps >= 0) | (places[1:] == lowest)).all())
            return forward and int(places[0]) == lowest
    return None


@dataclass(frozen=True)
class IndexMap:
    """The places where a tensor is read: for each axis (n, c, h, w of its 4-d view) that is not read as expected.

    `index` stands alone for the linear index, and `memory` for the place in the texture, by lanes and then by rows; `i`
    is the expected linear index. `known` is the share of the observed products whose other factor belongs to the pass.
    `moves` belong to a tensor of which every element reads one; `of` is the sum that has the products; `beside` is the
    map of their other factors, where neither belongs to the pass.

    Forms are functions of the expected place (n, c, h, w), of the output's (m, o, y, x) and of the other factor's (j,
    i, p, q); v and u are the row and column that a window reads, from 0, padding included.
    """

    read: ReadTensor
    forms: Mapping[str, AffineExpr]
    is_weights: bool
    seen: str = "designed inputs"
    known: float = 1.0
    moves: ReadMoves | None = None
    of: SumAnswers | None = None
    beside: IndexMap | None = None

    @property
    def features(self) -> frozenset[str]:
        """Returns the indices that the forms use."""
        if "memory" in self.forms:
            return frozenset(name for each in self.forms["memory"].names for name in ("nchw" if each == "i" else each))
        return frozenset(name for form in self.forms.values() for name in form.names)

    @property
    def cost(self) -> float:
        """Returns the description length of the map."""
        return sum(form.cost for form in self.forms.values())

    def __str__(self) -> str:
        if not self.forms and self.moves is not None:
            return self._some(self.moves)
        return ", ".join(f"{axis} -> {form}" for axis, form in self.forms.items())

    def _some(self, moves: ReadMoves) -> str:
        """Describes a few elements of a map without a formula."""
        other = np.flatnonzero((moves.actual >= 0) & (moves.expected >= 0) & (moves.actual != moves.expected))
        pairs = [axes_of(self.read, each[other[:_TOLD]]).values() for each in (moves.expected, moves.actual)]
        told = zip(*(np.stack(list(each)).T.tolist() for each in pairs), strict=True)
        return ", ".join(f"{expected} -> {actual}" for expected, actual in told)

    def at(self, columns: Columns) -> tuple[Array, Array, Array, Array]:
        """Returns n, c, h, w of the elements read; n lies beyond the last element where nothing is read."""
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
    """One factor of the products: the element of each row, and the one that belongs to the `other` factor's."""

    terms: ProductTerms
    read: ReadTensor
    beside: ReadTensor | None

    @property
    def is_weights(self) -> bool:
        return self.read is self.terms.weights

    def columns(self, case: FailingPass, place: Indices, own: Indices, other: Indices) -> Columns:
        """Returns the indices from which a shader may compute an address, row by row."""
        shape = case.model_slice.values[self.terms.node.outputs[0]].shape
        columns = dict(axes_of(self.read, own))
        columns |= dict(zip(_OUTPUT, np.unravel_index(place, as_nchw(shape)), strict=True))
        if self.beside is not None and not self.is_weights:
            columns |= dict(zip(_TAP, axes_of(self.beside, other).values(), strict=True))
            window = case.model_slice.window(self.terms.node)
            if window is not None and window.kernel != (1, 1) and window.inner == (0, 0):
                for number, (at, tap) in enumerate((("y", "p"), ("x", "q"))):
                    looked_at = columns[at] * window.stride[number] + columns[tap] * window.dilation[number]
                    columns[_LOOKED_AT[number]] = looked_at
        return columns


def maps_of(case: FailingPass) -> tuple[IndexMap, ...]:
    """Returns maps of the source, if its partners belong to the pass, and of weights, if theirs do; likeliest first."""
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
    """Yields maps of constants that the GPU holds in another order than the model, recognised by their values."""
    others = case.evidence.facts.get("other_constants", ())
    for read in case.evidence.reads if case.model_slice.graph is not None else ():
        if read.tensor not in others or read.tensor not in case.model_slice.values:
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


def _of_moves(case: FailingPass, moves: ReadMoves) -> IndexMap | None:
    """Returns the map of a tensor of which every element reads one, if that is not the expected one."""
    known = (moves.expected >= 0) & (moves.actual >= 0)
    expected, actual = moves.expected[known], moves.actual[known]
    if np.count_nonzero(known) < _FEWEST or (expected == actual).all():
        return None
    columns = dict(axes_of(moves.read, expected))
    columns |= dict(zip(_OUTPUT, np.unravel_index(moves.elements[known], case.dims), strict=True))
    return IndexMap(moves.read, _forms(moves.read, actual, columns), is_weights=False, moves=moves)


def _maps(case: FailingPass, total: SumAnswers, terms: ProductTerms) -> list[IndexMap]:
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
    """Whether a tensor is read in loop order: of two that do not match it is not the one to blame."""
    return all(in_order(case, found.read.tensor, "nchw".find(axis)) for axis in found.forms)


def _solved(case: FailingPass, side: FactorSide, actual: Indices, expected: Indices, other: Indices) -> IndexMap | None:
    known = expected != NOTHING
    if len(actual) < _FEWEST or np.mean(known) < _KNOWN or (actual[known] == expected[known]).all():
        return None
    columns = side.columns(case, side.terms.place[known], expected[known], other[known])
    forms = _forms(side.read, actual[known], columns)
    return IndexMap(side.read, forms, side.is_weights, known=float(np.mean(known))) if forms else None


def _forms(read: ReadTensor, actual: Indices, columns: Columns) -> Mapping[str, AffineExpr]:
    """Returns a form for each axis that is not read as expected, or for the linear index or the memory place alone."""
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
    """Returns the form of the place in memory, as accessors compute it: from coordinates or from the expected place."""
    values = read.values
    place = _memory(values, *(columns[axis] for axis in "nchw"))
    taken = _memory(values, *axes_of(read, actual).values())
    sizes = (values.stored.layout.lanes, values.stored.texture_shape[1])
    by_place = solve(taken, {"i": place}, sizes, holds=1.0, largest=_LARGEST_STRIDE)
    form = by_place or solve(taken, columns, (), holds=1.0, largest=_LARGEST_STRIDE) or tabulated(taken, {"i": place})
    return {} if form is None else {"memory": form}


def _memory(values: StoredValues, n: Indices, c: Indices, h: Indices, w: Indices) -> Indices:
    """Returns the places of elements in their texture, by lanes and then by rows."""
    tx, ty, lane = values.texel_at(n, c, h, w)
    layout, width = values.stored.layout, values.stored.texture_shape[1]
    return np.asarray((ty * width + tx) * layout.lanes + lane, dtype=np.int64)


def _element_in(values: StoredValues, place: Indices) -> tuple[Array, Array, Array, Array]:
    """Returns the elements at places in memory; n is -1 where there is none."""
    layout, (height, width) = values.stored.layout, values.stored.texture_shape
    texel = place // layout.lanes
    inside = (place >= 0) & (texel < height * width)
    held = np.where(inside, texel, 0)
    n, c, h, w = layout.element_at(values.dims, held % width, held // width, np.where(inside, place % layout.lanes, 0))
    return np.where(inside, n, -1), c, h, w


def _sizes(read: ReadTensor, columns: Columns) -> Sequence[int]:
    """Returns divisors of indices: lanes, sizes of axes, and how many groups of lanes those have."""
    lanes = 4
    sizes = {2, 3, lanes, *read.values.dims, *(int(column.max()) + 1 for column in columns.values())}
    return sorted({*sizes, *(-(-size // lanes) for size in sizes), *(size // 2 for size in sizes)})
