"""RNN, GRU and LSTM: both directions, states that are given and that come out last, biases, one step."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.gl.operators.single_node import Array, NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

_GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def _case(op_type: str, steps: int = 3, *, states: bool = False, bias: bool = True, **more: Any) -> GradientCase:
    """Makes a case of a batch of 2, 3 numbers a step, a state of 5."""
    outputs, output = more.pop("outputs", 1), more.pop("output", 0)
    ways, width = 2 if more.get("direction") == "bidirectional" else 1, 5 * _GATES[op_type]
    x = real(2, steps, 3) if more.get("layout") else real(steps, 2, 3)
    inputs: list[Array | None] = [x, real(ways, width, 3, seed=1) / 2, real(ways, width, 5, seed=2) / 2]
    inputs += [real(ways, 2 * width, seed=3) if bias else None]
    if states:
        inputs += [np.full(2, steps, np.int32), real(ways, 2, 5, seed=4)]
        inputs += [real(ways, 2, 5, seed=5)] if op_type == "LSTM" else []
    made = NodeCase(op_type, tuple(inputs), {"hidden_size": 5, **more}, (4,) if states else (), outputs)
    return GradientCase(made, output)


CASES = (
    _case("RNN", 2, states=True, direction="bidirectional"),
    _case("RNN", outputs=2, output=1),
    _case("GRU", 2, states=True, linear_before_reset=1, direction="bidirectional"),
    _case("GRU", 2, bias=True, direction="reverse"),
    _case("GRU", 1, bias=False, linear_before_reset=1),
    _case("LSTM", 2, states=True, direction="bidirectional"),
    _case("LSTM", states=True, outputs=3, output=2),
    _case("LSTM", 2, bias=False, layout=1),
)
