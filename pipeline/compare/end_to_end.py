"""Judges the whole: how far the outputs are off, the pass where the error jumps, and why.

Every pass may match and the output still be off: a difference in the last place, within any bound, tips a rounding
decision, and everything after it changes. The pass named here is one whose values, given to the oracle, bring the
oracle to the GPU's outputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.figures import measure, of_largest
from texelscope.pipeline.compare.jump_cause import JumpCause, cause_of
from texelscope.pipeline.compare.report import EndToEnd, Jump, OutputError, Report
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.operators.element_types import is_wide_float
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.oracle.expected import Expected, Oracle
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan

# In units of round-off: an output off by rounding alone needs no cause. Few layers of a network in half
# precision go through enough roundings for more.
NOISE, COARSE_NOISE = 64.0, 16.0
# An error that grows by less in one pass does not jump there.
LEAST_FACTOR = 16.0
# The most passes tried to explain the outputs; each costs the oracle's work from there on.
MOST_TRIED = 4
# A pass that explains a smaller share of the outputs' error is not the cause.
LEAST_EXPLAINED = 0.5


@dataclass(frozen=True)
class ComparedRun:
    """Holds one compared run: by tensor name the right values from the model's inputs on, by key the isolated ones."""

    plan: Plan
    capture: Capture
    chained: Mapping[str, Expected]
    isolated: Mapping[str, Expected]
    oracle: Oracle | None

    def error(self, key: str) -> float | None:
        """Returns the largest |error| over the largest |value| of a stored tensor, end to end; None if unknown."""
        expected = self.chained.get(self.plan.textures[key].tensor)
        actual = self.capture.tensors.get(key)
        return None if expected is None or actual is None else of_largest(actual, np.asarray(expected.value))

    def unit(self, key: str) -> float:
        """Returns the unit round-off of a tensor: of its storage or of the model's own type, whichever is coarser."""
        stored = self.plan.textures[key]
        own = UNIT_ROUNDOFF[stored.dtype] if stored.dtype in UNIT_ROUNDOFF and is_wide_float(stored.dtype) else 0.0
        return max(UNIT_ROUNDOFF.get(stored.storage, 1.0 / 255.0), own)

    def noise(self, keys: Iterable[str]) -> float:
        """Returns what rounding alone may cause in the coarsest of the tensors `keys`, over its largest value."""
        unit = max(map(self.unit, keys), default=UNIT_ROUNDOFF["float32"])
        return unit * (NOISE if unit <= UNIT_ROUNDOFF["float32"] else COARSE_NOISE)


def end_to_end(whole: ComparedRun, report: Report) -> EndToEnd:
    """Describes the whole run of `report`."""
    outputs = tuple(_output(whole, report, key) for key in whole.plan.outputs)
    known = [(each, key) for each, key in zip(outputs, whole.plan.outputs, strict=True) if each.of_largest is not None]
    if not known:
        reason = next((each.message for each in outputs if each.message), "There is no output.")
        return EndToEnd(outputs, None, f"Nothing is known of the outputs end to end: {reason}")
    worst, key = max(known, key=lambda pair: pair[0].of_largest or 0.0)
    size = worst.of_largest or 0.0
    if size <= whole.noise(output for each in whole.plan.passes for output in each.outputs):
        within = f"within {size:.1e} of its largest value" if size else "equal"
        return EndToEnd(outputs, None, f"End to end '{worst.name}' is {within}.")
    grown = _growth(whole, key)
    jump = _jump(whole, report, key, grown)
    assert worst.chained is not None
    how_far = f"is off by {_share(size)} of its largest value (max |error| {worst.chained.max_abs:.2g})"
    if not np.isfinite(size):
        how_far = "has infinities or NaN where the oracle has none, or the other way round"
    message = f"End to end '{worst.name}' {how_far}. {_sentence(jump, grown)}"
    return EndToEnd(outputs, jump, message)


def _output(whole: ComparedRun, report: Report, key: str) -> OutputError:
    stored = whole.plan.textures.get(key)
    name = stored.tensor if stored is not None else key
    if stored is None or key not in whole.capture.tensors:
        return OutputError(name, message=f"'{name}' was not computed.")
    if stored.tensor not in whole.chained:
        maker = whole.plan.find(key)
        found = report.find(maker.name) if maker is not None else None
        return OutputError(name, message=found.not_chained if found is not None else "The oracle has no such tensor.")
    expected = whole.chained[stored.tensor]
    actual = whole.capture.tensors[key]
    return OutputError(name, measure(actual, expected), of_largest(actual, np.asarray(expected.value)))


@dataclass(frozen=True)
class _Step:
    """Describes one pass on the way to an output: the worst error that it read, and its own."""

    shader_pass: Pass
    before: float
    after: float
    factor: float


def _growth(whole: ComparedRun, output: str) -> list[_Step]:
    """Returns the passes before `output` whose end-to-end errors are known, in order."""
    errors = {key: whole.error(key) for key in whole.plan.textures}
    steps = []
    for each in _before(whole.plan, output):
        read = [errors[key] for key in each.reads if whole.plan.textures[key].role != "constant"]
        made = [errors[key] for key in each.outputs]
        if None in read or None in made:
            continue
        before = max((error for error in read if error is not None), default=0.0)
        after = max((error for error in made if error is not None), default=0.0)
        floor = max(before, whole.unit(each.output))
        steps.append(_Step(each, before, after, 1.0 if before == after else after / floor))
    return steps


def _before(plan: Plan, output: str) -> list[Pass]:
    """Returns the passes that `output` depends on, including its own, in order."""
    needed, found = {output}, []
    for each in reversed(plan.passes):
        if needed.intersection(each.outputs):
            needed.update(each.reads)
            found.append(each)
    return found[::-1]


def _jump(whole: ComparedRun, report: Report, output: str, steps: list[_Step]) -> Jump | None:
    """Returns the pass with the largest growth that explains the output; without that proof, the largest growth."""
    grown = [step for step in steps if step.factor >= LEAST_FACTOR and step.after > whole.noise([output])]
    grown = sorted(grown, key=lambda step: -step.factor)[:MOST_TRIED]
    best: tuple[float, _Step] | None = None
    for step in grown:
        share = _explained(whole, step.shader_pass, output)
        if share is None:
            break
        if best is None or share > best[0]:
            best = share, step
        if share >= LEAST_EXPLAINED:
            break
    if not grown:
        return None
    share, step = best if best is not None else (None, grown[0])
    found = report.find(step.shader_pass.name)
    cause = cause_of(whole.plan, whole.oracle, whole.capture, whole.chained, step.shader_pass, found)
    if share is not None and share < LEAST_EXPLAINED:
        words = f"No single pass accounts for it, this one for {share:.0%}."
        cause = JumpCause("unexplained", f"{words} {cause.evidence}")
    made = Jump(step.shader_pass.name, step.shader_pass.operator, step.before, step.after, cause.cause, cause.evidence)
    return replace(made, elements=cause.elements, explained=share)


def _explained(whole: ComparedRun, shader_pass: Pass, output: str) -> float | None:
    """Returns the share of the output's error that vanishes if the oracle uses the pass's own values."""
    if not isinstance(whole.oracle, GraphOracle) or whole.plan.graph is None:
        return None
    textures = whole.plan.textures
    own = {textures[key].tensor: whole.capture.tensors[key] for key in shader_pass.outputs}
    wanted = textures[output].tensor
    stale = set(own)
    for node in whole.plan.graph.nodes:
        if stale.intersection(node.inputs):
            stale.update(node.outputs)
    given: dict[str, NDArray[Any]] = {
        name: np.asarray(expected.value) for name, expected in whole.chained.items() if name not in stale
    }
    total = whole.error(output)
    try:
        value = own[wanted] if wanted in own else whole.oracle.values(given | own, [wanted])[wanted]
    except TexelscopeError:
        return None
    left = of_largest(whole.capture.tensors[output], np.asarray(value))
    if not total or not np.isfinite(left):
        return 0.0
    return float(np.clip(1.0 - left / total, 0.0, 1.0))


def _sentence(jump: Jump | None, steps: list[_Step]) -> str:
    if jump is None:
        largest = max(steps, key=lambda step: step.factor, default=None)
        if largest is None:
            return "The errors of the passes before it are not known end to end."
        return f"It grows from pass to pass, by ×{largest.factor:.2g} at most ('{largest.shader_pass.name}')."
    times = jump.after / jump.before if jump.before else np.inf
    factor = f" (×{times:,.0f})" if np.isfinite(times) else ""
    share = ""
    if jump.explained is not None and jump.explained >= LEAST_EXPLAINED:
        share = f" The pass accounts for {jump.explained:.0%} of it."
    return (
        f"The error jumps at '{jump.name}' from {jump.before:.1e} to {jump.after:.1e}{factor}. {jump.evidence}{share}"
    )


def _share(size: float) -> str:
    return f"{size:.2g} times" if size >= 1.0 else f"{100 * size:.2g} %"
