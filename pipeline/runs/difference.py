"""Two runs tensor by tensor: what is the same, what is within a tolerance, and the first pass that differs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.compare.figures import of_largest
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.plan import Tolerance
from texelscope.pipeline.runs.run import HeldTensor, Run

# From best to worst: bit for bit, within the tolerance, on one side alone, beyond it, of other shapes.
Sameness = Literal["equal", "within", "only_here", "only_there", "differs", "other_shape"]
SAMENESS: tuple[Sameness, ...] = get_args(Sameness)
DIFFERENT = frozenset({"differs", "other_shape"})
VERSION = 1


@dataclass(frozen=True)
class TensorDifference:
    """One tensor of both runs; `there` is its name on the other side where that is another.

    `max_abs` and `of_largest` are the largest |difference|, itself and over the largest |value|. `unequal` elements
    differ in any bit that shows, `beyond` by more than atol + rtol·|there|, of `count`.
    """

    name: str
    operator: str
    shape: tuple[int, ...]
    sameness: Sameness
    there: str = ""
    max_abs: float | None = None
    of_largest: float | None = None
    unequal: int = 0
    beyond: int = 0
    count: int = 0
    rtol: float = 0.0
    atol: float = 0.0


@dataclass(frozen=True)
class RunSide:
    """Which run it was."""

    target: str
    renderer: str
    version: str
    settings: Mapping[str, str]


@dataclass(frozen=True)
class RunDifference:
    """Two runs. `first` is the pass whose tensor is the first to differ, in the order of passes here."""

    here: RunSide
    there: RunSide
    sameness: Sameness
    first: str | None
    tensors: tuple[TensorDifference, ...]
    notes: tuple[str, ...] = ()
    version: int = field(default=VERSION)

    def as_json(self) -> str:
        """Strict JSON text: infinities and NaN become null."""
        values = dataclasses.asdict(self)
        return in_json({"version": values.pop("version"), **_plain(values)}, indent=2)


def difference(here: Run, there: Run, tolerances: Mapping[str, Tolerance] | None = None) -> RunDifference:
    """`here` against `there`, by the names of tensors; outputs whose names differ in their order.

    `tolerances` by tensor name come before the tensors' own. Raises TexelscopeError for the name of no tensor, and
    where the two have nothing in common.
    """
    given = dict(tolerances or {})
    names = [each.name for each in here.tensors]
    for name in given:
        if name not in names:
            raise TexelscopeError(f"--tolerance {name}", "a tensor of the run", "another name", nearest(name, names))
    met_by = partners(here, there)
    found = [_one(each, met_by.get(each.name), given.get(each.name)) for each in here.tensors]
    met = {partner.name for partner in met_by.values()}
    if not met:
        raise TexelscopeError(
            here.target,
            "tensors that both runs have",
            f"none in common with {there.target}",
            "Compare two like models.",
        )
    found += [
        TensorDifference(each.name, each.operator, each.values.shape, "only_there", each.name)
        for each in there.tensors
        if each.name not in met
    ]
    worst = max(
        (each.sameness for each in found if each.sameness in ("equal", "within", *DIFFERENT)), key=SAMENESS.index
    )
    first = next((each.name for each in found if each.sameness in DIFFERENT), None)
    made_by = {each.name: each.made_by for each in here.tensors}
    return RunDifference(
        _side(here), _side(there), worst, made_by.get(first or ""), tuple(found), _notes(here, there, met)
    )


def partners(here: Run, there: Run) -> dict[str, HeldTensor]:
    """By tensor of this run the one to hold it against."""
    others = {each.name: each for each in there.tensors}
    found = {each.name: others[each.name] for each in here.tensors if each.name in others}
    if len(here.outputs) == len(there.outputs):
        for mine, other in zip(here.outputs, there.outputs, strict=True):
            if mine not in found and other in others and here.find(mine) is not None:
                found[mine] = others[other]
    return found


def _one(mine: HeldTensor, other: HeldTensor | None, given: Tolerance | None) -> TensorDifference:
    shape = mine.values.shape
    if other is None:
        return TensorDifference(mine.name, mine.operator, shape, "only_here")
    name = other.name if other.name != mine.name else ""
    if mine.values is other.values:  # runs of one session share what did not change
        return TensorDifference(mine.name, mine.operator, shape, "equal", name, 0.0, 0.0, count=mine.values.size)
    if shape != other.values.shape:
        return TensorDifference(mine.name, mine.operator, shape, "other_shape", name)
    tolerance = given if given is not None else _wider(mine.tolerance, other.tolerance)
    error, bound = _errors(mine.values, other.values, tolerance)
    unequal, beyond = int(np.count_nonzero(error)), int(np.count_nonzero(error > bound))
    sameness: Sameness = "equal" if not unequal else "differs" if beyond else "within"
    return TensorDifference(
        mine.name,
        mine.operator,
        shape,
        sameness,
        name,
        float(error.max(initial=0.0)),
        of_largest(mine.values, other.values),
        unequal,
        beyond,
        error.size,
        tolerance.rtol,
        tolerance.atol,
    )


def _errors(
    mine: NDArray[np.float32], other: NDArray[np.float32], tolerance: Tolerance
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """|difference| and what is allowed, element by element; equal infinities, and NaN on both sides, do not differ."""
    a, b = mine.astype(np.float64).ravel(), other.astype(np.float64).ravel()
    with np.errstate(all="ignore"):
        error = np.abs(a - b)
        error[(a == b) | (np.isnan(a) & np.isnan(b))] = 0.0
        error[np.isnan(error)] = np.inf
        bound = tolerance.atol + tolerance.rtol * np.abs(b)
    return error, np.where(np.isfinite(bound), bound, 0.0)


def _wider(first: Tolerance, second: Tolerance) -> Tolerance:
    return Tolerance(max(first.rtol, second.rtol), max(first.atol, second.atol))


def _side(run: Run) -> RunSide:
    return RunSide(run.target, run.device.renderer, run.device.version, dict(run.settings))


def _notes(here: Run, there: Run, met: set[str]) -> tuple[str, ...]:
    notes = []
    renamed = len(met - {each.name for each in here.tensors})
    if renamed:
        notes.append(f"{renamed} outputs are held against each other by their order.")
    alone = len(there.tensors) - len(met)
    if alone:
        notes.append(f"{alone} tensors are on the other side alone.")
    return tuple(notes)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
