"""Proposes indices in floats: wrong elements, at regular distances, hold others' values or read elsewhere.

Indices computed in floats miss the integer: the tile of a grid, the texel of a row, a half. k / g falls below an
integer, or reaches it too early; k mod g gives g. The layout's grid then decides what is read: the previous or next
tile, or whatever lies where the grid has no such column. A shader of integers has no such errors.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import Dims
from texelscope.pipeline.compare.judge import PART
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, RearrangedValues, StoredValues
from texelscope.pipeline.diagnose.fault_models.error_pattern import Recurrence, recurrence, recurrence_of_texels
from texelscope.pipeline.diagnose.fault_models.layer_parts import right_values
from texelscope.pipeline.diagnose.fault_models.moved import moved_output, same
from texelscope.pipeline.diagnose.model_slice.model_slice import Coordinates, InputMove, ModelEdit, grid
from texelscope.pipeline.diagnose.model_slice.softmax import softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import constant_as
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.graph import Node

# These calls make integers of floats, or take a coordinate as floats.
_CALLS = re.compile(r"\b(?:floor|ceil|round|roundEven|mod|modf|fract|trunc)\s*\(")
_SAMPLES = re.compile(r"\btexture(?:2D|Lod|Grad|Offset|Proj)?\s*\(")
_TO_WHOLE = re.compile(r"\b(?:u?int|[iu]vec[234])\s*\(")
_DECLARED = re.compile(r"\b(?:float|vec[234])\s+(\w+)")
_FLOAT = re.compile(r"\d\.|\.\d|\bfloat\b|\bvec[234]\b")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
# gl_FragCoord holds integers and a half: converting it alone is exact.
_PIXEL = re.compile(r"\bgl_FragCoord(?:\.[xyzwrgba]+)?")
Array = NDArray[Any]
# Makes a hypothesis from its words and its edits.
Makes = Callable[..., Hypothesis]
# For place k in rows of g: the error (across, down).
Miss = Callable[[Array, int], tuple[Array, Array]]
_BEYOND: tuple[Beyond, ...] = ("texel", "fetch")
# A pattern of wrong elements has three fitted numbers: its period, its first place and what the elements hold.
_OF_PATTERN = 3


def computes_indices_in_floats(case: FailingPass) -> bool:
    """Whether the text computes indices in floats; also true if a precision is below high.

    Generated accessors may sample at texel centres, which computes no index.
    """
    program = case.evidence.program
    text = without_comments(program.fragment)
    lines = zip(text.split("\n"), line_map(program), strict=False)
    written = "\n".join(line for line, place in lines if place[0] != GENERATED)
    if _CALLS.search(text) or _SAMPLES.search(written) or re.search(r"\b(?:mediump|lowp)\b", written):
        return True
    floats = set(_DECLARED.findall(text))
    return any(_is_of_floats(_argument(text, found.end()), floats) for found in _TO_WHOLE.finditer(text))


def _is_of_floats(argument: str, floats: set[str]) -> bool:
    pixel_aside = _PIXEL.sub("", argument)
    if pixel_aside != argument and pixel_aside.strip(" ,()+-0123456789"):
        return True
    return bool(_FLOAT.search(pixel_aside)) or not floats.isdisjoint(_WORD.findall(pixel_aside))


def _argument(text: str, start: int) -> str:
    """Returns the text from `start`, behind an open parenthesis, to where it closes."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[start:place]
    return text[start:]


@dataclass(frozen=True)
class Slip:
    """An error of float arithmetic: `says` completes "reads … "; `miss` gives the errors."""

    says: str
    miss: Miss

    def moved(self, g: int) -> Callable[[Array], Array]:
        """Returns the function from place k in rows of g to the place read instead."""

        def place(k: Array) -> Array:
            across, down = self.miss(k, g)
            return np.asarray(k + across + down * g)

        return place


def _first(k: Array, g: int) -> Array:
    return np.asarray((k % g == 0) & (k > 0), dtype=np.int64)


def _last(k: Array, g: int) -> Array:
    return np.asarray(k % g == g - 1, dtype=np.int64)


def _half(k: Array, g: int) -> Array:
    return np.asarray(2 * (k % g) >= g, dtype=np.int64)


def _cut(k: Array, g: int, by: int = 0) -> Array:
    """Computes fract(k / g) · g in float32, truncated; `by`: k times 1 / g."""
    share = k.astype(np.float32) * (np.float32(1) / np.float32(g)) if by else k.astype(np.float32) / np.float32(g)
    return np.asarray((share - np.floor(share)) * np.float32(g)).astype(np.int64)


SLIPS = (
    Slip("where k / g falls below the integer", lambda k, g: (_first(k, g) * g, -_first(k, g))),
    Slip("where the row, k / g, falls below the integer", lambda k, g: (0 * k, -_first(k, g))),
    Slip("where k mod g gives g", lambda k, g: ((k % g == 0) * g, 0 * k)),
    Slip("where k mod g gives g but for k = 0", lambda k, g: (_first(k, g) * g, 0 * k)),
    Slip("where k / g reaches the next integer", lambda k, g: (-_last(k, g) * g, _last(k, g))),
    Slip("where the row, k / g, reaches the next integer", lambda k, g: (0 * k, _last(k, g))),
    Slip("where the column, k mod g, falls below the integer", lambda k, g: ((k - (k > 0)) % g - k % g, 0 * k)),
    Slip("where k / g, rounded, reaches the next integer", lambda k, g: (-_half(k, g) * g, _half(k, g))),
    Slip("where the row, k / g, is rounded", lambda k, g: (0 * k, _half(k, g))),
    Slip("where the row, k / g, is rounded up", lambda k, g: (0 * k, np.asarray(k % g > 0, dtype=np.int64))),
    Slip("where the column is truncated from the fraction of k / g", lambda k, g: (_cut(k, g) - k % g, 0 * k)),
    Slip("where the column is truncated from the fraction of k · 1 / g", lambda k, g: (_cut(k, g, 1) - k % g, 0 * k)),
)


def misread(k: Array, inner: int, count: int) -> Iterator[tuple[str, Array]]:
    """Yields errors of k / inner mod count in floats: a description, and the result for each k.

    Results may be beyond the last, or before the first.
    """
    right = k // inner
    seen = {(right % count).tobytes()}
    for slip in SLIPS:
        for taken in (
            (right + slip.miss(k, inner)[1]) % count if inner > 1 else right % count,
            # Of two numbers, missing the second means reading the first for both, which needs no floats.
            right % count + slip.miss(right, count)[0] if count > 2 else right % count,
        ):
            if taken.tobytes() not in seen:
                seen.add(taken.tobytes())
                yield slip.says, taken


def slipped(case: FailingPass, read: ReadTensor, slip: Slip, beyond: Beyond, counted: str = "") -> InputMove:
    """Returns the move of reads with such indices: tiles of a grid, or texels of rows where the layout has no grid.

    Of nested grids, `counted` names the affected one by what it counts; all by default.
    """
    values = read.values
    if values.stored.role == "constant" and case.model_slice.graph is not None:
        values = right_values(case, read.tensor)
    steps = _steps(values, slip, counted)

    def formula(dims: Dims, n: Any, c: Any, h: Any, w: Any) -> tuple[Any, Any, Any]:
        tx, ty, lane = values.stored.layout.texel_at(dims, n, c, h, w)
        across, down = steps(n, c, tx, ty)
        return tx + across, ty + down, lane

    return InputMove(read.tensor, RearrangedValues(values.stored, values.texels, values.wrap, formula), same, beyond)


def _steps(values: StoredValues, slip: Slip, counted: str) -> Callable[..., tuple[Any, Any]]:
    every = values.stored.layout.grid(values.dims)
    chosen = [grid for grid in every if counted in ("", grid.counted)]

    def of_grids(n: Any, c: Any, _tx: Any, _ty: Any) -> tuple[Any, Any]:
        missed = [slip.miss(np.asarray(grid.number(n, c)), grid.columns) for grid in chosen]
        return (
            sum(across * grid.width for (across, _), grid in zip(missed, chosen, strict=True)),
            sum(down * grid.height for (_, down), grid in zip(missed, chosen, strict=True)),
        )

    def of_rows(_n: Any, _c: Any, tx: Any, ty: Any) -> tuple[Any, Any]:
        width = values.texels.shape[1]
        return slip.miss(np.asarray(ty * width + tx), width)

    return of_grids if every else of_rows


def rounded_places(dims: Dims, rounding: Callable[[Array], Array]) -> Coordinates:
    """Returns reads of each element at its rounded linear index, clamped to the first and last."""
    _, C, H, W = dims
    count = int(np.prod(dims))

    def coordinates(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        index = np.clip(rounding(((n * C + c) * H + h) * W + w), 0, count - 1)
        return index // (C * H * W), index // (H * W) % C, index // W % H, index % W

    return coordinates


def grids(case: FailingPass) -> Iterator[tuple[str, tuple[ReadTensor, ...], str]]:
    """Yields what such an index may read: each tensor, each of its grids, all at once by one function.

    The last value says what the one grid counts; it is empty if all are meant.
    """
    reads = tuple(read for read in case.evidence.reads if read.values.elements.size > 1)
    for read in reads:
        if not case.reads_rightly(read.tensor):
            yield f"'{read.tensor}'", (read,), ""
            levels = read.values.stored.layout.grid(read.values.dims)
            if len(levels) > 1:
                yield from ((f"'{read.tensor}', {each.counted} alone,", (read,), each.counted) for each in levels[::-1])
    if len(reads) > 1:
        yield "every tensor", reads, ""
        tiled = tuple(read for read in reads if read.values.dims[2:] != (1, read.values.elements.size))
        if 1 < len(tiled) < len(reads):
            yield "pictures and weights", tiled, ""


def _float_index_precision(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes elements that hold neighbours' values, and reads at a quotient or remainder that is off by one."""
    if case.wrong_are_alike or not computes_indices_in_floats(case):
        return
    pattern = recurrence(case.wrong.reshape(-1), case.dims)
    off = partial(Hypothesis, causes.FLOAT_INDEX_PRECISION, parameters={} if pattern is None else pattern.parameters())
    if _holds_others(case):
        yield from _neighbours(case, off)
        yield from _repeated(case, off, pattern)
    yield from _grids(case, off)
    yield from _rows(case, off)
    if case.model_slice.graph is not None and not case.wrong.all():
        for node in case.model_slice.nodes:
            yield from _parameters(case, off, node)


def _neighbours(case: FailingPass, off: Makes) -> Iterator[Hypothesis]:
    """Proposes elements that hold a neighbour's value where floats get a row or tile wrong."""
    _, C, H, W = case.dims
    for g in dict.fromkeys(each for each in (W, H * W, C * H * W) if 1 < each < case.actual.size):
        for number, slip in enumerate(SLIPS):
            moved = moved_output(case, rounded_places(case.dims, slip.moved(g)), "zero")
            says, prior = f"writes at the linear index k, {slip.says} (g = {g})", 1.05 + number / 1000.0
            yield off(says, (moved,), line=lines.summand(), prior=prior)


def _repeated(case: FailingPass, off: Makes, pattern: Recurrence | None) -> Iterator[Hypothesis]:
    """Proposes elements that periodically hold a neighbour's value.

    In a pattern all elements are off by the same step: a step per element would find a neighbour for anything.
    """
    _, _, H, W = case.dims
    found = (pattern, recurrence_of_texels(case.wrong.reshape(-1), case.address))
    steps = dict.fromkeys((1, -1, W, -W, H * W, -H * W, 2, -2, 2 * H * W, -2 * H * W))
    for each, step in itertools.product(filter(None, found), steps):
        held = moved_output(case, rounded_places(case.dims, _of_pattern(each, step)), "zero")
        says = f"element k holds the value of k {step:+d}, {each}"
        yield off(says, (held,), parameters=each.parameters(), line=lines.summand(), fitted=_OF_PATTERN)


def _grids(case: FailingPass, off: Makes) -> Iterator[Hypothesis]:
    """Proposes tiles, kernels and texels in rows of g, where the row or column of the k-th is off by one."""
    for text, reads, counted in grids(case):
        for (number, slip), beyond in itertools.product(enumerate(SLIPS), _BEYOND):
            moves = tuple(slipped(case, read, slip, beyond, counted) for read in reads)
            if any(_meets_something(move) for move in moves):
                line, prior = lines.handed(reads[0].tensor), 1.2 + number / 100.0
                yield off(f"reads {text} {slip.says}", moves, line=line, prior=prior)


def _rows(case: FailingPass, off: Makes) -> Iterator[Hypothesis]:
    """Proposes a softmax whose elements use another row's maximum and sum, since floats get the row index wrong."""
    for softmax in softmaxes(case.model_slice):
        own = softmax.rows_of_elements()
        inner = math.prod(softmax.rows.view[max(softmax.rows.axes) + 1 :])
        outer, k = (int(own.max()) + 1) // inner, np.arange(own.size)
        row = own.size // outer
        next_to = ((k // row + step) % outer * inner + own % inner for step in (-1, 1))
        if not _tells(case, *(case.evaluate([softmax.with_sums_of(each)]) for each in next_to)):
            continue
        for number, (text, taken) in enumerate(misread(k, row, outer)):
            change = softmax.with_sums_of(taken * inner + own % inner)
            says = f"an element's row is k / {row}, {text}, so it uses another row's sums"
            yield off(says, (change,), line=lines.summand(), prior=1.4 + number / 1000.0)


def _parameters(case: FailingPass, off: Makes, node: Node) -> Iterator[Hypothesis]:
    """Proposes parameters of another channel, by one channel index computed in floats."""
    constants = case.model_slice.constants
    real = (name for name in node.inputs if name in constants and constants[name].dtype.kind == "f")
    names = [name for name in real if constants[name].size > 1]
    # What Resize has are factors of sizes, and whole numbers are sizes and places.
    if case.model_slice.window(node) is not None or node.op_type == "Resize" or not names:
        return
    next_to = {step: case.evaluate([_rolled(name, step) for name in names]).reshape(-1) for step in (-1, 1)}
    if not _tells(case, *next_to.values()):
        return
    N, C, H, W = case.dims
    k, right = np.arange(case.actual.size), case.expected.reshape(-1)
    for g, count in dict.fromkeys(((H * W, C), (W, H), (1, W), (C * H * W, N))):
        for number, (text, taken) in enumerate(misread(k, g, count)):
            missed = (taken - k // g) % count
            if not np.isin(missed, (0, 1, count - 1)).all():
                continue
            made = np.where(missed == 1, next_to[1], np.where(missed == 0, right, next_to[-1]))
            says = f"{node.op_type} '{node.name}' indexes its parameters by k / {g}, {text}"
            values = made.reshape(case.dims).astype(np.float32)
            yield off(says, values=values, line=lines.read(names[0]), prior=1.5 + number / 1000.0)


def _meets_something(move: InputMove) -> bool:
    """Whether some reads return other numbers: reads that return only nothing occur with other causes too."""
    found = np.broadcast_to(move.values.read(*move.coordinates(*grid(move.values.dims)), move.beyond), move.values.dims)
    return bool(((found != move.values.elements) & (found != 0)).any())


def _holds_others(case: FailingPass) -> bool:
    """Whether most wrong elements, by a sample, hold right values of other elements."""
    wrong = case.sample[case.wrong.reshape(-1)[case.sample]]
    values = np.sort(case.expected.reshape(-1))
    actual, bound = case.actual.reshape(-1)[wrong], case.bound.reshape(-1)[wrong]
    with np.errstate(all="ignore"):
        place = np.clip(np.searchsorted(values, actual), 1, max(len(values) - 1, 1))
        away = np.minimum(np.abs(values[place - 1] - actual), np.abs(values[place % len(values)] - actual))
        held = away <= 4.0 * bound
    return bool(held.size and np.mean(held) >= PART)


def _tells(case: FailingPass, *values: Array) -> bool:
    """Whether most wrong elements agree with one of the predictions; a formula decides which agrees with which."""
    explained = [case.judge.explained_by(each.reshape(case.dims)) for each in values]
    return bool(np.count_nonzero(np.any(explained, axis=0)) >= PART * np.count_nonzero(case.wrong))


def _of_pattern(pattern: Recurrence, step: int) -> Callable[[Array], Array]:
    return lambda k: k + pattern.covers[k] * step


def _rolled(tensor: str, step: int) -> ModelEdit:
    """Returns the edit that puts the value of place c + step at place c of a constant."""
    return constant_as(tensor, lambda old: np.roll(old.reshape(-1), -step))


GENERATORS = (Generator(causes.FLOAT_INDEX_PRECISION, Stage.READS, _float_index_precision),)
