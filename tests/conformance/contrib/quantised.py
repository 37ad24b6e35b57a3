"""Defines cases of operators on tensors of eight-bit codes."""

from __future__ import annotations

import numpy as np

from tests.conformance.contrib.case import Array, Case, Numbers, scalar

_N = Numbers(2)


def _u(scale: float, zero: int) -> tuple[Array, Array]:
    return scalar(scale), scalar(zero, "uint8")


def _i(scale: float, zero: int) -> tuple[Array, Array]:
    return scalar(scale), scalar(zero, "int8")


CASES = (
    Case(
        "QLinearAdd",
        (_N.uint8(1, 3, 4), *_u(0.02, 128), _N.uint8(1, 3, 4), *_u(0.03, 100), *_u(0.05, 120)),
        given=(0, 3),
    ),
    Case("QLinearAdd", (_N.int8(2, 3, 4), *_i(0.02, -3), _N.int8(4), *_i(0.03, 10), *_i(0.05, 12))),
    Case(
        "QLinearMul",
        (_N.uint8(1, 3, 4), *_u(0.02, 128), _N.uint8(1, 3, 4), *_u(0.03, 100), *_u(0.06, 120)),
        given=(0, 3),
    ),
    Case("QLinearMul", (_N.int8(2, 3, 4), *_i(0.02, -3), _N.int8(3, 1), *_i(0.03, 10), *_i(0.05, 12))),
    Case("QLinearSigmoid", (_N.uint8(2, 9), *_u(0.05, 128), *_u(1 / 256, 0)), slack=1),
    Case("QLinearSigmoid", (_N.int8(2, 9), *_i(0.05, 3), *_i(1 / 256, -128)), slack=1),
    Case("QLinearLeakyRelu", (_N.uint8(2, 9), *_u(0.05, 128), *_u(0.04, 30)), slack=1),
    Case("QLinearLeakyRelu", (_N.int8(2, 9), *_i(0.05, 3), *_i(0.04, -30)), {"alpha": 0.3}, slack=1),
    Case("QLinearSoftmax", (_N.uint8(2, 3, 5), *_u(0.03, 128), *_u(1 / 256, 0)), {"opset": 13, "axis": 1}, slack=1),
    Case("QLinearSoftmax", (_N.int8(2, 3, 5), *_i(0.03, -8), *_i(1 / 256, -128)), {"opset": 12, "axis": 1}, slack=1),
    Case(
        "QLinearConcat",
        (*_u(0.05, 120), _N.uint8(1, 2, 3), *_u(0.05, 120), _N.uint8(1, 4, 3), *_u(0.03, 100)),
        {"axis": 1},
        given=(2, 5),
        slack=1,
    ),
    Case(
        "QLinearConcat",
        (*_i(0.05, 12), _N.int8(2, 3), *_i(0.02, -4), _N.int8(2, 3), *_i(0.03, 10), _N.int8(2, 1), *_i(0.04, 0)),
        {"axis": -1},
        given=(2, 5),
        slack=1,
    ),
    Case(
        "QLinearWhere",
        (_N.uint8(2, 5) > 120, _N.uint8(2, 5), *_u(0.02, 128), _N.uint8(1, 5), *_u(0.03, 100), *_u(0.04, 110)),
        given=(0, 1, 4),
        slack=1,
    ),
    Case("QLinearGlobalAveragePool", (_N.uint8(2, 3, 5, 4), *_u(0.02, 128), *_u(0.01, 100)), slack=1),
    Case("QLinearGlobalAveragePool", (_N.int8(2, 5, 4, 3), *_i(0.02, 1), *_i(0.01, 9)), {"channels_last": 1}, slack=1),
    Case(
        "QLinearAveragePool",
        (_N.uint8(1, 3, 6, 5), *_u(0.02, 128), *_u(0.015, 100)),
        {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]},
        slack=1,
    ),
    Case(
        "QLinearAveragePool",
        (_N.int8(1, 6, 5, 3), *_i(0.02, 5), *_i(0.015, -7)),
        {"kernel_shape": [2, 2], "pads": [1, 1, 0, 0], "count_include_pad": 1, "channels_last": 1},
        slack=1,
    ),
    Case("NhwcMaxPool", (_N.uint8(1, 6, 5, 3),), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    Case("NhwcMaxPool", (_N.int8(1, 6, 5, 3),), {"kernel_shape": [2, 2], "dilations": [2, 2]}),
    Case(
        "QLinearConv",
        (
            *(_N.uint8(1, 6, 5, 4), *_u(0.02, 120), _N.int8(6, 4, 3, 3), _N.real(6) ** 2 * 0.01 + 0.005),
            *(np.zeros(6, np.int8), *_u(0.3, 100), _N.whole(-900, 900, 6)),
        ),
        {"channels_last": 1, "pads": [1, 1, 1, 1]},
        slack=1,
    ),
    Case(
        "QLinearConv",
        (_N.int8(1, 4, 6, 5), *_i(0.02, 3), _N.int8(4, 2, 3, 3), *_i(0.01, 0), *_i(0.2, -5)),
        {"group": 2, "strides": [2, 2]},
        slack=1,
    ),
    Case(
        "QGemm",
        (_N.uint8(3, 5), *_u(0.02, 120), _N.int8(5, 4), *_i(0.03, 0), _N.whole(-99, 99, 4), *_u(0.1, 90)),
        slack=1,
    ),
    Case(
        "QGemm",
        (_N.uint8(3, 5), *_u(0.02, 120), _N.int8(4, 5), _N.real(4) ** 2 + 0.01, np.zeros(4, np.int8)),
        {"transB": 1, "alpha": 0.5},
    ),
    Case(
        "QGemm", (_N.int8(5, 3), *_i(0.02, 12), _N.int8(5, 4), *_i(0.03, 1), None, *_i(0.1, 9)), {"transA": 1}, slack=1
    ),
    Case("MatMulIntegerToFloat", (_N.uint8(2, 3, 5), _N.int8(5, 4), scalar(0.02), scalar(0.03), scalar(120, "uint8"))),
    Case(
        "MatMulIntegerToFloat",
        (_N.int8(3, 5), _N.int8(5, 4), scalar(0.02), _N.real(4), scalar(3, "int8"), _N.int8(4), _N.real(4)),
    ),
    Case("DynamicQuantizeMatMul", (_N.real(3, 5), _N.int8(5, 4), scalar(0.03))),
    Case("DynamicQuantizeMatMul", (_N.real(2, 3, 5), _N.uint8(5, 4), _N.real(4), _N.uint8(4), _N.real(4))),
    Case(
        "MatMulNBits",
        (_N.real(3, 32), _N.uint8(5, 2, 8), _N.real(5, 2)),
        {"K": 32, "N": 5, "bits": 4, "block_size": 16},
    ),
    Case(
        "MatMulNBits",
        (_N.real(2, 3, 40), _N.uint8(5, 3, 8), _N.real(5, 3), _N.uint8(5, 2), None, _N.real(5)),
        {"K": 40, "N": 5, "bits": 4, "block_size": 16},
    ),
    Case(
        "MatMulNBits",
        (_N.real(3, 32), _N.uint8(5, 2, 16), _N.real(5, 2), _N.uint8(5, 2)),
        {"K": 32, "N": 5, "bits": 8, "block_size": 16},
    ),
    Case(
        "MatMulNBits",
        (_N.real(3, 32), _N.uint8(5, 2, 4), _N.real(5, 2)),
        {"K": 32, "N": 5, "bits": 2, "block_size": 16},
    ),
    Case(
        "MatMulNBits",
        (_N.real(3, 32), _N.uint8(5, 2, 8), _N.real(5, 2), _N.real(5, 2) + np.float32(8)),
        {"K": 32, "N": 5, "bits": 4, "block_size": 16},
    ),
    Case("QuantizeLinear", (_N.real(2, 3, 4), *_u(0.02, 120))),
    Case("QuantizeLinear", (_N.real(2, 3, 4), _N.real(3) ** 2 + np.float32(0.01), _N.int8(3)), {"axis": 1}),
    Case("QuantizeLinear", (_N.real(2, 3, 4), scalar(0.0002), scalar(-500, "int16"))),
    Case("DequantizeLinear", (_N.uint8(2, 3, 4), *_u(0.02, 120))),
    Case("DequantizeLinear", (_N.int8(2, 3, 4), _N.real(3), _N.int8(3)), {"axis": 1}),
    Case("DequantizeLinear", (_N.int8(2, 3, 4), _N.real(3), _N.int8(3))),
    Case("DequantizeLinear", (_N.whole(-9000, 9000, 2, 3), scalar(0.02))),
    Case(
        "MatMulNBits",
        (_N.real(3, 32).astype(np.float16), _N.uint8(5, 2, 8), (_N.real(5, 2) * 0.1).astype(np.float16)),
        {"K": 32, "N": 5, "bits": 4, "block_size": 16},
        slack=4e-3,
    ),
    Case(
        "DynamicQuantizeLSTM",
        (
            *(_N.real(3, 1, 5), _N.int8(1, 5, 16), _N.int8(1, 4, 16), _N.real(1, 32), None, None, None, None),
            *(
                np.array([0.02], np.float32),
                np.array([3], np.int8),
                np.array([0.01], np.float32),
                np.array([-2], np.int8),
            ),
        ),
        {"hidden_size": 4},
        outputs=(True, True, True),
        slack=1e-3,
    ),
    Case(
        "DynamicQuantizeLSTM",
        (
            *(_N.real(3, 1, 5), _N.uint8(2, 5, 16), _N.uint8(2, 4, 16), None, None, _N.real(2, 1, 4), _N.real(2, 1, 4)),
            *(
                None,
                np.array([0.02, 0.01], np.float32),
                np.array([128, 120], np.uint8),
                np.array([0.01, 0.02], np.float32),
                np.array([127, 128], np.uint8),
            ),
        ),
        {"hidden_size": 4, "direction": "bidirectional"},
        outputs=(True, True, True),
        slack=1e-3,
    ),
)
