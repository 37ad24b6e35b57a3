"""Tensors of eight-bit codes, each standing for scale · (code − zero point), and how they are made and read."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Writer

_FLOAT = 1  # TensorProto.FLOAT


def per_tensor(node: Writer, position: int) -> str:
    """A scale or zero point; one of a single element as a scalar, so that it meets a tensor of any rank."""
    given = node.given(position)
    if given.shape in ((), (1,)) and given.value is not None:
        return node.constant(given.value.reshape(()), given.dtype, given.name) if given.shape else given.name
    return node.reshape(given.name) if given.shape == (1,) else given.name


def as_float(node: Writer, position: int) -> str:
    """An input in float32."""
    given = node.given(position)
    return (
        given.name if given.dtype == "float32" else node.add("Cast", given.name, to=_FLOAT, label=f"{given.name}/float")
    )


def shifted(node: Writer, position: int, zero: int) -> str:
    """Codes less their zero point, float32: whole numbers."""
    codes = as_float(node, position)
    if not node.has(zero):
        return codes
    return node.add("Sub", codes, as_float(node, zero), label=f"{node.x(position)}/shifted")


def real(node: Writer, position: int, scale: int, zero: int) -> str:
    """The numbers that the codes at `position` stand for, float32; one scale for all."""
    zeros = (per_tensor(node, zero),) if node.has(zero) else ()
    codes = node.given(position).name
    return node.add("DequantizeLinear", codes, per_tensor(node, scale), *zeros, label=f"{codes}/real")


def codes(node: Writer, y: str, scale: int, zero: int, dtype: str) -> str:
    """Codes of `y`: round(y / scale) + zero point, saturated; of type `dtype` where the zero point is omitted."""
    return _coded(node, y, per_tensor(node, scale), zero, dtype)


def codes_of_quotient(node: Writer, y: str, zero: int, dtype: str) -> str:
    """As `codes`, of what is divided by the scale already."""
    return _coded(node, y, node.constant(1.0, label="one"), zero, dtype)


def _coded(node: Writer, y: str, scale: str, zero: int, dtype: str) -> str:
    zeros = per_tensor(node, zero) if node.has(zero) else node.constant(np.zeros(()), dtype, "zero")
    return node.add("QuantizeLinear", y, scale, zeros, label="codes")
