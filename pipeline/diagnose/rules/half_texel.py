"""half_texel: half a texel more makes the result right, or it equals another coordinate convention of a resize."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.clues.control import cures_more, forced
from texelscope.pipeline.diagnose.clues.parts import with_attributes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import node_as

_CONVENTIONS = ("asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
_ROUNDING = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")


class HalfTexel(Rule):
    """Coordinates are half a texel off: texel corners are used instead of texel centres."""

    cause = "half_texel"
    stage = Stage.DRAWING
    family = "reading"
    traits = Traits(repaired_in="addresses", edits=("added",), confirmed_by=frozenset({"index_map"}))

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
