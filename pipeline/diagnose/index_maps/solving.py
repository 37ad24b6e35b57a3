"""Solves index maps from expected to actual elements, axis by axis, over small quasi-affine forms.

Recorded reads show in which order a tensor is visited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.divergences.moves import paired
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.fault_models.layer_parts import right_values
from texelscope.pipeline.diagnose.index_maps.affine_expr import AffineExpr, Feature, held, in_part, solve, tabulated
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.kinds import Divergence, Missed, Moved, Numbered

Array = NDArray[Any]
Indices = NDArray[np.int64]
Columns = Mapping[str, Indices]

# An axis is read as expected if this share of its places is.
_BELONG = 0.9
# Fewer constants may be in another order by chance; of reads, a map is held against all elements afterwards.
_FEWEST, _FEWEST_READS = 12, 3
# So many different reads for each number of a formula; more than these are enough.
_READS_EACH, _ENOUGH = 3, 24
# A costlier map may be simpler as a form of the linear index.
_SIMPLE = 4.0
# Few reads fit a costlier map by chance.
_CHANCE = 6.0
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
    is the expected linear index. `is_weights`: of a tensor that holds constants. `beside` is the tensor, no constant,
    that every read is multiplied by. `may_be_chance`: so few reads fit other maps too.
    `moves` are the linear indices of outputs, of the elements that they should read, and of those that they read.

    Forms are functions of the expected place (n, c, h, w), of the output's (m, o, y, x) and of the weight's (j, i, p,
    q) that the element is multiplied by; v and u are the row and column that a window reads, from 0, padding included.
    """

    read: ReadTensor
    forms: Mapping[str, AffineExpr]
    is_weights: bool
    seen: str = "formulas"
    beside: str = ""
    may_be_chance: bool = False
    moves: tuple[Indices, Indices, Indices] | None = field(default=None, compare=False)

    @property
    def features(self) -> frozenset[str]:
        """Returns the indices that the forms use."""
        if "memory" in self.forms:
            return frozenset(name for each in self.forms["memory"].names for name in ("nchw" if each == "i" else each))
        return frozenset(name for form in self.forms.values() for name in form.names)

    def __str__(self) -> str:
        return ", ".join(f"{axis} -> {form}" for axis, form in self.forms.items())

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


def maps_of(case: FailingPass) -> tuple[IndexMap, ...]:
    """Returns maps of constants that the GPU holds in another order, and of tensors that formulas read elsewhere."""
    if "maps" not in case.kept:
        case.kept["maps"] = (*_of_constants(case), *_of_formulas(case))
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


def _of_formulas(case: FailingPass) -> Iterator[IndexMap]:
    """Yields maps of tensors of which wrong elements' formulas have other elements than the model's."""
    found = case.evidence.divergences
    every = [] if found is None else [(of.element, each) for of in found.elements for each in of.divergences]
    reads = [(element, each) for element, each in every if isinstance(each, Moved | Missed)]
    every_move = [*paired(reads)[0], *((element, move) for element, each in every if (move := _added_elsewhere(each)))]
    moved = [(element, each) for element, each in every_move if each.got[0] == each.expected[0]]
    for tensor in dict.fromkeys(each.expected[0] for _, each in moved):
        read, own = case.read_of(tensor), [pair for pair in moved if pair[1].expected[0] == tensor]
        if read is None or found is None or len(own) < _FEWEST_READS:
            continue
        expected, actual = (np.array([getattr(each, name)[1] for _, each in own]) for name in ("expected", "got"))
        if min(expected.min(), actual.min()) < 0:
            continue
        columns = dict(axes_of(read, expected))
        elements = [element for element, _ in own]
        columns |= dict(zip(_OUTPUT, np.unravel_index(elements, as_nchw(found.output)), strict=True))
        columns |= _of_taps(case, [each.weight for _, each in own], columns)
        factors = {each.weight[0] if each.weight is not None else "" for _, each in own}
        beside = factors.pop() if len(factors) == 1 else ""
        is_held = case.read_of(beside) is not None and beside not in case.model_slice.constants
        for forms, may_be_chance in _forms_of_reads(read, expected, actual, columns):
            beside = beside if is_held else ""
            moves = (np.array(elements), expected, actual)
            yield IndexMap(read, forms, own[0][1].is_weight, beside=beside, may_be_chance=may_be_chance, moves=moves)


def _added_elsewhere(each: Divergence) -> Moved | None:
    """Returns an addend that is another element of a constant as a read that moved."""
    if not isinstance(each, Numbered) or not len(each.expected_at) == len(each.got_at) == 1:
        return None
    return Moved(each.expected_at[0], each.got_at[0], True, each.row) if each.is_added else None


def _forms_of_reads(
    read: ReadTensor, expected: Indices, actual: Indices, columns: Columns
) -> Iterator[tuple[Mapping[str, AffineExpr], bool]]:
    """Yields forms of a few reads that moved; then, as other places may not move, those of the places seen alone.

    Beside each stands whether so few reads may have it by chance.
    """
    forms = _forms(read, actual, columns)
    unknowns = sum(1 + len(form.terms) for form in forms.values())
    different = len(np.unique(np.stack([expected, actual]), axis=1).T)
    is_simple = sum(form.cost for form in forms.values()) <= _CHANCE
    if forms:
        yield forms, not is_simple or different < min(_READS_EACH * unknowns, _ENOUGH)
    moved = {axis: taken for axis, taken in axes_of(read, actual).items() if (taken != columns[axis]).any()}
    if len(moved) != 1:
        return
    axis, taken = next(iter(moved.items()))
    if len(forms) == 1 and (form := forms.get(axis)) is not None and not form.otherwise and not form.table:
        for other, size in zip("nchw", read.values.dims, strict=True):
            places = tuple(np.unique(columns[other]).tolist())
            if other != axis and 2 * len(places) <= size:
                yield {axis: replace(form, part=(other, places), otherwise=axis)}, True
    if not np.ptp(taken - columns[axis]):
        offset = AffineExpr(((1, Feature(axis)),), int(taken[0] - columns[axis][0]))
        if forms != {axis: offset}:
            yield {axis: offset}, True
    order = np.arange(read.values.dims["nchw".index(axis)])
    order[columns[axis]] = taken
    if len(np.unique(columns[axis])) < len(order) and (order[columns[axis]] == taken).all():
        yield {axis: AffineExpr(((0, Feature(axis)),), table=tuple(order.tolist()))}, True


def _of_taps(case: FailingPass, weights: Sequence[Place | None], columns: Columns) -> Columns:
    """Returns the indices of the weights that elements are multiplied by, if they belong to one kernel."""
    windows, tensors = case.windows(), {each[0] if each is not None else "" for each in weights}
    if len(windows) != 1 or len(tensors) != 1 or windows[0].kernel == (1, 1) or windows[0].inner != (0, 0):
        return {}
    shape = case.model_slice.values[tensor].shape if (tensor := next(iter(tensors))) in case.model_slice.values else ()
    places = [each[1] for each in weights if each is not None]
    if len(shape) != len(_TAP) or min(places) < 0:
        return {}
    found = dict(zip(_TAP, np.unravel_index(places, shape), strict=True))
    for number, (at, tap) in enumerate((("y", "p"), ("x", "q"))):
        found[_LOOKED_AT[number]] = columns[at] * windows[0].stride[number] + found[tap] * windows[0].dilation[number]
    return found


def axes_of(read: ReadTensor, elements: Indices) -> Mapping[str, Indices]:
    """Returns coordinates of elements in a tensor's 4-d view: n, c, h, w."""
    at = np.unravel_index(np.maximum(elements, 0), as_nchw(read.values.stored.shape))
    return dict(zip("nchw", (np.asarray(each) for each in at), strict=True))


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
