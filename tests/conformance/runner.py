"""One case through plan, passes and read-back, against what ONNX expects and against our own verdict."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import moderngl
import numpy as np
import onnx
from onnx import numpy_helper

from tests.conformance.cases import Array, Case
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.message import read
from texelscope.pipeline.operators.families.folded import Folded
from texelscope.pipeline.operators.families.registry import all_operators
from texelscope.pipeline.plan import Backend, Plan
from texelscope.pipeline.planning.planner import plan_graph

LAYOUTS = ("auto", "channel_tiles", "channel_tiles_rgba", "row_major_rgba")

# What a refusal says was expected → why the case does not apply.
_INHERENT = {
    "a shape of positive sizes": "empty tensors",
    "positive sizes": "empty tensors",
    "a shape known before the run": "data-dependent shape",
    "integers up to 16777216, exact in a float texture": "integers beyond 2^24",
    "inference": "training",
    "inference with given statistics": "training",
}
# Two units in the last place, as onnx's own runner allows bfloat16; one of float16 is already 0.98e-3.
_TWO_LAST_PLACES = {"bfloat16": 2.0**-6, "float16": 2.0**-9}
_LAST_PLACE = 2.0**-23
_RUNS_AS_PASS = "an operator that runs as a pass"


@dataclass(frozen=True)
class Outcome:
    """What became of a case: `status` is passed, folded (known before the run), failed or not_run, with the reason."""

    case: str
    operator: str
    expanded: bool
    opset: int
    status: str
    reason: str = ""


def run_case(
    case: Case, context: moderngl.Context, layouts: Iterable[str] = LAYOUTS, backend: Backend = "auto"
) -> Outcome:
    """Runs a case in each layout; the first that fails decides."""
    status, reason = ("not_run", case.excuse) if case.excuse else _run(case, context, layouts, backend)
    return Outcome(case.name, case.operator, case.expanded, case.opset, status, reason)


def _run(case: Case, context: moderngl.Context, layouts: Iterable[str], backend: Backend) -> tuple[str, str]:
    status = "folded"
    try:
        graph = graph_of_case(case, limits_of(context))
        for layout in layouts:
            plan = plan_graph(graph, layout=layout, limits=limits_of(context))
            if plan.not_run:
                return _not_planned(plan)
            with DebugSession(dataclasses.replace(plan, backend=backend), context) as session:
                problem = _problem(case, session)
            if problem:
                return "failed", f"{problem} ({layout})"
            status = "passed" if plan.passes else status
    except TexelscopeError as error:
        return _refused(error)
    return status, ""


def graph_of_case(case: Case, limits: Limits) -> Graph:
    """The case's graph with as few inputs made constant as it takes; those without elements always are.

    In the cases even axes and shapes are inputs of the graph; in a model they are constants, and a pass needs
    them before the run. First integers and truth values but for the first input become constants, then all but
    the first; all only where the operator is meant to be known before the run.
    """
    refusal: TexelscopeError | None = None
    graph: Graph | None = None
    for model in _models(case):
        try:
            values = {each.name: value for each, value in zip(case.model.graph.input, case.inputs, strict=True)}
            graph = graph_of(*read(model), {}, {each.name: values[each.name] for each in model.graph.input})
            if not plan_graph(graph, limits=limits).not_run:
                return graph
        except UnsupportedError as error:
            refusal = error
    if graph is None:
        assert refusal is not None
        raise refusal
    return graph


def _models(case: Case) -> Iterable[onnx.ModelProto]:
    names = [each.name for each in case.model.graph.input]
    empty = [name for name, value in zip(names, case.inputs, strict=True) if not value.size]
    yield _with_constants(case, empty)
    if not names:
        return
    whole = [name for name, value in zip(names, case.inputs, strict=True) if value.dtype.kind in "biu"]
    levels = [[name for name in whole if name != names[0]], names[1:]]
    if isinstance(all_operators().get(case.operator), Folded):
        levels.append(names)
    for constant in filter(None, levels):
        yield _with_constants(case, {*constant, *empty})


def _with_constants(case: Case, names: Collection[str]) -> onnx.ModelProto:
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for value, declared in zip(case.inputs, case.model.graph.input, strict=True):
        if declared.name in names:
            model.graph.initializer.append(numpy_helper.from_array(value, declared.name))
            model.graph.input.remove(declared)
    return model


def _problem(case: Case, session: DebugSession) -> str:
    """What is wrong with the results; empty if nothing is."""
    for declared, value in zip(case.model.graph.input, case.inputs, strict=True):
        if declared.name in session.plan.inputs:
            session.set_input(declared.name, value)
    session.run()
    for each in session.plan.passes:
        error = session.shader_error(each.name)
        if error is not None:
            return f"{each.name}: {error}"
    graph = session.plan.graph
    assert graph is not None
    for name, expected in zip(graph.outputs, case.outputs, strict=True):
        if name:
            problem = _difference(case, session, graph, name, expected)
            if problem:
                return problem
    for report in session.compare().passes:
        if report.verdict != "match":
            figures = f", {report.isolated.bound_ratio:.3g} times its bound" if report.isolated else ""
            return f"pass '{report.name}' ({report.operator}): {report.verdict}{figures} {report.message}".strip()
    return ""


def _difference(case: Case, session: DebugSession, graph: Graph, name: str, expected: Array) -> str:
    if not expected.size:
        found = graph.constants[name]
        same = (found.shape, found.dtype.name) == (expected.shape, expected.dtype.name)
        return "" if same else f"'{name}': {found.dtype}{list(found.shape)} in place of {list(expected.shape)}"
    stored = session.plan.textures[name]
    if stored.dtype != expected.dtype.name:
        return f"'{name}': {stored.dtype} in place of {expected.dtype.name}"
    actual = session.tensor(name)
    if actual.shape != expected.shape:
        return f"'{name}': shape {actual.shape} in place of {expected.shape}"
    rtol = max(case.rtol, _TWO_LAST_PLACES.get(expected.dtype.name, 0.0))
    want = expected.astype(np.float64)
    # What cancels to nearly nothing keeps the rounding of what it was made of.
    largest = np.abs(want[np.isfinite(want)]).max(initial=0.0) if want.dtype.kind == "f" else 0.0
    atol = max(case.atol, _LAST_PLACE * float(largest))
    near = np.isclose(actual.astype(np.float64), want, rtol=rtol, atol=atol, equal_nan=True)
    if near.all():
        return ""
    first = tuple(int(i) for i in np.argwhere(~near)[0])
    return f"'{name}'{list(first)}: {actual[first]!r} in place of {want[first]!r}; {int((~near).sum())} of {near.size}"


def _refused(error: TexelscopeError) -> tuple[str, str]:
    if error.expected in _INHERENT:
        return "not_run", _INHERENT[error.expected]
    return "failed", str(error)


def _not_planned(plan: Plan) -> tuple[str, str]:
    unknown = sorted({missing.operator for missing in plan.not_run if _RUNS_AS_PASS in missing.reason})
    if unknown:
        return "not_run", f"not implemented: {', '.join(unknown)}"
    reason = plan.not_run[0].reason
    inherent = next((why for expected, why in _INHERENT.items() if expected in reason), "")
    return ("not_run", inherent) if inherent else ("failed", reason)
