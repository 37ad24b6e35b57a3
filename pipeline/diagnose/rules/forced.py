"""Causes that an intervention identifies: the pass becomes right when it is drawn again with one thing changed.

Each rule names what was changed; `evidence/` draws the pass again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.likely_values import written
from texelscope.pipeline.diagnose.fault_models.layer_parts import with_attributes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, cures_more, forced
from texelscope.pipeline.diagnose.trial.model_edits import node_as

_CONVENTIONS = ("asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
_ROUNDING = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class HalfTexel(Rule):
    """Coordinates are half a texel off: texel corners are used instead of texel centres."""

    cause = causes.HALF_TEXEL
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes coordinates moved by half a texel, and other conventions of a resize."""
        filtered = any(read.sampler.filter == "linear" for read in case.evidence.reads)
        moves = [("moved_half", 0.5), ("moved_half_back", -0.5)]
        # These are half a texel of an output that is twice as large.
        moves += [("moved_forth", 0.25), ("moved_back", -0.25)] if filtered else []
        for name, by in moves:
            if cures_more(case, name, "unmoved"):
                # Without a filter the reads lie on the border between texels, which is another cause.
                yield from forced(
                    case, self.cause, name, f"with every sampled coordinate moved by {by:+g} texels",
                    "Add 0.5 to the texel's index before dividing by the texture's size.", {"texels": by},
                    order=2, line=lines.read(), prior=0.8 if filtered else 1.2,
                )  # fmt: skip
        yield from self._resizes(case)

    def _resizes(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes every other mapping of the output's coordinates to the input's."""
        for node in case.model_slice.node("Resize"):
            right = str(node.attributes.get("coordinate_transformation_mode", "half_pixel"))
            rounding = str(node.attributes.get("nearest_mode", "round_prefer_floor"))
            nearest = node.attributes.get("mode", "nearest") == "nearest"
            for got in _CONVENTIONS:
                for rounded in _ROUNDING if nearest else (rounding,):
                    if (got, rounded) == (right, rounding):
                        continue
                    changed = with_attributes(node, coordinate_transformation_mode=got, nearest_mode=rounded)
                    said = f"{got}, {rounded}" if nearest else got
                    yield Hypothesis(
                        self.cause,
                        f"coordinates by the convention {said} instead of {right}",
                        f"Map the output's texels to the input's by the convention {right}.",
                        {"expected": right, "got": got},
                        (node_as(case, node, changed),),
                        line=lines.read(),
                        prior=1.3,
                    )


class ViewportMismatch(Rule):
    """The viewport is not the target's size: coordinates are stretched and texels left out."""

    cause = causes.VIEWPORT_MISMATCH
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        if case.differ("viewport", "as_is"):
            says = "with the viewport as large as the target"
            remedy = "Set the viewport to the target's size before every pass."
            yield from forced(case, self.cause, "viewport", says, remedy, prior=0.7)


class BlendEnabled(Rule):
    """New values are mixed with what the target held, because blending was left on."""

    cause = causes.BLEND_ENABLED
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        if not case.differ("unblended", "as_is_over_sentinel"):
            return
        if case.differ("as_is", "as_is_over_sentinel") or case.differ("unblended", "as_is"):
            remedy = "Disable GL_BLEND before drawing the pass: user interfaces often leave it on."
            yield from forced(case, self.cause, "unblended", "with blending off", remedy, prior=0.6)


class LinearFiltering(Rule):
    """A linear filter mixes neighbouring texels where single values are needed."""

    cause = causes.LINEAR_FILTERING
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        if case.differ("nearest", case.before_sampling):
            filtered = [read for read in case.evidence.reads if read.sampler.filter == "linear"]
            parameters = {"sampler": filtered[0].sampler.uniform} if filtered else _NOTHING
            yield from forced(
                case, self.cause, "nearest", "with nearest filtering", "Set the sampler's filter to nearest.",
                parameters, order=2, line=lines.read(filtered[0].tensor if filtered else None), prior=0.9,
            )  # fmt: skip


class TexelEdge(Rule):
    """Samples lie on the border between two texels, where rounding decides which one is read."""

    cause = causes.TEXEL_EDGE
    stage = Stage.DRAWING

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
    """Invocations read shared memory before others have written it, or write it while others still read."""

    cause = causes.MISSING_BARRIER
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        facts, other = case.evidence.facts, case.interventions("other_size")
        where, line = facts.get("barrier", ("before and after every write to shared memory", None))
        says = f"with a barrier() {where}"
        if "other_size" in facts and other is not None and (other[0] != case.actual).any():
            says = f"in work groups of {facts['other_size']} the values differ; {says}"
        remedy = f"Put barrier(); {where}, where all invocations of the work group reach it."
        yield from forced(case, self.cause, "barriers", says, remedy, line=lambda _case: line, prior=0.4)


class LeftAtZero(Rule):
    """A uniform that the shader uses is not set, and so is 0."""

    cause = causes.UNSET_UNIFORM
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        settings = case.evidence.settings
        said = " and ".join(f"{each.uniform.key} = {written(each.uniform, each.value)}" for each in settings)
        them = "it" if len(settings) == 1 else "them"
        yield from forced(
            case, self.cause, "set", f"with {said} in the pipeline file, which leaves {them} at 0",
            f"Set {them} in the pipeline file.",
            {"settings": {each.uniform.key: each.value for each in settings}},
            fitted=sum(each.uniform.count for each in settings), prior=0.3,
        )  # fmt: skip
