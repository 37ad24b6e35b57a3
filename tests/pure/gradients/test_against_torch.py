"""Every derivative agrees with PyTorch's autograd, in float64. Where PyTorch is not installed, nothing is tried."""

from __future__ import annotations

import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase, all_cases
from tests.gradient_cases.numbers import positive, real
from tests.pure.gradients.checked import Taken, taken
from tests.pure.gradients.torch_node import NothingAlikeError, Tensor, TorchNode

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from tests.pure.gradients.torch_functions import all_functions  # noqa: E402 - needs PyTorch

_LABELS = np.array([[1, 0], [4, 2], [3, 3]], dtype=np.int64)
# Operators that are opened into others, whose derivatives have their own cases.
_OPENED = (
    NodeCase("SoftmaxCrossEntropyLoss", (real(3, 5), _LABELS[:, 0])),
    NodeCase("SoftmaxCrossEntropyLoss", (real(3, 5, 2), _LABELS), {"ignore_index": 3, "reduction": "sum"}),
    NodeCase("NegativeLogLikelihoodLoss", (real(3, 5, 2), _LABELS, positive(5))),
    NodeCase("Attention", (real(2, 3, 4, 5), real(2, 3, 6, 5, seed=1), real(2, 3, 6, 7, seed=2))),
)
CASES = (*(case for case in all_cases() if case.torch_too), *(GradientCase(node) for node in _OPENED))
# Relative, and of the largest element of a gradient: Erf's numpy definition rounds to float32.
RTOL, ATOL = 1e-4, 1e-6


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_gradient_is_pytorchs(case: GradientCase) -> None:
    run = taken(case)
    leaves = {name: _leaf(run, name) for name in run.given}
    node = TorchNode(case.node, {int(name[2:]): x for name, x in leaves.items()}, run.seed.shape)
    try:
        made = all_functions()[case.node.op_type](node)
    except NothingAlikeError:
        pytest.skip("PyTorch has nothing that means this")
    y = made[case.output] if isinstance(made, tuple) else made
    assert y.shape == run.seed.shape
    total = (y * torch.from_numpy(run.seed)).sum()
    np.testing.assert_allclose(total.item(), run.total(run.given), rtol=1e-5, err_msg="of the forward run")
    total.backward()
    for name, actual in run.gradients.items():
        wanted = _gradient(leaves[name])
        atol = ATOL * np.abs(wanted).max(initial=0.0)
        np.testing.assert_allclose(actual, wanted, rtol=RTOL, atol=atol, err_msg=f"gradient of {name}")


def test_ninety_operators_and_more_are_held_against_pytorch() -> None:
    assert len({case.node.op_type for case in CASES}) >= 90


def test_every_case_that_pytorch_is_asked_for_has_its_function() -> None:
    assert {case.node.op_type for case in CASES} <= all_functions().keys()


def _leaf(run: Taken, name: str) -> Tensor:
    return torch.from_numpy(run.given[name].copy()).requires_grad_(name in run.gradients)


def _gradient(leaf: Tensor) -> np.ndarray:
    """Zeros for one that PyTorch did not need."""
    return np.zeros(leaf.shape) if leaf.grad is None else np.asarray(leaf.grad.numpy())
