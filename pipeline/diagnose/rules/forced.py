"""Causes that an intervention identifies: the pass becomes right when it is drawn again with one thing changed.

Each rule names what was changed; `evidence/` draws the pass again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.diagnose.clues.control import cures_more, forced
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class ViewportMismatch(Rule):
    """The viewport is not the target's size: coordinates are stretched and texels left out.

    Known by this: with the viewport set to the whole target the result becomes right.
    """

    cause = "viewport_mismatch"
    stage = Stage.DRAWING
    family = "storing"
    traits = Traits(may_be_the_plan=True)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        if case.differ("viewport", "as_is"):
            says = "with the viewport as large as the target"
            remedy = "Set the viewport to the target's size before every pass."
            yield from forced(case, self.cause, "viewport", says, remedy, prior=0.7)


class BlendEnabled(Rule):
    """New values are mixed with what the target held, because blending was left on.

    Known by this: with blending off the result becomes right.
    """

    cause = "blend_enabled"
    stage = Stage.DRAWING
    family = "storing"
    traits = Traits(may_be_the_plan=True)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        if not case.differ("unblended", "as_is_over_sentinel"):
            return
        if case.differ("as_is", "as_is_over_sentinel") or case.differ("unblended", "as_is"):
            remedy = "Disable GL_BLEND before drawing the pass: user interfaces often leave it on."
            yield from forced(case, self.cause, "unblended", "with blending off", remedy, prior=0.6)


class LinearFiltering(Rule):
    """A linear filter mixes neighbouring texels where single values are needed.

    Known by this: with nearest filtering the result becomes right.
    """

    cause = "linear_filtering"
    stage = Stage.DRAWING
    family = "reading"
    traits = Traits(may_be_the_plan=True)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        if case.differ("nearest", case.before_sampling):
            filtered = [read for read in case.evidence.reads if read.sampler.filter == "linear"]
            parameters = {"sampler": filtered[0].sampler.uniform} if filtered else _NOTHING
            yield from forced(
                case, self.cause, "nearest", "with nearest filtering", "Set the sampler's filter to nearest.",
                parameters, order=2, line=lines.read(filtered[0].tensor if filtered else None), prior=0.9,
            )  # fmt: skip


class TexelEdge(Rule):
    """Samples lie on the border between two texels, where rounding decides which one is read.

    Known by this: with coordinates moved by a quarter texel to either side the result becomes right.
    """

    cause = "texel_edge"
    stage = Stage.DRAWING
    family = "reading"
    traits = Traits(confirmed_by=frozenset({"index_map"}))

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        reads = [tap for taps in case.evidence.taps for tap in taps.reads]
        on_edge = [tap for tap in reads if tap.on_edge]
        filtered = any(read.sampler.filter == "linear" for read in case.evidence.reads)
        if filtered and reads and not on_edge:
            return
        seen = f" ({len(on_edge):,} of {len(reads):,} recorded reads lie on a border)" if reads else ""
        tensor = case.evidence.plan.textures[on_edge[0].key].tensor if on_edge else None
        for name, text in (("moved_forth", "+0.25"), ("moved_back", "-0.25")):
            if cures_more(case, name, "unmoved"):
                yield from forced(
                    case, self.cause, name, f"with every sampled coordinate moved by {text} texels{seen}",
                    "Sample texel centres: (index + 0.5) / size.", order=2, line=lines.read(tensor),
                    prior=1.0 if on_edge or not reads else 1.4, observed=bool(on_edge),
                )  # fmt: skip


class MissingBarrier(Rule):
    """Invocations read shared memory before others have written it, or write it while others still read.

    Known by this: with a barrier after writes to shared memory the result becomes right.
    """

    cause = "missing_barrier"
    stage = Stage.DRAWING
    family = "storing"

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        facts, other = case.evidence.facts, case.interventions("other_size")
        where, line = facts.get("barrier", ("before and after every write to shared memory", None))
        says = f"with a barrier() {where}"
        if "other_size" in facts and other is not None and (other[0] != case.actual).any():
            says = f"in work groups of {facts['other_size']} the values differ; {says}"
        remedy = f"Put barrier(); {where}, where all invocations of the work group reach it."
        yield from forced(case, self.cause, "barriers", says, remedy, line=lambda _case: line, prior=0.4)
