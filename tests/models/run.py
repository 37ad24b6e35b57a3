"""One of the models through plan, passes and read-back, against ONNX Runtime and against our own verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from tests.models.catalogue import Model
from texelscope import pipeline

FOLDER = Path(__file__).resolve().parent
Array = NDArray[Any]
_TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32}
# Words, segments and masks are small numbers.
_LARGEST = {"input_ids": 20, "token_type_ids": 2}


@dataclass(frozen=True)
class Result:
    """Verdicts of all passes and how often each came, and the largest difference of an output from ONNX Runtime's."""

    model: Model
    verdicts: Mapping[str, int]
    difference: float
    problem: str = ""

    @property
    def passes(self) -> int:
        """How many there are."""
        return sum(self.verdicts.values())

    @property
    def matches(self) -> bool:
        """Whether every pass matches and every output is as near as it has to be."""
        return set(self.verdicts) == {"match"} and self.difference <= self.model.slack


def run(model: Model, context: moderngl.Context) -> Result:
    """Runs the model on random numbers, the same each time."""
    path = FOLDER / f"{model.name}.onnx"
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 3  # errors: shapes that a cache declares are not those that are inferred
    judge = onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    feeds = _feeds(judge)
    names = [each.name for each in judge.get_outputs()]
    expected = dict(zip(names, judge.run(None, feeds), strict=True))
    with pipeline.open(path, context=context) as session:
        for name, value in feeds.items():
            session.set_input(name, value)
        session.run()
        report = session.compare()
        verdicts = Counter(str(each.verdict) for each in report.passes)
        wrong = next(
            (f"{each.name}: {each.verdict} {each.message}" for each in report.passes if each.verdict != "match"), ""
        )
        if session.plan.not_run:
            return Result(model, verdicts, np.inf, session.plan.not_run[0].reason)
        difference = max(_apart(session.tensor(name), value) for name, value in expected.items())
    return Result(model, verdicts, difference, wrong)


def _feeds(judge: Any) -> dict[str, Array]:
    random = np.random.default_rng(1)
    feeds: dict[str, Array] = {}
    for each in judge.get_inputs():
        kind = _TYPES[each.type]
        if kind is np.float32:
            feeds[each.name] = random.standard_normal(each.shape).astype(kind)
        elif each.name == "attention_mask":
            feeds[each.name] = np.ones(each.shape, kind)
        else:
            feeds[each.name] = random.integers(0, _LARGEST[each.name], each.shape).astype(kind)
    return feeds


def _apart(result: Array, expected: Array) -> float:
    if result.shape != expected.shape:
        return float(np.inf)
    got, right = result.astype(np.float64), expected.astype(np.float64)
    return float(np.abs(got - right).max() / max(1.0, np.abs(right).max()))
