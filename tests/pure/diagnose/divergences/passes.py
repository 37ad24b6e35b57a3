"""Makes passes with hand-made divergences for tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from texelscope.pipeline.graph import Node
from texelscope.pipeline.symbolic.canonical import GRID
from texelscope.pipeline.symbolic.kinds import Curved, Divergence
from texelscope.pipeline.symbolic.pass_divergences import ElementDivergences, PassDivergences


def divergent_pass(
    *elements: Sequence[Divergence],
    nodes: Sequence[Node] = (),
    constants: Mapping[str, Sequence[float]] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    output: tuple[int, ...] = (1, 4, 3, 3),
    actual: Any = None,
    wrong: Any = None,
    at: Sequence[int] | None = None,
) -> PassDivergences:
    """Returns a pass of which each of the first elements, or those `at` indices, departs so from the model."""
    count = int(np.prod(output))
    places = range(len(elements)) if at is None else at
    return PassDivergences(
        output, shapes or {}, tuple(nodes),
        tuple(ElementDivergences(place, tuple(each)) for place, each in zip(places, elements, strict=True)), 0, (),
        np.ones(count, bool) if wrong is None else wrong, np.zeros(count) if actual is None else actual,
        {name: np.array(values, np.float32) for name, values in (constants or {}).items()},
        lambda _element, _other: False,
    )  # fmt: skip


def node(operator: str, *inputs: str, **attributes: Any) -> Node:
    """Returns a node that makes 'y'."""
    return Node(operator.lower(), operator, inputs or ("x",), ("y",), attributes)


def curved(expected: Callable[[Any], Any], got: Callable[[Any], Any], row: int = -1) -> Curved:
    """Returns the divergence of two functions of one sum."""
    points = np.array(GRID)
    with np.errstate(all="ignore"):
        right, wrong = ((points * 0.0 + each(points)).tolist() for each in (expected, got))
    return Curved(tuple(right), tuple(wrong), tuple(GRID), row)
