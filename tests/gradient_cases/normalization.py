"""Normalisations: by given statistics, by those of the batch, an instance, a layer, groups of channels, a vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import apart, positive, real


def _case(op_type: str, x: Sequence[int], *parameters: Sequence[int], **more: Any) -> GradientCase:
    """Makes a case with parameters of those shapes; `opset`, `outputs` and `output` are its own."""
    given = tuple(positive(*shape, seed=place) for place, shape in enumerate(parameters, start=1))
    opset, outputs, output = (more.pop(name, it) for name, it in (("opset", 23), ("outputs", 1), ("output", 0)))
    return GradientCase(NodeCase(op_type, (real(*x), *given), more, (), outputs, opset), output, fast=True)


CASES = (
    *(
        _case("BatchNormalization", shape, *[shape[1:2]] * 4)
        for shape in ((5, 3), (2, 3, 5), (2, 3, 5, 3), (1, 2, 3, 2, 3))
    ),
    _case("BatchNormalization", (2, 3, 5), *[(3, 5)] * 4, opset=7, spatial=0),
    _case("BatchNormalization", (2, 3, 5), *[(3,)] * 4, opset=6, is_test=1),
    _case("BatchNormalization", (5, 3), *[(3,)] * 4, training_mode=1, outputs=3),
    *(
        _case("BatchNormalization", (2, 3, 5, 3), *[(3,)] * 4, training_mode=1, momentum=0.7, outputs=3, output=output)
        for output in range(3)
    ),
    _case("BatchNormalization", (2, 3, 5), *[(3,)] * 4, opset=9, outputs=5, output=4),
    *(
        _case("InstanceNormalization", shape, shape[1:2], shape[1:2])
        for shape in ((2, 3, 5), (2, 3, 5, 3), (1, 2, 3, 2, 3))
    ),
    _case("GroupNormalization", (2, 6, 3, 3), (6,), (6,), num_groups=3),
    _case("GroupNormalization", (2, 4, 5), (2,), (2,), num_groups=2, opset=18),
    _case("LayerNormalization", (7,), (7,), (7,)),
    _case("LayerNormalization", (2, 3, 5), (3, 5), (5,), axis=1, epsilon=1e-2),
    _case("LayerNormalization", (2, 3, 1, 2, 5), (5,)),
    *(_case("LayerNormalization", (3, 5), (5,), (5,), outputs=3, output=output) for output in range(3)),
    _case("RMSNormalization", (3, 7), (7,)),
    _case("RMSNormalization", (2, 3, 5, 3), (5, 3), axis=-2),
    _case("RMSNormalization", (2, 5), (1,), axis=1),
    _case("MeanVarianceNormalization", (2, 3, 5, 3)),
    _case("MeanVarianceNormalization", (2, 3, 5), axes=(1, -1)),
    _case("LpNormalization", (3, 5)),
    _case("LpNormalization", (2, 3, 5), axis=1),
    GradientCase(NodeCase("LpNormalization", (apart(3, 5),), {"p": 1}), fast=True),
)
