"""tile_bleed: the wrong values are those of the layer that reads on in the texture beyond its tile."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.enlarged import enlarged_read, resized_beyond
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import Sides
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import window_with

# Open sides, the likeliest first, and the words for them.
_SIDES = (
    (Sides(), "every side"),
    (Sides(top=False, bottom=False), "the left and right side"),
    (Sides(left=False, right=False), "the top and bottom"),
    (Sides(top=False, bottom=False, left=False), "the right side"),
    (Sides(top=False, bottom=False, right=False), "the left side"),
    (Sides(bottom=False, left=False, right=False), "the top"),
    (Sides(top=False, left=False, right=False), "the bottom"),
    (Sides(top=False, left=False), "the right side and the bottom"),
    (Sides(bottom=False, right=False), "the left side and the top"),
    (Sides(top=False, bottom=False, left=False, reach=1), "the right side, one texel"),
    (Sides(top=False, left=False, right=False, reach=1), "the bottom, one texel"),
    (Sides(top=False, left=False, reach=1), "the right side and the bottom, one texel"),
    (Sides(top=False, bottom=False, right=False, reach=1), "the left side, one texel"),
    (Sides(bottom=False, left=False, right=False, reach=1), "the top, one texel"),
    (Sides(bottom=False, right=False, reach=1), "the left side and the top, one texel"),
    (Sides(reach=1), "every side, one texel"),
)
_BEYOND: tuple[Beyond, Beyond] = ("texel", "fetch")


class TileBleed(Rule):
    """Reads leave their tile and meet the neighbouring one, or whatever else is in the texture there."""

    cause = "tile_bleed"
    band = Stage.WINDOW

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Windows on a picture, and on one that is enlarged on the way; enlargements alone."""
        for window in case.windows():
            enlarged = enlarged_read(case, window)
            read = window.stored or (enlarged.read.values if enlarged is not None else None)
            if read is None or case.reads_rightly(read.stored.tensor):
                continue
            for beyond in _BEYOND:
                for weight, (sides, text) in enumerate(_SIDES):
                    if enlarged is None:
                        change = window_with(window.node, beyond=beyond, sides=sides)
                    else:
                        change = enlarged.beyond(beyond, sides)
                    yield self._window(change, beyond, text, 1.2 + weight / 100.0)
        yield from self._resizes(case)

    def _window(self, change: ModelEdit, beyond: Beyond, sides: str, weight: float) -> Hypothesis:
        past = "" if beyond == "texel" else " (0 past the texture)"
        return Hypothesis(
            self.cause,
            f"reads what lies beyond {sides} of every tile{past}",
            "Test the place against the tile before reading: outside it the value is the padding's.",
            {"sides": sides},
            (change,),
            line=lines.read(),
            weight=weight,
            in_pairs=weight == 1.2 and beyond == "texel",
        )

    def _resizes(self, case: FailingPass) -> Iterator[Hypothesis]:
        """A resize whose reads are not held inside the picture."""
        for node, change, _beyond in resized_beyond(case, _BEYOND):
            yield Hypothesis(
                self.cause,
                "interpolates with what lies beyond the tile's border",
                "Clamp every place to the tile before reading it.",
                {"sides": "every side"},
                (NodeChange(node.name, change),),
                line=lines.read(),
                weight=1.3,
            )
