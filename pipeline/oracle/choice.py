"""Chooses a plan's oracle: the graph that it came from, or the functions beside its file."""

from __future__ import annotations

from texelscope.pipeline.oracle.expected import Oracle
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Plan


def oracle_of(plan: Plan) -> Oracle | None:
    """Returns the plan's oracle; None if it has none, or one that is not trusted to run."""
    if plan.oracle_file is not None and plan.oracle_file.trusted:
        return FunctionOracle(plan)
    return GraphOracle(plan.graph) if plan.graph is not None else None


def in_frame(oracle: Oracle | None, plan: Plan) -> Oracle | None:
    """Returns the oracle for a plan that is its own plan in another frame; no code of a file is run again."""
    return oracle.in_frame(plan) if isinstance(oracle, FunctionOracle) else oracle
