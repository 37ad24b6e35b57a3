"""What tensors make is what numpy makes."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.gl.tensors.conftest import Make
from texelscope.pipeline.tensors import (
    Tensor,
    concat,
    cross_entropy,
    gather,
    maximum,
    mse_loss,
    pad,
    stack,
    take,
    where,
)
from texelscope.pipeline.tensors import non_maximum_suppression as kept_boxes

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(2, 3, 4)).astype(np.float32)
Y = RANDOM.normal(size=(3, 1)).astype(np.float32)
WHOLE = np.arange(6).reshape(2, 3) - 2
PLACES = np.array([[[2], [0], [1]], [[3], [0], [0]]])


def check(made: Tensor, expected: Any) -> None:
    expected = np.asarray(expected)
    assert made.shape == expected.shape
    assert made.numpy().dtype.kind == expected.dtype.kind
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "of",
    [operator.add, operator.sub, operator.mul, operator.truediv, operator.lt, operator.ge, operator.eq, operator.ne],
)
def test_operators_broadcast_and_take_numbers_and_arrays(of: Callable[[Any, Any], Any], tensor: Make) -> None:
    check(of(tensor(X), tensor(Y)), of(X, Y))
    check(of(tensor(X), 0.5), of(X, np.float32(0.5)))
    check(of(2.0, tensor(X)), of(np.float32(2.0), X))
    check(of(Y, tensor(X)), of(Y, X))
    check(of(tensor(WHOLE), 2), of(WHOLE, 2))
    check(of(tensor(WHOLE), 1.5), of(WHOLE, np.float32(1.5)))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda x, y: x**2, X**2),
        (lambda x, y: 2.0**x, np.float32(2.0) ** X),
        (lambda x, y: -x, -X),
        (lambda x, y: abs(x), abs(X)),
        (lambda x, y: x % 0.7, X % np.float32(0.7)),
        (lambda x, y: (x > 0) & ~(y > 0), (X > 0) & ~(Y > 0)),
        (lambda x, y: x.clip(-0.5, 0.5), X.clip(-0.5, 0.5)),
        (lambda x, y: x.relu(), np.maximum(X, 0)),
        (lambda x, y: x.exp().log().tanh(), np.tanh(X)),
        (lambda x, y: x.sigmoid(), 1 / (1 + np.exp(-X))),
        (lambda x, y: x.softmax(1), np.exp(X) / np.exp(X).sum(1, keepdims=True)),
        (lambda x, y: x.log_softmax(), X - np.log(np.exp(X).sum(-1, keepdims=True))),
        (lambda x, y: maximum(x, y), np.maximum(X, Y)),
        (lambda x, y: where(x > 0, x, y), np.where(X > 0, X, Y)),
    ],
)
def test_functions_of_elements(made: Callable[[Tensor, Tensor], Tensor], expected: Any, tensor: Make) -> None:
    check(made(tensor(X), tensor(Y)), expected)


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod", "var", "std"])
@pytest.mark.parametrize(("axis", "keepdims"), [(None, False), (-2, True), ((0, 2), False)])
def test_reductions(name: str, axis: Any, keepdims: bool, tensor: Make) -> None:
    check(getattr(tensor(X), name)(axis, keepdims=keepdims), getattr(X, name)(axis=axis, keepdims=keepdims))


def test_reductions_of_whole_numbers_and_of_truth_count(tensor: Make) -> None:
    check(tensor(WHOLE).sum(0), WHOLE.sum(0))
    check((tensor(X) > 0).sum(), (X > 0).sum())
    check((tensor(X) > 0).any(1), (X > 0).any(1))
    check(tensor(X).argmax(1), X.argmax(1))
    check(tensor(X).argmin(), X.argmin())


@pytest.mark.parametrize(
    ("left", "right"), [((3, 4), (4, 2)), ((2, 3, 4), (4,)), ((4,), (4,)), ((2, 1, 3, 4), (5, 4, 2)), ((4,), (2, 4, 3))]
)
def test_products_of_matrices(left: tuple[int, ...], right: tuple[int, ...], tensor: Make) -> None:
    a, b = (RANDOM.normal(size=shape).astype(np.float32) for shape in (left, right))
    check(tensor(a) @ tensor(b), a @ b)


@pytest.mark.parametrize(
    "index",
    [
        0,
        (-1, 2, 1),
        slice(None, None, -1),
        (slice(None), slice(2, 0, -1), slice(3, None, -2)),
        (..., slice(1, 3)),
        (0, None, ..., 1),
        (slice(None), 1, None),
        [1, 0, 1],
    ],
    ids=str,
)
def test_parts(index: Any, tensor: Make) -> None:
    check(tensor(X)[index], X[index])


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda x: x.reshape(4, -1), X.reshape(4, -1)),
        (lambda x: x.permute(2, 0, 1), X.transpose(2, 0, 1)),
        (lambda x: x.transpose(0, -1), X.swapaxes(0, -1)),
        (lambda x: x.T, X.T),
        (lambda x: x.unsqueeze((0, -1)), X[None, ..., None]),
        (lambda x: x.unsqueeze(1).squeeze(), X),
        (lambda x: x.flatten(1), X.reshape(2, 12)),
        (lambda x: x.broadcast_to(2, 2, 3, 4), np.broadcast_to(X, (2, 2, 3, 4))),
        (lambda x: x.flip(1), np.flip(X, 1)),
        (lambda x: x.tile(2, 1, 2), np.tile(X, (2, 1, 2))),
        (lambda x: concat([x, x[:, :1]], 1), np.concatenate([X, X[:, :1]], 1)),
        (lambda x: stack([x, x * 2], -1), np.stack([X, X * 2], -1)),
        (lambda x: take(x, [2, 0], 1), X.take([2, 0], 1)),
        (lambda x: pad(x, (1, 2, 0, 1), value=3.0), np.pad(X, ((0, 0), (0, 1), (1, 2)), constant_values=3.0)),
        (lambda x: pad(x, (1, 2), "replicate"), np.pad(X, ((0, 0), (0, 0), (1, 2)), mode="edge")),
    ],
)
def test_other_shapes_of_the_same_elements(made: Callable[[Tensor], Tensor], expected: Any, tensor: Make) -> None:
    check(made(tensor(X)), expected)


def test_parts_by_truth_and_by_places_along_several_axes(tensor: Make) -> None:
    check(tensor(X)[X > 0], X[X > 0])
    check(tensor(X)[tensor(X) > 9], X[X > 9])
    check(tensor(X)[tensor([1, 0]), :, tensor([2, -1])], X[[1, 0], :, [2, -1]])


def test_parts_are_given_other_numbers(tensor: Make) -> None:
    x, expected = tensor(X), X.copy()
    x[0, ::2], expected[0, ::2] = 5.0, 5.0
    x[:, 1], expected[:, 1] = tensor(X[:, 0]), X[:, 0]
    x[x > 1], expected[expected > 1] = -1.0, -1.0
    check(x, expected)


@pytest.mark.parametrize(
    "of",
    [
        lambda x: x // 3,
        lambda x: x % -3,
        lambda x: 20 // (x * 2 + 1),
        lambda x: x & 6,
        lambda x: x | 1,
        lambda x: 5 ^ x,
        lambda x: ~x,
        lambda x: x << 2,
        lambda x: x >> 1,
    ],
    ids=["//", "%", "r//", "&", "|", "r^", "~", "<<", ">>"],
)
def test_whole_numbers_are_divided_and_have_bits(of: Callable[[Any], Any], tensor: Make) -> None:
    check(of(tensor(WHOLE * 7)), of(WHOLE * 7))


def test_empty_tensors_go_through_every_kind_of_call(tensor: Make) -> None:
    x, none = tensor(X), np.zeros((0, 3, 4), np.float32)
    check(x[2:], none)
    check(x[:, :0][1], X[:, :0][1])
    check(tensor(none).exp() + x[:1], none)
    check(concat([tensor(none), x]), X)
    check(tensor(none).sum((0, 2)), np.zeros(3))
    check(tensor(none).mean(0), np.full((3, 4), np.nan))
    check(tensor(none).any(), np.False_)
    check(x[:, :, :0] @ tensor(none.reshape(0, 5)), np.zeros((2, 3, 5)))
    check(tensor(none).reshape(-1, 4), none.reshape(-1, 4))


def test_elements_are_looked_up_by_places(tensor: Make) -> None:
    check(gather(tensor(X), 2, tensor(PLACES)), np.take_along_axis(X, PLACES, 2))


def test_losses(tensor: Make) -> None:
    logits, classes = X.transpose(0, 2, 1), np.array([[1, 3, 0], [2, 2, 1]])
    chances = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    expected = -np.take_along_axis(chances, classes[:, None], 1)[:, 0]
    check(cross_entropy(tensor(logits), tensor(classes)), expected.mean())
    check(cross_entropy(tensor(logits), tensor(classes), "none"), expected)
    some = np.array([[1, -100, 0], [2, 2, -100]])
    check(cross_entropy(tensor(logits), tensor(some)), expected[some >= 0].mean())
    many = np.zeros((2, 150), np.float32)  # of which −100 is one, counted from the end
    check(cross_entropy(tensor(many), tensor([-100, 3]), "none"), [0.0, np.log(150.0)])
    check(mse_loss(tensor(X), tensor(X * 3)), (4 * X * X).mean())


def test_of_boxes_that_overlap_the_best_is_kept(tensor: Make) -> None:
    boxes = tensor([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]])
    scores = tensor([0.5, 0.9, 0.3])
    assert kept_boxes(boxes, scores).tolist() == [1, 2]
    assert kept_boxes(boxes, scores, score_threshold=0.95).tolist() == []


@pytest.mark.parametrize("layout", ["auto", "channel_tiles", "channel_tiles_rgba", "row_major_rgba"])
def test_results_are_the_same_in_every_layout_and_tensors_of_several_go_together(layout: str, tensor: Make) -> None:
    x = tensor(X[None], layout=layout)
    assert x.layout == layout
    check((x @ tensor(X.swapaxes(1, 2))).relu(), np.maximum(X[None] @ X.swapaxes(1, 2), 0))
    check(tensor(X, layout="row_major_rgba") + x, X + X[None])


def test_numbers_without_axes_stay_without(tensor: Make) -> None:
    x = tensor(3.0)
    assert [each.shape for each in (x**2, x + 1, x.clip(0, 1), x.relu(), x.sum(), x[None][0])] == [()] * 6


def test_types_are_those_of_the_numbers(tensor: Make) -> None:
    assert [tensor(each).dtype for each in (1.0, 1, True, np.int32(1), np.float64(1))] == [
        "float32", "int64", "bool", "int32", "float32",
    ]  # fmt: skip
    assert (tensor(WHOLE) / 2).dtype == "float32"
    assert (tensor([True]) + 1).dtype == "int64"
    assert tensor([1.7, -1.7]).long().numpy().tolist() == [1, -1]
    assert (tensor(2.0).item(), float(tensor([3.0])), bool(tensor(0))) == (2.0, 3.0, False)
    assert repr(tensor([1.0, 2.0], requires_grad=True)) == "Tensor([1., 2.], requires_grad=True)"
