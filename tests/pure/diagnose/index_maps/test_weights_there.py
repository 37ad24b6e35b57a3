"""Weights that stand in a shader's text are solved for, and what is done to values before they are multiplied."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence, graph, right
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.index_maps.weights_there import weights_there
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Graph

Edit = Callable[[Array], None]


def told(actual: Array, made: Graph) -> tuple[str, str]:
    """The first cause, and how it is said, of a pass that has its weights in its text."""
    found = evidence(made, actual)
    diagnosis = explain(dataclasses.replace(found, reads=found.reads[:1]))
    assert diagnosis.failed == ()
    return diagnosis.findings[0].cause, diagnosis.findings[0].evidence


def with_weights(made: Graph, edit: Edit) -> Graph:
    weights = np.array(made.constants["w"])
    edit(weights)
    return dataclasses.replace(made, constants=MappingProxyType({**made.constants, "w": weights}))


def mistaken(w: Array) -> None:
    w[2, 1, 0, 2] *= -1.0


def twice(w: Array) -> None:
    w[:, :, 1, 0] *= 2.0


def halved(w: Array) -> None:
    w[:, 1, 2, 2] *= 0.5


def left_out(w: Array) -> None:
    w[:, 2] = 0.0


def elsewhere(w: Array) -> None:
    w[:, :, 0, 1] += w[:, :, 2, 1]
    w[:, :, 2, 1] = 0.0


def transposed(w: Array) -> None:
    w[:] = w.transpose(0, 1, 3, 2).copy()


@pytest.mark.parametrize(
    ("edit", "cause", "says"),
    [
        (mistaken, "wrong_literal", "'w'[2, 1, 0, 2] is about"),
        (twice, "double_counted", "the products at taps (0, 1) 2 times"),
        (halved, "scale", "multiplies the products of channels 1 at taps (2, 2) by 0.5"),
        (left_out, "missing_channels", "leaves out the products of channels 2"),
        (elsewhere, "index_map", "multiplies the weights of row 2 and column 1 by the inputs of row 0"),
        (transposed, "kernel_transpose", "x and y swapped"),
    ],
)
def test_weights_in_the_text_are_told(edit: Edit, cause: str, says: str) -> None:
    made = graph()
    found = told(right(with_weights(made, edit)), made)
    assert found[0] == cause
    assert says in found[1]


def test_weights_in_a_texture_are_asked_for_otherwise() -> None:
    made = graph()
    assert weights_there(FailingPass(evidence(made, right(with_weights(made, mistaken))))) is None
