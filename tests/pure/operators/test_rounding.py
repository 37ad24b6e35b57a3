"""Bounds are never exceeded, whatever the order of the sums, and are not so wide that they say nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.pure.models import array, model, node, value
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.base import Evaluation
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF, gamma, movement, pointwise, sum_of_products, up
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

UNIT = UNIT_ROUNDOFF["float32"]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Array = NDArray[Any]


def shuffled_product(x: F32, w: F32, b: F32 | None, random: np.random.Generator, *, fused: bool) -> F32:
    """x·w + b in float32, the products of each sum added one by one in an order of its own.

    With `fused` a product is not rounded before it is added, as by a fused multiply-add.
    """
    order = random.permutation(x.shape[1])
    total = np.zeros((x.shape[0], w.shape[1]), np.float32)
    for k in order:
        product = x[:, k : k + 1].astype(np.float64) * w[k].astype(np.float64)
        total = ((total + product) if fused else (total + product.astype(np.float32))).astype(np.float32)
    return total if b is None else (total + b).astype(np.float32)


def product_evaluation(
    x: F32, w: F32, b: F32, errors: Sequence[Array | None] = (None, None, None), *, quadrature: bool = False
) -> Evaluation:
    """The oracle's evaluation of x·w + b."""

    def run(inputs: Sequence[Array | None]) -> Array:
        first, second, third = inputs
        assert first is not None
        assert second is not None
        assert third is not None
        return first @ second + third

    return Evaluation((x, w, b), tuple(errors), run([x, w, b]), run, UNIT, quadrature)


class TestSumOfProducts:
    """γ(k)·Σ|x||w|, in any order."""

    @pytest.mark.parametrize("terms", [2, 3, 48, 1000])
    @pytest.mark.parametrize("spread", [0.0, 3.0])
    def test_no_order_exceeds_it_and_the_worst_comes_within_a_thousandth(self, terms: int, spread: float) -> None:
        random = np.random.default_rng(terms)
        largest = 0.0
        for draw in range(40):
            scale = np.exp(spread * random.standard_normal((8, terms)))
            x = (random.standard_normal((8, terms)) * scale).astype(np.float32)
            w, b = random.standard_normal((terms, 8)).astype(np.float32), random.standard_normal(8).astype(np.float32)
            evaluation = product_evaluation(x, w, b)
            bound = sum_of_products(evaluation, terms + 1, factors=(0, 1), addends=(2,))
            made = shuffled_product(x, w, b, random, fused=draw % 2 == 0)
            largest = max(largest, float((np.abs(made.astype(np.float64) - evaluation.output) / bound).max()))
        assert 1e-3 < largest <= 1.0

    def test_errors_of_the_inputs_are_carried_by_the_sizes_of_the_others(self) -> None:
        random = np.random.default_rng(1)
        x, w, b = (random.standard_normal(shape).astype(np.float32) for shape in ((6, 30), (30, 5), (5,)))
        errors = [np.abs(random.standard_normal(a.shape)) * 1e-2 for a in (x, w, b)]
        bound = sum_of_products(product_evaluation(x, w, b, errors), 31, factors=(0, 1), addends=(2,))
        exact = x.astype(np.float64) @ w.astype(np.float64) + b
        largest = 0.0
        for _ in range(200):
            corner = [a + e * random.choice([-1.0, 1.0], a.shape) for a, e in zip((x, w, b), errors, strict=True)]
            largest = max(largest, float((np.abs(corner[0] @ corner[1] + corner[2] - exact) / bound).max()))
        worst = [a + e * np.sign(a) for a, e in zip((np.abs(x), np.abs(w), np.abs(b)), errors, strict=True)]
        everything_adds_up = worst[0] @ worst[1] + worst[2] - (np.abs(x) @ np.abs(w) + np.abs(b)).astype(np.float64)
        assert largest <= 1.0
        assert (everything_adds_up <= bound).all()
        assert (everything_adds_up >= 0.99 * bound).any()

    def test_two_addends_do_not_carry_each_other(self) -> None:
        def run(inputs: Sequence[Array | None]) -> Array:
            assert inputs[0] is not None
            assert inputs[1] is not None
            return inputs[0] + inputs[1]

        a, b, error = np.full(3, 1e6, np.float32), np.full(3, 1e6, np.float32), np.full(3, 1.0)
        bound = sum_of_products(Evaluation((a, b), (error, None), run([a, b]), run, UNIT), 2, (), (0, 1))
        assert (bound < 2.0).all()

    def test_in_quadrature_independent_errors_add_up_as_roots_of_squares(self) -> None:
        terms = 100
        x, w, b = np.ones((1, terms), np.float32), np.ones((terms, 1), np.float32), np.zeros(1, np.float32)
        errors = [np.full(x.shape, 0.1), None, None]
        straight = sum_of_products(product_evaluation(x, w, b, errors), terms, (0, 1), (2,))
        squares = sum_of_products(product_evaluation(x, w, b, errors, quadrature=True), terms, (0, 1), (2,))
        assert straight.item() == pytest.approx(10.0, rel=1e-2)
        assert squares.item() == pytest.approx(1.0, rel=1e-2)

    def test_flushed_denormals_are_inside(self) -> None:
        x, w, b = np.full((1, 4), 1e-30, np.float32), np.full((4, 1), 1e-9, np.float32), np.zeros(1, np.float32)
        bound = sum_of_products(product_evaluation(x, w, b), 5, (0, 1), (2,))
        assert (np.abs(x.astype(np.float64) @ w) <= bound).all()

    def test_gamma_is_infinite_where_nothing_can_be_said(self) -> None:
        assert gamma(2**24, UNIT) == np.inf
        assert gamma(3, UNIT) == pytest.approx(3 * UNIT, rel=1e-6)


class TestPointwise:
    """f at the corners of the box of errors."""

    @staticmethod
    def evaluation(
        function: Callable[..., Array],
        inputs: Sequence[Array],
        errors: Sequence[Array | None],
        *,
        quadrature: bool = False,
    ) -> Evaluation:
        def run(values: Sequence[Array | None]) -> Array:
            return function(*values)

        return Evaluation(tuple(inputs), tuple(errors), run(inputs), run, UNIT, quadrature)

    @pytest.mark.parametrize(
        "function",
        [np.multiply, np.maximum, np.subtract, lambda a, b: np.tanh(a) * b],
        ids=["mul", "max", "sub", "gate"],
    )
    def test_nothing_inside_the_box_goes_beyond(self, function: Callable[..., Array]) -> None:
        random = np.random.default_rng(3)
        inputs = [random.standard_normal(500).astype(np.float32) for _ in range(2)]
        errors = [np.abs(random.standard_normal(500)) for _ in range(2)]
        evaluation = self.evaluation(function, inputs, errors)
        bound = pointwise(evaluation, UNIT * np.abs(evaluation.output))
        for _ in range(50):
            moved = [x + e * random.uniform(-1, 1, 500) for x, e in zip(inputs, errors, strict=True)]
            assert (np.abs(function(*moved) - evaluation.output) <= bound).all()

    def test_without_errors_own_rounding_counts_twice(self) -> None:
        evaluation = self.evaluation(np.negative, [np.ones(3, np.float32)], [None])
        assert pointwise(evaluation, np.full(3, 0.25)).tolist() == [0.5, 0.5, 0.5]

    def test_in_quadrature_two_arguments_add_up_as_roots_of_squares(self) -> None:
        inputs, errors = [np.ones(1, np.float32)] * 2, [np.full(1, 3.0), np.full(1, 4.0)]
        bound = pointwise(self.evaluation(np.add, inputs, errors, quadrature=True), np.zeros(1))
        assert bound.item() == pytest.approx(5.0)

    def test_many_arguments_are_moved_one_by_one(self) -> None:
        inputs, errors = [np.ones(1, np.float32)] * 6, [np.full(1, 0.5)] * 6
        bound = pointwise(self.evaluation(lambda *all_: np.sum(all_, axis=0), inputs, errors), np.zeros(1))
        assert bound.item() == pytest.approx(3.0)

    def test_an_error_smaller_than_a_last_place_is_not_lost(self) -> None:
        inputs, errors = [np.full(1, 1e6, np.float32)], [np.full(1, 1e-3)]
        assert pointwise(self.evaluation(np.positive, inputs, errors), np.zeros(1)).item() >= 1e-3


class TestMovement:
    """What only moves elements moves their errors along."""

    def test_errors_go_where_their_elements_go(self) -> None:
        x, e = array(2, 3), np.arange(6.0).reshape(2, 3)

        def run(inputs: Sequence[Array | None]) -> Array:
            assert inputs[0] is not None
            return inputs[0].T[::-1]

        bound = movement(Evaluation((x,), (e,), run([x]), run, UNIT))
        np.testing.assert_array_equal(bound, e.T[::-1])
        assert not movement(Evaluation((x,), (None,), run([x]), run, UNIT)).any()

    def test_indices_have_no_errors(self) -> None:
        x, places, e = array(4), np.array([3, 0]), np.arange(4.0)

        def run(inputs: Sequence[Array | None]) -> Array:
            first, second = inputs
            assert first is not None
            assert second is not None
            return first[second]

        bound = movement(Evaluation((x, places), (e, None), run([x, places]), run, UNIT))
        assert bound.tolist() == [3.0, 0.0]

    def test_whole_numbers_that_are_exact_are_so_elsewhere_too(self) -> None:
        places = np.array([3, 1, 2])

        def run(inputs: Sequence[Array | None]) -> Array:
            assert inputs[0] is not None
            return inputs[0][::-1]

        bound = movement(Evaluation((places,), (np.zeros(3),), run([places]), run, UNIT))
        assert bound.tolist() == [0.0, 0.0, 0.0]


@given(st.floats(-1e30, 1e30))
def test_rounding_up_never_goes_down_and_only_to_the_next(number: float) -> None:
    rounded = up(np.array([number]), np.dtype(np.float32))
    assert rounded.dtype == np.float32
    assert float(rounded[0]) >= number
    assert float(np.nextafter(rounded[0], np.float32(-np.inf))) < number


def block() -> onnx.ModelProto:
    """Convolution, normalisation, activation, skip, gate: a pass may cover them all."""
    nodes = [
        node("Conv", "x w b", "c", pads=[1, 1, 1, 1]),
        node("BatchNormalization", "c s o m v", "n"),
        node("LeakyRelu", "n", "l", alpha=0.1),
        node("Add", "l x", "a"),
        node("Mul", "a n", "g"),
        node("Conv", "g w", "y", pads=[1, 1, 1, 1]),
    ]
    weights: dict[str, Array] = {
        "w": array(4, 4, 3, 3) / 6,
        "b": array(4),
        "s": array(4),
        "o": array(4),
        "m": array(4),
        "v": np.abs(array(4)),
    }
    shape = (1, 4, 6, 6)
    return model(
        nodes, [value("x", shape)], [value("y", shape)], weights={k: v.astype(np.float32) for k, v in weights.items()}
    )


def padded(x: Array) -> list[Array]:
    """The nine shifted copies of x that a 3x3 convolution with padding 1 multiplies, [1, C, H, W] each."""
    wide = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    return [wide[:, :, p : p + x.shape[2], q : q + x.shape[3]] for p in range(3) for q in range(3)]


def shuffled_convolution(x: F32, w: F32, random: np.random.Generator) -> F32:
    """float32, each product rounded, added in a random order."""
    copies, kernels = padded(x), w.reshape(*w.shape[:2], 9)
    total = np.zeros((1, w.shape[0], *x.shape[2:]), np.float32)
    for term in random.permutation(w.shape[1] * 9):
        channel, tap = divmod(int(term), 9)
        total += copies[tap][:, channel : channel + 1] * kernels[:, channel, tap].reshape(1, -1, 1, 1)
    return total


def test_the_bound_of_a_pass_that_covers_many_nodes_holds_and_says_something() -> None:
    graph = load(block())
    w, b, s, o, m, v = (graph.constants[name] for name in "wbsomv")
    shape = (1, -1, 1, 1)
    random = np.random.default_rng(2)
    ratios = []
    for seed in range(12):
        x = array(1, 4, 6, 6, seed=seed)
        expected = GraphOracle(graph).isolated({"x": x}, "y")
        assert expected is not None
        assert expected.bound is not None
        c = shuffled_convolution(x, w, random) + b.reshape(shape)
        root = np.sqrt(v.reshape(shape) + np.float32(1e-5))
        n = (c - m.reshape(shape)) * (s.reshape(shape) / root) + o.reshape(shape)
        a = np.where(n < 0, np.float32(0.1) * n, n) + x
        y = shuffled_convolution((a * n).astype(np.float32), w, random)
        ratios.append(float((np.abs(y.astype(np.float64) - expected.value) / expected.bound).max()))
        typical = np.median(expected.bound / np.abs(expected.value))
        assert typical < 1e-3
    assert 1e-4 < max(ratios) <= 1.0


def test_the_chained_estimate_stays_useful_along_a_deep_chain() -> None:
    """A worst-case bound would grow by the sum of each layer's weights, and say nothing after ten."""
    depth = 12
    nodes = [node("Conv", f"t{i} w", f"t{i + 1}", pads=[1, 1, 1, 1]) for i in range(depth)]
    made = model(
        nodes, [value("t0", (1, 4, 6, 6))], [value(f"t{depth}", (1, 4, 6, 6))], weights={"w": array(4, 4, 3, 3) / 6}
    )
    graph = load(made)
    x = array(1, 4, 6, 6)
    expected = GraphOracle(graph).chained({"t0": x})[f"t{depth}"]
    assert expected.bound is not None
    random, w = np.random.default_rng(0), graph.constants["w"]
    made_by_gpu = x
    for _ in range(depth):
        made_by_gpu = shuffled_convolution(made_by_gpu, w, random)
    assert (np.abs(made_by_gpu - expected.value) <= expected.bound).all()
    assert np.median(expected.bound / np.abs(expected.value)) < 1e-2
