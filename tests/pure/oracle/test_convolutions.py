"""Convolutions: fast versions against onnx.reference, and against plain loops where that cannot do it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pure.oracle.nodes import Array, assert_close, fast, node, plain, random
from texelscope.pipeline.arithmetic.invocation import Invocation
from texelscope.pipeline.arithmetic.workers import Workers
from texelscope.pipeline.oracle.fast import convolutions as fast_convolutions

RANKS = st.integers(1, 3)


@st.composite
def convolutions(draw: st.DrawFn) -> tuple[dict[str, Any], Array, Array, Array]:
    """Attributes, X, W and B of a Conv whose windows fit its input."""
    rank = draw(RANKS)
    group = draw(st.sampled_from([1, 1, 2, 3]))
    inputs, outputs = (group * draw(st.integers(1, 3)) for _ in range(2))
    kernel = [draw(st.integers(1, 4)) for _ in range(rank)]
    dilations = [draw(st.integers(1, 3)) for _ in range(rank)]
    spatial = [(k - 1) * d + 1 + draw(st.integers(0, 4)) for k, d in zip(kernel, dilations, strict=True)]
    attributes: dict[str, Any] = {
        "group": group,
        "dilations": tuple(dilations),
        "strides": tuple(draw(st.integers(1, 3)) for _ in range(rank)),
    }
    padding = draw(st.sampled_from(["none", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"]))
    if padding == "pads":
        attributes["pads"] = tuple(draw(st.integers(0, 3)) for _ in range(2 * rank))
    elif padding != "none":
        attributes["auto_pad"] = padding
    x = random(draw(st.integers(1, 2)), inputs, *spatial)
    return attributes, x, random(outputs, inputs // group, *kernel, seed=1), random(outputs, seed=2)


@given(convolutions())
@settings(max_examples=150)
def test_conv_equals_the_reference_for_any_attributes(case: tuple[dict[str, Any], Array, Array, Array]) -> None:
    attributes, *inputs = case
    made = node("Conv", 3, **attributes)
    assert_close(fast(made, *inputs), plain(made, *inputs))


def test_conv_does_without_a_bias() -> None:
    made = node("Conv", 2, pads=(1, 1, 1, 1))
    x, w = random(1, 3, 5, 7), random(4, 3, 3, 3)
    assert_close(fast(made, x, w), plain(made, x, w))


@pytest.mark.parametrize("workers", [1, 3])
def test_conv_is_the_same_in_blocks_of_any_number_of_rows(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    x, w = random(2, 3, 11, 6), random(4, 3, 3, 3)
    attributes = {"pads": [1, 0, 2, 1], "strides": [2, 1], "group": 1}
    whole = fast_convolutions.conv(Invocation(21, (x, w), attributes))
    monkeypatch.setattr(fast_convolutions, "BLOCK_BYTES", 1500)
    pieces = fast_convolutions.conv(Invocation(21, (x, w), attributes, workers=Workers(workers)))
    assert whole is not None
    assert pieces is not None
    assert_close(pieces[0], whole[0])


@pytest.mark.parametrize("workers", [1, 3])
def test_conv_transpose_is_the_same_in_blocks_of_any_number_of_rows(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    x, w = random(2, 3, 7, 6), random(3, 4, 4, 3)
    attributes = {"pads": [1, 0, 2, 1], "strides": [2, 3], "dilations": [2, 1], "group": 1}
    whole = fast_convolutions.conv_transpose(Invocation(21, (x, w), attributes))
    monkeypatch.setattr(fast_convolutions, "BLOCK_BYTES", 1500)
    pieces = fast_convolutions.conv_transpose(Invocation(21, (x, w), attributes, workers=Workers(workers)))
    assert whole is not None
    assert pieces is not None
    assert_close(pieces[0], whole[0])


@st.composite
def transposed_convolutions(draw: st.DrawFn) -> tuple[dict[str, Any], Array, Array, Array]:
    """Attributes, X, W and B of a ConvTranspose whose padding is narrower than its window."""
    rank = draw(RANKS)
    kernel = [draw(st.integers(1, 4)) for _ in range(rank)]
    strides = [draw(st.integers(1, 3)) for _ in range(rank)]
    dilations = [draw(st.integers(1, 2)) for _ in range(rank)]
    attributes: dict[str, Any] = {
        "strides": tuple(strides),
        "dilations": tuple(dilations),
        "output_padding": tuple(draw(st.integers(0, stride - 1)) for stride in strides),
    }
    if draw(st.booleans()):
        room = [(k - 1) * d for k, d in zip(kernel, dilations, strict=True)]
        pads = [draw(st.integers(0, count // 2)) for count in room + room]
        attributes["pads"] = tuple(pads)
    x = random(draw(st.integers(1, 2)), draw(st.integers(1, 3)), *(draw(st.integers(1, 4)) for _ in range(rank)))
    outputs = draw(st.integers(1, 3))
    return attributes, x, random(x.shape[1], outputs, *kernel, seed=1), random(outputs, seed=2)


@given(transposed_convolutions())
@settings(max_examples=60)
def test_conv_transpose_equals_the_reference_for_any_attributes(
    case: tuple[dict[str, Any], Array, Array, Array],
) -> None:
    attributes, *inputs = case
    made = node("ConvTranspose", 3, **attributes)
    assert_close(fast(made, *inputs), plain(made, *inputs))


@pytest.mark.parametrize("auto_pad", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize("kernel", [3, 4, 5])
def test_conv_transpose_pads_to_a_multiple_of_the_stride(auto_pad: str, kernel: int) -> None:
    made = node("ConvTranspose", 2, auto_pad=auto_pad, strides=(2, 3))
    x, w = random(1, 2, 4, 5), random(2, 3, kernel, kernel)
    assert fast(made, x, w).shape == (1, 3, 8, 15)
    assert_close(fast(made, x, w), plain(made, x, w))


@pytest.mark.parametrize("kernel", [2, 3])
def test_conv_transpose_without_padding_is_valid(kernel: int) -> None:
    x, w = random(1, 2, 4), random(2, 3, kernel)
    assert_close(fast(node("ConvTranspose", 2, auto_pad="VALID"), x, w), plain(node("ConvTranspose", 2), x, w))


def test_conv_transpose_of_groups_is_each_group_by_itself() -> None:
    x, w, bias = random(2, 6, 4, 3), random(6, 2, 3, 2), random(6)
    made = node("ConvTranspose", 3, group=3, strides=(2, 1), pads=(1, 0, 0, 1))
    single = node("ConvTranspose", 3, strides=(2, 1), pads=(1, 0, 0, 1))
    parts = [plain(single, x[:, g : g + 2], w[g : g + 2], bias[g : g + 2]) for g in (0, 2, 4)]
    assert_close(fast(made, x, w, bias), np.concatenate(parts, axis=1))


def test_conv_transpose_to_a_given_shape_takes_the_surplus_from_both_ends() -> None:
    x, w = random(1, 1, 3, 3), random(1, 2, 3, 4)
    whole = plain(node("ConvTranspose", 2, strides=(3, 2)), x, w)
    assert whole.shape == (1, 2, 9, 8)
    lower = fast(node("ConvTranspose", 2, strides=(3, 2), output_shape=(8, 5)), x, w)
    upper = fast(node("ConvTranspose", 2, strides=(3, 2), output_shape=(8, 5), auto_pad="SAME_UPPER"), x, w)
    assert_close(lower, whole[:, :, 1:, 2:7])
    assert_close(upper, whole[:, :, :8, 1:6])


def test_conv_transpose_to_a_larger_shape_ends_in_zeros() -> None:
    x, w = random(1, 1, 3), random(1, 1, 3)
    grown = fast(node("ConvTranspose", 2, strides=(2,), output_shape=(9,)), x, w)
    whole = plain(node("ConvTranspose", 2, strides=(2,)), x, w)
    assert_close(grown, np.pad(whole, [(0, 0), (0, 0), (0, 2)]))


@pytest.mark.parametrize("op_type", ["Conv", "ConvTranspose"])
def test_halves_are_left_to_the_reference(op_type: str) -> None:
    x, w = random(1, 2, 5, 5, dtype=np.float16), random(2, 2, 3, 3, dtype=np.float16)
    made = node(op_type, 2)
    np.testing.assert_array_equal(fast(made, x, w), plain(made, x, w))
