"""Tests Python functions as the oracle: there are no nodes to change, but causes in values and inputs are named."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence, graph, right
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelSlice
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import OracleFile

ORACLE = """
import numpy as np

def y(x, w, b):
    around = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    total = b.reshape(1, 4, 1, 1)
    for p in range(3):
        for q in range(3):
            total = total + np.einsum("nchw,oc->nohw", around[:, :, p:p + 6, q:q + 7], w[:, :, p, q])
    return total
"""


@pytest.mark.parametrize(
    ("cause", "actual"),
    [
        ("scale", right(graph()) * np.float32(0.5)),
        ("flip_y", right(graph())[:, :, ::-1].copy()),
        ("clamped_0_1", np.clip(right(graph()), 0.0, 1.0)),
    ],
)
def test_what_needs_no_nodes_is_named(cause: str, actual: Array) -> None:
    made = graph()
    gathered = evidence(made, actual)
    oracle = OracleFile("oracle.py", ORACLE, MappingProxyType({"y": "y"}), trusted=True)
    constants = MappingProxyType(dict(made.constants))
    plan = dataclasses.replace(gathered.plan, graph=None, constants=constants, oracle_file=oracle)
    diagnosis = explain(dataclasses.replace(gathered, plan=plan))
    assert diagnosis.failed == ()
    assert diagnosis.findings[0].cause == cause


class Silent:
    """An oracle that knows nothing."""

    def chained(
        self,
        inputs: Mapping[str, Array],
        *,
        gaps: dict[str, str] | None = None,
        carried: Mapping[str, Expected] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> dict[str, Expected]:
        return {}

    def isolated(
        self, given: Mapping[str, Array], wanted: str, *, errors: Mapping[str, Array] | None = None
    ) -> Expected | None:
        return None


def test_a_pass_without_an_oracle_cannot_be_redone() -> None:
    with pytest.raises(TexelscopeError, match=r"oracle of 'y': expected a value, got none\. Give the pass an oracle\."):
        ModelSlice(None, Silent(), {}, "y")
