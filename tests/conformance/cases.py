"""The node cases that come with the onnx package, with their tensors as arrays, and why some cannot apply."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from tests.conformance.plain import flattened, with_tensors

Array = NDArray[Any]

_RANDOM = frozenset(
    {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}
)
_EXACT_INTEGERS = 1 << 24


@dataclass(frozen=True)
class Case:
    """One node case: a model, inputs and the outputs that ONNX expects; of sequences the tensors that they hold.

    `operator` is what the case is about, also where the model is that operator's function body (`expanded`).
    `excuse` says why it cannot apply to float textures; empty if it can.
    """

    name: str
    operator: str
    opset: int
    expanded: bool
    model: onnx.ModelProto
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    rtol: float
    atol: float
    excuse: str = ""


def collect(operator: str = "") -> list[Case]:
    """All cases, or those of one operator, in the order of their names: a share of them is the same everywhere."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = sorted(collect_testcases(), key=lambda case: str(case.name))
    heads = {case.name: case.model.graph.node[0].op_type for case in found if case.model is not None}
    return [_case(case, heads) for case in found if operator in ("", _operator(case, heads))]


def _operator(case: Any, heads: dict[str, str]) -> str:
    """What the case is about: of a function body (`expanded`) the operator that it defines."""
    return heads.get(_base(case.name)) or _from_name(case.model)


def _base(name: str) -> str:
    return re.sub(r"_expanded(_ver\d+)?$", "", name)


def _case(found: Any, heads: dict[str, str]) -> Case:
    expanded = _base(found.name) != found.name
    inputs, outputs = found.data_sets[0]
    results = [part for value in outputs for part in flattened(value)]
    excuse = _excuse(found.model, [part for value in inputs for part in flattened(value)] + results)
    if not excuse:
        excuse = _excuse_of_results(results)
    model, values = (found.model, []) if excuse else with_tensors(found.model, inputs)
    opset = next((entry.version for entry in found.model.opset_import if not entry.domain), 0)
    return Case(
        name=found.name,
        operator=_operator(found, heads),
        opset=opset,
        expanded=expanded,
        model=model,
        inputs=tuple(values),
        outputs=() if excuse else tuple(results),
        rtol=found.rtol,
        atol=found.atol,
        excuse=excuse,
    )


def _from_name(model: onnx.ModelProto) -> str:
    """The operator whose body a model is: its node names begin with it (`Softmax_test_…_function_…`)."""
    for node in model.graph.node:
        match = re.match(r"([A-Z]\w*?)_test_", node.name or next(iter(node.output), ""))
        if match:
            return match[1]
    return str(model.graph.node[0].op_type)


def _excuse(model: onnx.ModelProto, values: Sequence[Any]) -> str:
    types = {each.type.WhichOneof("value") for each in (*model.graph.input, *model.graph.output)}
    operators = {node.op_type for node in model.graph.node}
    if "map_type" in types:
        return "maps"
    if operators & _RANDOM:
        return "random"
    if any(_is_text(value) for value in values):
        return "strings"
    return ""


def _is_text(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "OSU"


def _excuse_of_results(outputs: Sequence[Array]) -> str:
    for value in outputs:
        if value.dtype.kind == "c":
            return "complex numbers"
        if value.dtype.kind in "iu" and any(abs(int(x)) > _EXACT_INTEGERS for x in value.flat):
            return "integers beyond 2^24"
    return ""
