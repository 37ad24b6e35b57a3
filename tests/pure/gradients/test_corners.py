"""Where a function has no slope, PyTorch's choice; where a formula would overflow, the slope all the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, floats, ints
from tests.gradient_cases import GradientCase
from tests.pure.gradients.checked import of_case, taken
from texelscope.pipeline.errors import TexelscopeError

_BOUNDS = (floats(-1.0).reshape(()), floats(1.0).reshape(()))

# A node, and the slopes with respect to each of its inputs.
_CORNERS = (
    (NodeCase("Relu", (floats(0.0),)), [[0.0]]),
    (NodeCase("LeakyRelu", (floats(0.0),), {"alpha": 0.25}), [[0.25]]),
    (NodeCase("PRelu", (floats(0.0), floats(0.25))), [[0.25], [0.0]]),
    (NodeCase("Elu", (floats(0.0),), {"alpha": 2.0}), [[2.0]]),
    (NodeCase("Abs", (floats(0.0),)), [[0.0]]),
    (NodeCase("HardSigmoid", (floats(-2.5, 2.5),)), [[0.0, 0.0]]),
    (NodeCase("HardSwish", (floats(-3.0, 3.0),)), [[0.0, 1.0]]),
    (NodeCase("Shrink", (floats(-0.5, 0.5),)), [[0.0, 0.0]]),
    (NodeCase("ThresholdedRelu", (floats(1.0),)), [[0.0]]),
    (NodeCase("Clip", (floats(-1.0, 1.0, 2.0), *_BOUNDS)), [[1.0, 1.0, 0.0], 0.0, 1.0]),
    (NodeCase("Max", (floats(1.0, 2.0), floats(1.0, 1.0))), [[0.5, 1.0], [0.5, 0.0]]),
    (NodeCase("Min", (floats(1.0), floats(1.0), floats(1.0))), [[1.0 / 3.0], [1.0 / 3.0], [1.0 / 3.0]]),
    (NodeCase("Pow", (floats(0.0, -2.0, -2.0), floats(0.0, 3.0, 1.0))), [[0.0, 12.0, 1.0], [0.0, 0.0, 0.0]]),
    (NodeCase("Pow", (floats(0.0, -2.0), ints(2)), constant=(1,)), [[0.0, -4.0]]),
)  # fmt: skip


@pytest.mark.parametrize(("node", "slopes"), _CORNERS, ids=str)
def test_a_corner_takes_the_slope_that_pytorch_takes(node: NodeCase, slopes: Sequence[Sequence[float]]) -> None:
    run = taken(GradientCase(node))
    assert len(run.gradients) == len(slopes)
    for (tensor, gradient), wanted in zip(run.gradients.items(), slopes, strict=True):
        seed = run.seed if gradient.shape else np.ones(()) * run.seed[-1]
        np.testing.assert_allclose(gradient, np.asarray(wanted) * seed, rtol=1e-6, err_msg=tensor)


@pytest.mark.parametrize(
    ("op_type", "attributes", "slopes"),
    [
        ("Softplus", {}, (0.0, 1.0)),
        ("Gelu", {}, (0.0, 1.0)),
        ("Gelu", {"approximate": "tanh"}, (0.0, 1.0)),
        ("Mish", {}, (0.0, 1.0)),
        ("Sigmoid", {}, (0.0, 0.0)),
        ("Tanh", {}, (0.0, 0.0)),
        ("Elu", {"alpha": 2.0}, (0.0, 1.0)),
        ("Selu", {"alpha": 2.0, "gamma": 3.0}, (0.0, 3.0)),
        ("HardSwish", {}, (0.0, 1.0)),
        ("Erf", {}, (0.0, 0.0)),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_far_out_a_slope_is_the_asymptotes(op_type: str, attributes: dict[str, object], slopes: tuple[float]) -> None:
    run = taken(GradientCase(NodeCase(op_type, (floats(-1e30, 1e30),), attributes), double=False))
    np.testing.assert_allclose(run.gradients["in0"], np.array(slopes) * run.seed, atol=1e-30)


@pytest.mark.parametrize("op_type", ["Ceil", "Floor", "Round", "Sign"])
def test_nothing_flows_back_through_a_step(op_type: str) -> None:
    with pytest.raises(TexelscopeError) as raised:
        of_case(NodeCase(op_type, (floats(0.5),)))
    assert str(raised.value) == (
        f"gradients of 'out0' ({op_type}): expected a tensor that depends on a float input or weight, got one that "
        "depends on none of them. Name another tensor."
    )
