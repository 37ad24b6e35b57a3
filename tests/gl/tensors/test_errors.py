"""What a person can do wrong with tensors is told in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import pytest

from tests.gl.tensors.conftest import Make
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.tensors import Device, Tensor, apply, concat, conv, cross_entropy, no_grad, resize


def said(call: Callable[[], Any], kind: type[TexelscopeError] = TexelscopeError) -> str:
    with pytest.raises(kind) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_shapes_that_do_not_fit(tensor: Make) -> None:
    x, y = tensor(np.ones((2, 3))), tensor(np.ones(4))
    assert said(lambda: x + y) == (
        "Add: expected shapes that broadcast: from the last axis on, equal sizes or 1, got [2, 3] and [4]. "
        "Reshape or unsqueeze one of them."
    )
    assert said(lambda: x @ y) == ("MatMul: expected 3 rows on the right, got [2, 3] @ [4]. Transpose one of them.")
    assert said(lambda: x.reshape(4, -1)) == (
        "reshape: expected sizes of 6 elements, got [4, -1] for [2, 3]. Correct the sizes."
    )
    assert said(lambda: concat([x, y.unsqueeze(0)])) == (
        "concat: expected equal sizes beside axis 0, got [2, 3], [1, 4]. Reshape or cut them."
    )
    assert said(lambda: conv(tensor(np.ones((1, 2, 4, 4))), tensor(np.ones((3, 1, 2, 2))))) == (
        "conv: expected weights [M, 2 / groups, 2 more], got [3, 1, 2, 2], in 1 groups, on [1, 2, 4, 4]. "
        "Correct the weights or the groups."
    )
    assert said(lambda: cross_entropy(x, tensor([1, 2, 0]))) == (
        "cross_entropy: expected classes [2], or probabilities [2, 3], got int64[3]. Correct the target."
    )
    classes = "cross_entropy: expected classes from 0 to 2, or -100 for what counts nothing, got 3 at [1]. "
    assert said(lambda: cross_entropy(x, tensor([-100, 3]))) == f"{classes}Correct the target."
    assert said(lambda: apply("Gemm", x, x)) == (
        "Gemm: expected shapes, types and arguments that fit together, got float32[2, 3], float32[2, 3]. "
        "Check them against each other."
    )


def test_arguments_that_make_no_sense(tensor: Make) -> None:
    x = tensor(np.ones((2, 3)))
    assert said(lambda: x.sum(2)) == ("ReduceSum: expected different axes from -2 to 1, got [2]. Correct them.")
    assert said(lambda: x[2]) == "index: expected a place from -2 to 1, got 2. Correct it."
    assert said(lambda: x[np.ones(3, bool)]) == (
        "index: expected places in [2, 3], got boolean index did not match indexed array along axis 0; "
        "size of axis is 2 but size of corresponding boolean axis is 3. Correct it."
    )
    assert said(lambda: x.__setitem__(0, [1.0, 2.0])) == (
        "index: expected shapes that broadcast: from the last axis on, equal sizes or 1, got [2] and [3]. "
        "Reshape or unsqueeze one of them."
    )
    assert said(lambda: x & x) == (
        "And: expected whole numbers or truth, got float32. Compare them first, or use long()."
    )
    assert said(lambda: x[:, :0].argmax(1)) == (
        "ArgMax: expected shapes, types and arguments that fit together, got float32[2, 0], axis=1, keepdims=0. "
        "Give it a tensor with elements."
    )
    assert said(lambda: resize(x, 4)) == (
        "resize: expected a tensor [N, C, ...] with axes behind, got [2, 3]. Unsqueeze it."
    )
    assert said(lambda: x.astype("complex64")) == (
        "type of a tensor: expected float32, int32, int64, bool, got 'complex64'. Use one of them."
    )
    assert said(x.item) == "item(): expected a tensor of one element, got [2, 3]. Use numpy()."


def test_what_no_texture_holds(tensor: Make) -> None:
    assert said(lambda: tensor(["a"])) == ("Tensor: expected real or whole numbers, got <U1. Textures hold floats.")
    assert "integers up to 16777216" in said(lambda: tensor([1 << 25]))


def test_tensors_of_several_devices(tensor: Make, gl: moderngl.Context) -> None:
    with Device(gl) as other:
        assert said(lambda: tensor([1.0]) + Tensor([1.0], device=other)) == (
            "Add: expected tensors of one device, got tensors of several. "
            "Move one over with Tensor(other.numpy(), device=...)."
        )
        x = tensor([1.0, 2.0], requires_grad=True)
        assert said(lambda: (x * x).backward(Tensor([1.0, 1.0], device=other))) == (
            "backward(): expected a gradient of the same device, got one of another. Give one of the tensor's shape."
        )


def test_a_backward_pass_of_what_was_not_recorded(tensor: Make) -> None:
    x = tensor(2.0, requires_grad=True)
    expected = (
        "backward(): expected a tensor made of one that requires a gradient, got one of which nothing was recorded. "
        "Set requires_grad=True, and leave no_grad()."
    )
    with no_grad():
        y = x * x
    assert said(y.backward) == expected
    assert said(x.detach().backward) == expected
    assert said((x > 1).backward) == expected


def test_a_backward_pass_of_several_elements(tensor: Make) -> None:
    x = tensor([1.0, 2.0], requires_grad=True)
    assert said((x * x).backward) == (
        "backward(): expected a tensor of one element, or the gradient that arrives at it, got [2] and no gradient. "
        "Sum it, or call backward(gradient)."
    )
    assert said(lambda: (x * x).backward(tensor([1.0]))) == (
        "backward(): expected a gradient [2], got [1]. Give one of the tensor's shape."
    )


def test_a_way_back_that_was_gone_before(tensor: Make) -> None:
    x = tensor(2.0, requires_grad=True)
    y = x * x
    y.backward()
    assert said((y * 2.0).backward) == (
        "backward(): expected calls that were not gone back through before (Mul), got some that were. "
        "Compute it anew, or call backward(retain_graph=True) the first time."
    )


def test_an_operator_without_a_derivative(tensor: Make) -> None:
    x, regions = tensor(np.ones((1, 1, 2, 2)), requires_grad=True), tensor([[0.0, 0.0, 0.0, 1.0, 1.0]])
    assert said(apply("MaxRoiPool", x, regions, pooled_shape=(1, 1)).backward, UnsupportedError) == (
        "MaxRoiPool 'MaxRoiPool' (tensors): expected an operator with a derivative here, got one without. "
        "Ask for gradients of a tensor before it, or with respect to tensors after it."
    )


def test_a_released_tensor_has_no_numbers(tensor: Make, gl: moderngl.Context) -> None:
    x = tensor([1.0], requires_grad=True)
    y = x * x
    x.release()
    assert said(x.numpy) == ("Tensor: expected one with a texture, got one whose tensor was released. Make it anew.")
    assert said(y.backward) == (
        "backward() through Mul: expected the tensors of the call, got one that was released since. "
        "Release it after backward()."
    )
    assert repr(x) == "Tensor(released, shape=[1])"
    with Device(gl) as other:
        z = Tensor([1.0], device=other)
    assert said(z.numpy) == ("Tensor: expected one with a texture, got one whose device was released. Make it anew.")
    assert said(lambda: Tensor([1.0], device=other)) == (
        "device: expected one that is there, got a released one. Make another one."
    )


def test_a_recorded_leaf_is_not_changed_in_place(tensor: Make) -> None:
    x = tensor([1.0], requires_grad=True)

    def change() -> None:
        nonlocal x
        x += 1.0

    assert said(change) == (
        "change in place: expected a tensor without gradient, got a leaf that requires a gradient. Do it in no_grad()."
    )
    with no_grad():
        assert said(lambda: x.assign([1.0, 2.0])) == (
            "assign: expected float32[1], got float32[2]. Reshape or convert it."
        )


def test_whole_numbers_have_no_gradients(tensor: Make) -> None:
    assert said(lambda: tensor([1], requires_grad=True)) == (
        "requires_grad: expected a tensor of real numbers, got int64. Convert it with float()."
    )


def test_an_operator_that_does_not_run_and_one_that_is_none(tensor: Make) -> None:
    assert said(lambda: apply("NoSuch", tensor([1.0]))) == (
        "NoSuch: expected shapes, types and arguments that fit together, got float32[1]. "
        "Its result has no shape that is known before it runs."
    )
    assert said(lambda: apply("TfIdfVectorizer", tensor([1]), **VECTORIZER), UnsupportedError) == (
        "TfIdfVectorizer: expected an operator that runs as a pass, got 'TfIdfVectorizer'. Put others in its place."
    )
    assert said(lambda: apply("Relu", np.ones(2))) == ("Relu: expected a tensor, got none. Make one with Tensor(...).")


VECTORIZER: dict[str, Any] = {
    "max_gram_length": 1, "max_skip_count": 0, "min_gram_length": 1, "mode": "TF",
    "ngram_counts": [0], "ngram_indexes": [0], "pool_int64s": [1],
}  # fmt: skip
