"""Follows the error of an element back, from pass to pass, to the element that a pass computes wrongly itself.

An element is *inherited* wrong where the oracle, given the values that the pass really read, has the same value. Then
the error comes from an element that was read: in a sum of products the one whose error weighs most, else the one with
the largest error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.figures import wrong_elements
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.read_trace.expected import expected_reads
from texelscope.pipeline.read_trace.products import products_of

# Returns by texture key the elements that one element (linear index) of a pass's output read.
ReadsOf = Callable[[str, int], Mapping[str, frozenset[int]]]


@dataclass(frozen=True)
class ComparedTensors:
    """Holds by texture key the actual tensors, the oracle's end to end, and the oracle's on each pass's own inputs."""

    actual: Mapping[str, NDArray[np.float32]]
    chained: Mapping[str, Expected]
    isolated: Mapping[str, Expected]


@dataclass(frozen=True)
class ErrorStep:
    """Describes an element on an error's way: linear index `element` of the tensor `key`, which the pass `name` makes.

    `oracle` is its value from the model's inputs on, `own_oracle` that from what the pass read; None where unknown.
    `is_wrong` and `is_made_here` say whether the value is outside the bound of the first, and of the second. Among the
    elements that the step before read, `wrong_reads` were wrong, and this one counts most; 0 for the first step. A
    tensor that no pass made has an empty name.
    """

    name: str
    key: str
    element: int
    actual: float
    oracle: float | None
    own_oracle: float | None
    is_wrong: bool
    is_made_here: bool
    wrong_reads: int = 0


def element_step(session: Session, values: ComparedTensors, key: str, element: int, wrong_reads: int = 0) -> ErrorStep:
    """Judges one element of a tensor that `values` holds."""
    maker = session.plan.find(key)
    actual = float(values.actual[key].reshape(-1)[element])
    chained, isolated = values.chained.get(key), values.isolated.get(key)
    only = np.array([element])
    is_made_here = isolated is not None and bool(_wrong(values.actual[key], isolated, only)[0])
    return ErrorStep(
        maker.name if maker is not None else "",
        key,
        element,
        actual,
        _at(chained, element),
        _at(isolated, element),
        is_made_here or (chained is not None and bool(_wrong(values.actual[key], chained, only)[0])),
        is_made_here,
        wrong_reads,
    )


def step_behind(session: Session, values: ComparedTensors, step: ErrorStep, reads_of: ReadsOf) -> ErrorStep | None:
    """Returns the read element that an inherited error comes from; None where every element read is right.

    `reads_of` is asked where the operator does not say what it reads. Raises TexelscopeError where that is unknown too.
    """
    maker = session.plan.find(step.key)
    if maker is None or step.is_made_here or not step.is_wrong:
        return None
    weighed = list(_weighed(session, values, maker, step, reads_of))
    if not weighed:
        return None
    _, key, element = max(weighed)
    return element_step(session, values, key, element, len(weighed))


def _weighed(
    session: Session, values: ComparedTensors, maker: Pass, step: ErrorStep, reads_of: ReadsOf
) -> Iterator[tuple[float, str, int]]:
    """Yields how much each wrong element that was read counts, its key and its index.

    That is its |error|, times its weight where it is a factor of a sum of products.
    """
    products = products_of(session, maker, step.element)
    weights, summed = dict[int, float](), ""
    if products is not None and not isinstance(products, str):
        summed = products.key
        for element, weight in zip(products.elements, products.weights, strict=True):
            weights[element] = weights.get(element, 0.0) + weight
    reads = expected_reads(session.plan.graph, maker, session.plan.textures, step.element)
    for key, elements in (reads if reads is not None else reads_of(maker.name, step.element)).items():
        if key not in values.actual or key not in values.chained:
            continue
        read = np.fromiter(elements, dtype=np.int64)
        for element in read[_wrong(values.actual[key], values.chained[key], read)].tolist():
            weight = abs(weights.get(element, 1.0)) if key == summed else 1.0
            if weight:
                yield weight * _error(values, key, element), key, element


def _error(values: ComparedTensors, key: str, element: int) -> float:
    """Returns |actual − oracle|, infinite where one of them is no number."""
    oracle = _at(values.chained[key], element)
    assert oracle is not None
    error = abs(float(values.actual[key].reshape(-1)[element]) - oracle)
    return error if math.isfinite(error) else math.inf


def _wrong(actual: NDArray[np.float32], expected: Expected, elements: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns which of some elements (linear indices) are outside their bound."""
    bound = None if expected.bound is None else np.asarray(expected.bound).reshape(-1)[elements]
    some = Expected(np.asarray(expected.value).reshape(-1)[elements], bound)
    return wrong_elements(actual.reshape(-1)[elements], some)


def _at(expected: Expected | None, element: int) -> float | None:
    return float(np.asarray(expected.value).reshape(-1)[element]) if expected is not None else None
