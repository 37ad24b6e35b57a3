"""Classifies solved index maps: an offset is a shift, swapped axes are a transposition, a mirror is a flip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.layer_parts import becomes_weights, is_added, right_values
from texelscope.pipeline.diagnose.index_maps.affine_expr import AffineExpr, Feature
from texelscope.pipeline.diagnose.index_maps.enumerated import PAIR
from texelscope.pipeline.diagnose.index_maps.solving import IndexMap, axes_of, maps_of
from texelscope.pipeline.diagnose.model_slice.model_slice import InputMove, ModelEdit, grid
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError, WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.model_edits import window_with
from texelscope.pipeline.operators.families.registry import facts_of, operator_of

_BEYOND: tuple[Beyond, ...] = ("zero", "texel", "fetch", "edge")
_IN_PLACE = frozenset("nchw")


@dataclass(frozen=True)
class Shape:
    """A cause with its parameters; `window` has fields of the sum's window that are equivalent, borders included."""

    cause: Cause
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    window: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def seen(
    case: FailingPass, cause: Cause, counts: Callable[[IndexMap], bool] = lambda _found: True
) -> Iterator[Hypothesis]:
    """Proposes the solved maps that `counts` accepts and whose shape has the name of this cause."""
    for number, found in enumerate(maps_of(case)):
        shape = shape_of(case, found)
        if shape.cause is not cause or not counts(found):
            continue
        prior = 1.0 + 1.2 * number + (cause is causes.INDEX_MAP) + 0.8 * (not found.features <= _IN_PLACE)
        yield from _of_shape(case, (found,), shape, prior)
        if alike := _alike(case, found):
            yield from _of_shape(case, (found, *alike), shape, prior + 0.1)


def _of_shape(case: FailingPass, maps: Sequence[IndexMap], shape: Shape, prior: float) -> Iterator[Hypothesis]:
    found, names = maps[0], " and ".join(f"'{each.read.tensor}'" for each in maps)
    line = lines.addressed(found.read.tensor, weights=found.is_weights or bool(found.beside))
    if shape.cause is causes.GROUP_IGNORED:  # channels are counted where an element is asked for
        line = lines.asked(found.read.tensor)
    says = f"reads {names} at {found}, as {found.seen} show"
    parameters = _parameters(found, shape)
    for more, beyond in enumerate(_BEYOND):
        try:
            parts = [_made(case, each, shape, beyond) for each in maps]
        except DoesNotApplyError:
            return
        changes = tuple(change for change, _ in parts)
        yield Hypothesis(
            shape.cause, says, changes, parameters, line=line, prior=prior + more / 100.0, in_pairs=not more
        )
        if not any(outside for _, outside in parts):
            return


def _parameters(found: IndexMap, shape: Shape) -> Mapping[str, Any]:
    return {**shape.parameters, "tensor": found.read.tensor, "map": str(found)}


def told_closer(case: FailingPass, cause: Cause) -> tuple[Cause, Mapping[str, Any]]:
    """Returns a cause that reads show with the parameters of the map that has it, by the closer name if it has one."""
    maps = [(each, shape_of(case, each)) for each in maps_of(case) if not each.may_be_chance]
    for found, shape in sorted(maps, key=lambda each: each[1].cause is not cause):
        # A rule of all elements is none where most are right.
        if cause is shape.cause or (cause is causes.INDEX_MAP and 2 * np.count_nonzero(case.wrong) >= case.wrong.size):
            return shape.cause, _parameters(found, shape)
    return cause, {}


def _alike(case: FailingPass, found: IndexMap) -> Sequence[IndexMap]:
    """Returns equal maps of other tensors."""
    return [each for each in maps_of(case) if each.read.tensor != found.read.tensor and str(each) == str(found)]


def _made(case: FailingPass, found: IndexMap, shape: Shape, beyond: Beyond) -> tuple[ModelEdit, bool]:
    """Returns the model's edit: of its window, or of the elements that it reads.

    The second value says whether `beyond` may make a difference. Raises DoesNotApplyError where places depend on more
    than the elements that should be read, and no window has them.
    """
    window = _window(case)
    if shape.window and window is not None:
        return window_with(window.node, beyond=beyond, **shape.window), window.stored is not None
    if not found.features <= _IN_PLACE:
        raise DoesNotApplyError(found.read.tensor)
    held = found.read.values.stored.role == "constant"
    values = right_values(case, found.read.tensor) if held else found.read.values
    change = InputMove(found.read.tensor, values, lambda n, c, h, w: found.at(_columns(n, c, h, w)), beyond)
    return change, _leaves(found, found.at(_columns(*grid(found.read.values.dims))))


def _leaves(found: IndexMap, at: Sequence[Any]) -> bool:
    """Whether places n, c, h, w of a map lie outside its tensor."""
    return any(
        bool(((place < 0) | (place >= size)).any()) for place, size in zip(at, found.read.values.dims, strict=True)
    )


def _columns(*at: Any) -> Mapping[str, Any]:
    return dict(zip("nchw", np.broadcast_arrays(*at), strict=True))


def shape_of(case: FailingPass, found: IndexMap) -> Shape:
    """Returns the name of a map; `index_map` if no other cause names it."""
    if found.beside and _has_window(case, found.read.tensor):
        return Shape(causes.WRONG_PARTNER, {"tensors": [found.beside, found.read.tensor]})
    if found.is_weights and not is_added(case, found.read.tensor) and not _has_window(case, found.read.tensor):
        return Shape(causes.INDEX_MAP, {axis: str(form) for axis, form in found.forms.items()})  # a table of factors
    if any(form.otherwise for form in found.forms.values()) and not is_added(case, found.read.tensor):
        return Shape(causes.INDEX_MAP, {axis: str(form) for axis, form in found.forms.items()})
    named = _of_weights(case, found) if found.is_weights else _of_source(case, found)
    if is_added(case, found.read.tensor):
        return Shape(causes.BIAS_OFFSET, {} if named is None else named.parameters)
    return named or Shape(causes.INDEX_MAP, {axis: str(form) for axis, form in found.forms.items()})


def _has_window(case: FailingPass, tensor: str) -> bool:
    """Whether a node goes over windows with that tensor."""
    return any(facts_of(node).window is not None for node in case.model_slice.readers(tensor))


def _of_source(case: FailingPass, found: IndexMap) -> Shape | None:
    forms, dims = found.forms, found.read.values.dims
    if len(forms) == 1 and case.model_slice.node("Slice") and (step := _of_slice(case, found, next(iter(forms)))):
        return step
    if forms and set(forms) <= {"h", "w"}:
        if len(forms) == 1 and (axis := next(iter(forms))) and _is_mirror(forms[axis], axis, dims):
            if becomes_weights(case, found.read.tensor):
                return Shape(causes.KERNEL_FLIP, {"axes": "x" if axis == "w" else "y"})
            if dims["nchw".index(axis)] > PAIR:
                return Shape(causes.FLIP_X if axis == "w" else causes.FLIP_Y, {"of": "every tile"})
            return None  # a pair of numbers, such as a coordinate
        return Shape(causes.TRANSPOSE_XY) if _swapped(forms, "h", "w") else _of_window(case, forms)
    if set(forms) == {"c"}:
        window, form = _window(case), forms["c"]
        offset, groups = _offset(form, "c"), dims[1] if window is None else window.groups
        if groups > 1 and offset is None and (not form.terms if window is None else window.kind == "sum"):
            return Shape(causes.GROUP_IGNORED, {"groups": groups})
        if found.features == {"c"}:
            order = form.of({"c": np.arange(dims[1])})
            if offset is None and len(np.unique(order)) < len(order):
                return None  # no permutation: some channels are read more than once
            return Shape(causes.CHANNEL_PERMUTATION, {"offset": offset} if offset is not None else _order(order))
    return None


def _of_slice(case: FailingPass, found: IndexMap, axis: str) -> Shape | None:
    """Recognises another step from one output position of a slice to the next; the first one is right."""
    (node,) = case.model_slice.nodes_with(lambda facts: facts.moves)[:1]
    operator = operator_of(node)
    first = None if operator is None else operator.reads(case.model_slice.call(node), 0)
    if first is None or found.moves is None:
        return None
    number = "nchw".index(axis)
    start = int(axes_of(found.read, np.asarray(first[0]))[axis][0])
    place = np.unravel_index(found.moves[0], case.dims)[number]
    if not place.all():
        return None
    expected, got = ((axes_of(found.read, each)[axis] - start) / place for each in found.moves[1:])
    if np.ptp(expected) or np.ptp(got) or got[0] != int(got[0]) or got[0] == expected[0]:
        return None
    return Shape(causes.STRIDE, {"axis": number, "expected": int(expected[0]), "got": int(got[0])})


def _order(order: Any) -> Mapping[str, Any]:
    return {"order": [int(channel) for channel in order[:16]]}


def _of_window(case: FailingPass, forms: Mapping[str, AffineExpr]) -> Shape | None:
    """Recognises another stride, dilation or first position: h and w as multiples of output position and tap."""
    steps = [_offset(forms[axis], axis) if axis in forms else 0 for axis in "wh"]
    if any(step is None for step in steps) and case.windows() == []:
        return None
    shift = {"dx": steps[0], "dy": steps[1]}
    window = _window(case)
    if any(form.table or form.most for form in forms.values()):
        return None
    if window is None or window.inner != (0, 0):
        return None if any(step is None for step in steps) else Shape(causes.SHIFT, shift)
    right = {"stride": window.stride, "dilation": window.dilation, "first": window.first}
    got: dict[str, list[int]] = {name: list(pair) for name, pair in right.items()}
    for number, (axis, own) in enumerate((("h", ("y", "p")), ("w", ("x", "q")))):
        form = forms.get(axis, AffineExpr(((1, Feature(axis)),)))
        parts = {each.name: factor for factor, each in form.terms if not each.operator}
        times = parts.pop(axis, 0)
        if (
            form.modulus
            or form.table
            or len(parts) + (times != 0) != len(form.terms)
            or times not in (0, 1)
            or not {*parts} <= {*own}
        ):
            return None
        for name, index in (("stride", own[0]), ("dilation", own[1])):
            got[name][number] = times * got[name][number] + parts.get(index, 0)
        got["first"][number] = times * got["first"][number] + form.offset
    other = {name: (pair[0], pair[1]) for name, pair in got.items() if (pair[0], pair[1]) != right[name]}
    apart = other.get("dilation", right["dilation"])
    if set(other) == {"dilation", "first"} and _is_centred(window, other) and min(apart) > 0:
        return Shape(
            causes.DILATION, {"expected": [*right["dilation"][::-1]], "got": [*other["dilation"][::-1]]}, other
        )
    if len(other) != 1:
        return Shape(causes.INDEX_MAP, {axis: str(form) for axis, form in forms.items()}, other)
    name, pair = next(iter(other.items()))
    if name == "first":
        return Shape(causes.SHIFT, {"dx": pair[1] - right[name][1], "dy": pair[0] - right[name][0]}, other)
    if min(pair) <= 0:  # all read one place
        return Shape(causes.INDEX_MAP, {axis: str(form) for axis, form in forms.items()}, other)
    cause = {"stride": causes.STRIDE, "dilation": causes.DILATION}[name]
    return Shape(cause, {"expected": [*right[name][::-1]], "got": [*pair[::-1]]}, other)


def _is_centred(window: WindowSum, other: Mapping[str, tuple[int, int]]) -> bool:
    """Whether the taps lie around the expected position, at other distances."""
    return all(
        2 * (other["first"][axis] - window.first[axis])
        == (window.dilation[axis] - other["dilation"][axis]) * (window.kernel[axis] - 1)
        for axis in (0, 1)
    )


def _of_weights(case: FailingPass, found: IndexMap) -> Shape | None:
    forms, dims = found.forms, found.read.values.dims
    names = _axes(case, found.read)
    inner, outer = (next(axis for axis, name in names.items() if name == wanted) for wanted in ("input", "output"))
    if "p" in names.values() and set(forms) <= {"h", "w"}:
        if all(_is_mirror(form, axis, dims) for axis, form in forms.items()):
            return Shape(
                causes.KERNEL_FLIP, {"axes": "".join({"w": "x", "h": "y"}[axis] for axis in sorted(forms)[::-1])}
            )
        if set(forms) == {"h", "w"} and _crossed(forms, "h", "w"):
            return Shape(causes.KERNEL_TRANSPOSE)
    if (set(forms) == {inner, outer} and _crossed(forms, inner, outer)) or _in_swapped_memory(found, inner, outer):
        return Shape(causes.FILTER_IO_SWAP)
    if (by := _in_memory(found)) is not None:
        return Shape(causes.FILTER_OFFSET, {"axis": "memory", "offset": by})
    if len(forms) != 1 or next(iter(forms)) not in names:
        return None
    axis, form = next(iter(forms.items()))
    offset = _offset(form, axis)
    if offset is None and form.modulus == dims["nchw".index(axis)] and form.terms == ((1, Feature(axis)),):
        offset = (form.offset + form.modulus // 2) % form.modulus - form.modulus // 2
    if offset is not None:
        name = {"p": "row", "q": "column"}.get(names[axis], names[axis])
        return Shape(causes.FILTER_OFFSET, {"axis": name, "offset": offset})
    if _is_mirror(form, axis, dims) and axis in (inner, outer):
        return Shape(causes.FILTER_OFFSET, {"order": "reversed"})
    if axis == outer and found.features <= {axis}:
        taken = form.of({axis: np.arange(dims["nchw".index(axis)])})
        return Shape(causes.FILTER_OFFSET, {"filters": taken[:16].tolist()} if form.terms else {"filter": form.offset})
    return None


def _axes(case: FailingPass, read: ReadTensor) -> Mapping[str, str]:
    """Returns the meaning of the weights' axes: input, output, rows (p) and columns (q) of a kernel."""
    node = next((each for each in case.model_slice.nodes if read.tensor in each.inputs), None)
    if len(read.values.stored.shape) == 4 and node is not None and facts_of(node).window != "product":
        of_inputs = facts_of(node).window == "transposed"
        return {"n": "input" if of_inputs else "output", "c": "output" if of_inputs else "input", "h": "p", "w": "q"}
    turned = node is not None and bool(node.attributes.get("transB", 0))
    return {"h": "output" if turned else "input", "w": "input" if turned else "output", "n": "n", "c": "c"}


def _in_memory(found: IndexMap) -> int | None:
    """Returns the offset of the linear index, across the ends of rows too; rows may be padded."""
    if not found.features <= _IN_PLACE or (len(found.forms) < 2 and "index" not in found.forms):
        return None
    wide = {axis: form.modulus for axis, form in found.forms.items()}
    dims = [max(size, wide.get(axis, 0)) for axis, size in zip("nchw", found.read.values.dims, strict=True)]
    at = grid(found.read.values.dims)

    def index(n: Any, c: Any, h: Any, w: Any) -> Any:
        return ((n * dims[1] + c) * dims[2] + h) * dims[3] + w

    steps = np.unique(index(*found.at(_columns(*at))) - index(*at))
    return int(steps[0]) if len(steps) == 1 else None


def _in_swapped_memory(found: IndexMap, inner: str, outer: str) -> bool:
    """Whether the reads are those of a tensor with those two axes swapped in memory."""
    dims = found.read.values.dims
    if not found.features <= _IN_PLACE:
        return False
    held = np.arange(int(np.prod(dims))).reshape(dims)
    axes = ("nchw".index(inner), "nchw".index(outer))
    turned = np.swapaxes(held, *axes)
    as_swapped = np.swapaxes(held.reshape(turned.shape), *axes)
    n, c, h, w = found.at(_columns(*grid(dims)))
    return bool(np.array_equal(((n * dims[1] + c) * dims[2] + h) * dims[3] + w, as_swapped))


def _crossed(forms: Mapping[str, AffineExpr], one: str, other: str) -> bool:
    """Whether each of two axes depends on the other, at least in part: in blocks, or backwards."""
    return all(
        any(each.name == beside for _, each in forms[axis].terms) for axis, beside in ((one, other), (other, one))
    )


def _window(case: FailingPass) -> WindowSum | None:
    windows = case.windows()
    return windows[0] if len(windows) == 1 else None


def _offset(form: AffineExpr, axis: str) -> int | None:
    return (
        form.offset
        if form.terms == ((1, Feature(axis)),) and not (form.modulus or form.table or form.otherwise)
        else None
    )


def _is_mirror(form: AffineExpr, axis: str, dims: tuple[int, int, int, int]) -> bool:
    return (
        form.terms == ((-1, Feature(axis)),)
        and form.offset == dims["nchw".index(axis)] - 1
        and not (form.modulus or form.otherwise)
    )


def _swapped(forms: Mapping[str, AffineExpr], one: str, other: str) -> bool:
    """Whether these two axes, and no others, are swapped."""
    pair = {one: ((1, Feature(other)),), other: ((1, Feature(one)),)}
    if any(form.otherwise for form in forms.values()):
        return False
    return set(forms) == {one, other} and all(
        forms[axis].terms == terms and not forms[axis].offset for axis, terms in pair.items()
    )
