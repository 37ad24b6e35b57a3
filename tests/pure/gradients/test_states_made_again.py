"""A recurrence whose states are not among its outputs has the gradients that it has where they are."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases.numbers import real
from texelscope.pipeline.gradients.reverse import differentiated
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


@pytest.mark.parametrize(
    ("op_type", "attributes"),
    [
        ("LSTM", {}),
        ("GRU", {"linear_before_reset": 1, "direction": "bidirectional"}),
        ("RNN", {"direction": "reverse"}),
    ],
)
def test_states_that_do_not_come_out_are_made_again_once(op_type: str, attributes: dict[str, Any]) -> None:
    ways, width = 1 + (attributes.get("direction") == "bidirectional"), 2 * GATES[op_type]
    inputs = real(3, 1, 2), real(ways, width, 2, seed=1), real(ways, width, 2, seed=2)
    given = {f"in{place}": x for place, x in enumerate(inputs)}
    model = NodeCase(op_type, inputs, {"hidden_size": 2, **attributes}, outputs=2).model()
    whole = differentiated(load(model), "out1")
    model.graph.node[0].output[0] = ""
    del model.graph.output[0]
    last = differentiated(load(model), "out1")
    assert Counter(node.op_type for node in last.graph.nodes)[op_type] == 2
    wanted, made = (GraphOracle(each.graph).values(given, tuple(each.gradients.values())) for each in (whole, last))
    for tensor, gradient in whole.gradients.items():
        np.testing.assert_allclose(made[last.gradients[tensor]], wanted[gradient], rtol=1e-6, err_msg=tensor)
