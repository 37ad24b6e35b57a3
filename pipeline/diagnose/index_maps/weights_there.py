"""Solves for the weights that a pass really uses: numbers in its text, which no texture can replace.

Every output is a sum of weights times known inputs, for the given inputs and for fresh ones, which gives more equations
than weights. The solved weights are compared with the model's: missing, multiplied, moved, or other numbers.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.fault_models.layer_parts import undone_to, weighted_windows
from texelscope.pipeline.diagnose.index_maps.affine_expr import solve
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, LineOf
from texelscope.pipeline.diagnose.trial.model_edits import window_with
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import Line

Array = NDArray[Any]

# Systems with more unknowns, or fewer equations for each, are not solved.
_MOST, _EQUATIONS = 512, 1.5
# This many equations for each unknown are enough; outputs known at the same places are solved together.
_ROWS, _MOST_PATTERNS = 6, 16
# Tolerances of a solved weight, in its own deviation and of the largest weight; and of the remaining errors.
_DEVIATIONS, _OFF, _LEFT, _ROUNDING = 8.0, 1e-4, 1e-3, 1e-5
# At most this many numbers are considered wrong one by one.
_FEW, _LOOKED_UP = 16, 24
# An error in more lines than these is not a slip in one; and causes about places, not about numbers.
_WHOLE = 1e-3
_ONE_BY_ONE, _OF_PLACES = (
    2,
    frozenset({causes.INDEX_MAP, causes.KERNEL_FLIP, causes.KERNEL_TRANSPOSE, causes.CHANNEL_PERMUTATION}),
)
_REMEDIES: Mapping[Cause, str] = MappingProxyType(
    {
        causes.MISSING_TAPS: "Add the products of every tap and channel.",
        causes.MISSING_CHANNELS: "Add the products of every channel.",
        causes.DOUBLE_COUNTED: "Add every product once.",
        causes.FILTER_IO_SWAP: "Swap the input and output index of the weights: the columns of a mat4 are its inputs.",
        causes.CHANNEL_PERMUTATION: "Multiply each channel with its own weights.",
        causes.INDEX_MAP: "Multiply each weight with its own input.",
    }
)


@dataclass(frozen=True)
class WeightsThere:
    """Holds the solved weights [O, I, P, Q] of the window, where known, and their tolerance."""

    window: WindowSum
    tensor: str
    right: Array
    found: Array
    near: Array

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Returns where they differ from the model's."""
        return np.asarray(np.abs(self.found - self.right) > self.near)


@dataclass(frozen=True)
class WeightsCause:
    """A cause for the solved weights: `weights` reproduce them; `fitted` counts the numbers taken from them."""

    cause: Cause
    says: str
    weights: Array
    parameters: dict[str, Any]
    fitted: int = 0
    outputs: NDArray[np.int64] | None = None


def weights_there(case: FailingPass) -> WeightsThere | None:
    """Solves once for the weights of the pass's only sum; None if a texture holds them, or if they are unknown."""
    if "weights" not in case.kept:
        windows, graph = list(weighted_windows(case)), case.model_slice.graph
        fits = len(windows) == len(case.windows()) == 1 and graph is not None and windows[0][1] in graph.constants
        in_text = fits and case.read_of(windows[0][1]) is None
        case.kept["weights"] = _solved(case, *windows[0]) if in_text else None
    found: WeightsThere | None = case.kept["weights"]
    return found


def _solved(case: FailingPass, window: WindowSum, tensor: str, _value: Array) -> WeightsThere | None:
    weights = window.weights
    assert weights is not None
    is_plain = window.kind == "sum" and window.inner == (0, 0) and len(np.unique(window.channels, axis=0)) == 1
    if not is_plain or int(np.prod(weights.shape[1:])) >= _MOST:
        return None
    tables, errors = [], []
    for each in on_all_inputs(case):
        node = each.model_slice.named(window.node)
        own = each.model_slice.window(node)
        made = undone_to(each, each.actual, node)
        if own is None or made is None:
            return None
        right = each.model_slice.values[node.outputs[0]].astype(np.float64)
        table = _table(own)
        error = np.moveaxis((made - right.reshape(-1)).reshape(own.evaluate().shape), 1, -1)
        size = max(float(np.abs(table).max()), 1e-12)
        tables.append(np.column_stack([table, np.ones(len(table))]) / size)
        errors.append(error.reshape(len(table), -1) / size)
    return _least(window, tensor, np.concatenate(tables), np.concatenate(errors))


def on_all_inputs(case: FailingPass) -> tuple[FailingPass, ...]:
    """Returns the case, and the same pass on each kind of fresh inputs whose right result is known."""
    if "all inputs" not in case.kept:
        found = [case]
        with contextlib.suppress(TexelscopeError):  # a recording cannot run again
            found += [FailingPass(fresh) for fresh in case.evidence.fresh]
        case.kept["all inputs"] = tuple(found)
    return tuple(case.kept["all inputs"])


def _table(window: WindowSum) -> Array:
    """Returns the factors of the weights (i, p, q), one row for each output position."""
    columns = []
    for y, x in itertools.product(window.places(0), window.places(1)):
        taken, inside = window.reads(y, x)
        columns.append(np.where(inside, taken[:, window.channels[0]], window.outside))
    stacked = np.stack(columns, axis=2)  # [N, I, taps, y, x]
    return np.moveaxis(stacked, (1, 2), (-2, -1)).reshape(-1, stacked.shape[1] * stacked.shape[2]).astype(np.float64)


def _least(window: WindowSum, tensor: str, table: Array, errors: Array) -> WeightsThere | None:
    """Solves by least squares for the weights of each output, from the positions where its sum is known."""
    assert window.weights is not None
    right = window.weights.astype(np.float64)
    used = np.abs(table).max(axis=0) > 0.0
    delta, near = np.zeros((len(right), table.shape[1])), np.full((len(right), table.shape[1]), np.inf)
    patterns, which = np.unique(np.isfinite(errors), axis=1, return_inverse=True)
    for number, known in enumerate(patterns.T[:_MOST_PATTERNS]):  # a function behind the sum may hide it
        rows = np.flatnonzero(known & np.isfinite(table).all(axis=1))
        if len(rows) < _EQUATIONS * used.sum():
            continue
        rows = np.random.default_rng(0).permutation(rows)[: _ROWS * len(used)]
        outputs = np.flatnonzero(which.reshape(-1) == number)
        a, b = table[np.ix_(rows, used)], errors[np.ix_(rows, outputs)]
        solved, _, rank, _ = np.linalg.lstsq(a, b, rcond=1e-9)
        left = b - a @ solved
        if rank < a.shape[1] or (np.abs(left).max(0) > np.maximum(_LEFT * np.abs(b).max(0), _ROUNDING)).any():
            return None
        noise = np.sqrt(np.mean(left**2, axis=0)) + 1e-9
        spread = np.sqrt(np.diag(np.linalg.inv(a.T @ a)))
        near[outputs] = 0.0
        delta[np.ix_(outputs, used)], near[np.ix_(outputs, used)] = solved.T, _DEVIATIONS * np.outer(noise, spread)
    if np.isinf(near).all():
        return None
    near = near[:, :-1].reshape(right.shape) + _OFF * np.abs(right).max()
    found = right + delta[:, :-1].reshape(right.shape)
    return WeightsThere(window, tensor, right, found, near)


def told_of_weights(case: FailingPass) -> Iterator[WeightsCause]:
    """Yields the causes that describe the solved weights, the simplest first."""
    there = weights_there(case)
    if "causes of weights" not in case.kept:
        each = (tell(there) for tell in (_counted, _elsewhere, _moved, _mistaken) if there and there.changed.any())
        fits = (told for told in each if there and told and np.all(np.abs(told.weights - there.found) <= there.near))
        case.kept["causes of weights"] = tuple(itertools.islice(fits, 1))
    yield from case.kept["causes of weights"]


def solved(case: FailingPass, cause: Cause) -> Iterator[Hypothesis]:
    """Yields a hypothesis for each description of the solved weights that has this cause."""
    for told in told_of_weights(case):
        there = weights_there(case)
        if told.cause is cause and there is not None:
            change = window_with(there.window.node, weights=told.weights)
            own = Hypothesis(
                cause, f"{told.says}, as the solved weights show", (change,), told.parameters,
                remedy=_REMEDIES.get(cause, cause.remedy), line=_line_of(there, cause),
                in_pairs=cause is not causes.INDEX_MAP, fitted=told.fitted,
            )  # fmt: skip
            yield own
            bias = there.window.bias
            # A sum that restarts loses its bias, and another output's sum has that output's bias.
            if bias is not None and (cause is causes.MISSING_TAPS or told.outputs is not None):
                others = np.zeros_like(bias) if told.outputs is None else bias.reshape(-1)[told.outputs]
                both = window_with(there.window.node, weights=told.weights, bias=others.reshape(bias.shape))
                yield replace(own, changes=(both,), says=f"{told.says} and the bias")


def _line_of(there: WeightsThere, cause: Cause) -> LineOf:
    """Finds the line of the differing weights: if several lines share a place, the macro that reads there.

    A line without effect was overwritten by the next one.
    """
    beside = there.changed.any(axis=0) & ~there.changed  # a wrong number leaves its neighbours as they were
    counted = there.right[beside if cause is causes.WRONG_LITERAL and beside.any() else there.changed]
    some = np.random.default_rng(0).permutation(counted)[:_LOOKED_UP]
    values = [float(f"{each:.7g}") for each in some]

    def find(case: FailingPass) -> Line | None:
        found = Counter(line for value in values if value for line in case.text.numbers(value))
        if not found:
            return None
        if cause in (causes.MISSING_TAPS, causes.MISSING_CHANNELS):
            file, number = max(found)
            return file, number + 1
        macros = lines.macros_used(case, found) if len(found) > _ONE_BY_ONE and cause in _OF_PLACES else ()
        return macros[-1] if macros else found.most_common(1)[0][0]

    return lines.first(find, lines.summand())


def _counted(there: WeightsThere) -> WeightsCause | None:
    """Recognises products that are missing, or that count an integer number of times."""
    products, told = there.changed.any(axis=0), np.abs(there.right) > 4.0 * there.near
    if np.any(products & told & ~there.changed) or not (changed := there.changed & told).any():
        return None
    factor = float(np.median(there.found[changed] / there.right[changed]))
    times = np.rint(factor) if abs(factor - np.rint(factor)) < _WHOLE else factor
    weights = np.where(products, times * there.right, there.right)
    channels, taps = changed.any(axis=(0, 2, 3)), changed.any(axis=(0, 1))
    if times == 1.0 or (channels.all() and taps.all() and changed.any(axis=0).all()):
        return None  # if all products differ alike it is another cause
    every = [int(each) for each in np.flatnonzero(channels)]
    at = [[int(q), int(p)] for p, q in np.argwhere(taps)]
    part = "" if channels.all() else f" of channels {_listed(every)}"
    part += "" if taps.all() else f" at taps {_listed([f'({x}, {y})' for x, y in at])}"
    where = {"channels": every, "taps": at}
    if times == 0.0:
        cause = causes.MISSING_TAPS if channels.all() or not taps.all() else causes.MISSING_CHANNELS
        return WeightsCause(cause, f"leaves out the products{part}", weights, where)
    if times != np.rint(times) or times < 0.0:
        return WeightsCause(
            causes.SCALE, f"multiplies the products{part} by {times:.6g}", weights, {**where, "factor": times}, 1
        )
    return WeightsCause(
        causes.DOUBLE_COUNTED, f"adds the products{part} {times:.0f} times", weights, {**where, "times": int(times)}
    )


def _elsewhere(there: WeightsThere) -> WeightsCause | None:
    """Recognises weights read at other places, by a formula."""
    right, places = there.right, np.argwhere(there.changed)
    order = np.argsort(right, axis=None)
    values, wanted = right.reshape(-1)[order], there.found[there.changed]
    nearest = np.clip(np.searchsorted(values, wanted), 1, values.size - 1)
    nearest = np.where(np.abs(values[nearest - 1] - wanted) < np.abs(values[nearest] - wanted), nearest - 1, nearest)
    large = np.abs(wanted) > 4.0 * there.near[np.isfinite(there.near)].max()
    hit = (np.abs(values[nearest] - wanted) <= there.near[there.changed]) & large
    if hit.sum() < max(3, 0.6 * np.count_nonzero(large)):
        return None
    taken = np.stack(np.unravel_index(order[nearest[hit]], right.shape), axis=1)
    columns = dict(zip("nchw", places[hit].T, strict=True))
    sizes = {*right.shape, 4} - {1}
    forms = [solve(each, columns, sizes, holds=0.8) for each in taken.T]
    if any(form is None for form in forms):
        return None
    box = np.ix_(*(np.unique(each) for each in places.T))
    inside = np.meshgrid(*(np.unique(each) for each in places.T), indexing="ij")
    at = [form.of(dict(zip("nchw", inside, strict=True))) for form in forms if form is not None]
    held = np.all([(each >= 0) & (each < size) for each, size in zip(at, right.shape, strict=True)], axis=0)
    weights = np.array(right)
    clipped = tuple(np.clip(each, 0, size - 1) for each, size in zip(at, right.shape, strict=True))
    weights[box] = np.where(held, right[clipped], 0.0)
    names = ("output", "input", "row", "column")
    other = {
        name: str(form)
        for name, of, form in zip(names, columns.values(), forms, strict=True)
        if form is not None and not np.array_equal(form.of(columns), of)
    }
    told = _of_forms(there, weights, other, _part(there, places))
    rows = forms[0].of({"n": np.arange(len(right))}) if forms[0] and {*forms[0].names} <= {"n"} else None
    fits = rows is not None and set(other) == {"output"} and bool(((rows >= 0) & (rows < len(right))).all())
    return replace(told, outputs=rows if fits else None)


def _of_forms(there: WeightsThere, weights: Array, forms: dict[str, str], part: str) -> WeightsCause:
    rows, columns = there.right.shape[2:]
    said = ", ".join(f"{name} {_named(form)}" for name, form in forms.items())
    if set(forms) == {"row", "column"} and forms["row"] == "w" and forms["column"] == "h":
        return WeightsCause(causes.KERNEL_TRANSPOSE, f"the kernel read with x and y swapped{part}", weights, {})
    mirrors = {"row": f"-h + {rows - 1}", "column": f"-w + {columns - 1}"}
    if set(forms) <= {*mirrors} and all(mirrors[name] == form for name, form in forms.items()):
        axes = "".join({"column": "x", "row": "y"}[name] for name in sorted(forms))
        return WeightsCause(
            causes.KERNEL_FLIP, f"the kernel read backwards along {' and '.join(axes)}{part}", weights, {"axes": axes}
        )
    if set(forms) == {"output", "input"} and "c" in forms["output"] and "n" in forms["input"]:
        return WeightsCause(causes.FILTER_IO_SWAP, f"the weights read with input and output swapped{part}", weights, {})
    if set(forms) == {"input"} and not part:
        return WeightsCause(causes.CHANNEL_PERMUTATION, f"channels multiplied by the weights of {said}", weights, forms)
    return WeightsCause(causes.INDEX_MAP, f"multiplies by the weights of {said}{part}", weights, {"map": said})


def _moved(there: WeightsThere) -> WeightsCause | None:
    """Recognises weights with another source: their factors are read at another tap or channel."""
    every = there.right.reshape(len(there.right), -1)
    told = np.isfinite(there.near).all(axis=(1, 2, 3))
    right, found, near = (each[told].reshape(-1, every.shape[1]) for each in (there.right, there.found, there.near))
    away = np.abs(found - right) > near
    lost = [int(a) for a in np.flatnonzero(away.any(axis=0))]
    source: dict[int, int] = {}
    for b in lost if len(right) > 1 else ():  # Which column is read in place of this one, or besides it?
        own = np.abs(right[:, b]).max() > near[:, b].max()
        beside = [a for a in lost if a != b and own and any(
            (np.abs(found[:, a] - kept - right[:, b]) <= near[:, a]).all() for kept in (right[:, a], 0.0))]  # fmt: skip
        if len(beside) == 1:
            source[b] = beside[0]
    if not source:
        return None
    weights = np.array(every)
    weights[:, list(source)] = 0.0
    for b, a in source.items():
        weights[:, a] += every[:, b]
    shape = there.right.shape[1:]
    names = dict(zip("chw", np.unravel_index(list(source), shape), strict=True))
    to = np.unravel_index(list(source.values()), shape)
    forms = [solve(each, names, {*shape, 4} - {1}, holds=1.0) for each in to] if len(source) > 2 else [None]
    if any(form is None for form in forms):
        said = _listed([f"{_place(shape, b)} those of {_place(shape, a)}" for b, a in source.items()])
        says = f"reads the inputs of other weights: for {said}"
    else:
        kinds = zip(("channel", "row", "column"), names.values(), to, forms, strict=True)
        said = ", ".join(f"{name} {_named(str(form))}" for name, of, at, form in kinds if not np.array_equal(of, at))
        part = _part(there, np.stack([np.zeros(len(source), np.int64), *names.values()], axis=1))
        says = f"multiplies the weights{part.replace(', for', ' of')} by the inputs of {said}"
    return WeightsCause(causes.INDEX_MAP, says, weights.reshape(there.right.shape), {"map": said})


def _mistaken(there: WeightsThere) -> WeightsCause | None:
    """Recognises a few other numbers."""
    places = np.argwhere(there.changed)
    if len(places) > _FEW:
        return None
    weights = np.where(there.changed, there.found, there.right)
    at = tuple(places[0])
    element = ", ".join(map(str, at))
    written, wanted = float(f"{there.found[at]:.4g}"), float(str(np.float32(there.right[at])))
    more = f", and {len(places) - 1} more numbers differ" if len(places) > 1 else ""
    says = f"'{there.tensor}'[{element}] is about {written:g} instead of {wanted:g}{more}"
    parameters = {"tensor": there.tensor, "element": [int(each) for each in at], "written": written, "wanted": wanted}
    return WeightsCause(causes.WRONG_LITERAL, says, weights, {**parameters, "count": len(places)}, len(places))


def _part(there: WeightsThere, places: Array) -> str:
    """Describes the inputs and taps that are affected, if not all are."""
    found = []
    for name, axis in (("input", 1), ("row", 2), ("column", 3)):
        own = np.unique(places[:, axis])
        if len(own) < there.right.shape[axis]:
            found.append(f"{name} {_listed([int(each) for each in own])}")
    return f", for {' and '.join(found)}" if found else ""


def _place(shape: tuple[int, ...], column: int) -> str:
    channel, row, x = np.unravel_index(column, shape)
    return f"channel {channel} at tap ({x}, {row})"


def _named(form: str) -> str:
    """Replaces the indices of a formula by words."""
    words = {"n": "output", "c": "channel", "h": "row", "w": "column"}
    return re.sub(r"\b[nchw]\b", lambda index: words[index[0]], form)


def _listed(values: list[Any]) -> str:
    shown = ", ".join(map(str, values[:4]))
    return f"{shown} …" if len(values) > 4 else shown
