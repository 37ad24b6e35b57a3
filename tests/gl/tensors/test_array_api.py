"""The names of the array API make what numpy, which follows it too, makes under them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.gl.tensors.conftest import Make
from tests.gl.tensors.test_errors import said
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors import Tensor
from texelscope.pipeline.tensors import array_api as xp
from texelscope.pipeline.tensors.running.device import TensorDevice

X = np.random.default_rng(3).normal(size=(2, 3, 4)).astype(np.float32)
WHOLE = np.array([[3, -1, 4], [1, -5, 9]])
SPECIAL = np.array([0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan, 1e-6], np.float32)


def check(made: Any, expected: Any) -> None:
    if isinstance(expected, tuple):
        assert len(made) == len(expected)
        for one, other in zip(made, expected, strict=True):
            check(one, other)
        return
    expected = np.asarray(expected)
    assert made.shape == expected.shape
    assert made.numpy().dtype.kind == expected.dtype.kind
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["expm1", "log1p", "trunc", "signbit", "isfinite", "isinf", "isnan", "square", "floor", "abs"]
)
def test_functions_of_what_is_hard_for_floats(name: str, tensor: Make) -> None:
    with np.errstate(all="ignore"):
        check(getattr(xp, name)(tensor(SPECIAL)), getattr(np, name)(SPECIAL))


@pytest.mark.parametrize("name", ["atan2", "hypot", "copysign", "logaddexp", "maximum"])
def test_functions_of_two_in_every_corner(name: str, tensor: Make) -> None:
    y, x = np.meshgrid(SPECIAL, SPECIAL)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(y, x)
    made = getattr(xp, name)(tensor(y), tensor(x)).numpy()
    known = ~np.isnan(y) & ~np.isnan(x)  # the sign of NaN is nobody's
    np.testing.assert_allclose(made[known], expected[known], rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "arrays"),
    [
        (lambda n, x: n.sort(x, axis=1, descending=True) if n is xp else -np.sort(-x, axis=1), (X,)),
        (lambda n, x: n.argsort(x, axis=-1), (X,)),
        (lambda n, x: n.cumulative_sum(x, axis=1, include_initial=True), (WHOLE,)),
        (lambda n, x: n.cumulative_prod(x, axis=1), (WHOLE,)),
        (lambda n, x: n.nonzero(x), (WHOLE > 0,)),
        (lambda n, x: n.sort(n.unique_values(x)), (WHOLE % 3,)),
        (lambda n, x: tuple(n.unique_inverse(x)), (WHOLE % 3,)),
        (lambda n, x: n.roll(x, (1, -2), axis=(0, 2)), (X,)),
        (lambda n, x: n.repeat(x, 2, axis=1), (X,)),
        (lambda n, x: n.moveaxis(x, 0, -1), (X,)),
        (lambda n, x: n.tril(x, k=-1), (X,)),
        (lambda n, x: n.diff(x, axis=1, n=2), (X,)),
        (lambda n, x, y: n.tensordot(x, y, axes=((0, 2), (0, 2))), (X, X)),
        (lambda n, x, y: n.vecdot(x, y), (X, X[0, 0])),
        (lambda n, x, y: n.searchsorted(x, y), (np.array([-1.0, 0.0, 2.0], np.float32), X[0, 0])),
        (lambda n, x, y: n.take_along_axis(x, y, axis=1), (WHOLE, np.array([[2, 0], [1, 1]]))),
        (lambda n, x: n.meshgrid(x, x)[0], (X[0, 0],)),
        (lambda n, x: n.count_nonzero(x, axis=0), (WHOLE > 0,)),
    ],
    ids=str.split(
        "sort argsort cumulative_sum cumulative_prod nonzero unique_values unique_inverse roll repeat moveaxis tril "
        "diff tensordot vecdot searchsorted take_along_axis meshgrid count_nonzero"
    ),
)
def test_what_the_names_mean_is_numpys(call: Any, arrays: tuple[Any, ...], tensor: Make) -> None:
    check(call(xp, *map(tensor, arrays)), call(np, *arrays))


def test_a_program_that_is_written_for_any_library_finds_the_functions(device: TensorDevice, tensor: Make) -> None:
    x = tensor(X, requires_grad=True)
    namespace = x.__array_namespace__(api_version="2025.12")
    assert namespace is xp
    assert set(xp.__all__) <= set(dir(xp))
    y = namespace.zeros((2, 2), dtype=namespace.int32, device=device)
    assert (y.dtype, y.device) == (namespace.int32, device)
    namespace.sum(namespace.expm1(namespace.asarray(x))).backward()
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), np.exp(X), rtol=1e-5)


def test_types_meet_as_the_standard_has_it() -> None:
    assert (xp.result_type("int32", "int64"), xp.result_type("float32", 3)) == ("int64", "float32")
    assert (xp.isdtype("int32", ("bool", "integral")), xp.isdtype("bool", "numeric")) == (True, False)
    assert (xp.can_cast("int32", "int64"), xp.can_cast("int64", "int32")) == (True, False)
    assert (xp.finfo("float32").eps, xp.iinfo("int64").max) == (2.0**-23, 1 << 24)


def test_what_makes_no_sense_is_said(tensor: Make) -> None:
    x: Tensor = tensor(X)
    assert said(lambda: xp.add(1, 2)) == (
        "add: expected a tensor among both, got two numbers. Make one with asarray(...)."
    )
    assert said(lambda: xp.cumulative_sum(x)) == (
        "cumulative_sum: expected an axis, got none for [2, 3, 4]. Name the axis."
    )
    assert said(lambda: xp.broadcast_to(x, (4,))) == (
        "broadcast_to: expected a shape that [2, 3, 4] broadcasts to, got [4]. Correct the shape."
    )
    assert said(lambda: xp.finfo("int32")) == (
        "finfo: expected a real floating type: float32, got int32. Name one of these."
    )
    assert said(lambda: xp.zeros(2, dtype="complex64")) == (
        "type of a tensor: expected float32, int32, int64, bool, got 'complex64'. Use one of them."
    )
    assert said(lambda: xp.arange(0, 5, 0)) == (
        "arange: expected arguments that make an array, got division by zero. Correct them."
    )
    assert said(lambda: xp.repeat(x, -1, axis=0)) == (
        "repeat: expected a number of times, or one for each of 2 parts, got -1. Correct them."
    )
    assert said(lambda: xp.vecdot(x, x[0, 0], axis=-2)) == (
        "vecdot: expected an axis of both, counted from the last, below 0, got -2 for [2, 3, 4] and [4]. "
        "Count from the end."
    )
    assert said(lambda: xp.tensordot(x, x, axes=4)) == (
        "tensordot: expected as many axes as both have, got 4 for [2, 3, 4] and [2, 3, 4]. Sum over fewer."
    )
    assert said(lambda: xp.take_along_axis(x, tensor([0]))) == (
        "take_along_axis: expected places with as many axes, got [1] for [2, 3, 4]. Unsqueeze them."
    )
    assert said(lambda: xp.sum(x, axis="rows")) == (  # type: ignore[arg-type]
        "ReduceSum: expected axes as whole numbers, got rows. Correct them."
    )
    assert said(lambda: xp.exp(1.0)) == (  # type: ignore[arg-type]
        "exp: expected a tensor, got float. Make one with asarray(...)."
    )
    with pytest.raises(TexelscopeError, match=r"^array API: expected 2025\.12, got 2021\.12\."):
        x.__array_namespace__(api_version="2021.12")
