"""Cases of operators that ONNX Runtime has for graphics processors alone: the definition is their only judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance.contrib.case import Array, Case, Numbers, scalar

_N = Numbers(6)
_X, _GAMMA, _BETA = _N.real(2, 3, 4, 6), _N.real(6), _N.real(6)
_CODES, _STEPS = _N.uint8(2, 3, 5), (scalar(0.02), scalar(128, "uint8"), scalar(0.01), scalar(100, "uint8"))


def _case(op_type: str, inputs: tuple[Array | None, ...], attributes: Mapping[str, Any], outputs: int = 1) -> Case:
    return Case(
        op_type,
        inputs,
        attributes,
        outputs=(True,) * outputs,
        has_kernel=False,
        slack=1.0 if inputs[0] is _CODES else 2e-5,
    )


CASES = (
    _case("BiasAdd", (_N.real(2, 5, 6), _N.real(6), _N.real(2, 5, 6)), {}),
    _case("BiasSplitGelu", (_N.real(2, 5, 6), _N.real(6)), {}),
    _case("GroupNorm", (_X, _GAMMA, _BETA), {"groups": 3, "activation": 1}),
    _case("GroupNorm", (_N.real(2, 6, 3, 4), _GAMMA, _BETA), {"groups": 2, "activation": 0, "channels_last": 0}),
    _case("SkipGroupNorm", (_X, _GAMMA, _BETA, _N.real(2, 6), _N.real(6)), {"groups": 2, "activation": 0}, outputs=2),
    _case("SkipGroupNorm", (_X, _GAMMA, _BETA, _N.real(2, 3, 4, 6)), {"groups": 6, "activation": 1}),
    _case("BiasSoftmax", (_N.real(2, 3, 4), _N.real(2, 1, 4)), {"axis": 2, "is_inner_broadcast": 1}),
    _case("BiasSoftmax", (_N.real(2, 3, 4), _N.real(1, 3, 4)), {"axis": 1, "is_inner_broadcast": 0}),
    _case("QLinearReduceMean", (_CODES, *_STEPS), {"axes": [1], "keepdims": 0}),
    _case("QLinearReduceMean", (_CODES, *_STEPS), {"axes": [0, -1], "keepdims": 1}),
)
