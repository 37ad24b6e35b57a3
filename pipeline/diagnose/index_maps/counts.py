"""Finds products that are missing or counted several times, as places of one index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.index_maps.decoded_probes import asked_of
from texelscope.pipeline.diagnose.index_maps.product_terms import ProductTerms, axes_of
from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.graph import Node

Indices = NDArray[np.int64]

_FEWEST = 3
# At most this many places are listed.
_SHOWN = 16
# At least this share of the products at those places has that count, and at most this share elsewhere.
_MOST_OF, _FEW_OF = 0.9, 0.02


@dataclass(frozen=True)
class Counted:
    """Products at `places` of `axis` count `times`: of the weights' 4-d view (n, c, h, w; hw: row by row), or of the
    output's (m, o, y, x)."""

    axis: str
    places: tuple[int, ...]
    times: int
    of_weights: bool

    @property
    def is_missing(self) -> bool:
        """Whether the products are missing altogether."""
        return self.of_weights and not self.times


def counted_of(case: FailingPass) -> tuple[Counted, ...]:
    """Returns counts other than one, of products whose factors belong together, each by its simplest index."""
    asked = asked_of(case)
    terms = asked.terms if asked is not None else None
    if terms is None or not len(terms.taken):
        return ()
    right = terms.partner == terms.taken
    usual = float(np.median(terms.factor[right])) if right.any() else 0.0
    if not usual or terms.weights is None:
        return ()
    times = np.concatenate([np.rint(terms.factor[right] / usual), np.zeros(len(terms.missing))]).astype(np.int64)
    weight = np.concatenate([terms.weight[right], terms.missing[:, 2]])
    place = np.concatenate([terms.place[right], terms.missing[:, 0]])
    found = (_by_index(case, terms, weight, place, times, number) for number in np.unique(times) if number != 1)
    return tuple(each for each in found if each is not None)


def _by_index(
    case: FailingPass, terms: ProductTerms, weight: Indices, place: Indices, times: Indices, number: int
) -> Counted | None:
    assert terms.weights is not None
    so = times == number
    shape = as_nchw(case.model_slice.values[terms.node.outputs[0]].shape)
    of_weight = axes_of(terms.weights, weight)
    columns = [(axis, of, True) for axis, of in of_weight.items()]
    columns.append(("hw", of_weight["h"] * terms.weights.values.dims[3] + of_weight["w"], True))
    columns += [(axis, of, False) for axis, of in zip("moyx", np.unravel_index(place, shape), strict=True)]
    best: Counted | None = None
    for axis, column, of_weights in columns if np.count_nonzero(so) >= _FEWEST else ():
        places = tuple(int(at) for at in np.unique(column[so]))
        inside = np.isin(column, places)
        if inside.all() or so[inside].mean() < _MOST_OF or so[~inside].mean() > _FEW_OF:
            continue
        if of_weights and axis != "hw":
            places = _with_unseen(places, column[~inside], terms.weights.values.dims["nchw".index(axis)])
        if best is None or len(places) < len(best.places):
            best = Counted(axis, places, int(number), of_weights)
    return best


def _with_unseen(places: tuple[int, ...], others: Indices, count: int) -> tuple[int, ...]:
    """Adds unseen places whose seen neighbours on both sides are among the places."""
    seen = np.unique([*places, *others])
    behind = np.searchsorted(seen, np.arange(count))
    around = seen[np.clip(np.stack([behind, behind - 1]), 0, len(seen) - 1)]
    return tuple(np.flatnonzero(np.isin(around, places).all(axis=0) | np.isin(np.arange(count), places)).tolist())


def taps_of(case: FailingPass) -> Indices | None:
    """Returns how often each place counts in a mean over whole pictures; None if always once, or if unknown.

    Unseen places have the count of those before or behind, or follow a period.
    """
    asked = asked_of(case)
    terms = asked.terms if asked is not None else None
    window = next(iter(case.windows()), None)
    if terms is None or terms.weights is not None or window is None or window.kernel != window.source.shape[2:]:
        return None
    count = window.kernel[0] * window.kernel[1]
    there = terms.weight >= 0
    times = np.concatenate([np.rint(terms.factor[there] * count), np.zeros(len(terms.missing))]).astype(np.int64)
    taps = np.concatenate([terms.weight[there], terms.missing[:, 2]])
    if len(times) < _FEWEST or (times == 1).all():
        return None
    order = np.argsort(taps)
    if np.count_nonzero(np.diff(times[order])) == 1:
        return times[order][np.minimum(np.searchsorted(taps[order], np.arange(count)), len(taps) - 1)]
    for step in range(2, count):
        by_rest = [np.unique(times[taps % step == rest]) for rest in range(step)]
        if all(len(each) == 1 for each in by_rest):
            return np.array([int(by_rest[tap % step][0]) for tap in range(count)])
    return None


def counted_otherwise(case: FailingPass, cause: str, times: Indices, remedy: str) -> Hypothesis:
    """Returns the hypothesis of a mean in which each place counts that often."""
    window = next(iter(case.windows()))
    node = next(each for each in case.model_slice.nodes if each.name == window.node)

    def change(same: Node, inputs: Sequence[Any]) -> Any:
        return case.model_slice.run_node(
            same, [inputs[0] * times.reshape(window.kernel).astype(np.float32), *inputs[1:]]
        )

    lost = np.flatnonzero(times == 0).tolist()
    often = f"; {np.count_nonzero(times > 1)} count more than once" if (times > 1).any() else ""
    says = f"{len(lost)} of {len(times)} places of a picture are not counted{often}, as designed inputs show"
    parameters = {"places": lost[:_SHOWN], "times": times[:_SHOWN].tolist()}
    return Hypothesis(
        cause, says, remedy, parameters, (NodeChange(node.name, change),), line=lines.summand(), prior=0.9
    )
