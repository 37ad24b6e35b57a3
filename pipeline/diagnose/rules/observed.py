"""Causes that are seen as they happen: marks that stay, runs that differ, places written twice, NaN and infinities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.fault_models.curves import LARGEST_HALF
from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.softmax import SoftmaxSlice, softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, LineOf, Rule, Stage
from texelscope.pipeline.graph import Node

Array = NDArray[Any]

# What to do where runs differ.
REMEDY = (
    "Look for a clock or a frame counter among the uniforms, for buffers that take turns, and in a compute shader for "
    "a barrier() that is missing."
)


class UnwrittenTexels(Rule):
    """Texels that a run does not write keep what they held before.

    Known by this: texels still hold a mark that was put there before a run.
    """

    cause = "unwritten_texels"
    band = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        survivors = case.evidence.survivors
        if survivors is not None and survivors.any():
            kept, count = case.of_texels(survivors) > 0, int(survivors.any(axis=2).sum())
            remedy = "Draw over the whole target and write every texel: look for discard, an early return, a scissor"
            yield _seen(
                case, self.cause, f"{count:,} texel{'s' if count > 1 else ''} kept what was put there before a run",
                f"{remedy} rectangle.", kept, parameters={"elements": int(kept.sum())}, line=lines.discard, weight=1.5,
            )  # fmt: skip


class FeedbackLoop(Rule):
    """The pass samples the texture that it draws into.

    Known by this: what the target holds changes the result though the pass is drawn into another texture.
    """

    cause = "feedback_loop"
    band = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        bound = {sampler.key: sampler.uniform for sampler in case.evidence.each.samplers}
        own = [bound[key] for key in case.evidence.each.outputs if key in bound]
        own += [str(case.evidence.facts["own_sampler"])] if "own_sampler" in case.evidence.facts else []
        zero, other = case.redrawn("own_target_zero"), case.redrawn("own_target_other")
        if zero is None or other is None or not (own or case.differ("own_target_zero", "own_target_other")):
            return
        shown = [read.tensor for read in case.evidence.reads if read.sampler.uniform in own]
        depends = int(((zero[0] != other[0]) & zero[1] & other[1]).sum())
        yield _seen(
            case, self.cause,
            f"drawn elsewhere, the result changes with what its own target holds ({depends:,} elements)",
            "Draw into a texture that no sampler of the pass shows.", case.all_elements, covers=case.all_elements,
            parameters={"sampler": own[0]} if own else {}, line=lines.read(shown[0] if shown else None), weight=0.4,
        )  # fmt: skip


class WriteRace(Rule):
    """Several invocations write one place, and the last one wins.

    Known by this: two invocations were seen to write one place.
    """

    cause = "write_race"
    band = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        flat = case.address.reshape(-1)
        races = [race for race in case.evidence.facts.get("races", ()) if race.lane < flat.size]
        lanes = np.zeros(flat.size, dtype=bool)
        lanes[[race.lane for race in races]] = True
        twice, wrong = case.of_texels(lanes.reshape(case.address.shape)) > 0, np.flatnonzero(case.wrong)
        if not (twice & case.wrong).any():
            return
        first = next(race for race in races if flat[race.lane] in wrong)
        said = f"invocations {first.first} and {first.second} both write element {int(flat[first.lane])}"
        count = int(twice.sum())
        yield _seen(
            case, self.cause, f"{said}; {count:,} are written twice",
            "Let one invocation write each place: look at the index and at the bounds around it, or add with atomics.",
            twice, parameters={"elements": count}, line=lambda _case: (first.file, first.line), weight=0.6,
        )  # fmt: skip


class Nondeterministic(Rule):
    """Two runs on the same inputs give different results.

    Known by this: runs on the same inputs differ.
    """

    cause = "nondeterministic"
    band = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        reruns = case.evidence.reruns
        if len(reruns) < 3 or case.differ("own_target_zero", "own_target_other"):
            return
        first, second = case.of_texels(reruns[1]), case.of_texels(reruns[2])
        varies = (first != second) & ~(np.isnan(first) & np.isnan(second))
        if varies.any():
            yield _seen(
                case, self.cause, "three runs on the same inputs over the same target give different values",
                REMEDY, varies | (first != case.actual), line=lines.result, weight=0.5,
            )  # fmt: skip


class StaleTensor(Rule):
    """The result belongs to an earlier run: the pass was not drawn, or it read a texture before it was filled.

    Known by this: a run writes nothing, or another run on the same inputs comes right.
    """

    cause = "stale_tensor"
    band = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        survivors = case.evidence.survivors
        if survivors is not None and survivors[case.address >= 0].all() and np.any(case.actual != 0.0):
            says = "a run writes nothing at all, and the target holds values of another one"
            yield _seen(case, self.cause, says, "Draw the pass whenever its inputs change.", case.all_elements)
        reruns = case.evidence.reruns
        if len(reruns) == 3 and all(np.array_equal(reruns[0], other, equal_nan=True) for other in reruns[1:]):
            remedy = "Fill the inputs before the pass reads them: look for two buffers that are swapped too late."
            values = case.of_texels(reruns[0])
            says = "drawn again on the same inputs"
            yield Hypothesis(self.cause, says, remedy, values=values, is_cure=True, weight=1.1)


class NanSource(Rule):
    """The pass makes NaN from finite inputs: 0 / 0, inf - inf, the root or logarithm of a negative number.

    Known by this: NaN came out where the model has numbers.
    """

    cause = "nan_source"
    band = Stage.VALUES

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        made = np.isnan(case.actual) & ~np.isnan(case.expected)
        remedy = "Subtract the largest before exp, hold roots and logarithms above 0, add epsilon to divisors."
        makers = lines.called("sqrt", "inversesqrt", "log", "log2", "pow", "asin", "acos")
        line = lines.first(makers, lines.called("exp", "exp2"), lines.operators("/"))
        yield from _no_numbers(case, self.cause, "NaN", made, remedy, line)


class InfSource(Rule):
    """The pass makes infinities from finite inputs: an exponential out of range, a division by zero.

    Known by this: infinity came out where the model has numbers.
    """

    cause = "inf_source"
    band = Stage.VALUES

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        if float(np.abs(case.expected[np.isfinite(case.expected)]).max(initial=0.0)) <= LARGEST_HALF:
            made = np.isinf(case.actual) & np.isfinite(case.expected)
            line = lines.first(lines.called("exp", "exp2", "pow"), lines.operators("/"))
            remedy = "Keep exponents below 88 and divisors away from 0."
            yield from _no_numbers(case, self.cause, "infinity", made, remedy, line)


def _no_numbers(
    case: FailingPass, cause: str, what: str, made: NDArray[np.bool_], remedy: str, line: LineOf
) -> Iterator[Hypothesis]:
    if made.any():
        for softmax in softmaxes(case.redo):
            says = f"{softmax.node.op_type} by e^x / Σ e^x without subtracting the largest in float32"
            yield Hypothesis(
                cause, says, remedy, {"operation": "exp"}, (NodeChange(softmax.node.name, _plain(softmax)),),
                line=lines.call("exp", "log"), observed=True,
            )  # fmt: skip
        says = f"{what} where the model has numbers, in {int(made.sum()):,} of {made.size:,} elements"
        yield _seen(case, cause, says, remedy, made, line=line, weight=1.5)


def _plain(softmax: SoftmaxSlice) -> Callable[[Node, Values], Array]:
    def change(_node: Node, inputs: Values) -> Array:
        powers = np.exp(softmax.of(np.asarray(inputs[0])).astype(np.float32))
        shares = powers / powers.sum(axis=1, keepdims=True)
        return softmax.made(np.log(shares.astype(np.float64)), np.zeros(()))

    return change


def _seen(case: FailingPass, cause: str, says: str, remedy: str, there: NDArray[np.bool_], **rest: Any) -> Hypothesis:
    """That what came out is so `there`, [N, C, H, W], whatever it is; elsewhere it is right."""
    values = np.where(there, case.actual, case.expected).astype(np.float32)
    return Hypothesis(cause, says, remedy, values=values, observed=True, **rest)
