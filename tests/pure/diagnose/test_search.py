"""Several faults in one pass: each is named with what it explains, behind or beside the others."""

from __future__ import annotations

import dataclasses
import threading
from types import MappingProxyType

import numpy as np
import pytest

from tests.pure.diagnose.synthetic import Array, evidence, graph, right, turned
from texelscope.pipeline.diagnose import search
from texelscope.pipeline.diagnose.evidence.evidence import Evidence, RedrawnPass
from texelscope.pipeline.diagnose.explain import Diagnosis, explain
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Stage
from texelscope.pipeline.diagnose.trial.model_edits import output_through, window_with
from texelscope.pipeline.errors import CancelledError

BLEEDING = window_with("conv", beyond="texel")
TURNED = turned()
NO_BIAS = window_with("conv", bias=None)
TO_ONE = output_through(lambda y: np.minimum(y, 1.0))


def redone(*changes: ModelEdit) -> Array:
    made = graph()
    return np.asarray(FailingPass(evidence(made, right(made))).model_slice.evaluate(changes).reshape(1, 4, 6, 7))


def interventions(actual: Array, **others: Array) -> Evidence:
    """Returns the evidence of a pass that gave `actual`, with what came out under interventions."""
    found = evidence(graph(), actual)
    layout = found.plan.textures["y"].layout
    texels = {name: layout.encode(values) for name, values in others.items()}
    drawn = {name: RedrawnPass(each, slice(0, each.shape[0])) for name, each in texels.items()}
    return dataclasses.replace(found, interventions=MappingProxyType(drawn))


def as_half(values: Array) -> Array:
    return values.astype(np.float16).astype(np.float32)


def shares(diagnosis: Diagnosis) -> dict[str, float]:
    return {found.cause: found.explained for found in diagnosis.findings}


def test_what_is_left_by_an_intervention_is_explained_too() -> None:
    bleeding = redone(BLEEDING)
    low = as_half(bleeding)
    diagnosis = explain(interventions(low, clean=low, highp=bleeding))
    found = shares(diagnosis)
    assert set(found) == {"half_precision", "tile_bleed"}
    assert sum(found.values()) == pytest.approx(1.0)
    assert diagnosis.unexplained == ""
    [bleeding_found] = [each for each in diagnosis.findings if each.cause == "tile_bleed"]
    assert "wrong elements that half precision leaves are reproduced" in bleeding_found.evidence
    assert bleeding_found.residual < 1e-5


def test_precision_that_puts_nothing_right_by_itself_is_named_before_what_it_hides() -> None:
    backwards = redone(TURNED)
    low = as_half(backwards)
    diagnosis = explain(interventions(low, clean=low, highp=backwards))
    found = shares(diagnosis)
    assert list(found) == ["kernel_flip", "half_precision"]
    assert found["kernel_flip"] == pytest.approx(1.0)
    assert found["half_precision"] < 0.02


def test_what_the_target_did_is_told_from_what_the_shader_did() -> None:
    made = redone(NO_BIAS)
    diagnosis = explain(interventions(as_half(made), clean=made))
    assert {found.cause for found in diagnosis.findings} == {"half_precision", "bias_missing"}
    assert diagnosis.unexplained == ""


def test_a_cause_that_explains_a_part_is_taken_as_given_for_the_rest() -> None:
    diagnosis = explain(evidence(graph(), redone(BLEEDING, TO_ONE)))
    found = shares(diagnosis)
    assert set(found) == {"tile_bleed", "clamped_0_1"}
    assert sum(found.values()) == pytest.approx(1.0)
    assert diagnosis.unexplained == ""


def test_what_is_left_unexplained_is_counted_beside_the_parts() -> None:
    bleeding = redone(BLEEDING)
    bleeding[0, 2] += np.random.default_rng(0).standard_normal((6, 7)).astype(np.float32)
    low = as_half(bleeding)
    diagnosis = explain(interventions(low, clean=low, highp=bleeding))
    assert shares(diagnosis)["half_precision"] > 0.2
    assert "No known cause reproduces the errors that half precision" in diagnosis.unexplained
    assert "elements are still wrong" in diagnosis.unexplained


def test_the_search_for_combinations_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "COMBINED_SECONDS", 0.0)
    diagnosis = explain(evidence(graph(), redone(TURNED, NO_BIAS)))
    assert diagnosis.findings == ()
    assert diagnosis.unexplained.endswith("The search for pairs of causes ended after 0 s.")


def test_the_search_for_single_causes_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SEARCH_SECONDS", 0.0)
    diagnosis = explain(evidence(graph(), redone(TURNED)))
    assert diagnosis.findings == ()
    assert diagnosis.unexplained.endswith("The search for causes ended after 0 s.")


def test_the_search_for_pairs_can_be_cancelled() -> None:
    actual = right(graph()) + np.random.default_rng(0).standard_normal((1, 4, 6, 7)).astype(np.float32)
    cancel = threading.Event()

    def at_the_last_band(share: float) -> None:
        if share >= len(Stage) / (len(Stage) + 2):
            cancel.set()

    with pytest.raises(CancelledError):
        explain(evidence(graph(), actual), progress=at_the_last_band, cancel=cancel)
