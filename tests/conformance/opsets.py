"""One trial of an operator at an opset: evaluated by the oracle, run as passes, set beside ONNX Runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import moderngl
import numpy as np

from tests.conformance.cases import Array
from tests.conformance.trials import Trial
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.message import read
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.planning.planner import lower, plan_graph

LAYOUT = "channel_tiles_rgba"


@dataclass(frozen=True)
class Tried:
    """What became of a trial: `problem` is empty if nothing is wrong."""

    operator: str
    version: int
    name: str
    problem: str = ""


def lowered(trial: Trial, limits: Limits | None = None) -> Graph:
    """The trial's graph as it is planned. Raises TexelscopeError where it cannot be."""
    return lower(graph_of(*read(trial.model), {}), limits or Limits())


def expected(trial: Trial, graph: Graph, reference: Reference) -> Mapping[str, Array]:
    """Every tensor as the oracle has it. Raises TexelscopeError for what it cannot evaluate."""
    return {**graph.constants, **reference.run(graph.nodes, {**graph.constants, **trial.inputs})}


def run_trial(trial: Trial, context: moderngl.Context, reference: Reference) -> Tried:
    """Evaluates a trial, and at the first opset of its version compares the passes with that."""
    try:
        graph = lowered(trial, limits_of(context))
        plan = plan_graph(graph, layout=LAYOUT, limits=limits_of(context))
        problem = plan.not_run[0].reason if plan.not_run else ""
        problem = problem or wrong_type(trial, graph, expected(trial, graph, reference))
        if not problem and trial.opset == trial.version:
            with DebugSession(plan, context) as session:
                problem = _mismatch(trial, session)
    except TexelscopeError as error:
        problem = str(error)
    return Tried(trial.operator, trial.version, trial.name, problem)


def wrong_type(trial: Trial, graph: Graph, values: Mapping[str, Array]) -> str:
    """Where the oracle's outputs are of another shape or type than planned; empty if nowhere."""
    for declared in trial.model.graph.output:
        info, value = graph.tensors.get(declared.name), np.asarray(values[declared.name])
        if info is None:
            return f"'{declared.name}': no shape that is known before the run"
        if (info.shape, info.dtype) != (value.shape, value.dtype.name):
            return (
                f"'{declared.name}': {info.dtype}{list(info.shape)} planned, {value.dtype}{list(value.shape)} expected"
            )
    return ""


def _mismatch(trial: Trial, session: DebugSession) -> str:
    for name in session.plan.inputs:
        session.set_input(name, trial.inputs[name])
    session.run()
    for each in session.plan.passes:
        error = session.shader_error(each.name)
        if error is not None:
            return f"{each.name}: {error}"
    wrong = (each for each in session.compare().passes if each.verdict != "match")
    return next((f"pass '{each.name}' ({each.operator}): {each.verdict} {each.message}".strip() for each in wrong), "")
