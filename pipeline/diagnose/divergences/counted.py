"""Says which terms of a sum are missing or counted several times: by the places of their weights along one axis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

# At least this share of the weights at some places differs: at a border, not all of them are seen.
_SEEN = 0.75
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def counted_places(found: PassDivergences, weights: Mapping[int, frozenset[Place]]) -> Mapping[str, Any]:
    """Returns `axis` and `places` of the weights, by output element, whose terms differ; nothing if no axis tells them.

    An axis tells them if the weights at those places belong to them, in one output or another.
    """
    tensors = {tensor for places in weights.values() for tensor, _ in places}
    shape = found.shapes.get(next(iter(tensors), ""))
    if len(tensors) != 1 or shape is None or any(index < 0 for places in weights.values() for _, index in places):
        return _NOTHING
    dims, names = as_nchw(shape), _axes_of(found, next(iter(tensors)), len(shape))
    at = np.unravel_index(sorted({index for places in weights.values() for _, index in places}), dims)
    summed = [axis for axis, name in names.items() if name != "output"]
    count = len({*zip(*(at[axis].tolist() for axis in summed), strict=True)})
    told: list[tuple[float, str, list[int]]] = []
    for axis in summed:
        places = sorted({int(each) for each in at[axis]})
        others = math.prod(dims[other] for other in summed if other != axis)
        if len(places) < dims[axis] and count >= _SEEN * len(places) * others:
            told.append((len(places) / dims[axis], names[axis], places))
    if not told:
        return _NOTHING
    _, name, places = min(told)
    return {"axis": name, "places": places}


def _axes_of(found: PassDivergences, tensor: str, rank: int) -> Mapping[int, str]:
    """Returns the meaning of a weight's axes in its 4-d view; none where it is not known."""
    node = next((each for each in found.nodes if tensor in each.inputs and facts_of(each).window), None)
    window = facts_of(node).window if node is not None else None
    if node is not None and window == "product":
        turned = bool(node.attributes.get("transB", 0))
        return {2: "output", 3: "input"} if turned else {2: "input", 3: "output"}
    if rank != len("nchw") or window not in ("convolution", "transposed"):
        return {}
    first, second = ("input", "output") if window == "transposed" else ("output", "input")
    return {0: first, 1: second, 2: "row", 3: "column"}
