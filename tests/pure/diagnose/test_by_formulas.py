"""Tests what formulas add to findings: maps of reads that hold on every element, and names where no cause has any."""

from __future__ import annotations

import dataclasses

import numpy as np

from tests.pure.diagnose.divergences.passes import curved, divergent_pass
from tests.pure.diagnose.synthetic import Array, evidence, graph, inputs, right
from texelscope.pipeline.diagnose.explain import Diagnosis, explain
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.symbolic.kinds import Divergence, Moved

OUTPUT, WEIGHTS = (1, 4, 6, 7), (4, 3, 3, 3)


def _explained(made: Graph, actual: Array, *elements: list[Divergence], at: list[int]) -> Diagnosis:
    shapes = {name: made.tensors[name].shape for name in ("x", "w", "b", "y")}
    constants = {name: value.reshape(-1).tolist() for name, value in made.constants.items()}
    found = divergent_pass(
        *elements, nodes=made.nodes, constants=constants, shapes=shapes, output=OUTPUT, actual=actual.reshape(-1), at=at
    )
    return explain(dataclasses.replace(evidence(made, actual), divergences=found))


def test_a_map_of_few_reads_is_held_against_every_element() -> None:
    found = GraphOracle(graph()).isolated({"x": np.take(inputs(), [1, 0, 2], axis=1)}, "y")
    assert found is not None
    at = [int(np.ravel_multi_index((0, channel, 2, 3), OUTPUT)) for channel in range(3)]
    moves: list[list[Divergence]] = [[] for _ in at]
    for number in range(len(at)):
        for row in range(1, 4):
            for column in range(2, 5):
                for channel, got in ((0, 1), (1, 0)):
                    places = [
                        ("x", int(np.ravel_multi_index((0, c, row, column), (1, 3, 6, 7)))) for c in (channel, got)
                    ]
                    weight = np.ravel_multi_index((number, channel, row - 1, column - 2), WEIGHTS)
                    moves[number].append(
                        Moved(places[0], places[1], is_weight=False, row=-1, weight=("w", int(weight)))
                    )
    first = _explained(graph(), np.asarray(found.value, np.float32), *moves, at=at).findings[0]
    assert first.parameters["tensor"] == "x"
    assert first.explained == 1.0
    assert "as formulas show: 168 of 168 wrong elements are reproduced" in first.evidence


def test_another_function_is_told_of_where_no_cause_reproduces_its_values() -> None:
    made = graph(activation=True)
    linear = right(graph())

    def bent(v: Array) -> Array:
        return np.where(v > 0.0, np.sin(v * 3.0) + 2.0 * v, 0.25 * np.cos(v))

    other: list[Divergence] = [curved(lambda v: np.maximum(v, 0.0), bent)]
    diagnosis = _explained(made, np.asarray(bent(linear), np.float32), other, other, other, at=[3, 60, 120])
    assert diagnosis.findings == ()
    assert "By the formulas of 3 of 3 wrong elements, the shader applies another function" in diagnosis.unexplained


def test_formulas_that_cannot_be_named_hide_no_cause() -> None:
    made = graph()
    beyond: list[Divergence] = [Moved(("x", 0), ("x", 9_999_999), is_weight=False, row=-1)]
    diagnosis = _explained(made, right(made) * np.float32(0.5), beyond, beyond, beyond, at=[3, 60, 120])
    assert diagnosis.findings[0].cause == "scale"
    assert diagnosis.failed[0].startswith("formulas: ValueError")
