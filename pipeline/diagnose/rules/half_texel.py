"""half_texel: half a texel more makes the result right, or it is what another convention of a resize gives."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.clues.control import cures_more, forced
from texelscope.pipeline.diagnose.clues.parts import with_attributes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import node_as

_CONVENTIONS = ("asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric")
_ROUNDING = ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")


class HalfTexel(Rule):
    """Coordinates are half a texel off: texel corners taken for texel centres."""

    cause = "half_texel"
    band = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Sampled coordinates moved by half a texel; the conventions of resizing."""
        filtered = any(read.sampler.filter == "linear" for read in case.evidence.reads)
        moves = [("moved_half", 0.5), ("moved_half_back", -0.5)]
        # Half a texel of an output that is twice as large.
        moves += [("moved_forth", 0.25), ("moved_back", -0.25)] if filtered else []
        for name, by in moves:
            if cures_more(case, name, "unmoved"):
                # Without a filter the reads lie on the border between texels, which has a name of its own.
                yield from forced(
                    case, self.cause, name, f"with every sampled coordinate moved by {by:+g} texels",
                    "Add 0.5 to the texel's number before dividing by the texture's size.", {"texels": by},
                    order=2, line=lines.read(), weight=0.8 if filtered else 1.2,
                )  # fmt: skip
        yield from self._resizes(case)

    def _resizes(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Every other way to map the output's coordinates to the input's."""
        for node in case.redo.node("Resize"):
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
                        weight=1.3,
                    )
