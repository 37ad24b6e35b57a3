"""Finds how a wrong pass departs from its model: the formulas of a few wrong elements against those of the model.

The program is run symbolically, on the session's own texels, and so are this program's shaders for the model's nodes.
A formula counts only if its value is what the pass gave, and the model's only if its value is what the oracle has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.dispatch_recorder import DispatchRecorder
from texelscope.pipeline.symbolic.canonical import Forms, NoFormulaError
from texelscope.pipeline.symbolic.divergence import Comparison, Divergence, UnclearError, near
from texelscope.pipeline.symbolic.reference import ModelFormulas, nodes_between
from texelscope.pipeline.symbolic.running import SymbolicPass
from texelscope.pipeline.symbolic.statements import DiscardedError, TooLongError
from texelscope.pipeline.symbolic.terms import value_of
from texelscope.pipeline.symbolic.values import UnknownTextError

if TYPE_CHECKING:
    from texelscope.pipeline.gl.session import Session

Array = NDArray[Any]
# What ends a run of a text that is not known well enough.
_FAILURES = (
    UnknownTextError, NoFormulaError, TooLongError, DiscardedError, TexelscopeError, UnclearError, ArithmeticError,
    LookupError, TypeError, ValueError, RecursionError,
)  # fmt: skip


# So many elements with an element's value are looked at.
_MOST_SOURCES = 3


@dataclass(frozen=True)
class DivergenceLimits:
    """At most so many wrong and right elements are compared, for so many seconds."""

    wrong: int = 8
    right: int = 0
    seconds: float = 1.0


@dataclass(frozen=True)
class ElementDivergences:
    """How one wrong element departs from the model, by its linear index.

    `written_from` is another element of the output whose formula it has, unchanged.
    """

    element: int
    divergences: tuple[Divergence, ...]
    written_from: int | None = None


@dataclass(frozen=True)
class PassDivergences:
    """What was found of a pass: of each compared element, and of how many none could be said.

    `lines` has the author's line of each row that divergences name. `terms` counts the terms of a right formula.
    """

    plan: Plan
    shader_pass: Pass
    nodes: tuple[Node, ...]
    elements: tuple[ElementDivergences, ...]
    unclear: int
    lines: tuple[Line, ...]
    wrong: Array


def observed(session: Session, name: str, wrong: Array, right: Array, limits: DivergenceLimits | None = None) -> PassDivergences | None:
    """Returns how a pass departs from the model; None where its text or its model is not known well enough.

    `name` is that of a pass or of one of its outputs, `wrong` masks its wrong elements, `right` has the oracle's
    values. GL thread.
    """
    limits = limits or DivergenceLimits()
    plan, shader_pass = session.plan, session.plan.pass_called(name)
    if plan.graph is None or not wrong.any():
        return None
    recorder = DispatchRecorder(session)
    try:
        return _observed(session, plan, shader_pass, recorder, wrong.reshape(-1), right.reshape(-1), limits)
    except _FAILURES:
        return None
    finally:
        recorder.release()


def _observed(
    session: Session, plan: Plan, shader_pass: Pass, recorder: DispatchRecorder, wrong: Array, right: Array,
    limits: DivergenceLimits,
) -> PassDivergences | None:
    assert plan.graph is not None
    start = time.monotonic()
    output = plan.textures[shader_pass.output].tensor
    keys = {stored.tensor: key for key, stored in reversed(plan.textures.items())}
    nodes = nodes_between(plan.graph, output, keys)
    if not nodes:
        return None
    program = session.program_source(shader_pass.name)
    symbolic = SymbolicPass(
        plan, shader_pass, program, session.texels, lambda tx, ty, lane: recorder.writer(shader_pass, tx, ty, lane)
    )
    model = ModelFormulas(plan.graph, nodes, output, lambda tensor: session.tensor(keys[tensor]))
    forms = Forms({key: plan.textures[key].tensor for key in shader_pass.reads}, _constants(session, plan, shader_pass, model))
    comparison, actual = Comparison(forms), session.tensor(shader_pass.output).reshape(-1)
    found: list[ElementDivergences] = []
    unclear = 0
    for element in _chosen(wrong, limits):
        if time.monotonic() - start > limits.seconds and found:
            break
        try:
            got, expected = symbolic.element(element).formula, model.element(element)
            if not near(float(value_of(got)), float(actual[element]), 1.0):
                unclear += 1
                continue
            formula = forms.sum_of(got)
            source = _source(element, float(actual[element]), right, lambda at: comparison.are_equal(formula, forms.sum_of(model.element(at))))
            if source is not None:
                found.append(ElementDivergences(element, (), source))
                continue
            each = comparison.diverging(formula, forms.sum_of(expected))
        except _FAILURES:
            unclear += 1
            continue
        found.append(ElementDivergences(element, tuple(each)))
    return PassDivergences(plan, shader_pass, nodes, tuple(found), unclear, tuple(symbolic.lines), wrong)


def _source(element: int, value: float, right: Array, is_of: Callable[[int], bool]) -> int | None:
    """Returns another element whose right value and formula an element has; the nearest of a few."""
    places = np.flatnonzero(np.isclose(right, value, rtol=1e-4, atol=1e-7))
    places = places[np.argsort(np.abs(places - element))][:_MOST_SOURCES]
    return next((int(at) for at in places if at != element and is_of(int(at))), None)


def _constants(session: Session, plan: Plan, shader_pass: Pass, model: ModelFormulas) -> dict[str, Array]:
    """Returns the values of what does not depend on inputs, by tensor: the model's, and those that the pass reads."""
    found = {name: np.asarray(value) for name, value in model.constants.items()}
    found = {name: value.astype(np.float32).reshape(-1) for name, value in found.items() if value.dtype.kind in "fiub"}
    for key in shader_pass.reads:
        stored = plan.textures[key]
        if stored.role == "constant" and stored.tensor not in found:
            found[stored.tensor] = session.tensor(key).reshape(-1)
    return found


def _chosen(wrong: Array, limits: DivergenceLimits) -> Iterator[int]:
    """Yields wrong elements, evenly spread, then right ones."""
    for places, most in ((np.flatnonzero(wrong), limits.wrong), (np.flatnonzero(~wrong), limits.right)):
        count = min(most, len(places))
        yield from (int(places[at]) for at in np.unique(np.linspace(0, len(places) - 1, count).astype(int)) if count)
