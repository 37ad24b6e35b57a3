"""Proposes that a texture is written or read in another layout, or with other padding, than it has.

Texels are read as a tensor in every layout, and in grids and rows of other widths.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.layouts.base import Layout
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.shapes import Dims, as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, RearrangedValues, StoredValues
from texelscope.pipeline.diagnose.fault_models.layer_parts import right_values
from texelscope.pipeline.diagnose.fault_models.moved import moved_output, reads_elements, same
from texelscope.pipeline.diagnose.fault_models.padded_runs import PaddedRun, padded_runs
from texelscope.pipeline.diagnose.model_slice.model_slice import Coordinates, InputChange, InputMove, ModelEdit
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage, nowhere
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.toml_text import layout_value

Array = NDArray[Any]
TexelAt = Callable[[Dims, Array, Array, Array, Array], tuple[Array, Array, Array]]
ElementAt = Callable[[Dims, Array, Array, Array], tuple[Array, Array, Array, Array]]
# From a tile's index to its column and row in a grid, and back.
PlaceOf = Callable[[Array], tuple[Array, Array]]
NumberAt = Callable[[Array, Array], Array]

# Two axes swapped are other causes.
_OF_WEIGHTS = tuple(each for each in itertools.permutations(range(4)) if each not in ((0, 1, 3, 2), (1, 0, 2, 3)))
_CHANNELS_LAST = ((0, 2, 3, 1), (0, 3, 1, 2))
_READ: tuple[Beyond, ...] = ("texel", "fetch")


@dataclass(frozen=True)
class _Limits:
    """Bounds the search for another layout."""

    width: int = 4096  # texels of a row that are considered
    columns: int = 24  # columns of a grid of tiles
    elements: int = 500  # elements by which two layouts are told apart
    axes: int = 2  # fewest axes of several elements: with less there is one order, or another cause


_LIMITS = _Limits()


@dataclass(frozen=True)
class Arrangement:
    """An arrangement maps each element (n, c, h, w) to its place (tx, ty, lane), and each texel to its element.

    `says` is its text in findings. `layout` is the layout that binds a texture in this arrangement; None if there is
    none.
    """

    name: str
    says: str
    texel_at: TexelAt
    element_at: ElementAt
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    layout: Layout | None = None

    def __str__(self) -> str:
        return self.says


def arrangements(stored: StoredTensor, dims: Dims) -> Iterator[Arrangement]:
    """Yields all arrangements of as many lanes as the texture, or one; whole layouts first."""
    height, width = stored.texture_shape
    own = stored.layout
    every = [kind() for kind in layouts.all_layouts().values() if kind.lanes <= own.lanes]
    every.sort(key=lambda layout: _is_foreign(layout, own), reverse=True)
    # Of layouts that store this tensor alike the last is tried; the tensor's own also in other widths.
    later = {layout: every[place + 1 :] for place, layout in enumerate(every)}
    apart = [layout for layout in every if not lie_alike(layout, own, dims)]
    found = [layout for layout in apart if not any(lie_alike(layout, other, dims) for other in later[layout])]
    yield from (_of(layout) for layout in found if not _is_foreign(layout, own))
    found += [layout for layout in every if layout.name == own.name and layout not in found]
    widened = _unlike_when_wide([*found, own] if own not in found else found, dims)
    for across in dict.fromkeys((width, height, *range(1, min(2 * width + 2, 64)))):
        for wide in (layout.with_width(across) for layout in widened if across <= _LIMITS.width):
            if wide is not None and wide != own:
                yield _of(wide)
    for layout in found:
        if layout.lanes == own.lanes:
            yield from _other_grids(layout, dims)
    yield from (_of(layout) for layout in found if _is_foreign(layout, own))
    yield from _other_steps(own, dims, width)


def _with_orders(stored: StoredTensor, right: Array, texels: Array) -> Iterator[Arrangement]:
    """Yields all arrangements, then orders of the axes in which the texels hold the right values."""
    seen: set[Layout | None] = {stored.layout}
    for each in arrangements(stored, as_nchw(stored.shape)):
        seen.add(each.layout)
        yield each
    for layout in layouts.layouts_that_fit(right, texels, are_weights=stored.role == "constant"):
        if layout not in seen and layout.lanes == stored.layout.lanes:
            yield _of(layout)


def _is_foreign(layout: Layout, own: Layout) -> bool:
    """Whether a layout keeps channels a step apart in memory and the tensor's own does not: the least likely ones."""
    return layout.with_step(1) is not None and own.with_step(1) is None


def _unlike_when_wide(found: list[Layout], dims: Dims) -> list[Layout]:
    """Returns those that take a width, each arrangement once: of layouts that then store a tensor alike the last."""
    wide = [(layout, widened) for layout in found if (widened := layout.with_width(dims[3])) is not None]
    return [
        layout
        for place, (layout, widened) in enumerate(wide)
        if not any(lie_alike(widened, other, dims) for _, other in wide[place + 1 :])
    ]


def lie_alike(one: Layout, other: Layout, dims: Dims) -> bool:
    """Whether two layouts put a tensor's elements into the same places, by a sample."""
    if one.lanes != other.lanes or one.texture_shape(dims) != other.texture_shape(dims):
        return False
    sample = np.unique(np.linspace(0, math.prod(dims) - 1, _LIMITS.elements).astype(np.int64))
    at = np.unravel_index(sample, dims)
    return all(np.all(a == b) for a, b in zip(one.texel_at(dims, *at), other.texel_at(dims, *at), strict=True))


def _of(layout: Layout) -> Arrangement:
    return Arrangement(
        layout.name, str(layout), layout.texel_at, layout.element_at, MappingProxyType(layout.parameters), layout
    )


def _without_layout(says: str, texel_at: TexelAt, element_at: ElementAt) -> Arrangement:
    return Arrangement(says, says, texel_at, element_at)


def _other_grids(layout: Layout, dims: Dims) -> Iterator[Arrangement]:
    """Yields the layout's tiles in a grid of other columns, or column by column; nothing unless they form one grid."""
    levels = layout.grid(dims)
    if len(levels) != 1:
        return
    count, rows = levels[0].count, levels[0].rows
    for columns in dict.fromkeys((*range(1, min(count, _LIMITS.columns) + 1), count)):
        if (dealt := layout.with_columns(columns)) is not None:
            yield _of(dealt)
            continue
        says = f"{layout.name} in {columns} column{'s' * (columns != 1)}"
        parameters = MappingProxyType({"columns": columns})
        yield Arrangement(layout.name, says, *_dealt(layout, *_row_by_row(columns)), parameters)
    if rows > 1:
        place_of, number_at = _row_by_row(rows)
        yield _without_layout(
            "tiles column by column",
            *_dealt(layout, lambda k: place_of(k)[::-1], lambda column, row: number_at(row, column)),
        )


def _other_steps(layout: Layout, dims: Dims, width: int) -> Iterator[Arrangement]:
    """Yields the layout's memory with another step between groups of channels, which shaders often compute wrongly."""
    _, _, H, W = dims
    rounded = (-(-H * W // align) * align for align in (1, 4, 8))
    for step in dict.fromkeys((*rounded, H * W + 1)):
        other = layout.with_step(step)
        if other is not None and other.texel_at(dims, *_last(dims)) != layout.texel_at(dims, *_last(dims)):
            says = f"{layout.name} with channels {step} apart"
            yield Arrangement(layout.name, says, *_folded(other, width), MappingProxyType({"step": step}))


def _last(dims: Dims) -> tuple[int, int, int, int]:
    """Returns n, c, h and w of the last element."""
    N, C, H, W = dims
    return N - 1, C - 1, H - 1, W - 1


def _folded(layout: Layout, width: int) -> tuple[TexelAt, ElementAt]:
    """Returns the layout's texels in their order, in rows of another width."""

    def texel_at(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array]:
        tx, ty, lane = layout.texel_at(dims, n, c, h, w)
        texel = ty * layout.texture_shape(dims)[1] + tx
        return texel % width, texel // width, lane

    def element_at(dims: Dims, tx: Array, ty: Array, lane: Array) -> tuple[Array, Array, Array, Array]:
        texel, own_width = ty * width + tx, layout.texture_shape(dims)[1]
        return layout.element_at(dims, texel % own_width, texel // own_width, lane)

    return texel_at, element_at


def _row_by_row(columns: int) -> tuple[PlaceOf, NumberAt]:
    """Returns functions from index to column and row, and back."""
    return lambda k: (k % columns, k // columns), lambda column, row: row * columns + column


def _dealt(layout: Layout, place_of: PlaceOf, number_at: NumberAt) -> tuple[TexelAt, ElementAt]:
    """Returns the layout's formulas with another place of each tile in the grid."""

    def texel_at(dims: Dims, n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array]:
        (grid,) = layout.grid(dims)
        tx, ty, lane = layout.texel_at(dims, n, c, h, w)
        k = grid.number(n, c)
        column, row = place_of(k)
        across, down = column - k % grid.columns, row - k // grid.columns
        return tx + across * grid.width, ty + down * grid.height, lane

    def element_at(dims: Dims, tx: Array, ty: Array, lane: Array) -> tuple[Array, Array, Array, Array]:
        (grid,) = layout.grid(dims)
        k = number_at(tx // grid.width, ty // grid.height)
        own_tx, own_ty = k % grid.columns * grid.width, k // grid.columns * grid.height
        return layout.element_at(dims, own_tx + tx % grid.width, own_ty + ty % grid.height, lane)

    return texel_at, element_at


def _may_write_otherwise(case: FailingPass) -> bool:
    """Whether the output's places may be others; the functions in a generated shader are its layout's, and right."""
    own_text = case.output.layout.glsl_element_at(case.output.shape, "Y_element")
    return not case.text.contains(own_text) and not case.wrong_are_alike


def _may_read_otherwise(case: FailingPass, read: ReadTensor) -> bool:
    """Whether an input's places may be others: those of generated accessors and of reads that are right are not."""
    stored, accessor = read.values.stored, f"{read.sampler.uniform.removeprefix('t_')}_texel"
    is_generated = case.text.contains(stored.layout.glsl_texel_of(stored.shape, accessor))
    return not is_generated and not case.reads_rightly(read.tensor)


def _reads(case: FailingPass) -> list[ReadTensor]:
    """Returns the inputs, without channels that are slices: these lie in no layout that the shader knows."""
    return [read for read in case.evidence.reads if not read.sampler.kind.has_slices or read.sampler.size]


def _moves(read: ReadTensor, values: StoredValues, texel_at: TexelAt) -> Iterator[InputMove]:
    """Yields reads of texels by another formula; none if they all are past the texture."""
    rearranged = RearrangedValues(values.stored, values.texels, values.wrap, texel_at)
    if reads_elements(rearranged):
        yield from (InputMove(read.tensor, rearranged, same, beyond) for beyond in _READ)


def _wrong_layout(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes every layout, and grids and rows of other widths, for the output and for each input."""
    stored = case.output
    if _may_write_otherwise(case):
        right = stored.quantization.texels(case.expected) if stored.quantization is not None else case.expected
        for number, arrangement in enumerate(_with_orders(stored, right, case.evidence.texels)):
            change = moved_output(case, _elements_of(stored, arrangement), "zero")
            row = lines.setting(("width", "columns", "across"), _number_of(arrangement))
            line, prior = lines.first(row, lines.target), 1.0 + number / 100.0
            yield _arranged("the output matches when decoded as", stored, arrangement, change, line=line, prior=prior)
    for read in _reads(case):
        yield from _read(case, read)
    for read in _reads(case):
        if not case.reads_in_place(read.tensor):
            yield from _in_order(case, read)


def _read(case: FailingPass, read: ReadTensor) -> Iterator[Hypothesis]:
    stored, values = read.values.stored, read.values
    is_uploaded, may_differ = _is_uploaded_otherwise(case, read), _may_read_otherwise(case, read)
    if stored.role == "constant" and case.model_slice.graph is not None:
        values = right_values(case, read.tensor)
    tried = arrangements(stored, as_nchw(stored.shape))
    if is_uploaded:
        tried = _with_orders(stored, case.model_slice.values[read.tensor], read.values.texels)
    for number, arrangement in enumerate(tried):
        if may_differ:
            for change in _moves(read, values, arrangement.texel_at):
                says, prior = f"'{read.tensor}' is read as", 2.0 + number / 100.0
                yield _arranged(says, stored, arrangement, change, line=lines.read(read.tensor), prior=prior)
        if is_uploaded:
            change = InputMove(read.tensor, values, _elements_of(stored, arrangement), "zero")
            yield _arranged(f"'{read.tensor}' is stored in", stored, arrangement, change, prior=1.9 + number / 100.0)


def _arranged(says: str, stored: StoredTensor, arrangement: Arrangement, change: ModelEdit, **rest: Any) -> Hypothesis:
    return Hypothesis(
        causes.WRONG_LAYOUT, f"{says} {arrangement}, but it is bound as {stored.layout}", (change,),
        {"layout": arrangement.name, **arrangement.parameters},
        remedy=f"Write and read the tensor with the layout that it is bound with{instead(stored, arrangement.layout)}.",
        **rest,
    )  # fmt: skip


def _is_uploaded_otherwise(case: FailingPass, read: ReadTensor) -> bool:
    """Whether the GPU holds other values of a constant than the model."""
    return read.tensor in case.evidence.facts.get("other_constants", ())


def _in_order(case: FailingPass, read: ReadTensor) -> Iterator[Hypothesis]:
    """Proposes memory written and read in different axis orders: any for weights, channels last for pictures."""
    value = case.model_slice.values.get(read.tensor)
    if value is None or value.ndim != 4 or sum(size > 1 for size in value.shape) < _LIMITS.axes:
        return
    constant = read.values.stored.role == "constant"
    names, seen = "oihw" if constant else "nchw", {value.tobytes()}
    line = nowhere if _is_uploaded_otherwise(case, read) else lines.asked(read.tensor)
    for number, order in enumerate(_OF_WEIGHTS if constant else _CHANNELS_LAST):
        text = ", ".join(names[axis] for axis in order)
        shape = [value.shape[axis] for axis in order]
        for says, taken in (
            (f"is stored in the order {text}", value.transpose(order).reshape(value.shape)),
            (f"is read in the order {text}", value.reshape(shape).transpose(np.argsort(order))),
        ):
            if taken.tobytes() in seen:
                continue
            seen.add(taken.tobytes())
            change = InputChange(read.tensor, lambda _, taken=taken: taken)  # type: ignore[misc]
            yield Hypothesis(
                causes.WRONG_LAYOUT, f"'{read.tensor}' {says}", (change,), {"order": text},
                remedy=f"Write and read it in the same order: the model's is {', '.join(names)}.", line=line,
                prior=2.5 + number / 100.0,
            )  # fmt: skip


def instead(stored: StoredTensor, other: Layout | None) -> str:
    """Returns how to declare another layout in a pipeline file: constants where bound, others where made."""
    if other is None:
        return f", {stored.layout}"
    try:
        if layouts.layout(other.name, **other.parameters) != other:
            return f", {stored.layout}"
    except LayoutError:
        return f", {stored.layout}"
    where = "bind it with" if stored.role == "constant" else f"make '{stored.tensor}' with"
    return f", or {where} layout = {layout_value(other)}"


def _number_of(arrangement: Arrangement) -> int:
    """Returns the width, or the columns, that makes the arrangement what it is; -1 for none."""
    return next((each for each in arrangement.parameters.values() if isinstance(each, int)), -1)


def _elements_of(stored: StoredTensor, arrangement: Arrangement) -> Coordinates:
    """Returns which element the arrangement has at each element's place in the texture."""

    def coordinates(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        dims = as_nchw(stored.shape)
        return arrangement.element_at(dims, *stored.layout.texel_at(dims, n, c, h, w))

    return coordinates


def _pack_padding(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes every other padding of the output, and of each input.

    A texel holds four channels of one batch: what is left of the last texel of a batch is padding.
    """
    stored = case.output
    if _may_write_otherwise(case):
        for number, run in enumerate(padded_runs(stored.layout, case.dims)):
            change = moved_output(case, partial(run.from_own, case.dims), "zero")
            yield _packed(
                "the output is written as", stored, run, change, line=lines.target, prior=1.0 + number / 100.0
            )
    for read in (each for each in _reads(case) if _may_read_otherwise(case, each)):
        stored = read.values.stored
        for number, run in enumerate(padded_runs(stored.layout, read.values.dims)):
            for move in _moves(read, read.values, partial(_texel_at, stored.layout, run)):
                says, line = f"'{read.tensor}' is read as", lines.read(read.tensor)
                yield _packed(says, stored, run, move, line=line, prior=1.5 + number / 100.0)


def _packed(says: str, stored: StoredTensor, run: PaddedRun, change: ModelEdit, **rest: Any) -> Hypothesis:
    says = f"{says} {stored.layout} {run.says}, but the texture has {run.has}"
    parameters = {"tensor": stored.tensor, "length": run.length}
    return Hypothesis(causes.PACK_PADDING, says, (change,), parameters, remedy=run.remedy, **rest)


def _texel_at(
    layout: Layout, run: PaddedRun, dims: Dims, n: Array, c: Array, h: Array, w: Array
) -> tuple[Array, Array, Array]:
    return layout.texel_at(dims, *run.to_own(dims, n, c, h, w))


GENERATORS = (
    Generator(causes.WRONG_LAYOUT, Stage.PLACES, _wrong_layout),
    Generator(causes.PACK_PADDING, Stage.PLACES, _pack_padding),
)
