"""wrong_layout: the wrong values are the right ones read from, or written to, a texture of another layout."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope import layouts
from texelscope.layouts.base import Layout
from texelscope.layouts.errors import LayoutError
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.clues.moved import moved_output, same
from texelscope.pipeline.diagnose.clues.weights import right_values
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, Rearranged, StoredValues
from texelscope.pipeline.diagnose.fault_models.arrangements import Arrangement, arrangements
from texelscope.pipeline.diagnose.model_slice.model_slice import Coordinates, InputChange, InputMove, ModelEdit, grid
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, LineOf, Rule, Stage, Traits, nowhere
from texelscope.pipeline.plan import StoredTensor

Array = NDArray[Any]
# Two axes swapped are other causes.
_OF_WEIGHTS = tuple(each for each in itertools.permutations(range(4)) if each not in ((0, 1, 3, 2), (1, 0, 2, 3)))
_CHANNELS_LAST = ((0, 2, 3, 1), (0, 3, 1, 2))
# With fewer axes of more than one element there is only one order, or it is another cause.
_FEWEST_AXES = 2
_INSIDE = 0.1
_READ: tuple[Beyond, ...] = ("texel", "fetch")


class WrongLayout(Rule):
    """A texture is written or read by another layout than it has: it matches when decoded with that layout."""

    cause = "wrong_layout"
    stage = Stage.PLACES
    family = "storing"
    traits = Traits(
        repaired_in="addresses", confirmed_by=frozenset({"index_map"}), denied_by_edits=frozenset({"element", "number"})
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes every layout, and grids and rows of other widths, for the output and for each input."""
        stored, own = case.output, case.output.layout
        # A generated shader contains its layout's own functions, which cannot be wrong.
        own_text = stored.layout.glsl_element_at(stored.shape, "Y_element")
        if not case.text.contains(own_text) and not case.wrong_are_alike:
            for weight, arrangement in enumerate(arrangements(stored, case.dims)):
                change = moved_output(case, _elements_of(stored, arrangement), "zero")
                says = f"the output matches when decoded as {arrangement}, but it is bound as {own}"
                row = lines.setting(("width", "columns", "across"), next(iter(arrangement.parameters.values()), -1))
                line = lines.first(row, lines.target)
                yield self._hypothesis(says, stored, arrangement, change, line, 1.0 + weight / 100.0)
        for read in case.evidence.reads:
            yield from self._read(case, read)
        for read in case.evidence.reads:
            if not case.reads_in_place(read.tensor):
                yield from self._in_order(case, read)

    def _read(self, case: FailingPass, read: ReadTensor) -> Iterator[Hypothesis]:
        stored, own = read.values.stored, read.values.stored.layout
        other_values = read.tensor in case.evidence.facts.get("other_constants", ())
        accessor = f"{read.sampler.uniform.removeprefix('t_')}_texel"
        generated = case.text.contains(stored.layout.glsl_texel_of(stored.shape, accessor))
        values = (
            right_values(case, read.tensor)
            if stored.role == "constant" and case.model_slice.graph is not None
            else read.values
        )
        for weight, arrangement in enumerate(arrangements(stored, values.dims)):
            for beyond in _READ if not generated and not case.reads_rightly(read.tensor) else ():
                rearranged = Rearranged(stored, values.texels, values.wrap, arrangement.texel_at)
                if not _is_inside(rearranged):
                    continue
                change = InputMove(read.tensor, rearranged, same, beyond)
                says = f"'{read.tensor}' is read as {arrangement}, but it is bound as {own}"
                line = lines.read(read.tensor)
                yield self._hypothesis(says, stored, arrangement, change, line, 2.0 + weight / 100.0)
            if other_values:
                change = InputMove(read.tensor, values, _elements_of(stored, arrangement), "zero")
                says = f"'{read.tensor}' is stored in {arrangement}, but it is bound as {own}"
                yield self._hypothesis(says, stored, arrangement, change, nowhere, 1.9 + weight / 100.0)

    def _in_order(self, case: FailingPass, read: ReadTensor) -> Iterator[Hypothesis]:
        """Proposes memory written and read in different axis orders: any for weights, channels last for pictures."""
        value = case.model_slice.values.get(read.tensor)
        if value is None or value.ndim != 4 or sum(size > 1 for size in value.shape) < _FEWEST_AXES:
            return
        constant = read.values.stored.role == "constant"
        uploaded = read.tensor in case.evidence.facts.get("other_constants", ())
        names = "oihw" if constant else "nchw"
        seen = {value.tobytes()}
        for weight, order in enumerate(_OF_WEIGHTS if constant else _CHANNELS_LAST):
            text = ", ".join(names[axis] for axis in order)
            shape = [value.shape[axis] for axis in order]
            back = np.argsort(order)
            for says, taken in (
                (f"is stored in the order {text}", value.transpose(order).reshape(value.shape)),
                (f"is read in the order {text}", value.reshape(shape).transpose(back)),
            ):
                if taken.tobytes() not in seen:
                    seen.add(taken.tobytes())
                    yield Hypothesis(
                        self.cause,
                        f"'{read.tensor}' {says}",
                        f"Write and read it in the same order: the model's is {', '.join(names)}.",
                        {"order": text},
                        (InputChange(read.tensor, lambda _, taken=taken: taken),),  # type: ignore[misc]
                        line=nowhere if uploaded else lines.asked(read.tensor),
                        prior=2.5 + weight / 100.0,
                    )

    def _hypothesis(
        self, says: str, stored: StoredTensor, arrangement: Arrangement, change: ModelEdit, line: LineOf, prior: float
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            f"Write and read the tensor with the layout that it is bound with{instead(stored, arrangement.layout)}.",
            {"layout": arrangement.name, **arrangement.parameters},
            (change,),
            line=line,
            prior=prior,
        )


def _is_inside(values: StoredValues) -> bool:
    """Whether some of the other places hold elements: past the texture all layouts read the same."""
    at = grid(values.dims)
    tx, ty, lane = (np.broadcast_to(each, values.dims) for each in values.texel_at(*at))
    own = values.stored.layout.texel_at(values.dims, *at)
    moved = (tx != own[0]) | (ty != own[1]) | (lane != own[2])
    height, width, _ = values.texels.shape
    inside = (tx >= 0) & (tx < width) & (ty >= 0) & (ty < height)
    address = values.stored.layout.address(values.stored.shape)
    held = address[np.clip(ty, 0, height - 1), np.clip(tx, 0, width - 1), lane] >= 0
    return not moved.any() or float(np.mean((inside & held)[moved])) > _INSIDE


def instead(stored: StoredTensor, other: Layout | None) -> str:
    """Returns how to declare another layout in a pipeline file: constants where bound, others where made."""
    if other is None:
        return f", {stored.layout}"
    try:
        if layouts.layout(other.name, **other.parameters) != other:
            return f", {stored.layout}"
    except LayoutError:
        return f", {stored.layout}"
    values = ", ".join(f"{key} = {value}" for key, value in other.parameters.items())
    named = f'{{ name = "{other.name}", {values} }}' if values else f'"{other.name}"'
    where = "bind it with" if stored.role == "constant" else f"make '{stored.tensor}' with"
    return f", or {where} layout = {named}"


def _elements_of(stored: StoredTensor, arrangement: Arrangement) -> Coordinates:
    """Returns which element the arrangement has at each element's place in the texture."""

    def coordinates(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        dims = as_nchw(stored.shape)
        return arrangement.element_at(dims, *stored.layout.texel_at(dims, n, c, h, w))

    return coordinates
