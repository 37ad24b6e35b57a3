"""Tensors of two runs are paired by name, outputs by order, and otherwise as a person says."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.runs.run import HeldTensor, Run
from texelscope.viewer.runs.model.pairs import TensorPairs


def run(*names: str) -> Run:
    tensors = tuple(HeldTensor(name, name, "Relu", "float32", "float32", np.zeros(4, np.float32)) for name in names)
    return Run("model", "", DeviceInfo(renderer="none", version="none"), {}, {}, (names[-1],), tensors)


def names(pairs: TensorPairs, here: Run, there: Run, number: int = 1) -> dict[str, str]:
    return {key: held.name for key, held in pairs.partners(number, here, there).items()}


def test_names_pair_tensors_and_order_pairs_outputs() -> None:
    assert names(TensorPairs(), run("a", "b", "c"), run("a", "x", "y")) == {"a": "a", "c": "y"}


def test_what_a_person_pairs_goes_before_names_for_that_run_alone() -> None:
    pairs, here, there = TensorPairs(), run("a", "b", "c"), run("a", "x", "y")
    before = pairs.version
    pairs.choose(1, "b", "x")
    pairs.choose(1, "a", "x")
    assert pairs.version > before
    assert names(pairs, here, there) == {"a": "x", "b": "x", "c": "y"}
    assert names(pairs, here, there, number=2) == {"a": "a", "c": "y"}
    pairs.choose(1, "a", None)
    assert names(pairs, here, there) == {"a": "a", "b": "x", "c": "y"}
    pairs.forget()
    assert names(pairs, here, there) == {"a": "a", "c": "y"}


def test_a_tensor_that_the_other_run_has_no_more_is_not_paired() -> None:
    pairs = TensorPairs()
    pairs.choose(1, "b", "gone")
    assert names(pairs, run("a", "b"), run("a", "x")) == {"a": "a", "b": "x"}
