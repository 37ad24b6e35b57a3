"""Traces against a second opinion: the same GLSL, run in Python, does the same statement by statement."""

from __future__ import annotations

import math
import random
from typing import Any

import moderngl
import numpy as np

from tests.gl.shipped_shaders import MORE, subject_of
from tests.glsl_interpreter.fragment import interpreted
from tests.glsl_interpreter.ran import Ran
from tests.glsl_interpreter.values import GlslError
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.step_trace.trace import TraceStep

DRAWS = 30
# Drivers may add in another order, or multiply and add at once, unless a shader says `precise`.
RELATIVE, ABSOLUTE = 3e-6, 3e-7


def same(numbers: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    some, more = np.array(numbers, dtype=np.float64), np.array(others, dtype=np.float64)
    return some.shape == more.shape and np.allclose(some, more, RELATIVE, ABSOLUTE, equal_nan=True)


def difference(step: TraceStep, ran: Ran) -> str:
    """Returns the difference between a step of the trace and one of the interpreter's."""
    for what in ("line", "turns", "branch", "end"):
        if getattr(step, what) != getattr(ran, what):
            return f"{what}: {getattr(step, what)} for {getattr(ran, what)}"
    names, wanted = [each.name for each in step.assigned], [name for name, _ in ran.assigned]
    if names != wanted:
        return f"assigned {names} for {wanted}"
    pairs = zip(step.assigned, ran.assigned, strict=True)
    unlike = [f"{each.name} {each.value} for {value}" for each, (_, value) in pairs if not same(each.value, value)]
    return "; ".join(unlike)


def disagreement(session: DebugSession, name: str, element: int) -> str:
    """Returns where trace and interpreter differ for one element's fragment; empty where they agree in every step."""
    each = session.plan.find(name)
    assert each is not None
    stored = session.plan.textures[each.output]
    tx, ty, lane = stored.layout.texel_of(stored.shape, element)
    trace = session.trace(name, element)
    ran = [step for step in interpreted(session, name, tx, ty).steps if step.lane in (None, lane)]
    for step, other in zip(trace.steps, ran, strict=False):
        if found := difference(step, other):
            return f"{name} at {(tx, ty, lane)}, step {step.number}, {step.line}: {found}"
    return "" if trace.total == len(ran) else f"{name}: {trace.total} steps for {len(ran)}"


def test_the_driver_and_python_do_the_same_line_by_line(gl: moderngl.Context) -> None:
    chosen = random.Random(13)
    agreed, differing = 0, []
    for node, layout in MORE:
        subject = subject_of(node, load(node.model()), layout, limits_of(gl))
        with subject.opened(gl) as session:
            session.run()
            for each in session.plan.passes[:2]:
                elements = math.prod(session.plan.textures[each.output].shape)
                try:
                    found = disagreement(session, each.name, chosen.randrange(elements))
                except GlslError:  # text that the interpreter does not know
                    continue
                agreed += not found
                differing += [f"{subject.title}: {found}"] if found else []
    assert differing == []
    assert agreed >= DRAWS
