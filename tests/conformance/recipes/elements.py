"""Operators of single elements, of sums and of products."""

from __future__ import annotations

from collections.abc import Mapping

import ml_dtypes
import numpy as np
from onnx import TensorProto

from tests.conformance.cases import Array
from tests.conformance.recipes.recipe import (
    COUNTS,
    INSIDE,
    INTEGERS,
    PICTURE,
    POSITIVE,
    TRUTHS,
    Recipe,
    Recipes,
    X,
    always,
    node,
    numbers,
    one,
    whole,
)


def _binary(left: Array, right: Array) -> Recipes:
    """Makes a binary operator: before opset 7 operands are aligned at an axis, if at all."""

    def recipes(version: int) -> list[Recipe]:
        same = node(left, right, known=())
        if version >= 7:
            return [same, node(left, right[0, :, :1], known=())]
        return [
            same,
            node(left, right[0, 0], broadcast=1, known=()),
            node(left, right[0, :, 0, 0], broadcast=1, axis=1, known=()),
            node(left, right[:, :, 0, 0], broadcast=1, axis=0, known=()),
        ]

    return recipes


def _variadic(version: int) -> list[Recipe]:
    several = node(X, numbers(2, 3, 4, 5, seed=1), numbers(2, 3, 4, 5, seed=2))
    return [several] if version < 8 else [several, node(X, numbers(3, 1, 5, seed=1))]


def _reduction(by_input: int) -> Recipes:
    def recipes(version: int) -> list[Recipe]:
        if version < by_input:
            return [node(POSITIVE), node(POSITIVE, axes=[1, 3], keepdims=0)]
        return [
            node(POSITIVE),
            node(POSITIVE, whole(1, -1), keepdims=0),
            node(POSITIVE, whole(), noop_with_empty_axes=1),
        ]

    return recipes


def _arg(version: int) -> list[Recipe]:
    found = [node(X), node(X, axis=2, keepdims=0)]
    return found if version < 12 else [*found, node(np.round(X), axis=-1, select_last_index=1)]


def _batch_normalization(version: int) -> list[Recipe]:
    parameters = [numbers(3, seed=seed) for seed in (1, 2, 3)]
    inputs = (X, *parameters, numbers(3, seed=4, low=0.1))
    if version < 7:
        training = 4 if version < 7 else 5
        return [node(*inputs, is_test=1), node(*inputs, outputs=training + 1)]
    if version < 14:
        return [node(*inputs), node(*inputs, outputs=5)]
    return [node(*inputs), node(*inputs, training_mode=1, outputs=3)]


def _cast(version: int) -> list[Recipe]:
    kinds: tuple[int | str, ...] = (TensorProto.INT32, TensorProto.FLOAT16, TensorProto.BOOL, TensorProto.FLOAT)
    if version < 6:
        kinds = ("INT32", "FLOAT16", "BOOL", "FLOAT")
    found = [node(X, to=kind) for kind in kinds[:3]]
    found.append(node(numbers(3, 4, dtype=np.int64), to=kinds[3]))
    if version >= 19:
        found.extend([node(X * 300.0, to=TensorProto.FLOAT8E4M3FN, saturate=flag) for flag in (0, 1)])
    if version >= 24:
        found.append(node(POSITIVE, to=TensorProto.FLOAT8E8M0, round_mode="down"))
    return found


def _clip(version: int) -> list[Recipe]:
    if version < 11:
        return [node(X), node(X, min=-0.5, max=1.0)]
    return [node(X), node(X, one(-0.5), one(1.0), known=(1, 2)), node(X, None, one(1.0), known=())]


def _scaled(version: int, data: Array, zero: Array) -> list[Recipe]:
    found = [node(data, one(0.25), zero, known=(1, 2)), node(data, one(0.25))]
    if version >= 13:
        channels = np.array([0.25, 0.5, 0.125], np.float32)
        found.append(node(data, channels, np.full(3, zero), axis=1, known=(1, 2)))
    if version >= 21:
        found.append(node(data, numbers(2, 3, 2, 5, low=0.1), axis=2, block_size=2))
    return found


def _dequantize(version: int) -> list[Recipe]:
    data = numbers(2, 3, 4, 5, dtype=np.uint8)
    signed = (data.astype(np.int16) - 5).astype(np.int8)
    return [*_scaled(version, data, one(3, np.uint8)), node(signed, one(0.5), one(-2, np.int8))]


def _quantize(version: int) -> list[Recipe]:
    found = _scaled(version, X * 20.0, one(3, np.uint8))
    if version >= 19:
        found.append(node(X * 200.0, one(0.25), np.zeros((), ml_dtypes.float8_e4m3fn), saturate=1, known=(1, 2)))
    return found


def _dropout(version: int) -> list[Recipe]:
    if version < 7:
        return [node(X, is_test=1), node(X, is_test=1, outputs=2)]
    if version < 12:
        return [node(X), node(X, outputs=2, ratio=0.25)]
    return [node(X), node(X, one(0.25), one(0, np.bool_), outputs=2, known=(1, 2))]


def _gemm(version: int) -> list[Recipe]:
    a, b, c = numbers(3, 4), numbers(4, 5, seed=1), numbers(3, 5, seed=2)
    found = [node(a, b, c), node(a.T.copy(), b.T.copy(), c, transA=1, transB=1, alpha=0.5, beta=2.0)]
    if version < 7:
        return [*found, node(a, b, c[0], broadcast=1)]
    return [*found, node(a, b, c[0])] + ([node(a, b)] if version >= 11 else [])


def _prelu(version: int) -> list[Recipe]:
    if version < 7:
        return [node(X, numbers(3, seed=1)), node(X, numbers(1, seed=1))]
    return [node(X, numbers(3, 1, 1, seed=1)), node(X, numbers(1, seed=1))]


def _quantized_product(version: int) -> list[Recipe]:
    a, b = numbers(3, 4, dtype=np.uint8), numbers(4, 5, seed=1, dtype=np.uint8)
    scale, zero = one(0.5), one(4, np.uint8)
    if version < 21:
        scale, zero = scale.reshape(1), zero.reshape(1)
    return [node(a, scale, zero, b, scale, zero, scale * 4, zero, known=(1, 2, 3, 4, 5, 6, 7))]


def _soft(version: int) -> list[Recipe]:
    return [node(X), node(X, axis=2), *([node(X, axis=-1)] if version >= 11 else [])]


def _cast_like(version: int) -> list[Recipe]:
    return [node(X, np.zeros(1, kind), known=()) for kind in (np.int32, np.float16)]


def _cumulative(version: int) -> list[Recipe]:
    return [node(X, one(1, np.int64)), node(X, one(-1, np.int64), exclusive=1, reverse=1)]


def _layer_normalization(version: int) -> list[Recipe]:
    return [node(X, numbers(5, seed=1), numbers(5, seed=2)), node(X, numbers(4, 5, seed=1), axis=2, outputs=3)]


def _mod(version: int) -> list[Recipe]:
    whole_numbers = numbers(3, 4, dtype=np.int32), numbers(3, 4, seed=1, dtype=np.int32) + 1
    return [node(*whole_numbers, known=()), node(X, POSITIVE, fmod=1)]


RECIPES: Mapping[str, Recipes] = {
    "Acosh": always(node(POSITIVE + 1.0)),
    "Add": _binary(X, POSITIVE),
    "And": _binary(*TRUTHS),
    "ArgMax": _arg,
    "ArgMin": _arg,
    "Asin": always(node(INSIDE)),
    "Acos": always(node(INSIDE)),
    "Atanh": always(node(INSIDE)),
    "BatchNormalization": _batch_normalization,
    "BitCast": always(node(numbers(3, 4, dtype=np.uint8), to=TensorProto.INT8)),
    "BitShift": always(node(*INTEGERS, direction="LEFT", known=()), node(*INTEGERS, direction="RIGHT", known=())),
    "BitwiseAnd": always(node(*INTEGERS, known=())),
    "BitwiseNot": always(node(INTEGERS[0])),
    "BitwiseOr": always(node(*INTEGERS, known=())),
    "BitwiseXor": always(node(*INTEGERS, known=())),
    "Cast": _cast,
    "CastLike": _cast_like,
    "Clip": _clip,
    "CumProd": _cumulative,
    "CumSum": _cumulative,
    "DequantizeLinear": _dequantize,
    "Det": always(node(numbers(2, 3, 3))),
    "Div": _binary(X, POSITIVE),
    "Dropout": _dropout,
    "Einsum": always(node(numbers(2, 3), numbers(3, 4), equation="ij,jk->ik")),
    "Equal": _binary(*(np.where(each, 1, 2).astype(np.int32) for each in TRUTHS)),
    "Gelu": always(node(X), node(X, approximate="tanh")),
    "Gemm": _gemm,
    "Greater": _binary(X, POSITIVE),
    "GroupNormalization": always(node(PICTURE, numbers(4), numbers(4, seed=1), num_groups=2)),
    "Hardmax": _soft,
    "InstanceNormalization": always(node(X, numbers(3), numbers(3, seed=1))),
    "IsInf": always(node(np.array([1.0, np.inf, -np.inf, np.nan], np.float32))),
    "IsNaN": always(node(np.array([1.0, np.inf, -np.inf, np.nan], np.float32))),
    "LayerNormalization": _layer_normalization,
    "Less": _binary(X, POSITIVE),
    "Log": always(node(POSITIVE)),
    "LogSoftmax": _soft,
    "LpNormalization": always(node(X), node(X, p=1, axis=1)),
    "MatMul": always(node(numbers(2, 3, 4), numbers(4, 5)), node(numbers(4), numbers(4, 5))),
    "MatMulInteger": always(node(COUNTS, numbers(4, 5, dtype=np.uint8), one(2, np.uint8), known=(1, 2))),
    "Max": _variadic,
    "Mean": _variadic,
    "Min": _variadic,
    "Mod": _mod,
    "Mul": _binary(X, POSITIVE),
    "Or": _binary(*TRUTHS),
    "PRelu": _prelu,
    "Pow": _binary(POSITIVE, X),
    "QLinearMatMul": _quantized_product,
    "QuantizeLinear": _quantize,
    "RMSNormalization": always(node(X, numbers(5, seed=1)), node(X, numbers(4, 5, seed=1), axis=2)),
    "ReduceL1": _reduction(18),
    "ReduceL2": _reduction(18),
    "ReduceLogSum": _reduction(18),
    "ReduceLogSumExp": _reduction(18),
    "ReduceMax": _reduction(18),
    "ReduceMean": _reduction(18),
    "ReduceMin": _reduction(18),
    "ReduceProd": _reduction(18),
    "ReduceSum": _reduction(13),
    "ReduceSumSquare": _reduction(18),
    "Softmax": _soft,
    "Sqrt": always(node(POSITIVE)),
    "Sub": _binary(X, POSITIVE),
    "Sum": _variadic,
    "Xor": _binary(*TRUTHS),
}
