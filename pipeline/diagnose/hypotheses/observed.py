"""Proposes what is observed: marks that stay, lanes without values, runs that differ, NaN and infinities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import one_line
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.evidence.evidence import NotFiniteOrigin
from texelscope.pipeline.diagnose.fault_models.curves import LARGEST_HALF
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.softmax import SoftmaxSlice, softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, LineOf, Stage
from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.short_text import cut

Array = NDArray[Any]

# Lanes that are dropped together, the likeliest first.
_LANES = ((3,), (2,), (1,), (0,), (2, 3), (1, 2, 3))
# Letters of a statement in a sentence.
_MOST_LETTERS = 60
# Functions, and the operator, that make NaN or infinities of finite numbers.
_MAKERS = re.compile(r"\b(?:sqrt|inversesqrt|log2?|pow|asin|acos|exp2?|tan|tanh|atan|mod|normalize)\s*\(|[/%*]")


def _unwritten_texels(case: FailingPass) -> Iterator[Hypothesis]:
    survivors = case.evidence.survivors
    if survivors is None or not survivors.any() or case.evidence.cut_off is not None:
        return
    kept, count = case.of_texels(survivors) > 0, int(survivors.any(axis=2).sum())
    yield _seen(
        case, causes.UNWRITTEN_TEXELS, f"{count:,} texel{'s' if count > 1 else ''} kept the mark written before a run",
        kept, remedy=_remedy_of_unwritten(case), parameters={"elements": int(kept.sum())}, line=lines.discard,
        prior=1.5,
    )  # fmt: skip


def _remedy_of_unwritten(case: FailingPass) -> str:
    """Returns what may keep this kind of pass from writing: a dispatch has neither discard nor a scissor rectangle."""
    dispatch = case.evidence.shader_pass.dispatch
    if dispatch is None:
        return "Cover the whole target and write every texel: look for discard, an early return or a scissor rectangle."
    groups = " x ".join(map(str, dispatch.groups))
    looked_for = f"an early return, an `if` around the store, or fewer work groups ({groups}) than it needs"
    return f"Let an invocation write every element: look for {looked_for}."


def _feedback_loop(case: FailingPass) -> Iterator[Hypothesis]:
    bound = {sampler.key: sampler.uniform for sampler in case.evidence.shader_pass.samplers}
    own = [bound[key] for key in case.evidence.shader_pass.outputs if key in bound]
    own += [str(case.evidence.facts["own_sampler"])] if "own_sampler" in case.evidence.facts else []
    zero, other = case.interventions("own_target_zero"), case.interventions("own_target_other")
    if zero is None or other is None or not own:
        return
    shown = [read.tensor for read in case.evidence.reads if read.sampler.uniform in own]
    depends = int(((zero[0] != other[0]) & zero[1] & other[1]).sum())
    yield _seen(
        case, causes.FEEDBACK_LOOP,
        f"drawn into another texture, the result still depends on the old target's content ({depends:,} elements)",
        case.all_elements, covers=case.all_elements, parameters={"sampler": own[0]},
        line=lines.read(shown[0] if shown else None), prior=0.4,
    )  # fmt: skip


def _loop_cut_off(case: FailingPass) -> Iterator[Hypothesis]:
    cut_off = case.evidence.cut_off
    if cut_off is None or not (there := _of_cut_off(case)).any():
        return
    number = int(np.bincount(cut_off.numbers[cut_off.numbers > 0]).argmax())
    place = cut_off.lines[number - 1]
    yield _seen(
        case, causes.LOOP_CUT_OFF,
        f"the loop in line {place[1]} was still turning after {cut_off.turns:,} turns, when it was cut off: what "
        "is written then means nothing, and may differ from run to run",
        there, covers=case.of_fragments(cut_off.numbers >= 0), parameters={"turns": cut_off.turns},
        line=lambda _case: place, prior=0.2,
    )  # fmt: skip


def _of_cut_off(case: FailingPass) -> NDArray[np.bool_]:
    """Returns the elements, [N, C, H, W], whose fragments had a loop cut off; none if no loop is known to be."""
    cut_off = case.evidence.cut_off
    if cut_off is None:
        return np.zeros(case.dims, dtype=bool)
    return case.of_fragments(cut_off.numbers > 0)


def _write_race(case: FailingPass) -> Iterator[Hypothesis]:
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
        case, causes.WRITE_RACE, f"{said}; {count:,} are written twice", twice, parameters={"elements": count},
        line=lambda _case: (first.file, first.line), prior=0.6,
    )  # fmt: skip


def _nondeterministic(case: FailingPass) -> Iterator[Hypothesis]:
    reruns = case.evidence.reruns
    if len(reruns) < 3 or case.differ("own_target_zero", "own_target_other"):
        return
    first, second = case.of_texels(reruns[1]), case.of_texels(reruns[2])
    varies = (first != second) & ~(np.isnan(first) & np.isnan(second)) & ~_of_cut_off(case)
    if varies.any():
        yield _seen(
            case, causes.NONDETERMINISTIC, "three runs on the same inputs over the same target give different values",
            varies | (first != case.actual), line=lines.result, prior=0.5,
        )  # fmt: skip


def _stale_tensor(case: FailingPass) -> Iterator[Hypothesis]:
    survivors = case.evidence.survivors
    if survivors is not None and survivors[case.address >= 0].all() and np.any(case.actual != 0.0):
        says = "a run writes nothing at all, and the target holds another run's values"
        yield _seen(case, causes.STALE_TENSOR, says, case.all_elements)
    reruns = case.evidence.reruns
    if len(reruns) == 3 and all(np.array_equal(reruns[0], other, equal_nan=True) for other in reruns[1:]):
        remedy = "Fill the inputs before the pass reads them: look for two buffers swapped too late."
        values = case.of_texels(reruns[0])
        says = "drawn again on the same inputs"
        yield Hypothesis(causes.STALE_TENSOR, says, remedy=remedy, values=values, is_intervention=True, prior=1.1)


def _nan_source(case: FailingPass) -> Iterator[Hypothesis]:
    made = np.isnan(case.actual) & ~np.isnan(case.expected) & ~_of_cut_off(case)
    makers = lines.called("sqrt", "inversesqrt", "log", "log2", "pow", "asin", "acos")
    line = lines.first(makers, lines.called("exp", "exp2"), lines.operators("/"))
    yield from _no_numbers(case, causes.NAN_SOURCE, "NaN", made, line)


def _inf_source(case: FailingPass) -> Iterator[Hypothesis]:
    if float(np.abs(case.expected[np.isfinite(case.expected)]).max(initial=0.0)) <= LARGEST_HALF:
        made = np.isinf(case.actual) & np.isfinite(case.expected) & ~_of_cut_off(case)
        line = lines.first(lines.called("exp", "exp2", "pow"), lines.operators("/"))
        yield from _no_numbers(case, causes.INF_SOURCE, "infinity", made, line)


def _no_numbers(
    case: FailingPass, cause: Cause, what: str, made: NDArray[np.bool_], line: LineOf
) -> Iterator[Hypothesis]:
    if not made.any():
        return
    for softmax in softmaxes(case.model_slice):
        says = f"{softmax.node.op_type} computed as e^x / Σ e^x in float32, without subtracting the largest"
        change, at = NodeChange(softmax.node.name, _plain(softmax)), lines.call("exp", "log")
        yield Hypothesis(cause, says, (change,), {"operation": "exp"}, line=at, observed=True)
    says, remedy = f"{what} where the model has numbers, in {int(made.sum()):,} of {made.size:,} elements", ""
    if (origin := _origin(case, what)) is not None:
        tx, ty = origin.texel
        says += f"; in texel ({tx}, {ty}) it begins with `{cut(one_line(origin.text), _MOST_LETTERS)}`"
        line = lambda _case: origin.line  # noqa: E731
        if not _MAKERS.search(origin.text):
            remedy = f"See what this statement writes there: no limit of a function makes it {what}."
    yield _seen(case, cause, says, made, remedy=remedy, line=line, prior=1.5)


def _origin(case: FailingPass, what: str) -> NotFiniteOrigin | None:
    """Returns where most of the traced values of a kind began; None if no trace says."""
    found = [each for each in case.evidence.not_finite if each.kind == what]
    counts = Counter(each.line for each in found)
    return max(found, key=lambda each: counts[each.line], default=None)


def _plain(softmax: SoftmaxSlice) -> Callable[[Node, Values], Array]:
    def change(_node: Node, inputs: Values) -> Array:
        powers = np.exp(softmax.of(np.asarray(inputs[0])).astype(np.float32))
        shares = powers / powers.sum(axis=1, keepdims=True)
        return softmax.made(np.log(shares.astype(np.float64)), np.zeros(()))

    return change


def _seen(case: FailingPass, cause: Cause, says: str, there: NDArray[np.bool_], **rest: Any) -> Hypothesis:
    """Returns the hypothesis that the values in `there` [N, C, H, W] are as observed; elsewhere they are right."""
    values = np.where(there, case.actual, case.expected).astype(np.float32)
    return Hypothesis(cause, says, values=values, observed=True, **rest)


def _dropped_lane(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes lanes of the output that are unwritten or constant, and lanes of the inputs that are read as 0."""
    if case.output.layout.lanes > 1:
        for lanes in _LANES:
            yield from _written(case, lanes)
    for read in case.activations():
        if read.values.stored.layout.lanes > 1:
            for lanes in _LANES:
                change = InputChange(read.tensor, _without(read.values.stored, lanes))
                line = lines.summand(read.tensor)
                yield _dropped(
                    lanes, f"of the input '{read.tensor}' read as 0", changes=(change,), line=line, prior=1.5
                )


def _written(case: FailingPass, lanes: tuple[int, ...]) -> Iterator[Hypothesis]:
    lost, chosen = np.zeros(case.actual.size, dtype=bool), case.address[..., list(lanes)]
    lost[chosen[chosen >= 0]] = True
    if not lost.any() or lost.all():
        return
    lost = lost.reshape(case.dims)
    survivors = case.evidence.survivors
    if survivors is not None and (case.of_texels(survivors) > 0)[lost].all():
        values = np.where(lost, case.actual, case.expected).astype(np.float32)
        yield _dropped(lanes, "of the output not written", values=values, prior=0.8)
        return
    for constant in (0.0, 1.0):
        values = np.where(lost, np.float32(constant), case.expected.astype(np.float32))
        yield _dropped(lanes, f"of the output written as {constant:g}", values=values, line=lines.result, prior=0.9)


def _dropped(lanes: tuple[int, ...], says: str, **rest: Any) -> Hypothesis:
    parameters = {"lane": lanes[0]} if len(lanes) == 1 else {"lanes": list(lanes)}
    named = f"lane {lanes[0]}" if len(lanes) == 1 else f"lanes {', '.join(map(str, lanes))}"
    return Hypothesis(causes.DROPPED_LANE, f"{named} {says}", parameters=parameters, **rest)


def _without(stored: StoredTensor, lanes: tuple[int, ...]) -> Callable[[Array], Array]:
    def change(value: Array) -> Array:
        texels = stored.encode(value)
        texels[..., list(lanes)] = 0.0
        return stored.decode(texels).reshape(value.shape)

    return change


GENERATORS = (
    Generator(causes.UNWRITTEN_TEXELS, Stage.DRAWING, _unwritten_texels),
    Generator(causes.FEEDBACK_LOOP, Stage.DRAWING, _feedback_loop),
    Generator(causes.LOOP_CUT_OFF, Stage.DRAWING, _loop_cut_off),
    Generator(causes.WRITE_RACE, Stage.DRAWING, _write_race),
    Generator(causes.NONDETERMINISTIC, Stage.DRAWING, _nondeterministic),
    Generator(causes.STALE_TENSOR, Stage.DRAWING, _stale_tensor),
    Generator(causes.NAN_SOURCE, Stage.VALUES, _nan_source),
    Generator(causes.INF_SOURCE, Stage.VALUES, _inf_source),
    Generator(causes.DROPPED_LANE, Stage.DRAWING, _dropped_lane),
)
