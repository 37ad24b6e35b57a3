"""Names terms that a formula leaves out, has beyond the model's, or has several times."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.moves import taps_of
from texelscope.pipeline.diagnose.divergences.observing import PassDivergences
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.kinds import Missed


def seen_in_missed(found: PassDivergences, inner: Sequence[tuple[int, Missed]]) -> Seen | None:
    """Names terms that are there without need, or are not there; None for both at once, for functions and factors."""
    if any(each.function or each.is_factor for _, each in inner):
        return None
    extra = [each for _, each in inner if each.is_extra]
    every = [each for _, each in inner if not each.is_extra]
    if extra and all(each.times > 1.0 for each in extra) and not every:
        return Seen(causes.DOUBLE_COUNTED, "adds terms more than once")
    if extra and not every:
        is_new = all(each.times <= 1.0 for each in extra)
        return Seen(causes.EXTRA_CHANNELS, f"adds {len(extra)} terms that the model does not have") if is_new else None
    if any(each.times <= 1.0 for each in extra):
        return None
    tensors = {each.place[0] for each in every}
    added = {name for node in found.nodes if _adds(node) for name in node.inputs}
    if len(every) == len({element for element, _ in inner}) and tensors <= added:
        return Seen(causes.BIAS_MISSING, f"does not add '{every[0].place[0]}'")
    weights = [each.weight for each in every if each.weight is not None]
    taps = taps_of(found, weights) if len(weights) == len(every) else "unknown"
    if taps == "unknown":
        taps = "some" if any(facts_of(node).window in ("mean", "largest") for node in found.nodes) else "all"
    cause = causes.MISSING_CHANNELS if taps == "all" else causes.MISSING_TAPS
    return Seen(cause, f"leaves out {len(every)} terms")


def _adds(node: Node) -> bool:
    """Whether a node adds its inputs, or subtracts one."""
    facts = facts_of(node)
    return facts.adds or (facts.pointwise and facts.neutral[-1:] == (0.0,))
