"""Literals that differ from a model's weights, in the styles in which people write layers, without any names."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.written_weights.differing import differing_literals
from texelscope.pipeline.glsl.number_literals import number_literals

Array = NDArray[Any]
Texts = list[str]
# Writes the texts of weights and biases as a shader.
Style = Callable[[Array, Array], str]


def printed(shape: tuple[int, ...], form: str, seed: int = 7) -> tuple[Array, Array]:
    """Numbers as a form prints them, and their texts, both of that shape."""
    values = np.random.default_rng(seed).normal(0.0, 0.5, shape)
    texts = np.array([form % value for value in values.reshape(-1)], dtype=object).reshape(shape)
    return texts.astype(np.float32), texts


def matrices(weight: Array, bias: Array) -> str:
    """Blocks of four by four, column by column, with the bias behind each four filters."""
    filters, channels = weight.shape[0] // 4, weight.shape[1] // 4
    lines = []
    for o in range(filters):
        parts = [
            f"mat4({','.join(weight[4 * o : 4 * o + 4, 4 * i : 4 * i + 4, y, x].T.reshape(-1))})*f{i}_{y}_{x}"
            for i in range(channels)
            for y in range(weight.shape[2])
            for x in range(weight.shape[3])
        ]
        joined = "\n +".join(parts)
        lines.append(f"vec4 r{o}=sin({joined}\n +vec4({','.join(bias[4 * o : 4 * o + 4])}))*1.5;")
    return "#version 330\n" + "\n".join(lines)


def arrays(weight: Array, bias: Array) -> str:
    """One array of all weights, filters last, and one of the biases."""
    flat = weight.transpose(1, 2, 3, 0).reshape(-1)
    return f"const float w[{flat.size}] = float[](\n{', '.join(flat)});\nconst float b[] = float[]({', '.join(bias)});"


def sums(weight: Array, bias: Array) -> str:
    """A sum of products for each filter, with signs between the terms."""
    lines = []
    for o, row in enumerate(weight.reshape(len(weight), -1)):
        text = "".join(f" - {each[1:]} * x{i}" if each[0] == "-" else f" + {each} * x{i}" for i, each in enumerate(row))
        lines.append(f"float y{o} = {bias[o]}{text};")
    return "\n".join(lines)


def taken_off(weight: Array, bias: Array) -> str:
    """Products of vectors that are taken off, so that all their numbers have the other sign."""
    lines = []
    for place, column in enumerate(weight.reshape(len(weight), -1).T):
        turned = [each[1:] if each[0] == "-" else f"-{each}" for each in column]
        lines.append(f"s -= x{place} * vec4({', '.join(turned)});")
    return "\n".join([*lines, f"s += vec4({', '.join(bias)});"])


STYLES = [
    pytest.param(matrices, (8, 8, 1, 1), "%.3f", id="matrices"),
    pytest.param(matrices, (4, 4, 3, 3), "%.7g", id="matrices of taps"),
    pytest.param(arrays, (6, 3, 3, 3), "%.5f", id="arrays"),
    pytest.param(arrays, (32, 32, 1, 1), "%.2f", id="arrays of few digits"),
    pytest.param(sums, (5, 6, 1, 1), "%.6f", id="sums"),
    pytest.param(taken_off, (4, 6, 1, 1), "%.4f", id="taken off"),
]
AT = (2, 1, 0, 0)


def _with(texts: Array, at: tuple[int, ...], text: str) -> Array:
    made = texts.copy()
    made[at] = text
    return made


def _sign(text: str) -> str:
    return text[1:] if text[0] == "-" else f"-{text}"


def _digit(text: str) -> str:
    return text[:-2] + text[-1]


def _exponent(text: str) -> str:
    return text.replace("0.", "00.", 1).replace("00.", "", 1) + ".0" if text.lstrip("-")[0] == "0" else f"{text}e2"


def found_in(text: str, weight: Array, bias: Array) -> list[list[tuple[str, tuple[int, ...]]]]:
    """The elements of each set that is offered."""
    literals = number_literals(text)
    every = differing_literals({"w": weight, "b": bias}, literals, [1] * len(literals))
    return [[(each.differing.name, each.differing.element) for each in found] for found in every]


@pytest.mark.parametrize("slip", [_sign, _digit, _exponent])
@pytest.mark.parametrize(("style", "shape", "form"), STYLES)
def test_a_slip_in_a_weight_is_found_at_its_element(
    slip: Callable[[str], str], style: Style, shape: tuple[int, ...], form: str
) -> None:
    weight, texts = printed(shape, form)
    bias, of_bias = printed(shape[:1], form, seed=8)
    text = style(_with(texts, AT, slip(texts[AT])), of_bias)
    assert found_in(text, weight, bias)[0] == [("w", AT)]


@pytest.mark.parametrize(("style", "shape", "form"), STYLES)
def test_a_slip_in_a_bias_is_found(style: Style, shape: tuple[int, ...], form: str) -> None:
    weight, texts = printed(shape, form)
    bias, of_bias = printed(shape[:1], form, seed=8)
    text = style(texts, _with(of_bias, (1,), _sign(of_bias[1])))
    assert [("b", (1,))] in found_in(text, weight, bias)


@pytest.mark.parametrize(("style", "shape", "form"), STYLES)
def test_two_exchanged_weights_are_found(style: Style, shape: tuple[int, ...], form: str) -> None:
    weight, texts = printed(shape, form)
    bias, of_bias = printed(shape[:1], form, seed=8)
    other = (AT[0] + 1, *AT[1:])
    text = style(_with(_with(texts, AT, texts[other]), other, texts[AT]), of_bias)
    assert sorted(found_in(text, weight, bias)[0]) == [("w", AT), ("w", other)]


@pytest.mark.parametrize(("style", "shape", "form"), STYLES)
def test_nothing_is_said_of_right_numbers_in_any_order(style: Style, shape: tuple[int, ...], form: str) -> None:
    weight, texts = printed(shape, form)
    bias, of_bias = printed(shape[:1], form, seed=8)
    assert found_in(style(texts, of_bias), weight, bias) == []
    assert found_in(style(texts[::-1], of_bias[::-1]), weight, bias) == []
    mixed = np.random.default_rng(3).permutation(texts.reshape(-1)).reshape(shape)
    assert found_in(style(mixed, of_bias), weight, bias) == []


@pytest.mark.parametrize(("style", "shape", "form"), STYLES)
def test_nothing_is_said_of_numbers_that_are_right_as_far_as_they_are_printed(
    style: Style, shape: tuple[int, ...], form: str
) -> None:
    weight, bias = (np.random.default_rng(seed).normal(0.0, 0.5, each).astype(np.float32) for seed, each in
                    ((7, shape), (8, shape[:1])))  # fmt: skip
    texts, of_bias = (
        np.array([form % value for value in each.reshape(-1)], dtype=object).reshape(each.shape)
        for each in (weight, bias)
    )
    assert found_in(style(texts, of_bias), weight, bias) == []


def test_nothing_is_said_where_many_differ() -> None:
    weight, texts = printed((8, 8, 1, 1), "%.3f")
    bias, of_bias = printed((8,), "%.3f", seed=8)
    for i in range(3):
        for o in range(3):
            texts[o, i, 0, 0] = _sign(texts[o, i, 0, 0])
    assert found_in(arrays(texts, of_bias), weight, bias) == []


def test_a_hundred_thousand_literals_take_a_second() -> None:
    weight, texts = printed((64, 64, 5, 5), "%.7g")
    bias, of_bias = printed((64,), "%.7g", seed=8)
    text = matrices(_with(texts, AT, _sign(texts[AT])), of_bias)
    start = time.process_time()
    assert found_in(text, weight, bias)[0] == [("w", AT)]
    assert time.process_time() - start < 5.0
