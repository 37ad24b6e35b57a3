"""Gradients through calls on tensors."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import pytest

from tests.gl.tensors.conftest import Make
from texelscope.pipeline.tensors import Device, Tensor, apply, no_grad
from texelscope.pipeline.tensors.running import device as running

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(4, 3)).astype(np.float32)
W = RANDOM.normal(size=(3, 2)).astype(np.float32)
B = RANDOM.normal(size=2).astype(np.float32)
SEED = RANDOM.normal(size=(4, 2)).astype(np.float32)


def close(made: Tensor | None, expected: Any) -> None:
    assert made is not None
    assert made.shape == np.shape(expected)
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-4, atol=1e-5)


def test_a_layer_and_its_rectifier_give_every_leaf_its_gradient(tensor: Make) -> None:
    x, w, b = (tensor(each, requires_grad=True) for each in (X, W, B))
    y = (x @ w + b).relu()
    (y * y / 2.0).backward(tensor(SEED))
    inner = np.maximum(X @ W + B, 0) * SEED
    close(x.grad, inner @ W.T)
    close(w.grad, X.T @ inner)
    close(b.grad, inner.sum(0))


def test_uses_of_a_tensor_add_up_within_a_call_too(tensor: Make) -> None:
    x = tensor(B, requires_grad=True)
    (x * x + x * 3.0 - x).backward(tensor([1.0, 2.0]))
    close(x.grad, (2 * B + 2) * [1, 2])


def test_gradients_add_up_over_backward_passes_until_they_are_forgotten(tensor: Make) -> None:
    x = tensor(2.0, requires_grad=True)
    (x * x).backward()
    (x * 3.0).backward()
    close(x.grad, 7.0)
    x.zero_grad()
    assert x.grad is None
    x.backward()
    close(x.grad, 1.0)


def test_a_way_that_is_kept_may_be_gone_again(tensor: Make) -> None:
    x = tensor(3.0, requires_grad=True)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    close(x.grad, 12.0)


def test_what_runs_without_gradients_is_a_constant(tensor: Make) -> None:
    x = tensor(3.0, requires_grad=True)
    with no_grad():
        constant = x * x
    assert not constant.requires_grad
    assert constant.is_leaf
    (constant * x + x.detach() * x).backward()
    close(x.grad, 12.0)


def test_nothing_flows_through_steps_and_whole_numbers(tensor: Make) -> None:
    x = tensor(B, requires_grad=True)
    assert not (x > 0).requires_grad
    assert not x.long().requires_grad
    assert not x.argmax().requires_grad


def test_a_change_in_place_leaves_what_was_recorded_before_as_it_was(tensor: Make) -> None:
    x, w = tensor(3.0), tensor(2.0, requires_grad=True)
    y = w * w * x
    with no_grad():
        w -= 1.5
    y.backward()
    close(w, 0.5)
    assert w.requires_grad
    assert w.is_leaf
    close(w.grad, 12.0)


def test_gradients_come_through_tensors_in_several_layouts(tensor: Make) -> None:
    x, w = tensor(X, layout="channel_tiles", requires_grad=True), tensor(W, layout="row_major_rgba", requires_grad=True)
    (x @ w).backward(tensor(SEED, layout="channel_tiles_rgba"))
    close(x.grad, SEED @ W.T)
    close(w.grad, X.T @ SEED)


def test_calls_that_are_alike_share_a_plan_there_and_back(tensor: Make, device: Device) -> None:
    def step(factor: float) -> None:
        x = tensor(X * factor, requires_grad=True)
        (x @ tensor(W)).relu().backward(tensor(SEED))

    step(1.0)
    plans = device.plans
    step(2.0)
    assert device.plans == plans


@pytest.mark.parametrize("steps", [40])
def test_steps_of_training_take_no_more_memory_than_the_first(steps: int, gl: moderngl.Context) -> None:
    with Device(gl) as device:
        w = Tensor(W, requires_grad=True, device=device)
        held = []
        for step in range(steps):
            x = Tensor(X + step, device=device)
            y = (x @ w).relu()
            (y * y).backward(Tensor(SEED, device=device))
            assert w.grad is not None
            with no_grad():
                w -= 1e-6 * w.grad
            w.zero_grad()
            del x, y
            held.append((device.used_bytes, device.used_bytes + device.free_bytes, device.plans))
        assert set(held[2:]) == {held[-1]}


def test_gradients_arrive_at_parts_and_at_what_was_put_there(tensor: Make) -> None:
    x, y, z = tensor(X, requires_grad=True), tensor(B, requires_grad=True), tensor(np.zeros((2, len(B))))
    z[1] = y * 2.0
    ((x[X > 0] * 3.0).sum() + z.sum() + x[:0].sum()).backward()
    close(x.grad, np.where(X > 0, 3.0, 0.0))
    close(y.grad, np.full(B.shape, 2.0))


def test_any_operator_goes_both_ways_by_its_name(tensor: Make) -> None:
    x = tensor(B, requires_grad=True)
    apply("LeakyRelu", x, alpha=0.1).backward(tensor([1.0, 1.0]))
    close(x.grad, np.where(B > 0, 1.0, 0.1))


def test_an_operator_that_is_several_nodes_has_gradients_too(tensor: Make) -> None:
    logits, classes = tensor(X, requires_grad=True), tensor([1, 0, 2, 2])
    apply("SoftmaxCrossEntropyLoss", logits, classes, reduction="mean").backward()
    shares = np.exp(X) / np.exp(X).sum(1, keepdims=True)
    close(logits.grad, (shares - np.eye(3)[[1, 0, 2, 2]]) / 4)


def test_plans_that_were_not_asked_for_lately_go_and_come_again(
    gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MOST_PLANS", 3)
    with Device(gl) as device:
        for _ in range(2):
            for size in (1, 2, 3):
                x = Tensor(np.ones((size, 2)), requires_grad=True, device=device)
                (x * x + x).backward(Tensor(np.ones((size, 2)), device=device))
                close(x.grad, np.full((size, 2), 3.0))
                assert device.plans == 3
