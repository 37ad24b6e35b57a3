"""Finds whose definition of an operator a pass follows, by comparing its values with every convention.

A person who ports a network knows the parameters in the file, but not whose definition they assume. Each
convention is evaluated on the actual inputs of the pass and compared with the shader's values.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.report import Figures, PassReport
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.conventions import (
    LocalResponse,
    convention_of,
    conventions,
    readings,
    with_conventions,
)
from texelscope.pipeline.plan import Plan

if TYPE_CHECKING:
    from texelscope.pipeline.compare.capture import Capture


@dataclass(frozen=True)
class ConventionFit:
    """Holds one convention and the pass's distance from it; `matches` means within the rounding bound."""

    op_type: str
    name: str
    formula: str
    figures: Figures
    matches: bool


def node_with_choice(plan: Plan, name: str) -> Node | None:
    """Returns the first node of the pass called `name` that frameworks define differently; None if there is none.

    The pass may be one that cannot run, since a convention may be what its shape does not allow.
    """
    each = plan.find(name)
    names = each.nodes if each is not None else (name,) if plan.missing(name) is not None else ()
    nodes = plan.graph.nodes if plan.graph is not None else ()
    return next((node for node in nodes if node.name in names and convention_of(node)), None)


def convention_fits(plan: Plan, capture: Capture, name: str) -> tuple[ConventionFit, ...]:
    """Evaluates every convention of the operator in the pass called `name`, the nearest to its result first.

    Empty for a pass without such an operator, or that did not run. Conventions that agree for the node's
    parameters are equally near, in the order of `conventions()`; one that its shape does not allow is left out.
    """
    from texelscope.pipeline.compare.comparer import Comparer

    node = node_with_choice(plan, name)
    if node is None or plan.graph is None or plan.missing(name) is not None:
        return ()
    meant = readings(node)
    known: dict[LocalResponse, PassReport] = {}
    found = []
    for each in conventions()[node.op_type]:
        form = meant[each.name]
        if form not in known:
            graph = with_conventions(plan.graph, {node.op_type: each.name})
            known[form] = Comparer(dataclasses.replace(plan, graph=graph)).alone(capture, name)
        report = known[form]
        if report.isolated is not None:
            matches = report.verdict in ("match", "precision")
            found.append(ConventionFit(node.op_type, each.name, each.formula, report.isolated, matches))
    return tuple(sorted(found, key=lambda fit: (not fit.matches, fit.figures.max_abs)))


def advice_of(plan: Plan, fits: tuple[ConventionFit, ...]) -> str:
    """Advises on a pass that follows another convention than the plan's; empty if it follows the plan's or none."""
    matching = [fit for fit in fits if fit.matches]
    present = {convention_of(node) for node in plan.graph.nodes} if plan.graph is not None else set()
    if not matching or any(fit.name in present for fit in matching):
        return ""
    names = " or ".join(fit.name for fit in matching)
    option = f"--convention {matching[0].op_type}={matching[0].name}"
    return f"The values are those of {matching[0].op_type} as defined by {names}: {option} compares with that."
