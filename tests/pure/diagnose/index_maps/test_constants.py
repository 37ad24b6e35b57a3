"""Tests constants that a texture holds in another order: recognised by values, named by the order's shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.pure.diagnose.synthetic import evidence, graph, holding, right
from texelscope.pipeline.diagnose.index_maps.affine_expr import AffineExpr, Feature
from texelscope.pipeline.diagnose.index_maps.classify import shape_of
from texelscope.pipeline.diagnose.index_maps.solving import IndexMap, maps_of
from texelscope.pipeline.diagnose.model_slice.model_slice import grid
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

Array = NDArray[Any]


@pytest.mark.parametrize(
    ("order", "cause", "parameters"),
    [
        (lambda w: w[..., ::-1, ::-1], "kernel_flip", {"axes": "xy"}),
        (lambda w: w[..., ::-1], "kernel_flip", {"axes": "x"}),
        (lambda w: np.swapaxes(w, 2, 3), "kernel_transpose", {}),
        (lambda w: np.roll(w, -1, axis=0), "filter_offset", {"axis": "output", "offset": 1}),
        (lambda w: w[::-1], "filter_offset", {"order": "reversed"}),
        (lambda w: w[[1, 0, 3, 2]], "filter_offset", {"filters": [1, 0, 3, 2]}),
    ],
)
def test_an_order_has_the_name_of_its_shape(
    order: Callable[[Array], Array], cause: str, parameters: dict[str, Any]
) -> None:
    made = graph()
    case = FailingPass(holding(evidence(made, right(made) + 1.0), order(made.constants["w"])))
    shape = shape_of(case, maps_of(case)[0])
    assert (shape.cause.name, dict(shape.parameters)) == (cause, parameters)


def test_a_form_of_the_place_in_memory_is_read_in_the_texture_and_past_its_end_nothing_is() -> None:
    made = graph()
    read = next(each for each in FailingPass(evidence(made, right(made))).evidence.reads if each.tensor == "w")
    dims, stored = read.values.dims, read.values.stored
    at = dict(zip("nchw", np.broadcast_arrays(*grid(dims)), strict=True))
    height, width = stored.texture_shape
    further = IndexMap(read, {"memory": AffineExpr(((1, Feature("i")),), stored.layout.lanes)}, is_weights=True)
    tx, ty, lane = stored.layout.texel_at(dims, *at.values())
    texel = ty * width + tx + 1
    there = stored.layout.element_at(dims, texel % width, np.minimum(texel // width, height - 1), lane)
    n, *rest = further.at(at)
    assert np.array_equal(n >= 0, (texel < height * width) & (there[0] >= 0))
    assert all(np.array_equal(a[n >= 0], np.asarray(b)[n >= 0]) for a, b in zip(rest, there[1:], strict=True))
    beyond = IndexMap(read, {"memory": AffineExpr((), 1 << 20)}, is_weights=True)
    assert (np.asarray(beyond.at(at)[0]) == -1).all()
